// A map of tasks, sliders for the constants, the ranks that follow, and the opened task. Python works out every number.
const SIZE = 400;
const PAD = { left: 56, right: 16, top: 16, bottom: 48 };
const at = (p) => [PAD.left + p[0] * (SIZE - PAD.left - PAD.right), SIZE - PAD.bottom - p[1] * (SIZE - PAD.top - PAD.bottom)];

function makeMap({ tasks, letters, sides }, open) {
  const [low, high] = [at([0, 0]), at([1, 1])];
  const axes = shape("g", { class: "ck-axes" });
  const points = tasks.map((name, i) => {
    const point = shape("g", { class: "ck-point", role: "button", tabindex: i ? -1 : 0 },
      shape("circle", { r: 9 }), shape("text", { y: 4 }, letters[i]));
    point.dataset.place = i;
    return point;
  });
  const layer = shape("g", {}, ...points);
  const name = (words, attributes) => shape("text", { class: "ck-axis-name", ...attributes }, words);
  const root = shape("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "ck-map", role: "group", "aria-label": `GR* of ${tasks.length} tasks: ${sides[0]} across, ${sides[1]} up` },
    shape("path", { d: `M${low}L${high}`, class: "ck-diagonal" }), axes, layer,
    name(`GR*, ${sides[0]} (better →)`, { x: high[0], y: SIZE - 8, "text-anchor": "end" }),
    name(`GR*, ${sides[1]} (better ↑)`, { transform: `translate(14 ${high[1]}) rotate(-90)`, "text-anchor": "end" }));
  let here = 0;
  function go(to) {
    points[here].setAttribute("tabindex", -1);
    here = to;
    points[here].setAttribute("tabindex", 0);
    points[here].focus();
  }
  const indexOf = (event) => Number(event.target.closest(".ck-point")?.dataset.place ?? -1);
  root.addEventListener("click", (event) => indexOf(event) >= 0 && (go(indexOf(event)), open(tasks[here])));
  root.addEventListener("keydown", (event) => {
    const last = tasks.length - 1;
    const to = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) go(Math.max(0, Math.min(last, to)));
    else if (event.key === "Enter" || event.key === " ") open(tasks[here]);
    else return;
    event.preventDefault();
  });
  function draw(now, chosen) {
    axes.replaceChildren(...now.ticks.flatMap(([p, label]) => {
      const [x, y] = at([p, p]);
      return [shape("path", { d: `M${x} ${low[1]}v5M${low[0]} ${y}h-5` }),
        shape("text", { x, y: low[1] + 18, "text-anchor": "middle" }, label), shape("text", { x: low[0] - 8, y: y + 4, "text-anchor": "end" }, label)];
    }), shape("path", { d: `M${low}H${high[0]}M${low}V${high[1]}` }));
    points.forEach((point, i) => {
      const [x, y] = at(now.points[i]);
      point.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      point.setAttribute("class", `ck-point${i === chosen ? " is-chosen" : ""}`);
      point.setAttribute("aria-label", `${tasks[i]}: ${sides[0]} ${now.values[i][0]}, ${sides[1]} ${now.values[i][1]}`);
      point.setAttribute("aria-pressed", i === chosen);
    });
    if (!layer.contains(document.activeElement)) layer.append(points[chosen]); // on top, unless that would take the focus away
  }
  return { root, draw };
}

function makeSliders({ sliders, lists }, ask) {
  const inputs = sliders.map(([name, words, low, high]) => {
    const input = make("input", { type: "range", min: low, max: high, step: 0.05, "aria-label": words });
    const value = make("output", {});
    input.addEventListener("input", () => ((value.textContent = Number(input.value).toFixed(2)), ask({ change: { [name]: Number(input.value) } })));
    return { name, input, value, row: make("label", { class: "ck-slider" }, make("span", {}, words), input, value) };
  });
  const choices = lists.map(([name, words, values]) => {
    const [row, select] = choice(words, values.map((value) => [value, value]), (to) => ask({ change: { [name]: to } }));
    row.className = "ck-choice";
    return { name, select, row };
  });
  const reset = make("button", { type: "button", class: "ck-button" }, "The paper's settings");
  reset.addEventListener("click", () => ask({ reset: true }));
  const root = make("div", { class: "ck-sliders" }, ...inputs.map((i) => i.row), ...choices.map((c) => c.row), reset);
  function draw(now) {
    for (const { name, input, value } of inputs) {
      if (document.activeElement !== input) input.value = now.settings[name];
      value.textContent = Number(now.settings[name]).toFixed(2);
    }
    for (const { name, select } of choices) select.value = now.open[name];
  }
  return { root, draw };
}

