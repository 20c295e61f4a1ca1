// Queries of some problems, and the chance that a network in training gives each to be a positive.
function queriesOf({ title, pictures }, add) {
  const queries = pictures.map((src, side) => {
    const [fill, text] = [make("i", {}), make("span", { class: "ck-chance" })];
    const root = make("div", { class: "ck-asked", role: "img" }, make("span", { class: "ck-truth" }, side ? "negative" : "positive"),
      make("img", { src, alt: "", class: "ck-query" }), make("div", { class: "ck-bar" }, fill), text);
    return add(root, fill, text);
  });
  return make("div", { class: "ck-watched" }, make("div", { class: "ck-concept" }, title), make("div", { class: "ck-pair" }, ...queries));
}

const makeQueries = (model) => makeAnswers(model, "Its chance that each is a positive", queriesOf);
export default { render: ({ model, el }) => makeRun(model, el, makeQueries) };
