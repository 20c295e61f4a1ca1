// Bongard-LOGO on a web page: in place of Python, this describes the scene that solve.js draws.
const SIDES = ["positive", "negative"];

const presenter = {
  judge: ({ item, responses }, response) => ({ response, correct: Number(SIDES.indexOf(response) === item.sides[responses.length]), done: responses.length === 1 }),
  view({ machine, answer, next, draw }) {
    const { state, form } = machine;
    const { prompts, groups, types, alts, levels } = form.still;
    const each = form.order.length / types.length;
    let [chosen, took, paused, left, drawn] = [-1, null, false, false, 0];
    const item = () => (state.pending ? state.last.item : machine.shown().item);
    const problem = () => state.position - state.pending;
    const told = () => {
      if (!state.pending) return null;
      return { sides: state.last.item.sides, given: state.last.responses.map((side) => SIDES.indexOf(side)), words: state.last.item.words };
    };
    function head() {
      if (machine.over()) return [tr`All done`, tr`${form.order.length} problems`];
      if (machine.phase() === "instructions") {
        const { title, type } = machine.page().view;
        return [title, tr`Type ${type + 1} of ${types.length}`, tr`Instructions`];
      }
      const before = problem() - (problem() % each);
      const right = state.right.slice(2 * before, 2 * state.position);
      const picture = state.pending ? [] : [tr`Picture ${state.responses.length + 1} of 2`];
      const score = right.length ? [tr`${right.filter(Boolean).length} of ${right.length} right so far`] : [];
      return [item().title, tr`Problem ${problem() - before + 1} of ${each}`, ...picture, ...score];
    }
    const RIGHT = [tr`Neither was right ✗`, tr`One of the two was right`, tr`Both right ✓`];
    const stored = () => (state.pending ? RIGHT[state.right.slice(-2).filter(Boolean).length] : tr`Stored. The second picture.`);
    const begun = () => (machine.over() ? "" : machine.phase() === "instructions" ? tr`Another type of problem: read its page first.` : `${head()[1]}.`);
    function pictures() {
      if (machine.over()) return [];
      return machine.phase() === "instructions" ? machine.page().view.pictures : item().pictures;
    }
    function verdict(side, k, given) {
      const group = groups[side][0].toLowerCase();
      return side === given ? tr`Picture ${k + 1} belongs to the ${group}: right.` : tr`Picture ${k + 1} belongs to the ${group}: not as you said.`;
    }
    const spoken = (now) => !now ? "" : [...now.sides.map((side, k) => verdict(side, k, now.given[k])), ...now.words].join(" ");
    return {
      traits(status) {
        const over = machine.over();
        const phase = over ? "done" : machine.phase();
        const page = phase === "instructions" ? machine.page().view : null;
        const outcome = told();
        return { pictures: pictures(), scene: {
          draw: ++drawn, step: machine.step(), phase, head: head(), paused, status, spoken: spoken(outcome), table: null,
          prompt: over ? prompts.done : page ? (state.pages ? tr`Another type of problem. What is asked stays the same.` : machine.study.prompt) : prompts[phase],
          query: phase === "answer" ? state.responses.length : -1, chosen, page, told: outcome, alts: phase === "answer" || phase === "feedback" ? alts : [],
        } };
      },
      act(message) {
        if ("pause" in message) {
          paused = Boolean(message.pause);
          return draw(paused ? tr`Paused.` : tr`It goes on.`);
        }
        if (paused) return undefined;
        if (message.read) return next(message.rt_s, () => tr`Problem 1 of ${each}.`);
        if (message.next) return next(null, begun);
        if ("side" in message) {
          [chosen, took] = [message.side, message.rt_s];
          return draw(tr`${groups[chosen][0]}. How sure are you? 1 to 4.`);
        }
        if (!("level" in message)) return undefined;
        if (chosen < 0) return draw(tr`First choose a group: ← or →.`);
        const [side, seconds] = [SIDES[chosen], took];
        [chosen, took] = [-1, null];
        return answer(side, seconds, { confidence: levels[message.level] }, stored);
      },
      guess(random) {
        if (state.pending) return { next: true };
        if (machine.phase() === "instructions") return { read: true, rt_s: 1 };
        [chosen, took] = [Number(random() < 0.5), 1];
        return { level: 0 };
      },
    };
  },
  start: {},
};
