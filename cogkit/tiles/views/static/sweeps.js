// One Gibbs chain, update by update. Python sends once what was drawn; here it is turned over, so moving needs no kernel.
const SWEEP = SIZE * SIZE;
const PLOT = { left: 40, right: 428, top: 6, bottom: 46 };
const NAMES = { 0: "blue", 1: "red" };
ICONS["Back one sweep"] = "M10 4l-6 6 6 6zM16 4l-6 6 6 6z";
ICONS["Forward one sweep"] = "M10 4l6 6-6 6zM4 4l6 6-6 6z";
const signed = (number) => `${number}`.replace("-", "−");
const share = (mille) => (mille / 1000).toFixed(3);

// Every state of the chain, as a board is drawn: the start, and one a visit.
function unroll({ start, tiles, after }) {
  const states = [start];
  tiles.forEach((tile, i) => states.push(states[i].slice(0, tile) + after[i] + states[i].slice(tile + 1)));
  return states;
}

function sentence(chain, states, update) {
  if (!update) return chain.opening;
  const [i, tile] = [update - 1, chain.tiles[update - 1]];
  const [was, is] = [states[i][tile], chain.after[i]];
  const now = was === is ? `still ${NAMES[is]}` : `${NAMES[is]} (was ${NAMES[was]})`;
  return `Sweep ${Math.ceil(update / SWEEP)} of ${chain.sweeps}, update ${(i % SWEEP) + 1} of ${SWEEP}: ${place(tile)}. ` +
    `Chance of red ${share(chain.chances[i])} given the other ${SWEEP - 1}; ` +
    `the draw was ${share(chain.uniforms[i])}, ${is === "1" ? "below it" : "not below it"}: ${now}.`;
}

