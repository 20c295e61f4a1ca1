// Beside the curves of a network in training: queries of some problems, and the chance it gives each to be a positive.
function makeQueries(model) {
  const watched = model.get("still");
  const title = make("div", { class: "ck-small-title" }, "Its chance that each is a positive");
  title.hidden = !watched.length;
  const bars = [];
  const rows = watched.map(({ title: name, pictures }) => {
    const queries = pictures.map((src, side) => {
      const picture = make("img", { src, alt: "", class: "ck-query" });
      const fill = make("i", {});
      const text = make("span", { class: "ck-chance" });
      const root = make("div", { class: "ck-asked", role: "img" }, make("span", { class: "ck-truth" }, side ? "negative" : "positive"), picture,
        make("div", { class: "ck-bar" }, fill), text);
      bars.push({ root, fill, text });
      return root;
    });
    return make("div", { class: "ck-watched" }, make("div", { class: "ck-concept" }, name), make("div", { class: "ck-pair" }, ...queries));
  });
  const numbers = makeNumbers();
  const root = make("div", { class: "ck-beside" }, title, ...rows, numbers.root);
  function draw(now) {
    now.said.flat().forEach(({ chance, text, told }, i) => {
      bars[i].root.setAttribute("aria-label", told);
      bars[i].fill.style.width = `${100 * chance}%`;
      bars[i].text.textContent = text;
    });
    numbers.draw(now.numbers);
  }
  return { root, draw };
}

export default { render: ({ model, el }) => makeRun(model, el, makeQueries) };
