(() => {
const here = document.currentScript?.parentElement ?? document;
for (const map of here.matches?.(".ck-map") ? [here] : here.querySelectorAll(".ck-map")) {
  const form = map.querySelector(".ck-form");
  if (!form || form.dataset.ready) continue;
  form.dataset.ready = "";
  form.hidden = false;
  const chosen = (name) => form.querySelector(`[data-filter="${name}"]`).value;
  const draw = () => {
    const kinds = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
    map.dataset.profile = chosen("profile");
    map.dataset.zero = chosen("zero");
    const [instrument, inputs] = [chosen("instrument"), chosen("inputs")];
    for (const room of map.querySelectorAll(".ck-room")) {
      room.hidden = instrument !== "" && room.dataset.instrument !== instrument;
      let some = false;
      for (const row of room.querySelectorAll(".ck-row")) {
        let marks = 0;
        for (const mark of row.querySelectorAll("[data-kind]")) {
          mark.hidden = !kinds.has(mark.dataset.kind) || (inputs !== "" && mark.dataset.inputs !== inputs);
          marks += !mark.hidden && mark.dataset.profile === map.dataset.profile;
        }
        row.hidden = !marks;
        some ||= marks > 0;
      }
      room.querySelector(".ck-none").hidden = some;
    }
  };
  form.addEventListener("change", draw);
  // JupyterLab takes arrows, Space and Enter on a cell for its own.
  form.addEventListener("keydown", (event) => event.key !== "Tab" && event.key !== "Escape" && event.stopPropagation());
  // JupyterLab opens a notebook at its top, and finds a place only in one that is drawn: ask again when it is.
  map.addEventListener("click", (event) => {
    const row = event.target.closest("a.ck-row"), own = map.closest(".jp-NotebookPanel");
    if (!row || !own || !event.isTrusted) return;
    const until = performance.now() + 30000;
    const ask = () => {
      const panels = [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden)")];
      const drawn = panels.some((panel) => panel !== own && panel.querySelector(".jp-Notebook h1")?.offsetParent);
      if (drawn) row.click();
      else if (performance.now() < until) requestAnimationFrame(ask);
    };
    ask();
  });
  draw();
}
})();