// One statistic over the whole chain: what was, what comes, where we are, and the mean of the rule's boards.
function makeTrace({ name, note, values, mean }, axis, sweeps, move) {
  const last = values.length - 1;
  const all = mean === null ? values : [...values, mean];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (update) => PLOT.left + (update / last) * (PLOT.right - PLOT.left);
  const y = (value) => PLOT.bottom - ((value - low) / (high - low || 1)) * (PLOT.bottom - PLOT.top);
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`);
  const step = Math.ceil(sweeps / 10);
  const ticks = axis ? Array.from({ length: Math.floor(sweeps / step) + 1 }, (_, i) => i * step) : [];
  const level = (look, height) => shape("path", { class: look, d: `M${PLOT.left} ${height}H${PLOT.right}` });
  const end = (value, height) => shape("text", { x: 34, y: height, "text-anchor": "end" }, signed(Math.round(value)));
  const [past, cursor, dot] = [["polyline", { class: "ck-past" }], ["path", { class: "ck-cursor" }], ["circle", { r: 4 }]].map((part) => shape(...part));
  const drawn = shape("svg", { viewBox: `0 0 440 ${axis ? 66 : 50}`, "aria-hidden": true },
    level("ck-axis", PLOT.bottom), end(high, PLOT.top + 5), end(low, PLOT.bottom),
    ...ticks.map((t) => shape("text", { x: x(t * SWEEP), y: 62, "text-anchor": "middle" }, t)),
    ...(mean === null ? [] : [level("ck-mean", y(mean))]),
    shape("polyline", { class: "ck-ahead", points: points.join(" ") }), past, cursor, dot);
  drawn.addEventListener("click", (event) => {
    const across = ((event.clientX - drawn.getBoundingClientRect().left) / drawn.clientWidth) * 440;
    move(Math.round(((across - PLOT.left) / (PLOT.right - PLOT.left)) * last));
  });
  const number = make("strong", {});
  const title = make("div", { class: "ck-title" }, make("span", {}, `${name} `, make("span", { class: "ck-quiet" }, note)), number);
  function draw(update) {
    number.textContent = signed(values[update]);
    past.setAttribute("points", points.slice(0, update + 1).join(" "));
    cursor.setAttribute("d", `M${x(update)} ${PLOT.top - 4}V${PLOT.bottom}`);
    dot.setAttribute("cx", x(update));
    dot.setAttribute("cy", y(values[update]));
  }
  return { root: make("div", { class: "ck-trace" }, title, drawn), draw };
}

export default {
  // The clock belongs to the widget, not to a view of it: two views of one chain play it once.
  initialize({ model }) {
    let timer = 0;
    const last = () => model.get("chain").tiles.length;
    function tick() {
      const [update, bySweep] = [model.get("update"), model.get("speed") === SWEEP];
      const to = Math.min(bySweep ? (Math.floor(update / SWEEP) + 1) * SWEEP : update + 1, last());
      model.set("update", to);
      if (to === last()) model.set("playing", false);
      model.save_changes();
    }
    function run() {
      clearInterval(timer);
      if (model.get("playing")) timer = setInterval(tick, 1000 / (model.get("speed") === SWEEP ? 1 : model.get("speed")));
    }
    const unwatch = watch(model, run, "playing", "speed");
    run();
    return () => {
      unwatch();
      clearInterval(timer);
    };
  },
  render({ model, el }) {
    const chain = model.get("chain");
    const states = unroll(chain);
    const last = states.length - 1;
    const heat = model.get("heat");
    const head = make("div", { class: "ck-head" });
    const status = make("div", { class: "ck-status" });
    const live = make("div", { class: "ck-live", role: "status", "aria-live": "polite" });
    let spoken = 0;

    function put(values) {
      for (const [name, value] of Object.entries(values)) model.set(name, value);
      model.save_changes();
    }
    const move = (to) => put({ update: Math.min(Math.max(to, 0), last), playing: false });
    const by = (updates) => move(model.get("update") + updates);
    function play() {
      const playing = !model.get("playing");
      put(playing && model.get("update") === last ? { update: 0, playing } : { playing });
    }
    const flip = () => heat.byteLength && put({ heat_on: !model.get("heat_on") });

    const legend = makeLegend(flip, "chances of red");
    const grid = makeGrid(model.get("label"), true, () => {}, legend.look);
    const key = make("div", { class: "ck-key ck-quiet", "aria-hidden": true });
    for (const [name, text] of [["red", "red"], ["blue", "blue"], ["covered is-last", "drawn at this update"]])
      key.append(make("span", {}, make("i", { class: `ck-tile is-${name}` }), text));
    const slider = make("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Update" });
    slider.addEventListener("input", () => move(Number(slider.value)));
    const toggle = iconButton("Play", play);
    toggle.classList.add("ck-primary");
    const speeds = [[2, "2 updates a second"], [4, "4 updates a second"], [8, "8 updates a second"], [SWEEP, "1 sweep a second"]];
    const [speedBox, speed] = choice("Speed", speeds, (value) => put({ speed: Number(value) }));
    const transport = make("div", { class: "ck-transport", role: "group", "aria-label": "Playback" },
      iconButton("First", () => move(0)), iconButton("Back one sweep", () => by(-SWEEP)), iconButton("Back", () => by(-1)), toggle,
      iconButton("Forward", () => by(1)), iconButton("Forward one sweep", () => by(SWEEP)), iconButton("Last", () => move(last)));
    const foot = make("div", { class: "ck-foot" }, transport, slider);
    const shown = model.get("traces");
    const traces = shown.map((trace, i) => makeTrace(trace, i === shown.length - 1, chain.sweeps, move));
    const reference = make("p", { class: "ck-quiet" }, ...(chain.reference ? [make("span", { class: "ck-dash" }), chain.reference] : []));
    const lines = make("div", { class: "ck-traces" }, ...traces.map((trace) => trace.root), make("p", { class: "ck-quiet ck-sweep" }, "sweep"), reference);
    const why = make("span", { class: "ck-quiet" }, "Without the network only the chance at each visit is known.");
    const aside = make("div", { class: "ck-aside" }, lines, heat.byteLength ? legend.root : why, make("div", { class: "ck-choices" }, speedBox));
    const root = make("div", { class: "cogkit-widget cogkit-board ck-sweeps" }, head, make("div", { class: "ck-main" }, grid.root, key, status, live, foot), aside);
    const drawKeys = takeKeys(root, (event) => {
      const onBoard = grid.root.contains(event.target);
      const steps = { ",": -1, ".": 1, "<": -SWEEP, ">": SWEEP };
      if (!onBoard) {
        const more = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -SWEEP, PageUp: SWEEP, Home: -last, End: last };
        Object.assign(steps, more);
      }
      if (event.key in steps) by(steps[event.key]);
      else if (event.key === "p" || event.key === "P") flip();
      else if (event.key === " " && (onBoard || event.target.tagName !== "BUTTON")) play();
      else return;
      event.preventDefault();
    }, undefined, foot);
    const turns = [["← →", "for one update"], ["Page Up, Page Down", "for one sweep"], ["Space", "to play and pause"]];
    drawKeys(turns);

    function draw() {
      const update = Math.min(model.get("update"), last);
      const playing = model.get("playing");
      const said = sentence(chain, states, update);
      const reds = [...states[update]].filter((tile) => tile === "1").length;
      const texts = [`Sweep ${Math.ceil(update / SWEEP)} of ${chain.sweeps}`, `Update ${update} of ${last}`, `${reds} red`];
      head.replaceChildren(...texts.map((text, i) => make(i ? "span" : "strong", {}, text)));
      status.textContent = said;
      // While the chain plays, a screen reader hears one update in five seconds.
      if (!playing || performance.now() - spoken > 5000) {
        live.textContent = said;
        spoken = performance.now();
      }
      const on = model.get("heat_on") && heat.byteLength > 0;
      const chance = on ? Array.from(new Uint8Array(heat.buffer, heat.byteOffset + update * SWEEP, SWEEP), (n) => n * 5) : null;
      const tile = update ? chain.tiles[update - 1] : -1;
      grid.draw({ game: "chain", start: -1, last: tile, shown: states[update], most: on && 1000 }, chance);
      legend.draw(chance, on, "Chance of red given all the others", "100 %");
      traces.forEach((trace) => trace.draw(update));
      slider.value = update;
      slider.setAttribute("aria-valuetext", said);
      speed.value = model.get("speed");
      const name = playing ? "Pause" : "Play";
      if (toggle.title !== name || !update) toggle.replaceChildren(icon(name));
      toggle.title = name;
      toggle.setAttribute("aria-label", name);
    }
    const unwatch = watch(model, draw, "update", "playing", "heat_on", "speed");
    settle(el, root, "Run this cell to use it from Python. The chain plays as it is.");
    draw();
    return unwatch;
  },
};
