// Tiles on a web page: in place of Python, this plays the game and describes the scene that board.js draws.
const REWARDS = { 1: tr`plus one`, "-1": tr`minus one`, 10: tr`plus ten` };
const minus = (n) => String(n).replace("-", "−");
const onBoard = (n) => (Math.abs(n) === 1 ? tr`${minus(n)} point on this board` : tr`${minus(n)} points on this board`);
const inAll = (n) => (Math.abs(n) === 1 ? tr`${minus(n)} point in all` : tr`${minus(n)} points in all`);
const sentence = (text) => text[0].toUpperCase() + text.slice(1);

// A red tile scores 1, the last one 10; a blue tile costs 1. The start tile is open.
function play({ board, start }, clicks) {
  const shown = [...board].map((_, tile) => (tile === start ? board[tile] : "."));
  let left = [...board].filter((tile) => tile === "1").length - (board[start] === "1");
  let [score, blue, reward] = [0, 0, 0];
  for (const tile of clicks) {
    const red = board[tile] === "1";
    shown[tile] = board[tile];
    left -= red;
    blue += !red;
    reward = red ? (left ? 1 : 10) : -1;
    score += reward;
  }
  return { shown: shown.join(""), score, blue, reward, done: left === 0 };
}

// What a click came to, in the words of the status line.
function result({ board }, tile, { reward, blue, done }) {
  const text = sentence(tr`${board[tile] === "1" ? NAME.red : NAME.blue}, ${REWARDS[reward]}: ${place(tile)}.`);
  return done ? `${text} ${tr`Board done with ${blue} blue.`}` : text;
}
const isOpen = (tile) => sentence(tr`${place(tile)} is open. Click a tile to open it.`);

const presenter = {
  judge({ item, responses }, tile) {
    if (play(item, responses).shown[tile] !== ".") throw new Error("that tile is open");
    return { response: tile, correct: Number(item.board[tile]), done: play(item, [...responses, tile]).done, extra: { board: item.code, step: responses.length + 1 } };
  },
  view({ machine, answer, draw, words }) {
    const { state, form } = machine;
    let held = machine.over() ? state.met.at(-1) : null; // a board that is done stays in view until the next one is asked for
    let [drawn, boards] = [0, state.met.length];
    const here = () => held ?? machine.shown();
    function outcome() {
      const { item, responses } = state.met.length > boards ? state.met.at(-1) : machine.shown();
      const game = play(item, responses);
      if (game.done) [held, boards] = [state.met.at(-1), state.met.length];
      const text = result(item, responses.at(-1), game);
      return game.done ? `${text} ${machine.over() ? words.done : tr`Go on to the next one.`}` : text;
    }
    return {
      traits(status) {
        const { item, responses, position, of } = here();
        const game = play(item, responses);
        const total = state.met.reduce((sum, met) => sum + play(met.item, met.responses).score, 0) + (game.done ? 0 : game.score);
        const over = machine.over();
        return { scene: {
          game: position, head: [over ? tr`All ${of} boards done` : tr`Board ${position + 1} of ${of}`, onBoard(game.score), inAll(total)],
          prompt: machine.study.prompt, shown: game.shown, start: item.start, last: responses.at(-1) ?? -1, draw: drawn++,
          status: status || isOpen(item.start), chance: null, player: "", beside: null, closed: game.done,
          next: { label: over ? "" : tr`Next board`, ready: game.done, why: game.done ? "" : tr`when every red tile is open` },
        } };
      },
      act(message) {
        if ("click" in message) {
          if (held || play(here().item, here().responses).shown[message.click] !== ".") return draw(tr`That tile is open already. Nothing was counted.`);
          return answer(message.click, message.rt_s, {}, outcome);
        }
        if (!message.next) return undefined;
        if (!held) return draw(tr`Open every red tile first.`);
        if (!machine.over()) held = null;
        return draw(machine.over() ? words.done : tr`Board ${here().position + 1}.`);
      },
      guess(random) {
        if (held && !machine.over()) held = null;
        const { item, responses } = here();
        const covered = [...play(item, responses).shown].flatMap((tile, k) => (tile === "." ? [k] : []));
        return { click: covered[Math.floor(random() * covered.length)], rt_s: 1 };
      },
    };
  },
  start: { use: "play", label: tr`Tile board, 7 rows and 7 columns`, overlay_on: false },
};
