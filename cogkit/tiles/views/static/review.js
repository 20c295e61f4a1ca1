// After a trial: each board small, with rings on the tiles that break the rule, and what it was and why.
function makeReview() {
  const root = make("div", { class: "ck-review" });
  const card = ({ shown, ringed, said, why }, number) => {
    const tiles = [...shown].map((state, tile) => make("i", { class: `ck-tile is-${STATE[state]}${ringed.includes(tile) ? " is-ringed" : ""}` }));
    const reds = shown.split("1").length - 1;
    const label = `board ${number + 1}, ${reds} red tiles${ringed.length ? `; ringed: ${ringed.map(place).join("; ")}` : ""}`;
    return make("li", {}, make("div", { class: "ck-little", role: "img", "aria-label": label }, ...tiles), make("strong", {}, said), make("span", { class: "ck-quiet" }, why));
  };
  function draw({ title, boards }) {
    root.hidden = !boards;
    root.replaceChildren(...(boards ? [make("h4", {}, title), make("ol", {}, ...boards.map(card))] : []));
  }
  return { root, draw };
}
