// Beside the curve of a network in training: the boards that it is playing or drawing, and its newest numbers.
const STATES = { ".": "covered", 0: "blue", 1: "red" };

function makeBoards() {
  const title = make("div", { class: "ck-small-title" });
  const boards = make("div", { class: "ck-smalls" });
  const numbers = makeNumbers();
  const root = make("div", { class: "ck-beside" }, title, boards, numbers.root);
  const count = (word, sign) => word.split(sign).length - 1;
  function draw(now) {
    title.hidden = !now.boards.length;
    title.textContent = now.about ?? "Boards being played";
    while (boards.children.length < now.boards.length) {
      const tiles = Array.from({ length: 49 }, () => make("i", { class: "ck-tile" }));
      boards.append(make("div", { class: "ck-small", role: "img" }, ...tiles));
    }
    now.boards.forEach((word, i) => {
      const board = boards.children[i];
      board.setAttribute("aria-label", `board ${i + 1}: ${count(word, "1")} red, ${count(word, "0")} blue, ${count(word, ".")} covered`);
      for (let tile = 0; tile < 49; tile++) board.children[tile].className = `ck-tile is-${STATES[word[tile]]}`;
    });
    numbers.draw(now.numbers);
  }
  return { root, draw };
}

export default { render: ({ model, el }) => makeRun(model, el, makeBoards) };
