// Beside the curves of an agent in training: its heatmap, filling in, and its newest numbers.
function makeHeat(model) {
  const { members, types, n } = model.get("still");
  const title = make("div", { class: "ck-small-title" }, `Share right by sample (row) and comparison, n = ${n} a cell`);
  const cells = types.map(() => make("i", {}));
  const rows = members.flatMap((name, i) => [make("span", {}, name), ...cells.slice(i * members.length, (i + 1) * members.length)]);
  const heat = make("div", { class: "ck-heat", role: "img" }, make("span", {}), ...members.map((name) => make("span", {}, name)), ...rows);
  heat.style.setProperty("--cell", `${Math.max(16, Math.min(32, Math.floor(226 / members.length)))}px`);
  heat.style.gridTemplateColumns = `16px repeat(${members.length}, var(--cell))`;
  const numbers = makeNumbers();
  const root = make("div", { class: "ck-beside ck-heating" }, title, heat, makeKeys(), numbers.root);
  function draw(now) {
    cells.forEach((cell, i) => {
      cell.className = `ck-cell is-${types[i]} ${isBand(now.bands[i])}`;
      cell.textContent = now.texts[i] || "–";
    });
    heat.setAttribute("aria-label", now.told);
    numbers.draw(now.numbers);
  }
  return { root, draw };
}

export default { render: ({ model, el }) => makeRun(model, el, makeHeat) };
