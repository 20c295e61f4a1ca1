// One 7×7 board, three uses: TileBoard plays it, Replay shows it, ChoiceTrial asks for one tile of it. Python is the truth: this file draws the scene that
// Python describes and reports what was asked for; it never works out a colour, a score or a probability itself.
const USES = { play: tr`and Enter to open a tile`, replay: "to look at tiles", choose: "and Enter to choose a tile" };
const COUNTS = {
  play: "A click counts once its tile is open; what is open is stored.",
  choose: "A choice counts once the next board is shown.",
};
const WHO = { you: "★", person: "●", proxy: "○", model: "◆", floor: "■", observer: "▲" };

// Blue tiles on one line: the band is mean ± sd of the floor, the marks are those of every figure.
function strip(rows) {
  const top = Math.max(4, ...rows.map((r) => r.value + (r.sd ?? 0))) * 1.05;
  const x = (value) => (8 + (Math.max(value, 0) / top) * 224).toFixed(1);
  const text = (look, value, y, words) => shape("text", { class: look, x: x(value), y, "text-anchor": "middle" }, words);
  const drawn = [...rows].reverse().flatMap(({ kind, line, value, sd }) => [
    ...(sd ? [shape("rect", { class: "ck-band", x: x(value - sd), width: x(value + sd) - x(value - sd), y: 4, height: 24 })] : []),
    line ? shape("path", { class: `ck-line ck-${kind}`, d: `M${x(value)} 2v28` }) : text(`ck-${kind}`, value, 22, WHO[kind]),
  ]);
  const ticks = [0, Math.floor(top)].map((tick) => text("ck-tick", tick, 44, tick));
  const axis = shape("path", { class: "ck-axis", d: "M8 30H232" });
  return shape("svg", { viewBox: "0 0 240 48", class: "ck-strip", "aria-hidden": true }, axis, ...drawn, ...ticks);
}

function comparison({ title, rows, note }) {
  const lines = rows.map((r) =>
    make("tr", {},
      make("th", { scope: "row" }, make("span", { class: `ck-mark ck-${r.kind}${r.line ? " ck-line" : ""}`, "aria-hidden": true }, r.line ? "" : WHO[r.kind]), r.label),
      make("td", {}, r.text)));
  return [
    make("h4", {}, title),
    make("table", {}, make("tbody", {}, ...lines)),
    ...(rows.some((r) => r.value !== null) ? [strip(rows.filter((r) => r.value !== null))] : []),
    make("p", { class: "ck-quiet" }, note),
  ];
}

export default {
  render({ model, el }) {
    const use = model.get("use");
    const replay = use === "replay";
    const head = make("div", { class: "ck-head" });
    const prompt = make("p", { class: "ck-prompt" });
    const status = make("div", { class: "ck-status", role: "status", "aria-live": "polite" });
    const foot = make("div", { class: "ck-foot" });
    const aside = make("div", { class: "ck-aside" });
    const facts = make("div", { class: "ck-facts" });
    const legend = makeLegend(flip, "probabilities");
    const key = make("div", { class: "ck-key ck-quiet", "aria-hidden": true });
    const [red, blue] = use === "choose" ? ["red", "blue"] : [tr`red, +1`, tr`blue, −1`];
    for (const [name, text] of [["red", red], ["blue", blue], ["red is-start", tr`open at the start`]])
      key.append(make("span", {}, make("i", { class: `ck-tile is-${name}` }), text));
    const scene = () => (replay ? model.get("scenes")[Math.min(model.get("step"), model.get("scenes").length - 1)] : model.get("scene"));
    const chance = () => (model.get("overlay_on") && scene().chance?.length ? scene().chance : null);
    let shownAt = performance.now();
    let pending = new Set();

    const { ask, heard } = asker(model, status, `Waiting for the kernel. ${COUNTS[use]}`);
    function open(tile) {
      if (replay || scene().closed || pending.has(tile)) return;
      pending.add(tile);
      grid.wait(tile);
      ask({ click: tile, game: scene().game, rt_s: (performance.now() - shownAt) / 1000 });
    }
    function flip() {
      if (!scene().chance) return;
      model.set("overlay_on", !model.get("overlay_on"));
      model.save_changes();
    }

    const grid = makeGrid(model.get("label"), replay, open, legend.look);
    const main = make("div", { class: "ck-main" }, grid.root, key, status, foot);
    aside.append(facts, legend.root);
    const root = make("div", { class: "cogkit-widget cogkit-board" }, head, prompt, main, aside);
    const controls = replay ? makeTransport(model, foot, facts) : makeNext(ask, scene, foot);
    const drawKeys = takeKeys(root, (event) => {
      if (event.key === "p" || event.key === "P") flip();
      controls.key(event);
    }, () => grid.root.querySelector("[tabindex='0']"), main);

    function draw() {
      const now = scene();
      shownAt = performance.now();
      heard();
      pending = new Set();
      head.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      prompt.textContent = now.prompt ?? "";
      prompt.hidden = !now.prompt;
      if (status.textContent !== now.status) status.textContent = now.status;
      const p = chance();
      grid.draw(now, p);
      grid.root.setAttribute("aria-disabled", Boolean(now.closed));
      legend.root.hidden = !now.chance;
      legend.draw(p, model.get("overlay_on"), now.player);
      controls.draw(now);
      drawKeys(now.closed ? [] : [[tr`arrow keys`, USES[use]], ...controls.keys(now), ...(now.chance ? [["P", "for probabilities"]] : [])]);
      if (!replay) facts.replaceChildren(...(now.beside ? comparison(now.beside) : []));
      aside.hidden = !replay && !now.beside && !now.chance;
    }
    const unwatch = watch(model, draw, ...(replay ? ["scenes", "step"] : ["scene"]), "overlay_on");
    settle(el, root, replay ? "Run this cell to choose boards. Its steps play as they are." : undefined);
    draw();
    return () => {
      unwatch();
      heard();
      controls.stop();
    };
  },
};

