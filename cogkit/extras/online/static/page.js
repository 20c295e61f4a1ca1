// The page of a study: consent, the sitting in jsPsych, saving, and goodbye. All text goes in as text, never as markup.
// `study`, `words` and the instrument's `widget` and `presenter` stand before this; items come as `forms/NNN.js`.
"use strict";
(async () => {
  const query = new URLSearchParams(location.search);
  const random = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const place = (id, tag) => document.getElementById(id) ?? document.body.appendChild(make(tag, { id })); // a host may have its own page
  const main = place("study", "main");
  place("jspsych", "div");
  const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const say = (key, values) => fill(words[key], values);
  const name = (text) => (/^[\w-]{1,64}$/.test(text ?? "") ? text : "");
  const host = await makeHost(study, query);
  const simulated = ["data-only", "visual"].find((mode) => mode === query.get("simulate"));
  const pilot = study.pilot || query.get("pilot") === "1";
  const told = { ...study, prompt: translated(study.prompt) };
  const store = simulated ? inMemory() : await openStore(study.id);

  // A page of text with buttons; gives the number of the button that was pressed.
  function ask(title, paragraphs, ...labels) {
    return new Promise((yes) => {
      const heading = make("h1", { tabindex: -1 }, title);
      const buttons = labels.map((label, k) => {
        const button = make("button", { type: "button", class: `ck-button ${k ? "" : "ck-primary"}` }, label);
        button.addEventListener("click", () => yes(k));
        return button;
      });
      const status = make("p", { role: "status", class: "ck-status" });
      main.replaceChildren(make("section", { class: "cogkit-widget ck-words" }, heading, ...paragraphs.map((text) => make("p", {}, text)), status, make("div", { class: "ck-foot" }, ...buttons)));
      ask.status = status;
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    });
  }

  if (query.has("simulate") && !simulated) return void ask(say("unknown_title"), [say("unknown_simulation")]);

  // What people read in a value is translated, see `tr`; the rest is data.
  function translated(value, key = "") {
    if (study.data.includes(key)) return value;
    if (typeof value === "string") return Object.hasOwn(words.texts, value) ? words.texts[value] : value;
    if (Array.isArray(value)) return value.map((part) => translated(part, key));
    return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, translated(part, name)])) : value;
  }
  // A pilot has the first items of each part, as `shortened` of `cogkit/study/sitting.py` has it.
  function shortened({ orders, pages, practice, ...form }) {
    const starts = [...new Set([0, ...pages.map((page) => page.before)])].sort((a, b) => a - b);
    const cut = (order) => starts.map((start, k) => order.slice(start, starts[k + 1]).slice(0, study.short));
    const before = (page) => cut(orders[0]).slice(0, starts.indexOf(page.before)).flat().length;
    const long = practice?.blocks[0].length > study.short;
    const first = (blocks) => [blocks[0].slice(0, study.short)];
    return {
      ...form, orders: orders.map((order) => cut(order).flat()), pages: pages.map((page) => ({ ...page, before: before(page) })),
      practice: long ? { ...practice, needed: 0, blocks: first(practice.blocks), names: first(practice.names) } : practice,
    };
  }
  const formOf = (form, person) => inWords(person.extra.pilot ? shortened(form) : form, person);
  const inWords = ({ still, pages, items, practice, orders, ...form }, person) => ({
    ...form, order: orders[person.extra.order_seed], still: translated(still), items: translated(items), practice: translated(practice),
    pages: pages.map(({ view, ...page }) => ({ ...page, view: translated(view) })),
  });

  // Items stand in scripts, because a page from a disk may read no other files.
  const loaded = (number) => new Promise((yes, no) => {
    window.cogkitForm = yes;
    if (window.cogkitForms?.[number]) return yes(window.cogkitForms[number]);
    const script = make("script", { src: `forms/${String(number).padStart(3, "0")}.js` });
    script.addEventListener("error", () => no(new Error(say("missing", { file: script.getAttribute("src") }))));
    document.head.append(script);
  });

  async function begin() {
    if (words.consent.length && !simulated) {
      const choice = await ask(say("consent_title"), words.consent, say("agree"), say("disagree"));
      if (choice) {
        await ask(say("declined_title"), [say("declined")]);
        return null;
      }
    }
    const wanted = Number(query.get("form") ?? NaN);
    const chosen = wanted >= 0 && wanted < study.forms && Number.isInteger(wanted) ? [wanted, "address"] : await host.assign(study.forms);
    const form = await loaded(chosen[0]);
    const extra = { assigned: chosen[1], order_seed: (await pick(form.orders.length))[0], ...host.about(), ...(simulated && { simulated }), ...(pilot && { pilot, whole: form.orders[0].length }) };
    for (const key of ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"]) if (name(query.get(key))) extra[key.toLowerCase()] = query.get(key);
    const who = name(query.get("who")) || name(query.get("PROLIFIC_PID")) || random(4);
    const person = { sitting: random(8), who, extra, form: chosen[0], began: new Date().toISOString(), saved: false };
    const machine = makeMachine(told, formOf(form, person), person, presenter.judge);
    const row = machine.beginning();
    await store.begin(person, row);
    host.stage(row);
    machine.move(row);
    return { person, machine, rows: [row] };
  }

  // The last sitting here, if it is the same person's and not sent yet; a pilot is one of its own.
  async function resumed() {
    const person = await store.last();
    const other = name(query.get("who")) || name(query.get("PROLIFIC_PID"));
    if (!person || person.saved || Boolean(person.extra.pilot) !== pilot || (other && other !== person.who)) return null;
    const rows = await store.rows(person.sitting);
    if (!other && (await ask(say("again_title"), [say("again", { n: rows.length - 1 })], say("go_on"), say("other_person"))) === 1) return null;
    const machine = makeMachine(told, formOf(await loaded(person.form), person), person, presenter.judge);
    rows.forEach((row) => machine.move(row));
    machine.leave();
    return { person, machine, rows };
  }

  const session = (await resumed()) ?? (await begin());
  if (!session) return;
  const { person, machine, rows } = session;
  window.cogkitRows = rows;
  let next = () => {}; // what jsPsych waits for
  let queue = Promise.resolve();
  let ended = false;

  // One answer or page: stored first, shown after. Answers come one after the other, however quick they are.
  // One that was meant for what was in view before, such as a second press, counts for nothing.
  function take(make, status = () => "") {
    const step = machine.step();
    queue = queue.then(async () => {
      if (ended || machine.step() !== step) return;
      const row = make();
      try {
        await store.add(row);
      } catch {
        return void draw(say("unstored"));
      }
      rows.push(row);
      machine.move(row);
      host.stage(row);
      draw(status(machine));
      next(row);
    });
    return queue;
  }
  const api = {
    machine, words, fill,
    answer: (response, rt_s, extra, status) => take(() => machine.row(machine.fields(response), seconds(rt_s), extra), status),
    next: (rt_s, status) => {
      if (!machine.state.pending) return take(() => machine.row(machine.fields("read"), seconds(rt_s)), status);
      const step = machine.step();
      queue = queue.then(() => {
        if (machine.step() !== step) return;
        machine.leave();
        draw(status?.(machine) ?? "");
        if (machine.over()) next(null);
      });
      return queue;
    },
    skip: (status) => take(() => machine.row(machine.fields("skip")), status),
    draw: (status) => draw(status),
  };
  const seconds = (rt_s) => (Number.isFinite(rt_s) && rt_s >= 0 ? Math.round(rt_s * 1e4) / 1e4 : null);
  const view = presenter.view(api);
  const model = makeModel({ ...presenter.start, waiting: say("storing"), still: machine.form.still.still, ...view.traits(rows.length > 1 ? say("resumed") : say("nothing_yet")) }, (message) => view.act(message));
  const draw = (status) => model.show(view.traits(status));

  class Step {
    static info = { name: "cogkit-step", version: "1.0.0", parameters: {}, data: {} };
    constructor(jsPsych) {
      this.jsPsych = jsPsych;
    }
    // A trial is the time up to the next row; the widget stays on the page from one to the next.
    trial() {
      next = (row) => {
        next = () => {};
        this.jsPsych.finishTrial(row ? { ...row, rt: row.rt_s === null ? null : Math.round(1000 * row.rt_s) } : {});
      };
      if (machine.over()) next(null);
    }
    async simulate(trial, mode, options, load) {
      load();
      this.trial();
      const mine = next;
      while (next === mine) { // until a row comes: leaving feedback makes none
        if (mode === "visual") await new Promise((go) => this.jsPsych.pluginAPI.setTimeout(go, 200));
        await view.act(view.guess(Math.random));
      }
    }
  }

  const jsPsych = initJsPsych({ display_element: "jspsych" });
  jsPsych.data.addProperties({ study: study.id });
  main.replaceChildren();
  const stage = make("div", { class: "ck-stage" });
  main.append(stage);
  widget.render({ model, el: stage });
  if (pilot) main.append(make("p", { class: "ck-note", role: "note" }, say("pilot")));
  if (!store.kept && !simulated) main.append(make("p", { class: "ck-note", role: "note" }, say("unkept")));
  if (!simulated) main.append(withdrawal());

  // Whoever wants to stop takes the answers along: nothing of them stays here.
  function withdrawal() {
    const [yes, no] = [make("button", { type: "button", class: "ck-button" }, say("withdraw_yes")), make("button", { type: "button", class: "ck-button ck-primary" }, say("withdraw_no"))];
    const dialog = make("dialog", { "aria-label": say("withdraw") }, make("p", {}, say("withdraw_text")), make("div", { class: "ck-foot" }, no, yes));
    const button = make("button", { type: "button", class: "ck-button ck-withdraw" }, say("withdraw"));
    button.addEventListener("click", () => dialog.showModal());
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", async () => {
      ended = true;
      dialog.close();
      await store.remove(person.sitting);
      await host.withdraw();
      await ask(say("withdrawn_title"), [say("withdrawn")]);
    });
    return make("footer", {}, button, dialog);
  }

  if (!machine.over()) {
    const timeline = [{ timeline: [{ type: Step }], loop_function: () => !machine.over() }];
    await (simulated ? jsPsych.simulate(timeline, simulated) : jsPsych.run(timeline));
  }
  await finish();

  async function finish() {
    const json = JSON.stringify(rows);
    const file = `${study.instrument}-${person.sitting}.json`;
    const download = () => {
      const link = make("a", { href: URL.createObjectURL(new Blob([json], { type: "application/json" })), download: file });
      link.click();
    };
    const last = machine.state.failed ? say("failed") : view.thanks?.() ?? say("done");
    const rest = main.querySelector(".ck-stage");
    main.replaceChildren(rest);
    const status = make("p", { role: "status", class: "ck-status" }, host.saves ? say("saving") : say("to_download"));
    const buttons = make("div", { class: "ck-foot" });
    const end = make("section", { class: "cogkit-widget ck-words", "aria-label": last }, make("h1", { tabindex: -1 }, last), ...words.debrief.map((text) => make("p", {}, text)), status, buttons);
    main.append(end);
    end.firstChild.focus({ preventScroll: true });
    const add = (label, act, more = "") => {
      const button = make("button", { type: "button", class: `ck-button ${more}` }, label);
      button.addEventListener("click", act);
      buttons.append(button);
      return button;
    };
    const send = async () => {
      status.textContent = say("saving");
      try {
        await host.save(json, file, rows, !machine.state.failed && !pilot && !simulated);
        person.saved = true;
        await store.update(person);
        status.textContent = say("saved");
        if (study.finish) location.assign(study.finish);
      } catch (error) {
        status.textContent = say("unsent", { why: error.message });
        if (!buttons.querySelector(".ck-primary")) add(say("send_again"), send, "ck-primary");
      }
    };
    add(say("download"), async () => {
      download();
      if (host.saves) return;
      person.saved = true;
      await store.update(person);
      status.textContent = say("downloaded");
      if (study.finish && !buttons.querySelector("a")) buttons.append(make("a", { href: study.finish, class: "ck-button" }, say("finish")));
    }, host.saves ? "" : "ck-primary");
    add(say("delete"), async () => {
      await store.remove(person.sitting);
      status.textContent = say("deleted");
    });
    document.documentElement.dataset.state = "finished";
    if (host.saves) await send();
  }
})().catch((error) => {
  document.querySelector("#study").replaceChildren(make("p", { role: "alert" }, error.message));
  console.error(error);
});
