// Matching to sample on a web page: in place of Python, this describes the scene that matching.js draws. Only items of
// training say which comparison is right.
const presenter = {
  judge: ({ item, position, of }, response) => ({
    response, correct: item.right === undefined ? null : Number(response === `O_${item.right + 1}`), extra: { position, done: position === of - 1 },
  }),
  view({ machine, answer, next, skip }) {
    const { state, form } = machine;
    const { needed, blocks } = form.practice;
    const length = blocks[0].length;
    let drawn = 0;
    const told = () => (state.pending ? { given: Number(state.last.row.response.slice(2)) - 1, right: state.last.item.right } : null);
    const ends = () => state.pending && state.last.position === state.last.of - 1;
    const training = () => state.pending || machine.stage() === "practice";
    const right = (block) => block.filter(Boolean).length;
    function head() {
      if (machine.over()) return [tr`All done`, state.failed ? tr`training` : tr`${form.order.length} test trials`];
      if (!training()) return [tr`Test`, tr`Trial ${state.position + 1} of ${form.order.length}`];
      const number = state.pending ? state.last.attempt : state.attempts.length - 1;
      const block = state.attempts[number];
      return [tr`Training, block ${number + 1}`, tr`Trial ${block.length + !state.pending} of ${length}`, tr`${right(block)} right so far`, ...(needed ? [tr`${needed} of ${length} needed`] : [])];
    }
    function feedback() {
      if (!state.pending) return machine.over() ? "" : tr`Stored: your answer to trial ${state.position}.`;
      const { given, right: at } = told();
      const status = given === at ? tr`Right ✓` : tr`Not that one ✗ The right one is ringed: ${at + 1}.`;
      if (!ends()) return status;
      const follows = state.passed ? tr`Mastered: the test comes next.` : state.failed ? tr`That was the last block.` : tr`${needed} are needed: another block comes next.`;
      return `${status} ${tr`Block ${state.last.attempt + 1} done: ${right(state.attempts[state.last.attempt])} of ${length} right.`} ${follows}`;
    }
    function begun() {
      if (machine.over()) return "";
      if (machine.stage() !== "practice") return state.position ? "" : tr`The test begins: ${form.order.length} trials.`;
      return state.attempts.at(-1).length ? "" : tr`Block ${state.attempts.length} begins.`;
    }
    return {
      traits(status) {
        const outcome = told();
        const item = outcome ? state.last.item : machine.over() ? null : machine.shown().item;
        const cards = item ? item.cards.map((card) => form.still.shapes[card]) : [];
        const full = state.attempts.filter((block) => block.length === length);
        return { scene: {
          draw: ++drawn, trial: state.rows, head: head(), status, prompt: item ? form.still.prompts[training() ? "practice" : "items"] : "",
          can_skip: machine.stage() === "practice" && !state.pending, sample: cards[0] ?? null, comparisons: cards.slice(1), told: outcome,
          waits: Boolean(outcome) && (ends() || outcome.given !== outcome.right), training: training(),
          beside: {
            title: tr`Blocks of training`, mastery: needed / length,
            rows: full.map((block, k) => ({ kind: "you", label: tr`Block ${k + 1}`, text: tr`${right(block)} of ${length}`, share: right(block) / length })).slice(-8),
            note: training() && needed ? tr`A block with ${needed} of ${length} right, the line, ends the training.` : "",
          },
        } };
      },
      act(message) {
        if ("answer" in message && !state.pending) return answer(`O_${message.answer + 1}`, message.rt_s, {}, feedback);
        if (message.next && state.pending) return next(null, begun);
        if (message.skip) return skip(() => tr`Training left before mastery. The test begins.`);
        return undefined;
      },
      guess(random) {
        if (state.pending) return { next: true };
        const { item } = machine.shown(); // right in training, so that the simulation reaches the test
        return { answer: item.right ?? Math.floor(random() * 3), rt_s: 1 };
      },
    };
  },
  start: {},
};
