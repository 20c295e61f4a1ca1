// The page of tiles, without Python: it deals boards, and puts beside each what Python computed of it before. A round is
// five boards of one rule; after it the rule is told. Nothing is stored, and nothing is sent.
const page = JSON.parse(document.querySelector("#content").textContent);
const counts = page.rules.map(() => 0); // rounds of each rule that are over
let [rule, board, clicks, games] = [0, 0, [], []];

const round = () => page.rules[rule].rounds[counts[rule] % page.rules[rule].rounds.length];
const beside = (title, blue, rows) => {
  const you = { kind: "you", label: tr`You`, value: blue, text: String(blue) };
  return { title, rows: [you, ...rows], note: page.note };
};
const before = {
  title: tr`One hidden rule made all boards`, rows: [],
  note: tr`After each board you see here how many blue tiles you opened. Beside it stands what two players open on the same board: one knows no rule, the other knows it.`,
};

// While the ideal observer's chances are in view, so is the beginning of the board, which they are of.
function scene(status) {
  const item = round().boards[board];
  const game = play(item, clicks);
  const back = game.done && model.get("overlay_on");
  return {
    game: `${rule} ${counts[rule]} ${board}`, prompt: tr`Open every red tile, and as few blue ones as you can.`,
    head: [tr`Board ${board + 1} of ${round().boards.length}`, tr`Blue tiles: ${game.blue}`, onBoard(game.score)],
    shown: back ? play(item, []).shown : game.shown, start: item.start, last: back ? -1 : clicks.at(-1) ?? -1, status,
    next: { label: board + 1 < round().boards.length ? tr`Next board` : tr`See the rule`, ready: game.done, why: game.done ? "" : tr`when every red tile is open` },
    beside: game.done ? beside(tr`Blue tiles on this board`, game.blue, item.rows) : before,
    chance: game.done ? item.chance : null, player: tr`Chance that a tile is red, for the ideal observer before the first click`,
  };
}
const draw = (status = model.get("scene").status) => model.show({ scene: scene(status) });

function act({ click, next }) {
  const item = round().boards[board];
  const game = play(item, clicks);
  if (next) return game.done ? goOn(game) : draw(tr`Open every red tile first.`);
  if (game.done) return draw(tr`This board is done.`);
  if (game.shown[click] !== ".") return draw(tr`That tile is open already. Nothing was counted.`);
  clicks.push(click);
  const [after, [floor, ideal]] = [play(item, clicks), item.rows];
  const text = result(item, click, after);
  if (!after.done) return draw(text);
  draw(`${text} ${tr`The nearest neighbour opens ${floor.text.replaceAll(" ", "\u00a0")}, the ideal observer ${ideal.text}.`}`);
  stage.querySelector(".ck-aside").scrollIntoView({ block: "nearest" });
}

function goOn(game) {
  games.push(game);
  if (games.length === round().boards.length) return finish();
  [board, clicks] = [board + 1, []];
  deal();
}

function deal() {
  model.show({ overlay_on: false, scene: scene(tr`Board ${board + 1}. ${isOpen(round().boards[board].start)}`) });
  stage.querySelector(".ck-head").scrollIntoView({ block: "nearest" });
}

function begin(next, focus) {
  [rule, board, clicks, games] = [next, 0, [], []];
  [stage.hidden, tell.hidden, end.hidden, tell.open] = [false, false, true, false];
  choose.value = rule;
  deal();
  if (focus) stage.querySelector(".ck-tile[tabindex='0']").focus({ preventScroll: true });
}

// From now on the list of rules calls this one by its name.
function unveil() {
  const { name, words } = page.rules[rule];
  choose.options[rule].textContent = tr`Rule ${rule + 1}: ${name}`;
  return words;
}

// A board that is done as a small picture.
function picture({ shown, blue }, k) {
  const tiles = [...shown].flatMap((glyph, tile) => {
    const [x, y, state] = [tile % SIZE, Math.floor(tile / SIZE), STATE[glyph]];
    const marks = {
      red: [shape("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.16 })],
      blue: [shape("rect", { x: x + 0.3, y: y + 0.45, width: 0.4, height: 0.1 })],
      covered: [],
    };
    return [shape("rect", { class: `is-${state}`, x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.1 }), ...marks[state]];
  });
  const label = tr`Board ${k + 1} as you left it`;
  const drawn = shape("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": label }, ...tiles);
  return make("figure", {}, drawn, make("figcaption", {}, tr`${blue} blue`));
}

function finish() {
  const [blue, rows] = [games.reduce((sum, game) => sum + game.blue, 0), round().rows];
  const words = unveil();
  counts[rule]++;
  const [next, more] = [(rule + 1) % page.rules.length, counts[rule] < page.rules[rule].rounds.length];
  const heading = make("h2", { tabindex: -1 }, tr`The rule: ${page.rules[rule].name}`);
  end.replaceChildren(
    make("div", { class: "cogkit-widget cogkit-board ck-end" },
      heading, make("p", { class: "ck-rule" }, words),
      make("div", { class: "ck-pictures" }, ...games.map(picture)),
      make("div", { class: "ck-sum" }, ...comparison(beside(tr`Blue tiles on all ${games.length} boards`, blue, rows))),
      make("div", { class: "ck-foot" }, button(tr`Play rule ${next + 1}`, () => begin(next, true), "ck-primary"),
        ...(more ? [button(tr`${games.length} more boards of this rule`, () => begin(rule, true))] : []))));
  [stage.hidden, tell.hidden, end.hidden] = [true, true, false];
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

const stage = make("div", {});
const end = make("section", { class: "ck-place of-cogkit-board", hidden: "" });
const choose = make("select", { autocomplete: "off" }, ...page.rules.map((_, k) => make("option", { value: k }, tr`Rule ${k + 1}`)));
choose.addEventListener("change", () => begin(Number(choose.value)));
const answer = make("p", {});
const tell = make("details", {}, make("summary", {}, tr`Tell me the rule now`), answer);
tell.addEventListener("toggle", () => (answer.textContent = tell.open ? unveil() : ""));
const link = (address, text) => make("a", { href: address }, text);
const about = make("footer", {},
  make("p", {}, tr`The nearest neighbour is a floor: it opens a covered tile next to a red one, and knows nothing of the rule. The ideal observer knows the rule and opens the tile that is most probably red.`),
  make("p", {}, tr`All numbers beside yours are means over games on the same board: ${page.games[0]} of the nearest neighbour and ${page.games[1]} of the ideal observer. The boards are our own, not those of the paper, drawn with seed ${page.seed}.`),
  make("p", {}, tr`This page stores nothing, and nothing leaves your browser.`),
  make("p", {}, tr`The task is from` + " ", link(page.paper.address, page.paper.name), ". " + tr`The page is from cogkit ${page.version}, a workbench about abstraction in people and machines. Once cogkit is installed, one command opens the whole workbench:` + " ", make("code", {}, "cogkit lab")));

// What the widget would save in a notebook is drawn here.
const model = { ...makeModel({ use: "play", label: tr`Tile board, 7 rows and 7 columns`, overlay_on: false, scene: null }, act), save_changes: () => draw() };
model.show({ scene: scene("") });
const label = make("label", {}, make("span", { class: "ck-of" }, tr`Boards of`), choose);
const header = make("header", {}, make("h1", {}, tr`Can you find the rule?`), label);
document.body.append(make("main", {}, header, stage, end, tell, about));
widget.render({ model, el: stage });
begin(0);
