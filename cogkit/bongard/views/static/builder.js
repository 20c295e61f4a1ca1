// A shape under construction: its strokes, sliders for the chosen one, the drawing, and what is measured of it.
// Python keeps the program, draws and measures it.
const MEANT = { 1: ["✓", "yes"], 0: ["✗", "no"], "-1": ["–", "not applicable"] };
let fields = 0;

// Sends one message at a time. What a slider asks for while one is under way waits, and only its newest value.
function makeQueue(model, ask) {
  const waiting = [];
  let busy = false;
  function next() {
    busy = waiting.length > 0;
    if (busy) ask(waiting.shift());
  }
  function push(message) {
    const last = waiting.at(-1);
    if (last?.set && last.set === message.set && last.stroke === message.stroke) waiting.pop();
    waiting.push(message);
    if (!busy) next();
  }
  return [push, watch(model, next, "answered")];
}

function makeSlider(words, [low, high, step], act) {
  const id = `ck-field-${(fields += 1)}`;
  const name = make("span", { id }, words);
  const range = make("input", { type: "range", min: low, max: high, step, "aria-labelledby": id });
  const exact = make("input", { type: "number", min: low, max: high, step: "any", "aria-labelledby": id, class: "ck-exact" });
  range.addEventListener("input", () => ((exact.value = range.value), act(Number(range.value))));
  exact.addEventListener("change", () => exact.value !== "" && act(Number(exact.value)));
  function draw(value) {
    if (document.activeElement !== range) range.value = value;
    if (document.activeElement !== exact) exact.value = value;
    range.setAttribute("aria-valuetext", value);
  }
  return { root: make("div", { class: "ck-slider" }, name, range, exact), draw, name };
}

