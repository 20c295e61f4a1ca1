// Beside the curves of an agent in training: its heatmap, filling in, and its newest numbers.
function makeHeat(model) {
  const { members, types, n } = model.get("still");
  const title = node("div", { class: "ck-small-title" }, `Share right by sample (row) and comparison, n = ${n} a cell`);
  const cells = types.map(() => node("i", {}));
  const rows = members.flatMap((name, i) => [node("span", {}, name), ...cells.slice(i * members.length, (i + 1) * members.length)]);
  const heat = node("div", { class: "ck-heat", role: "img" }, node("span", {}), ...members.map((name) => node("span", {}, name)), ...rows);
  heat.style.setProperty("--cell", `${Math.max(16, Math.min(32, Math.floor(226 / members.length)))}px`);
  heat.style.gridTemplateColumns = `16px repeat(${members.length}, var(--cell))`;
  const keys = node("div", { class: "ck-keys", "aria-hidden": true });
  for (const band of BANDS)
    keys.append(node("span", {}, node("i", { class: isBand(band) }), band));
  const numbers = makeNumbers();
  const root = node("div", { class: "ck-beside ck-heating" }, title, heat, keys, numbers.root);
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
