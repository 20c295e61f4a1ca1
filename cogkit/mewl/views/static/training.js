// Pictures that a network in training is asked about, and how likely it holds each name to be.
function namesOf({ picture, options, answer }, add) {
  const names = options.map((name, place) => {
    const [fill, text] = [make("i", {}), make("span", { class: "ck-call-chance" })];
    const said = make("span", { class: "ck-call-name", title: name }, `${place === answer ? "✓ " : ""}${name}`);
    const root = make("div", { class: "ck-call", role: "img" }, said, text, make("div", { class: "ck-call-bar" }, fill));
    root.classList.toggle("is-right", place === answer);
    return add(root, fill, text);
  });
  return make("div", { class: "ck-episode" }, make("img", { src: picture, alt: "", class: "ck-called" }), make("div", { class: "ck-calls" }, ...names));
}

const makeNames = (model) => makeAnswers(model, "What it would call these (✓ is right)", namesOf);
export default { render: ({ model, el }) => makeRun(model, el, makeNames) };
