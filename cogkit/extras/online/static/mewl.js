// Word learning on a web page: in place of Python, this describes the scene that learn.js draws. Only worked examples
// and the check of the tutorial say which name is right.
const presenter = {
  judge: ({ item }, response) => ({ response, correct: item.right === undefined ? null : Number(item.options.indexOf(response) === item.right) }),
  view({ machine, answer, next }) {
    const { state, form } = machine;
    const { prompts, title } = form.still;
    let drawn = 0;
    const check = () => machine.stage() === "practice";
    const item = () => (machine.over() ? null : machine.stage() === "instructions" ? machine.page().view.item : machine.shown().item);
    function head() {
      if (state.failed) return [title, tr`Tutorial, not passed`];
      if (machine.over()) return [title, tr`All done`];
      if (machine.stage() === "items") return [title, tr`Item ${state.position + 1} of ${form.order.length}`];
      return [title, tr`Tutorial, step ${state.pages + 1} of ${form.pages.length + 1}`];
    }
    function prompt() {
      if (state.failed) return prompts.failed;
      if (machine.over()) return prompts.done;
      if (machine.stage() === "instructions") return state.pages ? prompts.tutorial : machine.study.prompt;
      return check() && state.attempts.length > 1 ? prompts.again : prompts[machine.phase()];
    }
    function alts(now) {
      if (!now) return [];
      if (now.alts) return now.alts;
      return [...now.names.map((name, k) => tr`Picture ${k + 1}, called ${name}`), tr`The picture that is asked about`];
    }
    function stored() {
      if (machine.over()) return state.failed ? tr`Not right ✗` : "";
      if (state.last?.phase === "practice") return check() ? tr`Not right ✗ Once more.` : tr`Right ✓ Now the items. ${head()[1]}.`;
      return tr`Stored. ${head()[1]}.`;
    }
    return {
      traits(status) {
        const now = item();
        const page = machine.stage() === "instructions" ? machine.page().view : null;
        const tried = check() && state.last ? now.options.indexOf(state.last.row.response) : -1;
        return { pictures: now?.pictures ?? [], drawing: { left: 0 }, scene: {
          draw: ++drawn, step: machine.step(), phase: machine.over() ? "done" : machine.phase(), head: head(), prompt: prompt(), text: page?.text ?? [],
          names: now?.names ?? [], options: now?.options ?? [], chosen: tried, right: page && now ? now.right : -1, alts: alts(now),
          status, spoken: "", sure: false, table: null, others: null,
        } };
      },
      act(message) {
        if (message.next) return next(message.rt_s, () => (machine.over() ? "" : `${head()[1]}.`));
        if ("option" in message && machine.stage() !== "instructions") return answer(machine.shown().item.options[message.option], message.rt_s, {}, stored);
        return undefined;
      },
      guess(random) {
        if (machine.stage() === "instructions") return { next: true, rt_s: 1 };
        return { option: machine.shown().item.right ?? Math.floor(random() * 5), rt_s: 1 };
      },
    };
  },
  start: {},
};
