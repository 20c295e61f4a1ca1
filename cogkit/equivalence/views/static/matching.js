// Matching to sample. Python alone knows which comparison is right, and tells it after the answer, in training only.
const MARKS = { you: "★", floor: "" };
const GO_ON_AFTER = 800; // ms that the feedback to a right answer stays

const picture = ({ path }) => shape("svg", { viewBox: "0 0 64 64", "aria-hidden": true }, shape("path", { d: path }));

// Counts as numbers and as bars, with a line where mastery begins.
function table({ title, rows, note, mastery }) {
  const lines = rows.map((r) => {
    const bar = make("i", { class: `ck-bar ck-${r.kind}` });
    bar.style.setProperty("--share", r.share);
    const track = make("span", { class: "ck-track", "aria-hidden": true }, bar);
    track.style.setProperty("--mastery", `${100 * mastery}%`);
    const mark = make("span", { class: `ck-mark ck-${r.kind}${MARKS[r.kind] ? "" : " ck-line"}`, "aria-hidden": true }, MARKS[r.kind]);
    return make("tr", {}, make("th", { scope: "row" }, mark, r.label, track), make("td", {}, r.text));
  });
  const counts = rows.length ? [make("table", {}, make("tbody", {}, ...lines))] : [];
  return [make("h4", {}, title), ...counts, make("p", { class: "ck-quiet" }, note)];
}

export default {
  render({ model, el }) {
    const head = make("div", { class: "ck-head" });
    const prompt = make("p", { class: "ck-prompt" });
    const status = make("div", { class: "ck-said" });
    const spoken = make("div", { class: "ck-spoken" });
    const live = make("div", { class: "ck-status", role: "status", "aria-live": "polite" }, status, spoken);
    const sample = make("div", { class: "ck-card ck-sample", role: "img" });
    const buttons = [0, 1, 2].map((place) => {
      const button = make("button", { type: "button", class: "ck-card", "aria-keyshortcuts": place + 1, tabindex: place ? -1 : 0 });
      button.addEventListener("click", (event) => {
        go(place, false);
        if (!scene().told) answer(place);
        else if (!event.detail) next(); // Enter goes on; a second click of the mouse is none
      });
      return button;
    });
    const row = make("div", { class: "ck-comparisons", role: "toolbar", "aria-label": tr`Comparisons` }, ...buttons);
    const arena = make("div", { class: "ck-arena" }, sample, row);
    const why = make("span", { class: "ck-quiet" });
    why.id = `ck-why-${Math.random().toString(36).slice(2)}`;
    const onward = make("button", { type: "button", class: "ck-button ck-primary", "aria-describedby": why.id }, tr`Next`);
    onward.addEventListener("click", () => next());
    const foot = make("div", { class: "ck-foot" }, onward, why);
    const counts = make("div", {});
    const leave = make("button", { type: "button", class: "ck-button" });
    leave.addEventListener("click", () => (sure ? ask({ skip: true }) : ((sure = true), label())));
    const skip = make("div", {}, leave);
    const aside = make("div", { class: "ck-aside" }, counts, skip);
    const root = make("div", { class: "cogkit-widget ck-matching" }, head, prompt, make("div", { class: "ck-main" }, arena, foot, live), aside);
    const scene = () => model.get("scene");
    let here = 0;
    let sure = false;
    let trial = -1;
    let shownAt = 0;
    const kernel = asker(model, status, "Waiting for the kernel. An answer counts once something follows it.");
    let onItsOwn = 0;
    let asked = -1;

    function label() {
      leave.textContent = sure ? tr`Press again to skip; it is recorded` : tr`Skip to the test`;
    }
    function ask(message) {
      const now = scene();
      if (asked === now.draw) return;
      asked = now.draw;
      kernel.ask({ ...message, trial: now.trial });
    }
    function answer(place) {
      if (!scene().sample) return;
      ask({ answer: place, rt_s: (performance.now() - shownAt) / 1000 });
    }
    const next = () => scene().told && ask({ next: true });
    function go(place, focus = true) {
      buttons[here].tabIndex = -1;
      here = place;
      buttons[here].tabIndex = 0;
      if (focus) buttons[here].focus();
    }
    const drawKeys = takeKeys(root, (event) => {
      if (event.repeat) return void event.preventDefault(); // a key held down is one answer
      const chosen = ["1", "2", "3"].indexOf(event.key);
      if (chosen >= 0) {
        event.preventDefault();
        if (scene().told) return void next();
        go(chosen, row.contains(document.activeElement));
        answer(chosen);
        return;
      }
      if (!event.target.closest(".ck-comparisons")) return;
      const to = {
        ArrowLeft: Math.max(here - 1, 0), ArrowUp: Math.max(here - 1, 0), Home: 0,
        ArrowRight: Math.min(here + 1, 2), ArrowDown: Math.min(here + 1, 2), End: 2,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    }, () => buttons[here], root.querySelector(".ck-main"));

    function draw() {
      const now = scene();
      const { told, comparisons } = now;
      kernel.heard();
      clearTimeout(onItsOwn);
      asked = -1;
      if (now.trial !== trial) shownAt = performance.now(); // not when the same trial is drawn again
      trial = told ? -1 : now.trial;
      sure = false;
      label();
      head.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      prompt.textContent = now.prompt;
      status.textContent = now.status;
      const listed = comparisons.map(({ name }, i) => `${i + 1}: ${name}`).join(", ");
      const named = now.sample && tr`Sample ${now.sample.name}. ${listed}.`;
      spoken.textContent = now.sample && !told ? named : "";
      arena.hidden = !now.sample;
      foot.hidden = !now.training;
      skip.hidden = !now.can_skip;
      root.classList.toggle("is-over", !now.sample);
      if (now.sample) {
        sample.setAttribute("aria-label", tr`Sample: ${now.sample.name}`);
        sample.replaceChildren(picture(now.sample));
      }
      comparisons.forEach((comparison, place) => {
        const button = buttons[place];
        const right = told?.right === place;
        const wrong = told?.given === place && !right;
        const name = `${place + 1}: ${comparison.name}`;
        button.replaceChildren(make("span", { class: "ck-number" }, `${place + 1}`), picture(comparison));
        if (right || wrong) button.append(make("span", { class: "ck-verdict" }, right ? "✓" : "✗"));
        button.classList.toggle("is-right", right);
        button.classList.toggle("is-wrong", wrong);
        button.classList.toggle("is-told", Boolean(told));
        button.setAttribute("aria-label", right ? tr`${name}, the right one` : wrong ? tr`${name}, not that one` : name);
      });
      onward.setAttribute("aria-disabled", !told);
      why.textContent = told ? (now.waits ? "" : tr`goes on by itself`) : tr`after your choice`;
      drawKeys(!now.sample ? [] : [[tr`1, 2 and 3`, told ? tr`to go on` : tr`for a shape`], [tr`arrow keys`, tr`and Enter`]]);
      counts.replaceChildren(...table(now.beside));
      if (told && !now.waits) onItsOwn = setTimeout(next, GO_ON_AFTER);
      // Whoever has a button in focus that goes now keeps the keys.
      if (root.contains(document.activeElement) && document.activeElement.closest("[hidden]")) {
        if (now.sample) go(here);
        else root.focus();
      }
    }
    const unwatch = watch(model, draw, "scene");
    settle(el, root);
    draw();
    return () => {
      unwatch();
      kernel.heard();
      clearTimeout(onItsOwn);
    };
  },
};
