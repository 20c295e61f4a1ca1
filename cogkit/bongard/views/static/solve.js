// Problems to solve. Python alone knows which side a picture is of, and tells it after the second answer.
const drawn = () => make("img", { class: "ck-paper", draggable: false, tabindex: -1 });
// What is pointed at stays as small as it was, so the large picture takes no click that is meant for a button under it.
const frame = (image) => make("span", { class: "ck-zoom" }, image);

// Pictures with one Tab stop, six a row; one in focus is shown larger, as one under the pointer is.
function walkable(root, images) {
  images[0].tabIndex = 0;
  root.addEventListener("keydown", (event) => {
    const here = images.indexOf(event.target);
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, ArrowUp: here - 6, ArrowDown: here + 6, Home: 0, End: images.length - 1 }[event.key];
    if (here < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = images[Math.min(Math.max(to, 0), images.length - 1)];
    images.forEach((image) => (image.tabIndex = image === next ? 0 : -1));
    next.focus();
  });
}

// Two groups of six side by side, with a line of words above each.
function makeGroups(groups) {
  const images = groups.map(() => Array.from({ length: 6 }, drawn));
  const captions = groups.map(([name, words]) => make("h4", {}, name, make("span", { class: "ck-quiet" }, words)));
  const root = make("div", { class: "ck-groups" }, ...groups.map(([name], k) =>
    make("div", { role: "group", "aria-label": name }, captions[k], make("div", { class: "ck-six" }, ...images[k].map(frame)))));
  walkable(root, [0, 3].flatMap((row) => images.flatMap((six) => six.slice(row, row + 3))));
  return { root, images, captions };
}

function drawPage({ text, glossary, examples }, pictures, groups) {
  const worked = examples.map((words, k) => {
    const two = makeGroups(groups);
    two.images.forEach((images, side) => images.forEach((image, place) => {
      image.src = pictures[k][side][place];
      image.alt = tr`${groups[side][0]}, picture ${place + 1} of 6`;
    }));
    two.captions.forEach((caption, side) => caption.replaceChildren(words[side]));
    return make("section", {}, make("h4", { class: "ck-worked" }, tr`Example ${k + 1}, solved`), two.root);
  });
  const meanings = glossary.length ? [make("dl", { class: "ck-glossary" }, ...glossary.map(([name, words]) => make("div", {}, make("dt", {}, name), make("dd", {}, words))))] : [];
  return [...text.map((words) => make("p", {}, words)), ...meanings, ...worked];
}

