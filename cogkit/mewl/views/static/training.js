// Beside the curves of a network in training: pictures that it is asked about, and how likely it holds each name to be.
function makeAnswers(model) {
  const watched = model.get("still");
  const title = make("div", { class: "ck-small-title" }, "What it would call these (✓ is right)");
  title.hidden = !watched.length;
  const bars = [];
  const rows = watched.map(({ picture, options, answer }) => {
    const names = options.map((name, place) => {
      const fill = make("i", {});
      const text = make("span", { class: "ck-call-chance" });
      const said = make("span", { class: "ck-call-name", title: name }, `${place === answer ? "✓ " : ""}${name}`);
      const root = make("div", { class: "ck-call", role: "img" }, said, text, make("div", { class: "ck-call-bar" }, fill));
      root.classList.toggle("is-right", place === answer);
      bars.push({ root, fill, text });
      return root;
    });
    return make("div", { class: "ck-episode" }, make("img", { src: picture, alt: "", class: "ck-called" }), make("div", { class: "ck-calls" }, ...names));
  });
  const numbers = makeNumbers();
  const root = make("div", { class: "ck-beside" }, title, ...rows, numbers.root);
  function draw(now) {
    now.said.flat().forEach(({ chance, text, most, told }, i) => {
      bars[i].root.setAttribute("aria-label", told);
      bars[i].root.classList.toggle("is-most", most);
      bars[i].fill.style.width = `${100 * chance}%`;
      bars[i].text.textContent = text;
    });
    numbers.draw(now.numbers);
  }
  return { root, draw };
}

export default { render: ({ model, el }) => makeRun(model, el, makeAnswers) };
