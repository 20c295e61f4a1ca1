// JupyterLab and Notebook load this file as it is: a prebuilt extension, written by hand. The project's figures are
// stored on white, as they are printed; here they take the colours of the theme and the width of their cell, and what a
// notebook keeps of them stays as it was. Other people's plotly figures are left alone: theirs lack the template's mark.
(() => {
  const MIME = "application/vnd.plotly.v1+json";
  const MARK = "cogkit"; // `meta` in the template of cogkit.ui.theme
  const mix = (share) => `color-mix(in srgb, var(--jp-ui-font-color0) ${share}%, var(--jp-layout-color0))`;
  // Each grey of our figures, and the share of the theme's ink in it.
  const GREYS = {
    "#222222": 87, "#444444": 73, "#5F5F5F": 63, "#B8B8B8": 30, "#C9C9C9": 26, "#D0D0D0": 24, "#E4E4E4": 14, "#ECECEC": 12, "#F2F2F2": 10, "#FFFFFF": 0,
  };
  const DEEP = ["#332288", "#1B5E20"]; // colours too dark for a dark theme, and below those that are so as text
  const DIM = ["#0072B2", "#767676", "#6B6B6B"];
  const rgb = (hex) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

  function rules() {
    const figure = ".cogkit-figure";
    const painted = (property, hex, element = "") => [`${property}: ${rgb(hex)}`, `${property}:${hex}`, `${property}: ${hex}`]
      .map((text) => `${element}[style*="${text}" i]:not(.hoverlayer *, .modebar *)`);
    const rule = (selectors, within, text) => `${within} :is(${selectors.join(",")}) { ${text} !important; }`;
    const greys = Object.entries(GREYS).flatMap(([hex, share]) =>
      ["fill", "stroke"].map((property) => rule(painted(property, hex), figure, `${property}: ${mix(share)}`)));
    const dark = `body[data-jp-theme-light="false"] ${figure}`;
    const dim = DIM.map((hex) => rule(["text", "tspan"].flatMap((tag) => painted("fill", hex, tag)), dark, `fill: color-mix(in srgb, ${hex} 55%, white)`));
    const deep = DEEP.flatMap((hex) => ["fill", "stroke"].map((property) => rule(painted(property, hex), dark, `${property}: color-mix(in srgb, ${hex} 45%, white)`)));
    return [`${figure} .main-svg { background: transparent !important; }`, `${figure} .modebar-btn path { fill: ${mix(63)} !important; }`,
      `${figure} .modebar { background: transparent !important; }`,
      ".jp-OutputArea-output.jp-RenderedText pre { word-break: normal; }", // Lab breaks printed sentences within words
      ...greys, ...dim, ...deep].join("\n");
  }

  // The renderer of plotly draws each figure once, at the width that its cell has then, and an opened notebook's not at
  // all: it shows a picture of how the figure was.
  function follow(Rendered) {
    const { createGraph, renderModel } = Rendered.prototype;
    const ours = (model) => model.data[MIME]?.layout?.template?.layout?.meta === MARK;
    Rendered.prototype.renderModel = function (model) {
      if (!ours(model)) return renderModel.call(this, model);
      return this.hasGraphElement() ? Promise.resolve() : this.createGraph(model);
    };
    Rendered.prototype.createGraph = async function (model) {
      if (!ours(model)) return createGraph.call(this, model);
      const kept = model.data["image/png"];
      const copy = structuredClone(model.data[MIME]); // plotly writes into what it draws
      const most = copy.layout.width ?? Infinity;
      const fit = () => Math.min(most, this.node.offsetWidth || most);
      this.node.classList.add("cogkit-figure");
      if (most < Infinity) copy.layout.width = fit();
      await createGraph.call(this, {
        data: { [MIME]: copy },
        setData: ({ data }) => kept ?? model.setData({ data: { ...model.data, "image/png": data["image/png"] } }),
      });
      let width = fit();
      new ResizeObserver(() => {
        if (!this.node.offsetWidth || fit() === width) return;
        width = fit();
        Rendered.Plotly?.relayout(this.node, { width });
      }).observe(this.node);
    };
  }

  async function activate() {
    document.head.append(Object.assign(document.createElement("style"), { textContent: rules() }));
    const get = window._JUPYTERLAB["jupyterlab-plotly"]?.get;
    const { RenderedPlotly } = get ? (await get("./mimeExtension"))() : {};
    if (RenderedPlotly?.prototype.createGraph) follow(RenderedPlotly);
  }

  const plugin = { id: "@cogkit/figures:plugin", description: "Theme and width of cogkit's figures.", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["@cogkit/figures"] = { init: () => {}, get: async () => () => ({ __esModule: true, default: plugin }) };
})();