export default {
  render({ model, el }) {
    const { groups, levels, hints } = model.get("still");
    const scene = () => model.get("scene");
    const live = makeStatus();
    const kernel = asker(model, live.status, "Waiting for the kernel. An answer counts once something follows it.");
    let [step, began, left] = ["", 0, 0];
    const send = (message) => kernel.ask({ ...message, step: scene().step });
    const took = () => (performance.now() - began) / 1000;
    const choose = (side) => scene().phase === "answer" && send({ side, rt_s: took() });
    const rate = (level) => scene().phase === "answer" && send({ level });
    const pause = () => scene().phase !== "done" && send({ pause: !scene().paused });
    function onward() {
      if (scene().paused) return void pause();
      if (scene().phase === "instructions") send({ read: true, rt_s: took() });
      else if (scene().phase === "feedback") send({ next: true });
    }

    const facts = make("div", { class: "ck-facts" });
    const halt = button("", pause);
    const prompt = make("p", { class: "ck-prompt" });
    const page = make("div", { class: "ck-page" });
    const two = makeGroups(groups);
    const queries = [0, 1].map(drawn);
    queries.forEach((image) => (image.tabIndex = 0));
    const verdicts = queries.map(() => make("figcaption", {}));
    const asked = queries.map((image, k) => make("figure", {}, frame(image), verdicts[k]));
    const sides = groups.map(([name], side) => {
      const node = button(side ? `${name} →` : `← ${name}`, () => choose(side), "ck-side");
      node.setAttribute("aria-keyshortcuts", side ? "ArrowRight S" : "ArrowLeft F");
      return node;
    });
    const sure = makeLevels(levels, "1234", tr`group`, rate);
    const concept = make("div", { class: "ck-concept" });
    const ask = make("div", { class: "ck-ask" }, sides[0], ...asked, sides[1], concept);
    const problem = make("div", {}, two.root, ask, sure.root);
    const results = make("div", { class: "ck-results" });
    const go = button("", onward, "ck-primary");
    const hint = make("span", { class: "ck-quiet" });
    const foot = make("div", { class: "ck-foot" }, go, hint);
    const root = make("div", { class: "cogkit-widget ck-solve" }, make("div", { class: "ck-head" }, facts, halt), prompt, page, problem, results, live.root, foot);

    const drawKeys = takeKeys(root, (event) => {
      const key = event.key.toLowerCase();
      const pressed = event.target.closest("button");
      if (key === "enter" && pressed) return void (event.repeat && event.preventDefault()); // the button's own; a key held down is one answer
      const act = {
        arrowleft: () => choose(0), arrowright: () => choose(1), f: () => choose(0), s: () => choose(1), enter: onward, p: pause,
        1: () => rate(0), 2: () => rate(1), 3: () => rate(2), 4: () => rate(3),
      }[key];
      if (!act) return;
      if (key.startsWith("arrow") && scene().phase !== "answer") return; // they scroll
      event.preventDefault();
      if (!event.repeat) act();
    }, undefined, foot);
    const KEYS = {
      instructions: [["Enter", tr`to begin`], ["P", tr`to pause`]], feedback: [["Enter", tr`for the next problem`], ["P", tr`to pause`]], done: [],
      answer: [[tr`← and →`, tr`or F and S for a group`], [tr`1 to 4`, tr`for how sure you are`], ["P", tr`to pause`]],
    };

    function drawProblem({ phase, query, chosen, told, alts }) {
      const pictures = model.get("pictures");
      [...two.images, queries].forEach((images, k) => images.forEach((image, place) => {
        if (image.src !== pictures[k][place]) image.src = pictures[k][place];
        image.alt = alts[k][place];
      }));
      asked.forEach((figure, k) => {
        figure.hidden = !told && k !== query;
        const right = told && told.sides[k] === told.given[k];
        figure.className = told ? (right ? "is-right" : "is-wrong") : "";
        verdicts[k].replaceChildren(...(told ? [make("strong", {}, groups[told.sides[k]][0]), right ? tr`✓ right` : tr`✗ not as you said`] : []));
      });
      sides.forEach((node, side) => {
        node.hidden = Boolean(told);
        node.setAttribute("aria-pressed", side === chosen);
      });
      sure.root.hidden = phase !== "answer";
      sure.draw(chosen);
      ask.classList.toggle("is-told", Boolean(told));
      concept.hidden = !told;
      concept.replaceChildren(...(told ? told.words.map((words, k) => make(k ? "p" : "strong", {}, words)) : []));
    }

    function draw() {
      const now = scene();
      const had = root.contains(document.activeElement);
      const fresh = now.step !== step;
      kernel.heard();
      if (fresh) [step, began, left] = [now.step, performance.now(), 0];
      if (now.paused && !left) left = performance.now();
      if (!now.paused && left) [began, left] = [began + performance.now() - left, 0];
      const shows = (phase) => !now.paused && phase;
      facts.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      halt.textContent = now.paused ? tr`Go on` : tr`Pause`;
      halt.hidden = now.phase === "done";
      prompt.textContent = now.paused ? tr`Paused. What was in view is hidden, and no time is counted.` : now.prompt;
      page.hidden = !shows(now.page);
      problem.hidden = !shows(now.phase === "answer" || now.phase === "feedback");
      results.hidden = !now.table;
      if (fresh) page.replaceChildren(...(now.page ? drawPage(now.page, model.get("pictures"), groups) : []));
      if (!problem.hidden) drawProblem(now);
      if (now.table && fresh) results.replaceChildren(drawTable(["experts", "amateurs"], now.table));
      go.hidden = now.paused || now.phase === "answer" || now.phase === "done";
      go.textContent = now.page ? tr`Begin` : tr`Next`;
      hint.textContent = (!now.paused && hints[now.phase]) || "";
      drawKeys(now.paused ? [["P", tr`to go on`]] : KEYS[now.phase]);
      live.draw(now);
      // Whoever has a button in focus that goes now keeps the keys.
      if (had && (!root.contains(document.activeElement) || document.activeElement.closest("[hidden]"))) root.focus({ preventScroll: true });
      if (had && fresh) root.scrollIntoView({ block: "nearest" });
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
