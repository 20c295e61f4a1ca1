// Beside the curves of a network in training: some questions, and a bar for its chance of each answer.
// `rowOf(question, add)` draws a question; it calls `add(root, fill, text)` for each answer, in order.
function makeAnswers(model, words, rowOf) {
  const watched = model.get("still");
  const title = make("div", { class: "ck-small-title" }, words);
  title.hidden = !watched.length;
  const bars = [];
  const add = (root, fill, text) => {
    bars.push({ root, fill, text });
    return root;
  };
  const numbers = makeNumbers();
  const root = make("div", { class: "ck-beside" }, title, ...watched.map((question) => rowOf(question, add)), numbers.root);
  function draw(now) {
    now.said.flat().forEach(({ chance, text, most, told }, i) => {
      bars[i].root.setAttribute("aria-label", told);
      bars[i].root.classList.toggle("is-most", Boolean(most));
      bars[i].fill.style.width = `${100 * chance}%`;
      bars[i].text.textContent = text;
    });
    numbers.draw(now.numbers);
  }
  return { root, draw };
}
