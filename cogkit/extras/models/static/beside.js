// A reader beside a language model. Python alone knows what is right and what the model chose, and tells it after the answer.
export default {
  render({ model, el }) {
    const { tasks, model: name } = model.get("still");
    const scene = () => model.get("scene");
    const live = makeStatus();
    const kernel = asker(model, live.status, "Waiting for the kernel. An answer counts once something follows it.");
    let [step, began] = ["", 0];
    const send = (message) => kernel.ask({ ...message, step: scene().step });
    const asks = () => scene().options.length > 0 && !scene().answer;
    const choose = (option) => asks() && option < scene().options.length && send({ option, rt_s: (performance.now() - began) / 1000 });
    const onward = () => scene().answer && send({ next: true });

    const select = make("select", { "aria-label": "Task" }, ...tasks.map((task) => make("option", { value: task }, task)));
    select.addEventListener("change", () => kernel.ask({ task: select.value }));
    const facts = make("div", { class: "ck-facts" });
    const paper = (label, more) => make("div", { class: `ck-text ${more}`, role: "region", "aria-label": label, tabindex: 0 });
    const [start, own] = [paper("The beginning of every question", "ck-start"), paper("This question", "ck-own")];
    const startTitle = make("h4", {}, "The beginning, the same in every question");
    const ownTitle = make("h4", {}, "This question, as the model reads it");
    const reading = make("div", { class: "ck-reading" }, startTitle, start, ownTitle, own);
    const prompt = make("h4", {}, "What follows?");
    const column = make("div", { class: "ck-options", role: "group", "aria-label": "Options" });
    const result = make("div", { class: "ck-result" });
    const go = button("Next", onward, "ck-primary");
    const asked = make("div", { class: "ck-choices" }, prompt, column, result, make("div", { class: "ck-foot" }, go, live.root));
    const board = make("div", { class: "ck-board" }, reading, asked);
    const head = make("div", { class: "ck-head" }, make("label", {}, "Task ", select), facts);
    const root = make("div", { class: "cogkit-widget ck-duo", role: "group", "aria-label": "You and a language model" }, head, board);
    let nodes = [];

    const stop = (which) => nodes.forEach((node, k) => (node.tabIndex = k === which ? 0 : -1));
    function walkTo(key) {
      const [here, end] = [nodes.indexOf(document.activeElement), nodes.length - 1];
      const to = { arrowup: here - 1, arrowleft: here - 1, arrowdown: here + 1, arrowright: here + 1, home: 0, end }[key];
      const which = here < 0 && key !== "end" ? 0 : Math.min(Math.max(to, 0), end);
      stop(which);
      nodes[which].focus({ preventScroll: true });
    }
    const drawKeys = takeKeys(root, (event) => {
      const key = event.key.toLowerCase();
      const pressed = event.target.closest("button");
      if ((key === "enter" || key === " ") && pressed) return void (event.repeat && event.preventDefault()); // the button's own; a key held down is one answer
      const reads = event.target.closest(".ck-text");
      const moves = key.startsWith("arrow") || key === "home" || key === "end";
      const option = scene().labels.findIndex((label) => label.toLowerCase() === key);
      const act = moves ? !reads && asks() && (() => walkTo(key)) : key === "enter" ? onward : option >= 0 && (() => choose(option));
      if (!act) return; // arrows scroll where there is nothing to choose
      event.preventDefault();
      if (moves || !event.repeat) act();
    });

    function drawOptions({ options, labels }) {
      nodes = options.map((words, k) => {
        const node = button("", () => choose(k), "ck-option");
        node.append(make("strong", { "aria-hidden": true }, labels[k]), make("span", {}, words));
        node.setAttribute("aria-label", `${labels[k]}: ${words}`);
        if (labels[k].length === 1) node.setAttribute("aria-keyshortcuts", labels[k]);
        return node;
      });
      column.replaceChildren(...nodes);
      stop(0);
    }
    // The model's chance of each option, as a bar and as a number; who chose it, and whether it is right.
    function drawResult({ options }, { yours, right, model: theirs, chances, outcome, words }) {
      const rows = options.map((option, k) => {
        const signs = [k === yours && make("span", { class: "ck-you-sign" }, "★ you"), k === theirs && make("span", { class: "ck-model-sign" }, "◆ model")].filter(Boolean);
        const share = chances.length ? make("td", { class: "ck-share", style: `--share: ${100 * chances[k]}%` }, chances[k].toFixed(2)) : make("td", {}, "–");
        const mark = make("th", { scope: "row", class: right.includes(k) ? "is-right" : "" }, right.includes(k) ? "✓ " : "", option);
        return make("tr", {}, mark, share, make("td", { class: "ck-signs" }, ...signs));
      });
      const heads = ["Option, ✓ right", "Model’s chance", "Chosen by"].map((text) => make("th", { scope: "col" }, text));
      const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
      const said = outcome !== "answered" || words ? [make("p", { class: "ck-quiet" }, `The model’s answer is ${outcome}.`)] : [];
      if (words) said.push(make("h4", {}, "What it said"), make("div", { class: "ck-text ck-words", role: "region", "aria-label": "What the model said", tabindex: 0 }, words));
      result.replaceChildren(table, ...said);
    }

    function draw() {
      const now = scene();
      const had = root.contains(document.activeElement);
      const chose = document.activeElement === select;
      const fresh = now.step !== step;
      kernel.heard();
      select.value = now.task;
      facts.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      const beginning = now.text ? model.get("beginning") : "";
      start.hidden = startTitle.hidden = !beginning;
      if (start.textContent !== beginning) start.textContent = beginning;
      if (own.textContent !== now.text) {
        own.textContent = now.text;
        requestAnimationFrame(() => (own.scrollTop = own.scrollHeight)); // the question itself stands at the end
      }
      reading.hidden = !now.text;
      column.hidden = prompt.hidden = !asks();
      result.hidden = go.hidden = !now.answer;
      if (fresh) drawOptions(now);
      if (now.answer) drawResult(now, now.answer);
      root.classList.toggle("is-over", !now.text);
      const named = now.labels.length > 1 && `${now.labels[0]} to ${now.labels.at(-1)}`;
      drawKeys(asks() ? [[named, "or ↑ ↓ and Enter for an option"]] : now.answer ? [["Enter", "for the next question"]] : []);
      live.draw(now);
      if (fresh) [step, began] = [now.step, performance.now()];
      // Who has the keys keeps them, on no option: one Enter too many answers nothing.
      if (had && fresh && !chose && document.activeElement !== go) root.focus({ preventScroll: true });
      else if (had && document.activeElement?.closest("[hidden]")) root.focus({ preventScroll: true });
    }
    const unwatch = watch(model, draw, "scene");
    settle(el, root);
    draw();
    return () => {
      unwatch();
      kernel.heard();
    };
  },
};
