// Words to learn. Python alone knows which name is right, and tells it, if at all, after the answer.
const picture = () => make("img", { class: "ck-picture", draggable: false });

// A row or column of buttons with one Tab stop.
function roving(nodes) {
  const stop = (which, focus = true) => {
    nodes.forEach((node, k) => (node.tabIndex = k === which ? 0 : -1));
    if (focus) nodes[which].focus({ preventScroll: true });
  };
  const walk = (key) => {
    const [here, end] = [nodes.indexOf(document.activeElement), nodes.length - 1];
    const to = { arrowup: here - 1, arrowleft: here - 1, arrowdown: here + 1, arrowright: here + 1, home: 0, end }[key];
    stop(here < 0 && key !== "end" ? 0 : Math.min(Math.max(to, 0), end));
  };
  stop(0, false);
  return { stop, walk };
}

// What learners hold of the names, or how many each had right: a bar for each share, and its number.
function drawOthers({ title, heads, rows }, nameOf) {
  const head = heads.map(([kind, sign, who]) => make("th", { scope: "col" }, make("span", { class: `ck-${kind}-sign`, "aria-hidden": true }, sign && `${sign} `), who));
  const cell = ([text, share], k) => make("td", { class: `ck-share is-${heads[k][0]}`, style: `--share: ${100 * share}%` }, text);
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, title), ...head)),
    make("tbody", {}, ...rows.map(([name, cells], k) => make("tr", {}, make("th", { scope: "row" }, ...nameOf(name, k)), ...cells.map(cell)))));
}

