// A heatmap to choose from, the graph beside it, and a page of trials below. Python works out every number and word.
const NONE = 3;

// Real buttons in rows, one Tab stop, arrows within.
function makeHeat({ members, types, label }, choose) {
  const size = members.length;
  const root = make("div", { class: "ck-heat", role: "grid", "aria-label": `Share right by sample (row) and comparison (column): ${label}` });
  root.style.setProperty("--cell", `${Math.max(24, Math.min(44, Math.floor(330 / size)))}px`);
  const head = (name, role) => make("span", { role }, name);
  root.append(make("div", { class: "ck-row", role: "row" }, make("span", {}), ...members.map((name) => head(name, "columnheader"))));
  const cells = types.map((type, i) => {
    const cell = make("button", { type: "button", class: "ck-cell", role: "gridcell", tabindex: -1 });
    cell.dataset.pair = i;
    return cell;
  });
  members.forEach((name, i) =>
    root.append(make("div", { class: "ck-row", role: "row" }, head(name, "rowheader"), ...cells.slice(i * size, (i + 1) * size))));
  let here = 0;
  function go(to, focus = true) {
    cells[here].tabIndex = -1;
    here = to;
    cells[here].tabIndex = 0;
    if (focus) cells[here].focus();
  }
  root.addEventListener("click", (event) => {
    const cell = event.target.closest(".ck-cell");
    if (!cell) return;
    go(Number(cell.dataset.pair));
    if (cell.getAttribute("aria-disabled") === "false") choose(here);
  });
  root.addEventListener("keydown", (event) => {
    const to = walk(event, here, size);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  function draw({ texts, bands }, chosen) {
    cells.forEach((cell, i) => {
      const [sample, comparison] = [members[Math.floor(i / size)], members[i % size]];
      cell.className = `ck-cell is-${types[i]} ${isBand(bands[i])}`;
      cell.textContent = texts[i] ? (size > 8 ? texts[i].slice(1, 4) : texts[i]) : "–";
      cell.setAttribute("aria-label", `sample ${sample}, comparison ${comparison}: ${types[i]}, ${texts[i] ? `${texts[i]} right, ${bands[i]}` : "not asked"}`);
      cell.setAttribute("aria-selected", i === chosen);
      cell.setAttribute("aria-disabled", !texts[i]);
    });
    if (!root.contains(document.activeElement)) go(chosen, false);
  }
  return { root, draw };
}

function makeGraph({ members, types, arrows, nodes }) {
  const drawn = arrows.map(({ line, head }, i) =>
    shape("g", { class: "ck-arrow" },
      shape("path", { d: line, class: "ck-path" }), shape("g", { transform: head }, shape("path", { d: "M0 0l-.03 .09h.06z", class: "ck-tip" }))));
  const layer = shape("g", {}, ...drawn);
  const named = nodes.map(([x, y], i) =>
    shape("g", { transform: `translate(${x} ${-y})` }, shape("circle", { r: 0.09 }), shape("text", { y: 0.04 }, members[i])));
  const root = shape("svg", { viewBox: "-1.4 -1.4 2.8 2.8", class: "ck-graph has-chosen", role: "img" }, layer, ...named);
  function draw({ bands }, chosen, words) {
    drawn.forEach((arrow, i) => {
      arrow.setAttribute("class", `ck-arrow is-${types[i]}${i === chosen ? " is-chosen" : ""}`);
      arrow.setAttribute("display", bands[i] ? "inline" : "none");
      arrow.querySelector(".ck-path").setAttribute("class", `ck-path ${isBand(bands[i])}`);
      arrow.querySelector(".ck-tip").setAttribute("class", `ck-tip ${isBand(bands[i])}`);
    });
    layer.append(...drawn.filter((_, i) => i !== chosen).sort((a, b) => BANDS.indexOf(bands[drawn.indexOf(a)]) - BANDS.indexOf(bands[drawn.indexOf(b)])), drawn[chosen]);
    root.setAttribute("aria-label", `Members on a circle, an arrow for each pair; drawn strong: ${words}`);
  }
  return { root, draw };
}

const number = (chance) => chance.toFixed(3);

function chance(p, kind) {
  const bar = make("i", { class: `ck-${kind}`, "aria-hidden": true });
  bar.style.setProperty("--p", p);
  return make("span", { class: "ck-chance" }, bar, number(p));
}

// One trial a row: what was shown, how likely each answer was, and what was answered by each rule.
function trialRow({ sample, options, right, chances, given }, kind, speaks) {
  const shown = options.map((option, i) =>
    make("td", {}, make(i === right ? "strong" : "span", {}, i === right ? `${option} ✓` : option), chance(chances[i], kind)));
  if (speaks) shown.push(make("td", {}, chance(chances[NONE], kind)));
  const answered = given.map((place) => make("td", {}, place < 0 ? "none ✗" : `${options[place]} ${place === right ? "✓" : "✗"}`));
  return make("tr", {}, make("th", { scope: "row" }, sample), ...shown, ...answered);
}

export default explorer(({ model, still, status, ask }) => {
  const heat = makeHeat(still, (pair) => ask({ look_at: pair }));
  const graph = makeGraph(still);
  const [ruleBox, rule] = choice("Answer rule", still.rules.map((name) => [name, name]), (name) => ask({ use: name }));
  const head = make("div", { class: "ck-head" }, make("strong", {}, still.label), ruleBox);
  const keys = makeKeys(make("span", {}, "Box and arrow: — baseline, - - symmetry, ···· transitivity (equivalence: no box)"));
  const hint = make("div", { class: "ck-hint" });
  const [heads, body] = ["tr", "tbody"].map((tag) => make(tag, {}));
  const turns = [["Previous trials", -1, "P"], ["Next trials", 1, "N"]].map(([name, by, key]) => {
    const button = make("button", { type: "button", class: "ck-button", "aria-keyshortcuts": key }, name);
    button.addEventListener("click", () => turn(by));
    return [button, by];
  });
  const where = make("span", { class: "ck-quiet" });
  const table = make("table", {}, make("thead", {}, heads), body);
  const foot = make("div", { class: "ck-foot" }, ...turns.map(([button]) => button), where);
  const root = make("div", { class: "cogkit-widget ck-explorer" }, head, make("div", { class: "ck-main" }, heat.root),
    make("div", { class: "ck-aside" }, graph.root), keys, hint, make("div", { class: "ck-trials" }, status, table, foot));
  const may = (by) => {
    const { page, pages } = model.get("scene");
    return page + by >= 0 && page + by < pages;
  };
  const turn = (by) => may(by) && ask({ turn: by });
  const drawKeys = takeKeys(root, (event) => {
    const by = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (by) turn(by);
  }, () => heat.root.querySelector("[tabindex='0']"), hint);
  drawKeys([["arrow keys", "and Enter to choose a pair"], ["P", "for the trials before"], ["N", "for the next trials"]]);
  function draw(now) {
    const drawn = model.get("heat");
    rule.value = drawn.rule;
    heat.draw(drawn, now.pair);
    graph.draw(drawn, now.pair, now.status);
    const names = ["sample", "comparison 1", "comparison 2", "comparison 3", ...(now.speaks ? ["none of them"] : []), ...now.rules];
    heads.replaceChildren(...names.map((name) => make("th", { scope: "col" }, name)));
    body.replaceChildren(...now.trials.map((trial) => trialRow(trial, still.kind, now.speaks)));
    for (const [button, by] of turns) button.setAttribute("aria-disabled", !may(by));
    where.textContent = `Page ${now.page + 1} of ${now.pages}, least likely right first; ✓ is the right one`;
  }
  return [root, [draw, "scene", "heat"]];
});
