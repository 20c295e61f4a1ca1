// Runs the study whose description stands in this page, in jsPsych 8. All text goes in as text, never as HTML.
"use strict";

const study = JSON.parse(document.getElementById("study").textContent);
const say = study.words;
const asked = new URLSearchParams(location.search);
const random = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)));
const hex = (bytes) => random(bytes).map((each) => each.toString(16).padStart(2, "0")).join("");

const sitting = hex(8);
const who = /^[\w-]{1,64}$/.test(asked.get("who") ?? "") ? asked.get("who") : hex(4);
let rows = 0;

// One row of the trial table; what is right is worked out when the data are read, so that nothing here tells it.
function row(fields) {
  return {
    sitting, order: rows++, at: new Date().toISOString(), who, kind: "person", instrument: "mewl", task: study.task,
    correct: null, score: null, rt_s: null, seed: form.draw, profile: study.profile, preset: "lab", source: "jspsych",
    ...fields,
  };
}

function make(tag, parent, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

function picture(parent, file, caption, label, number) {
  const figure = make("figure", parent);
  const image = make("img", figure, undefined, { src: file, alt: label, width: 320, height: 240, draggable: "false" });
  if (number) make("span", figure, number, { class: "number", "aria-hidden": "true" });
  make("figcaption", figure, caption);
  return image.decode().catch(() => make("p", figure, say.missing, { role: "alert" }));
}

// Six pictures with their names, numbered where an explanation goes by numbers, and beside them the one asked about;
// ready once all can be seen.
function pictures(parent, item, numbered) {
  const board = make("div", parent, undefined, { class: "board" });
  const six = make("div", board, undefined, { class: "six" });
  const there = item.names.map((name, k) => {
    return picture(six, item.pictures[k], name, `${say.picture} ${k + 1}`, numbered && k + 1);
  });
  const aside = make("div", board, undefined, { class: "last" });
  there.push(picture(aside, item.pictures[6], "?", say.last));
  return { aside, ready: Promise.all(there) };
}

class MewlPlugin {
  static info = {
    name: "cogkit-mewl", version: "1.0.0",
    parameters: { page: { type: jsPsychModule.ParameterType.OBJECT, default: undefined } }, data: {},
  };

  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }

  // A page has title, text, and perhaps an item: told (the right name of a worked example) or to choose a name for.
  trial(display, { page }) {
    const main = make("main", undefined, undefined, { class: "mewl" });
    display.replaceChildren(main);
    make("h1", main, page.title);
    for (const words of page.text) make("p", main, words);
    const group = page.choose ? { class: "names", role: "group", "aria-label": say.names } : { class: "go" };
    const buttons = make("div", undefined, undefined, group), solved = page.told !== undefined;
    const { aside, ready } = page.item ? pictures(main, page.item, solved) : { aside: main, ready: Promise.resolve() };
    if (solved) make("p", aside, `${say.right} ${page.item.options[page.told]}`, { class: "right" });
    let start = Infinity;
    const end = (choice) => {
      if (performance.now() < start) return;
      document.removeEventListener("keydown", key);
      const rt = performance.now() - start;
      this.jsPsych.finishTrial({ rt, ...page.row(choice, Math.round(rt) / 1000) });
    };
    const key = (event) => {
      if (page.choose && !event.repeat && /^[1-5]$/.test(event.key)) end(Number(event.key) - 1);
    };
    for (const [k, name] of (page.choose ? page.item.options : [page.go ?? say.next]).entries()) {
      const button = make("button", buttons, undefined, { type: "button", disabled: "" });
      if (page.choose) make("kbd", button, k + 1);
      make("span", button, name);
      button.addEventListener("click", () => end(k));
    }
    ready.then(() => {
      aside.append(buttons);
      for (const button of buttons.children) button.disabled = false;
      if (!page.choose) buttons.firstChild.focus({ preventScroll: true });
      document.addEventListener("keydown", key);
      start = performance.now();
    });
    scrollTo(0, 0);
  }
}

const page = (fields) => ({ type: MewlPlugin, page: fields });
const number = Number(asked.get("form") ?? NaN);
const form = study.forms[number] ?? study.forms[Math.floor(Math.random() * study.forms.length)];

const jsPsych = initJsPsych({ show_progress_bar: true, message_progress_bar: "", on_finish: save });
const order = jsPsych.randomization.shuffle([...form.items.keys()]);
const tries = [];

const choice = (title, text, item, phase, note = () => {}) => page({
  title, text, item, choose: true,
  row: (k, rt_s) => {
    note(k);
    const options = item.options;
    return row({ item: item.name, response: options[k], rt_s, extra: { phase, choice: k, options } });
  },
});

const check = study.pages.at(-1);
const tried = (k) => tries.push(k === check.item.right);
const passed = () => tries.includes(true);
const timeline = [
  page({
    title: study.title, text: [study.prompt], go: say.begin,
    row: () => row({ item: "begin", task: form.condition, response: form.condition, extra: { order } }),
  }),
  ...study.pages.slice(0, -1).map((each, k) => page({
    title: each.title, text: each.text, item: each.item, told: each.item?.right,
    row: (_, rt_s) => {
      return row({ item: `tutorial/${study.task}/${k}`, response: "read", rt_s, extra: { phase: "tutorial" } });
    },
  })),
  ...Array.from({ length: study.tries }, (_, k) => ({
    timeline: [choice(check.title, k ? [say.again] : check.text, check.item, "check", tried)],
    conditional_function: () => !passed(),
  })),
  {
    timeline: order.map((place, k) => {
      return choice(`${say.item} ${k + 1} / ${order.length}`, [say.ask], form.items[place], "answer");
    }),
    conditional_function: passed,
  },
];

async function save() {
  const main = make("main", undefined, undefined, { class: "mewl" });
  jsPsych.getDisplayElement().replaceChildren(main);
  make("h1", main, passed() ? say.done : say.failed);
  const note = make("p", main, say.saving, { role: "status" });
  const data = jsPsych.data.get();
  try {
    if (!study.post) throw new Error("kept here");
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(study.post, { method: "POST", headers, body: data.json() });
    if (!answer.ok) throw new Error(answer.statusText);
    note.textContent = say.saved;
  } catch {
    data.localSave("json", `mewl-${study.task}-${sitting}.json`);
    note.textContent = study.post ? say.unsent : say.kept;
    if (study.post) return; // who goes on from here loses the data
  }
  if (study.finish) location.assign(study.finish);
}

jsPsych.run(timeline);
