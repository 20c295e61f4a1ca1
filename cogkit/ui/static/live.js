// A run under way. Python describes the scene; this file draws it and says which button was pressed.
const SIZES = [[816, 264], [392, 232], [264, 208]];
const BESIDE = [536, 264];
const SIGNS = "◆○◇●";

// Round numbers from 0 to just above the highest value, four or so.
function ticks(most) {
  const raw = (most || 1) / 4;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((m) => m * size >= raw) * size;
  return Array.from({ length: Math.ceil((most || 1) / step - 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

function plot({ label, series, lines, alt }, reach, [width, height]) {
  const values = [...series.flatMap((s) => s.points.map((p) => p[1])), ...lines.map((l) => l.value)];
  const up = ticks(Math.max(0, ...values));
  const down = Math.min(0, ...values);
  const [left, right, top, bottom] = [48, width - 12, 24, height - 40];
  const x = (step) => left + ((right - left) * step) / (reach || 1);
  const y = (value) => bottom - ((bottom - top) * (value - down)) / (up.at(-1) - down);
  const text = (words, attributes) => shape("text", attributes, words);
  const root = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": alt, class: "ck-curve" });
  root.append(text(label, { x: 0, y: 12, class: "ck-axis-name" }));
  for (const value of up) {
    root.append(shape("path", { d: `M${left} ${y(value)}H${right}`, class: value ? "ck-rule" : "ck-zero" }));
    root.append(text(value.toLocaleString("en"), { x: left - 8, y: y(value) + 4, "text-anchor": "end" }));
  }
  for (const step of ticks(reach).filter((step) => step <= reach))
    root.append(text(step.toLocaleString("en"), { x: x(step), y: bottom + 18, "text-anchor": "middle" }));
  root.append(text("step", { x: right, y: height - 4, "text-anchor": "end" }));
  if (!series.some((s) => s.points.length)) root.append(text("not taken yet", { x: left + 12, y: top + 20 }));
  for (const line of lines)
    root.append(shape("path", { d: `M${left} ${y(line.value)}H${right}`, class: `ck-level ck-${line.kind}-level` }));
  series.forEach((s, i) => {
    const spots = s.points.map((p) => `${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}`);
    if (!spots.length) return;
    root.append(shape("path", { d: `M${spots.join("L")}`, class: `ck-series ck-series-${i}` }));
    const mark = i % 2 ? "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0" : "m0-4l4 4l-4 4l-4-4z";
    if (s.dots) root.append(shape("path", { d: spots.map((spot) => `M${spot}${mark}`).join(""), class: `ck-dots ck-dots-${i}` }));
  });
  // Names stand over the curves, and at the left where a curve has come to the level. Where levels are near, all their
  // names stand above the highest of them, in the order of the levels.
  const ranked = [...lines].sort((a, b) => b.value - a.value);
  const heights = ranked.map((line) => y(line.value) + (y(line.value) < top + 12 ? 16 : -6)); // the axis has its name on top
  for (let i = 1; i < ranked.length; i++)
    if (y(ranked[i].value) - y(ranked[i - 1].value) < 18) heights[i] = heights[i - 1];
  const room = { start: Infinity, end: Infinity };
  for (const [i, line] of [...ranked.entries()].reverse()) {
    const above = (s) => y(line.value) - y(s.points.at(-1)?.[1] ?? Infinity);
    const [at, anchor] = series.some((s) => above(s) > -8 && above(s) < 28) ? [left + 8, "start"] : [right, "end"];
    const height = Math.min(heights[i], room[anchor]);
    room[anchor] = height - 16;
    root.append(text(line.label, { x: at, y: height, "text-anchor": anchor, class: "ck-level-name" }));
  }
  const named = series.map((s, i) => [s, i]).filter(([s]) => series.length > 1 && s.points.length);
  named.reverse().forEach(([s, i], place) =>
    root.append(text(`${SIGNS[i]} ${s.name}`, { x: right - 96 * place, y: 12, "text-anchor": "end", class: `ck-name-${i}` })));
  return root;
}

// A button that cannot be used stays focusable, so that it can say why.
function makeButton(name, press) {
  const button = make("button", { type: "button", class: "ck-press" });
  const why = make("span", { class: "ck-why" });
  why.id = `ck-why-${Math.random().toString(36).slice(2)}`;
  button.setAttribute("aria-describedby", why.id);
  button.addEventListener("click", () => press(name));
  const draw = (now, primary) => {
    button.textContent = now.label;
    button.setAttribute("aria-disabled", Boolean(now.why));
    button.classList.toggle("is-primary", primary);
    why.textContent = now.why;
  };
  return { root: make("span", { class: "ck-control" }, button, why), draw };
}

// The newest numbers of a run, each with its name.
function makeNumbers() {
  const root = make("dl", { class: "ck-numbers" });
  const draw = (numbers) => root.replaceChildren(...numbers.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  return { root, draw };
}

function makeRun(model, el, more) {
  const controls = make("div", { class: "ck-controls" });
  const line = make("span", { class: "ck-line-now" });
  const bar = make("progress", { "aria-label": "Steps done" });
  const plots = make("div", { class: "ck-curves" });
  const status = make("div", { class: "ck-said", role: "status", "aria-live": "polite" });
  const extra = more?.(model);
  const body = make("div", { class: "ck-run-body" }, plots, ...(extra ? [extra.root] : []));
  const root = make("div", { class: "cogkit-run" }, make("div", { class: "ck-run-head" }, controls, line), bar, body, status);
  const buttons = new Map();
  const { ask, heard } = asker(model, status);
  function press(name) {
    if (model.get("scene").buttons.find((b) => b.press === name).why) return;
    ask({ press: name });
  }
  // JupyterLab's command mode would take letters as orders to the notebook; Tab and Escape stay its own.
  root.addEventListener("keydown", (event) => event.key !== "Tab" && event.key !== "Escape" && event.stopPropagation());
  function draw() {
    const now = model.get("scene");
    heard();
    const first = now.buttons.find((b) => !b.why);
    for (const [name, button] of buttons) button.root.hidden = !now.buttons.some((b) => b.press === name);
    for (const button of now.buttons) {
      if (!buttons.has(button.press)) {
        buttons.set(button.press, makeButton(button.press, press));
        controls.append(buttons.get(button.press).root);
      }
      buttons.get(button.press).draw(button, button === first);
    }
    line.textContent = now.line;
    bar.max = now.total || 1;
    bar.value = now.step;
    const size = extra ? BESIDE : SIZES[Math.min(now.curves.length, 3) - 1];
    plots.replaceChildren(...now.curves.map((curve) => plot(curve, now.reach, size)));
    if (status.textContent !== now.status) status.textContent = now.status;
    extra?.draw(now);
  }
  const unwatch = watch(model, draw, "scene");
  settle(el, root, "Run this cell to train here.");
  draw();
  return () => {
    unwatch();
    heard();
  };
}
