// One person's run through a study, step by step as `cogkit/study/sitting.py` has it: pages, practice, items, feedback.
// `study` is the same for everybody, `form` holds the items of one condition and seed. `judge(shown, response)` belongs to
// the instrument and returns {response, correct, done, extra}: `correct` where the page knows it, `done` if the item takes another response.
function makeMachine(study, form, person, judge) {
  const READ = "read", SKIP = "skip";
  const practice = form.practice;
  const state = { met: [], pages: 0, attempts: [[]], passed: false, failed: false, skipped: false, position: 0, responses: [], right: [], last: null, pending: false, rows: 0 };
  const named = (phase) => study.phases[phase] ?? phase;
  const page = () => form.pages[state.pages];

  // What comes next apart from feedback.
  function stage() {
    if (state.failed || state.position === form.order.length) return "done";
    const due = page() && page().before <= state.position;
    if (due && !state.responses.length) return "instructions";
    return practice && !(state.passed || state.skipped) ? "practice" : "items";
  }

  // The item to answer next.
  function shown() {
    if (stage() === "practice") {
      const attempt = state.attempts.length - 1, block = practice.blocks[attempt];
      const place = state.attempts.at(-1).length;
      return { phase: "practice", item: block[place], name: practice.names[attempt][place], position: place, of: block.length, attempt, responses: [] };
    }
    const index = form.order[state.position];
    return { phase: "items", item: form.items[index], name: form.names[index], position: state.position, of: form.order.length, attempt: 0, responses: state.responses };
  }

  // What a response comes to at this moment: the fields of its row, not stored yet.
  function fields(response) {
    const now = stage();
    if (now === "done") throw new Error("nothing is left to answer");
    if (now === "instructions") return { item: page().name, task: page().task || form.condition, response: READ };
    if (now === "practice" && practice.skip && response === SKIP) return { item: SKIP, response: named("items"), extra: { block: state.attempts.length - 1 } };
    const at = shown();
    return { item: at.name, done: true, ...judge(at, response) };
  }

  function row(told, rt_s, extra = {}) {
    const now = stage();
    const context = { phase: named(now), position: state.position, done: now === "items" && told.done };
    return {
      sitting: person.sitting, order: state.rows, at: new Date().toISOString(), who: person.who, kind: "person",
      instrument: study.instrument, task: told.task ?? form.condition, item: told.item, response: told.response, correct: null,
      score: null, rt_s: rt_s ?? null, seed: form.seed, profile: study.profile, preset: "lab", source: "web",
      extra: { ...context, ...told.extra, ...extra },
    };
  }

  function beginning() {
    const extra = { ...form.extra, schema: 2, order: form.order, items: form.hash, study: study.id, form: form.number, ...(form.plan && { plan: form.plan }), ...(practice && { tries: practice.tries }), ...person.extra };
    return { ...row({ item: "begin", response: form.condition }), task: form.condition, extra };
  }

  // Goes on after a stored row, the beginning among them.
  function move(stored) {
    state.rows++;
    if (stored.item === "begin") return;
    state.pending = false;
    const now = stage();
    if (now === "instructions") return void state.pages++;
    if (stored.item === SKIP) return void (state.skipped = true);
    const told = fields(stored.response);
    const at = { ...shown(), responses: [...shown().responses, stored.response], row: stored };
    if (at.phase === "practice") {
      state.attempts.at(-1).push(Boolean(told.correct));
      if (at.position === at.of - 1) endAttempt();
    } else {
      state.right.push(Boolean(told.correct));
      state.responses = at.responses;
      if (!told.done) return;
      [state.responses, state.position] = [[], state.position + 1];
      state.met.push(at);
    }
    state.last = at;
    state.pending = study.feedback.includes(at.phase);
  }

  function endAttempt() {
    const sum = state.attempts.at(-1).filter(Boolean).length;
    state.passed = sum >= practice.needed;
    state.failed = !state.passed && state.attempts.length === practice.tries;
    if (!state.passed && !state.failed) state.attempts.push([]);
  }

  return {
    state, stage, shown, page, fields, row, beginning, move, form, study,
    phase: () => (state.pending ? "feedback" : named(stage())),
    step: () => `${state.rows}/${state.pending ? "feedback" : stage()}`,
    finished: () => stage() === "done",
    over: () => stage() === "done" && !state.pending,
    leave: () => (state.pending = false),
  };
}