// The one primary button of play. It stays focusable when it cannot be used, so that it can say why.
function makeNext(ask, scene, foot) {
  const button = make("button", { type: "button", class: "ck-button ck-primary" });
  const why = make("span", { class: "ck-quiet" });
  why.id = `ck-why-${Math.random().toString(36).slice(2)}`;
  button.setAttribute("aria-describedby", why.id);
  foot.append(button, why);
  const next = () => ask({ next: true });
  button.addEventListener("click", next);
  return {
    key: (event) => (event.key === "n" || event.key === "N") && next(),
    keys: (now) => (now.next.ready ? [["N", tr`for the next board`]] : []),
    stop() {},
    draw(now) {
      button.textContent = now.next.label;
      button.hidden = !now.next.label;
      button.setAttribute("aria-disabled", !now.next.ready);
      why.textContent = now.next.why;
    },
  };
}

// Play back, step by step: every frame came from Python, here they are only turned over.
function makeTransport(model, foot, facts) {
  let timer = 0;
  const last = () => model.get("scenes").length - 1;
  const put = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    draw();
  };
  const go = (step) => {
    const to = Math.min(Math.max(step, 0), last());
    if (to !== model.get("step")) put("step", to);
    if (to === last()) stop();
  };
  const tick = () => go(model.get("step") + 1);
  function play() {
    if (timer) return stop();
    if (model.get("step") === last()) go(0);
    timer = setInterval(tick, 1000 / Number(speed.value));
    draw();
  }
  const numbered = (names) => names.map((name, i) => [i, name]);
  const slider = make("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  const toggle = iconButton("Play", play);
  toggle.classList.add("ck-primary");
  const speeds = [["1", "1 a second"], ["2", "2 a second"], ["4", "4 a second"], ["8", "8 a second"]];
  const [boardBox, board] = choice("Board", numbered(model.get("names")), (value) => put("board", Number(value)));
  const [passBox, pass] = choice("Pass", numbered(model.get("pass_names")), (value) => put("run", Number(value)));
  const [speedBox, speed] = choice("Speed", speeds, () => timer && (stop(), play()));
  speed.value = "2";
  slider.addEventListener("input", () => go(Number(slider.value)));
  const film = make("div", { class: "ck-film", "aria-hidden": true });
  const about = make("div", {});
  foot.append(
    make("div", { class: "ck-transport", role: "group", "aria-label": "Playback" },
      iconButton("First", () => go(0)), iconButton("Back", () => go(model.get("step") - 1)), toggle,
      iconButton("Forward", () => go(model.get("step") + 1)), iconButton("Last", () => go(last()))),
    slider, film);
  facts.append(about, make("div", { class: "ck-choices" }, boardBox, passBox, speedBox));
  function draw() {
    const scenes = model.get("scenes");
    const step = Math.min(model.get("step"), last());
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", scenes[step].status);
    board.value = model.get("board");
    pass.value = model.get("run");
    toggle.replaceChildren(icon(timer ? "Pause" : "Play"));
    toggle.title = timer ? "Pause" : "Play";
    toggle.setAttribute("aria-label", toggle.title);
    film.replaceChildren(...scenes.slice(1).map((s, i) => make("i", { class: `is-${STATE[s.shown[s.last]]}${i < step ? "" : " is-ahead"}` })));
    about.replaceChildren(...comparison(scenes[step].beside));
  }
  return {
    draw,
    keys: () => [["Space", "to play and pause"]],
    stop: () => clearInterval(timer),
    key(event) {
      if (event.key !== " " || event.target.tagName === "BUTTON") return;
      event.preventDefault();
      play();
    },
  };
}