export default {
  render({ model, el }) {
    const { types, ranges, starts, most } = model.get("still");
    const scene = () => model.get("scene");
    const head = make("div", { class: "ck-head" });
    const status = make("div", { class: "ck-status", role: "status", "aria-live": "polite" });
    const { ask: send, heard } = asker(model, status);
    const [ask, endQueue] = makeQueue(model, send);
    const set = (field) => (to) => ask({ set: field, stroke: scene().chosen, to });

    const paper = shape("svg", { class: "ck-paper", role: "img" });
    const list = make("ol", { class: "ck-actions", "aria-label": "Strokes" });
    const tools = Object.entries({
      add: ["Add", () => (scene().strokes.length < most ? "" : `${most} are the most`)],
      remove: ["Remove", () => (scene().strokes.length > 1 ? "" : "a shape needs a stroke")],
      earlier: ["Earlier", () => (scene().chosen > 1 ? "" : "it is the first")],
      later: ["Later", () => (scene().chosen < scene().strokes.length ? "" : "it is the last")],
    }).map(([name, [label, why]]) => {
      const button = make("button", { type: "button", class: "ck-button" }, label);
      button.addEventListener("click", () => act(name));
      return { name, button, why };
    });
    function act(name) {
      const why = tools.find((tool) => tool.name === name).why();
      if (why) status.textContent = `Not done: ${why}.`;
      else ask({ [name]: scene().chosen });
    }
    const [kindBox, kind] = choice("Stroke", [["line", "line"], ["arc", "arc"]], set("kind"));
    const [typeBox, type] = choice("Type", types.map((name) => [name, name]), set("type"));
    const [turn, size, sweep] = ["turn", "size", "sweep"].map((field) => makeSlider(field, ranges[field], set(field)));
    turn.name.textContent = "Turn before it, left +, °";
    sweep.name.textContent = "Sweep, backwards −, °";
    const chosen = make("h4", {});
    const editor = make("div", { class: "ck-editor", role: "group", "aria-label": "The chosen stroke" },
      chosen, make("div", { class: "ck-kinds" }, kindBox, typeBox), turn.root, size.root, sweep.root);
    const begin = ["", "a known shape …"];
    const [startBox, start] = choice("Start from", [begin, ...starts.map((name) => [name, name])], (name) => name && ask({ start: name }));

    const strings = make("textarea", { class: "ck-strings", rows: 6, spellcheck: false, "aria-label": "Program, an action a line" });
    const use = make("button", { type: "button", class: "ck-button" }, "Draw these strings");
    use.addEventListener("click", () => ask({ paste: strings.value }));
    const fault = make("p", { class: "ck-fault", role: "alert" });
    const text = make("div", {}, make("h4", {}, "Program, as it is published"), strings, use, fault);
    const facts = make("div", { class: "ck-facts" });
    const aside = make("div", { class: "ck-aside" }, list, make("div", { class: "ck-tools" }, ...tools.map((tool) => tool.button)), editor);
    const root = make("div", { class: "cogkit-widget ck-builder" }, head, make("div", { class: "ck-main" }, paper, status),
      aside, facts, text);

    const choose = (stroke) => stroke >= 1 && stroke <= scene().strokes.length && ask({ choose: stroke });
    list.addEventListener("click", (event) => {
      const row = event.target.closest(".ck-action");
      if (row) choose(Number(row.dataset.stroke));
    });
    const drawKeys = takeKeys(root, (event) => {
      if (event.target.matches("textarea, input")) return;
      const onList = list.contains(event.target);
      const to = onList && { ArrowUp: scene().chosen - 1, ArrowDown: scene().chosen + 1, Home: 1, End: scene().strokes.length }[event.key];
      const tool = { a: "add", A: "add", Delete: "remove", "<": "earlier", ">": "later" }[event.key];
      if (to) choose(to);
      else if (tool) act(tool);
      else return;
      event.preventDefault();
    }, () => list.querySelector(".is-now"), aside);
    drawKeys([["arrow keys", "to choose a stroke"], ["A", "to add one"], ["Delete", "to remove it"], ["< and >", "to move it"]]);

    let [written, drawn] = ["", 0];
    function draw() {
      const now = scene();
      heard();
      head.replaceChildren(make("strong", {}, "Your shape"), make("span", {}, now.strokes.length === 1 ? "1 stroke" : `${now.strokes.length} strokes`), startBox);
      start.value = "";
      paper.setAttribute("viewBox", now.view.join(" "));
      paper.setAttribute("aria-label", now.alt);
      const painted = now.strokes.map(paintStroke);
      painted[now.chosen - 1].classList.add("is-now");
      const here = now.strokes[now.chosen - 1];
      const pen = pointer();
      pen.setAttribute("transform", `translate(${here.way.at(-1).join(" ")}) rotate(${here.to})`);
      paper.replaceChildren(...painted, pen);
      const kept = list.contains(document.activeElement);
      list.replaceChildren(...now.strokes.map(({ words }, i) => {
        const row = make("button", { type: "button", class: "ck-action", "data-stroke": i + 1, tabindex: i + 1 === now.chosen ? 0 : -1 }, words);
        if (i + 1 === now.chosen) {
          row.classList.add("is-now");
          row.setAttribute("aria-current", true);
        }
        return make("li", {}, row);
      }));
      if (kept) {
        const [now, row] = [list.querySelector(".is-now"), list.querySelector(".is-now").parentNode];
        list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2; // the list moves, and the page does not
        now.focus({ preventScroll: true });
      }
      for (const { button, why } of tools) {
        button.setAttribute("aria-disabled", Boolean(why()));
        button.title = why();
      }
      const { action } = here;
      chosen.textContent = `Stroke ${now.chosen}`;
      kind.value = action.kind;
      type.value = action.type;
      size.name.textContent = action.kind === "arc" ? "Radius" : "Length";
      turn.draw(action.turn);
      size.draw(action.size);
      sweep.root.hidden = action.kind === "line";
      sweep.draw(action.sweep);
      const whole = now.strokes.map((stroke) => stroke.text).join("\n");
      if (written !== whole || drawn !== now.written) strings.value = whole;
      [written, drawn] = [whole, now.written];
      fault.textContent = now.fault;
      if (status.textContent !== now.status) status.textContent = now.status;
    }
    function measure() {
      facts.replaceChildren(...model.get("facts").map(({ title, rows }) => {
        const lines = rows.map(([name, value, changed]) => {
          const [mark, meant] = MEANT[value];
          return make("li", { class: `${value === 1 ? "is-yes" : ""}${changed ? " is-new" : ""}` }, make("i", { "aria-hidden": true }, mark),
            name, make("span", { class: "ck-live" }, `: ${meant}${changed ? ", changed" : ""}`));
        });
        return make("div", {}, make("h4", {}, title), make("ul", {}, ...lines));
      }), make("p", { class: "ck-quiet" }, "Underlined: changed by the last step."));
    }
    const unwatch = [watch(model, draw, "scene"), watch(model, measure, "facts"), endQueue];
    settle(el, root);
    draw();
    measure();
    return () => {
      unwatch.forEach((end) => end());
      heard();
    };
  },
};