// Bars of what each column tells, the template over them, and the rows along the two columns that tell most.
function drawTask(task) {
  const n = task.shares.length;
  const wide = 264 / n;
  const bars = task.shares.map((share, i) => shape("rect", { x: 8 + i * wide, y: 104 - 88 * share, width: Math.max(1, wide - (n > 30 ? 0.5 : 2)), height: 88 * share }));
  const template = shape("path", { d: task.rising ? "M8 104L272 16" : "M8 16L272 104", class: "ck-template" });
  const relevance = shape("svg", { viewBox: "0 0 280 128", class: "ck-bars", role: "img", "aria-label": `Relevance of ${n} columns, from ${task.columns[0]} to ${task.columns[n - 1]}; the template ${task.rising ? "rises" : "falls"}` },
    ...bars, template, shape("path", { d: "M8 104H272", class: "ck-rule" }),
    shape("text", { x: 8, y: 122 }, task.columns[0]), shape("text", { x: 272, y: 122, "text-anchor": "end" }, task.columns[n - 1]));
  const sign = (k) => (k < 2 ? shape("circle", { r: 3, class: `is-class-${k}` }) : shape("text", { class: "is-class", y: 4 }, k));
  const dots = task.dots.map(([x, y, k]) => {
    const dot = sign(k);
    dot.setAttribute("transform", `translate(${(16 + 176 * x).toFixed(1)} ${(184 - 168 * y).toFixed(1)})`);
    return dot;
  });
  const rows = shape("svg", { viewBox: "0 0 208 216", class: "ck-rows", role: "img", "aria-label": `Training rows by ${task.axes.join(" and ")}` },
    ...dots, shape("path", { d: "M8 16V192H200", class: "ck-rule" }),
    shape("text", { x: 200, y: 208, "text-anchor": "end" }, task.axes[0]), shape("text", { x: 12, y: 12 }, task.axes[1]));
  const lines = task.rows.map(([who, kind, right]) => make("tr", {}, make("th", { scope: "row" }, make("span", { class: `ck-mark ck-${kind}`, "aria-hidden": true }, { proxy: "○", model: "◆", floor: "–", observer: "⋯" }[kind]), who), make("td", {}, right)));
  const part = (title, ...inside) => make("div", {}, make("h4", {}, title), ...inside);
  return [part("What each column tells, and the template", relevance), part("Rows (training), by class", rows),
    part("Share right", make("table", {}, make("tbody", {}, ...lines)), make("p", { class: "ck-quiet" }, task.note))];
}

export default explorer(({ model, still, status, ask }) => {
  const map = makeMap(still, (name) => ask({ show: name }));
  const sliders = makeSliders(still, ask);
  const key = make("div", { class: "ck-keys" }, ...still.key.map(([letter, family]) => make("span", {}, make("b", {}, letter), family)));
  const [sideBox, side] = choice("Highest of ", still.sides.map((name) => [name, name]), (name) => ask({ look_at: name }));
  const ranks = make("tbody", {});
  const heads = ["rank", "task", "GR*", "was"].map((name) => make("th", { scope: "col" }, name));
  const list = make("div", { class: "ck-ranks" }, sideBox, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), ranks));
  const [line, opened] = ["ck-head", "ck-opened"].map((name) => make("div", { class: name }));
  const title = make("h4", { class: "ck-title" });
  const root = make("div", { class: "cogkit-widget ck-scales" }, line, make("div", { class: "ck-main" }, map.root, key),
    make("div", { class: "ck-aside" }, sliders.root, list), status, title, opened);
  const drawKeys = takeKeys(root, () => {}, () => map.root.querySelector("[tabindex='0']"), key.parentNode);
  drawKeys([["arrow keys", "to move on the map"], ["Enter", "to open a task"]]);
  function draw(now) {
    const task = model.get("task");
    line.textContent = now.line;
    side.value = now.side;
    sliders.draw(now);
    map.draw(now, task.place);
    ranks.replaceChildren(...now.top.map((row) => make("tr", { class: row[1] === task.name ? "is-chosen" : "" }, ...row.map((text) => make("td", {}, String(text))))));
    if (title.textContent === task.said) return;
    title.textContent = task.said;
    opened.replaceChildren(...drawTask(task));
  }
  return [root, [draw, "scene", "task"]];
});
