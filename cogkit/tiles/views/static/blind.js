// One board at a time and two answers. Python alone knows which answer is right, and tells it after the last board.
const MARKS = { you: "★", floor: "", observer: "" };
const ANSWERS = [["a", "abstract", "Abstract"], ["m", "metamer", "Metamer"]];

// Who got how many right: the reader first, then what shortcuts get.
function scores({ title, rows, note }) {
  const lines = rows.map((r) =>
    make("tr", {},
      make("th", { scope: "row" }, make("span", { class: `ck-mark ck-${r.kind}${MARKS[r.kind] ? "" : " ck-line"}`, "aria-hidden": true }, MARKS[r.kind]), r.label),
      make("td", {}, r.text)));
  const table = rows.length ? [make("table", {}, make("tbody", {}, ...lines))] : [];
  return [make("div", {}, make("h4", {}, title), ...table), make("p", { class: "ck-quiet" }, note)];
}

export default {
  render({ model, el }) {
    const head = make("div", { class: "ck-head" });
    const prompt = make("p", { class: "ck-prompt" });
    const status = make("div", { class: "ck-status", role: "status", "aria-live": "polite" });
    const aside = make("div", { class: "ck-aside" });
    const scene = () => model.get("scene");
    let shownAt = 0;
    let asked = -1;
    const { ask, heard } = asker(model, status, "Waiting for the kernel. An answer counts once the next board is shown.");

    function say(answer) {
      const now = scene();
      if (now.over || asked === now.draw) return;
      asked = now.draw;
      ask({ answer, board: now.board, rt_s: (performance.now() - shownAt) / 1000 });
    }
    const grid = makeGrid(model.get("label"), true, () => {}, () => {});
    const why = make("span", { class: "ck-quiet" });
    why.id = `ck-why-${Math.random().toString(36).slice(2)}`;
    const buttons = ANSWERS.map(([key, answer, label]) => {
      const button = make("button", { type: "button", class: "ck-button ck-answer", "aria-describedby": why.id, "aria-keyshortcuts": key }, label);
      button.addEventListener("click", () => say(answer));
      return button;
    });
    const foot = make("div", { class: "ck-foot" }, ...buttons, why);
    const review = makeReview();
    const root = make("div", { class: "cogkit-widget cogkit-board ck-blind" }, head, prompt, make("div", { class: "ck-main" }, grid.root, foot, status), aside, review.root);
    const drawKeys = takeKeys(root, (event) => {
      const chosen = ANSWERS.find(([key]) => key === event.key.toLowerCase());
      if (!chosen || event.repeat) return;
      event.preventDefault();
      say(chosen[1]);
    }, () => grid.root.querySelector("[tabindex='0']"), grid.root.parentNode);

    function draw() {
      const now = scene();
      shownAt = performance.now();
      heard();
      asked = -1;
      head.replaceChildren(...now.head.map((text, i) => make(i ? "span" : "strong", {}, text)));
      prompt.textContent = now.prompt;
      if (status.textContent !== now.status) status.textContent = now.status;
      // One game throughout: whoever has a tile or a button in focus keeps it from board to board.
      grid.draw({ game: "blind", start: -1, last: -1, shown: now.shown });
      for (const button of buttons) button.setAttribute("aria-disabled", now.over);
      why.textContent = now.over ? "every board is answered" : "";
      drawKeys(now.over ? [] : [["A", "abstract"], ["M", "metamer"]]);
      aside.replaceChildren(...scores(now.beside));
      review.draw(now.review);
    }
    const unwatch = watch(model, draw, "scene");
    settle(el, root);
    draw();
    return () => {
      unwatch();
      heard();
    };
  },
};