export default {
  render({ model, el }) {
    const scene = () => model.get("scene");
    const live = makeStatus();
    const kernel = asker(model, live.status, "Waiting for the kernel. An answer counts once something follows it.");
    let [step, began] = ["", 0];
    const took = () => (performance.now() - began) / 1000;
    const send = (message) => kernel.ask({ ...message, step: scene().step });
    const asks = () => ["check", "answer"].includes(scene().phase);
    const choose = (option) => asks() && send({ option, rt_s: took() });
    const onward = () => ["tutorial", "feedback"].includes(scene().phase) && send({ next: true, rt_s: took() });

    const facts = make("div", { class: "ck-facts" });
    const prompt = make("p", { class: "ck-prompt" });
    const page = make("div", { class: "ck-page" });
    const images = Array.from({ length: 7 }, picture);
    const names = images.map((_, k) => make("figcaption", {}, k < 6 ? "" : "?"));
    const figures = images.map((image, k) => make("figure", { class: k < 6 ? "ck-panel" : "ck-query" }, image, names[k]));
    const six = make("div", { class: "ck-six", role: "group", "aria-label": tr`Six pictures and their names` }, ...figures.slice(0, 6));
    const options = Array.from({ length: 5 }, (_, k) => {
      const node = button("", () => choose(k), "ck-option");
      node.setAttribute("aria-keyshortcuts", `${k + 1}`);
      return node;
    });
    const column = make("div", { class: "ck-options", role: "group", "aria-label": tr`Five names` }, ...options);
    const solved = make("ul", { class: "ck-solved", "aria-label": tr`What is right` });
    const board = make("div", { class: "ck-board" }, six, make("div", { class: "ck-asked" }, figures[6], column, solved));
    const told = make("div", { class: "ck-told" });
    const results = make("div", { class: "ck-results" });
    const go = button(tr`Next`, onward, "ck-primary");
    const again = button(tr`Begin again`, () => send({ again: true }), "ck-primary");
    const root = make("div", { class: "cogkit-widget ck-learn", role: "group", "aria-label": tr`Word learning` },
      make("div", { class: "ck-head" }, facts), prompt, page, board, told, results, make("div", { class: "ck-foot" }, go, again, live.root));
    const among = roving(options);

    const drawKeys = takeKeys(root, (event) => {
      const key = event.key.toLowerCase();
      const pressed = event.target.closest("button");
      if ((key === "enter" || key === " ") && pressed) return void (event.repeat && event.preventDefault()); // the button's own; a key held down is one answer
      const moves = key.startsWith("arrow") || key === "home" || key === "end";
      const option = "12345".indexOf(key);
      const act = moves ? asks() && (() => among.walk(key))
        : key === "enter" ? onward
        : option >= 0 && (() => choose(option));
      if (!act) return; // arrows scroll where there is nothing to choose
      event.preventDefault();
      if (moves || !event.repeat) act();
    });
    const name = [[tr`1 to 5`, tr`or ↑ ↓ and Enter for a name`]];
    const KEYS = { check: name, answer: name, tutorial: [["Enter", tr`to go on`]], feedback: [["Enter", tr`for the next`]], done: [] };

    function drawPictures() {
      const sent = model.get("pictures");
      sent.forEach((uri, k) => images[k].src !== uri && (images[k].src = uri));
    }

    // One more picture: Python draws it between two messages, so that no choice waits for all of them.
    function more() {
      if (model.get("drawing").left > 0) model.send({ more: true });
    }

    const others = make("div", { class: "ck-others" });
    told.after(others);

    function drawBoard({ names: called, options: words, chosen, right, alts }) {
      const over = right >= 0;
      drawPictures();
      images.forEach((image, k) => (image.alt = alts[k]));
      called.forEach((name, k) => (names[k].textContent = name));
      names[6].hidden = over;
      options.forEach((node, k) => {
        node.replaceChildren(make("strong", { "aria-hidden": true }, `${k + 1}`), make("span", {}, words[k]));
        node.setAttribute("aria-label", `${k + 1}: ${words[k]}`);
        node.classList.toggle("was-wrong", scene().phase === "check" && k === chosen);
      });
      column.hidden = over;
      solved.hidden = !over;
      const line = (k, kind, sign, note) => make("li", { class: kind }, make("span", { "aria-hidden": true }, sign), make("span", {}, words[k]), make("em", {}, note));
      const rest = words.filter((_, k) => k !== right && k !== chosen);
      if (over) solved.replaceChildren(
        line(right, "is-right", "✓", chosen === right ? tr`your answer` : tr`right`),
        ...(chosen >= 0 && chosen !== right ? [line(chosen, "is-wrong", "✗", tr`your answer`)] : []),
        make("li", { class: "ck-other" }, tr`not ${rest.join(" · ")}`));
    }

    function draw() {
      const now = scene();
      const had = root.contains(document.activeElement);
      const fresh = now.step !== step;
      const pictured = now.names.length > 0;
      kernel.heard();
      facts.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      prompt.textContent = now.prompt;
      page.hidden = pictured || !now.text.length;
      page.replaceChildren(...(pictured ? [] : now.text.map((text) => make("p", {}, text))));
      board.hidden = !pictured;
      if (pictured) drawBoard(now);
      told.hidden = !pictured || !now.text.length;
      told.replaceChildren(...(pictured ? now.text.map((text) => make("p", {}, text)) : []));
      others.hidden = !now.others;
      const nameOf = (name, k) => [k === now.right ? "✓ " : "", name, k === now.chosen ? make("span", { class: "ck-you-sign" }, " ★ yours") : ""];
      if (now.others && fresh) others.replaceChildren(drawOthers(now.others, nameOf));
      results.hidden = !now.table;
      if (now.table && fresh) results.replaceChildren(drawTable(["people"], now.table));
      go.hidden = asks() || now.phase === "done";
      again.hidden = !now.again;
      drawKeys(KEYS[now.phase]);
      live.draw(now);
      if (fresh) {
        [step, began] = [now.step, performance.now()];
        const mine = step;
        // The clock starts once every picture is in view; a finer one that follows does not set it back.
        if (pictured) Promise.allSettled(images.map((image) => image.decode())).then(() => mine === step && (began = performance.now()));
        among.stop(0, false);
      }
      // Whoever has the keys keeps them, on no name: one Enter too many answers nothing.
      const here = document.activeElement;
      if (had && (fresh ? here !== go || go.hidden : !root.contains(here) || here.closest("[hidden]"))) root.focus({ preventScroll: true });
      if (had && fresh) root.scrollIntoView({ block: "nearest" });
    }
    const unwatch = [watch(model, draw, "scene"), watch(model, drawPictures, "pictures"), watch(model, more, "drawing")];
    settle(el, root);
    draw();
    more();
    return () => {
      unwatch.forEach((end) => end());
      kernel.heard();
    };
  },
};
