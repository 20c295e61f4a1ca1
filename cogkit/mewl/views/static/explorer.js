// Episodes to look into. Python says which panel strikes out what; the page shows it as far as panels are seen.
let presses = 0; // in all views of the page: Python's scene tells which of them it has heard
const press = (words, act, more = "") => {
  const node = make("button", { type: "button", class: `ck-button ${more}` }, words);
  node.addEventListener("click", act);
  return node;
};

// Rows of cells with one Tab stop. Up and down lead to what lies nearest in the next row.
function roving(root, rows, tell) {
  const where = (cell) => {
    const row = rows.findIndex((cells) => cells.includes(cell));
    return [row, row < 0 ? -1 : rows[row].indexOf(cell)];
  };
  const middle = (cell) => cell.offsetLeft + cell.offsetWidth / 2;
  const nearest = (cells, cell) => cells && cells.reduce((best, each) => (Math.abs(middle(each) - middle(cell)) < Math.abs(middle(best) - middle(cell)) ? each : best));
  rows.flat().forEach((cell) => (cell.tabIndex = -1));
  rows[0][0].tabIndex = 0;
  root.onkeydown = (event) => {
    const [row, column] = where(event.target);
    if (row < 0 || event.altKey || event.metaKey) return;
    const cells = rows[row];
    const to = {
      ArrowLeft: () => cells[column - 1], ArrowRight: () => cells[column + 1],
      ArrowUp: () => nearest(rows[row - 1], event.target), ArrowDown: () => nearest(rows[row + 1], event.target),
      Home: () => (event.ctrlKey ? rows[0] : cells)[0], End: () => (event.ctrlKey ? rows.at(-1) : cells).at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to()?.focus();
  };
  rows.flat().forEach((cell) => {
    cell.onfocus = () => {
      rows.flat().forEach((each) => (each.tabIndex = each === cell ? 0 : -1));
      tell(cell);
    };
    cell.onmouseenter = () => tell(cell);
  });
}

export default {
  render({ model, el }) {
    const still = model.get("still");
    const scene = () => model.get("scene");
    const status = make("div", { class: "ck-status", role: "status", "aria-live": "polite" });
    const why = make("p", { class: "ck-why" });
    const { ask: send, heard } = asker(model, status);
    presses = Math.max(presses, scene().press); // a page that was loaded anew counts on
    // Of quick steps the next begins where the last leads, whether Python has drawn that or not.
    let [wanted, pressed] = [null, 0];
    const ask = (message, to = wanted) => {
      wanted = to;
      send({ ...message, press: (pressed = ++presses) });
    };
    const [taskBox, task] = choice("Task", still.tasks, (to) => ask({ task: to, number: 0 }, 0));
    const [profileBox, profile] = choice("Rules", still.profiles, (to) => ask({ profile: to }, 0));
    const [readingBox, reading] = choice("Heard as", still.readings, (to) => ask({ hear: to }));
    const [shortcutBox, shortcut] = choice("Show a shortcut", [], (to) => ask({ shortcut: to }));
    const number = make("input", { type: "number", min: 0, max: still.count - 1, class: "ck-where", "aria-label": "Episode" });
    number.addEventListener("change", () => number.value !== "" && ask({ number: Number(number.value) }, 0));
    const slider = make("input", { type: "range", min: 0, max: 6, step: 1, "aria-label": "Panels seen" });
    const see = (to) => to !== (wanted ?? scene().seen) && ask({ see: to }, to);
    slider.addEventListener("input", () => see(Number(slider.value)));
    const count = make("span", {});
    const step = (by) => see(Math.min(Math.max((wanted ?? scene().seen) + by, 0), 6));
    const acts = {
      p: () => scene().number > 0 && ask({ turn: -1 }, 0), n: () => scene().number < still.count - 1 && ask({ turn: 1 }, 0),
      a: () => ask({ any: true }, 0), c: () => ask({ reveal: scene().answer === null }),
      arrowleft: () => step(-1), arrowright: () => step(1),
    };
    const [previous, next, any] = [["Previous", "p"], ["Next", "n"], ["Any", "a"]].map(([words, key]) => press(words, acts[key]));
    const reveal = press("", acts.c, "ck-primary");

    const figures = Array.from({ length: 7 }, (_, k) => {
      const image = make("img", { draggable: false });
      const name = make("figcaption", {});
      const frame = make("div", { class: "ck-frame ck-zoom", role: "group" }, image, make("span", { "aria-hidden": true }, `${k + 1}`));
      return { image, name, frame, root: make("figure", { class: k === 6 ? "is-asked" : "" }, frame, name) };
    });
    const options = Array.from({ length: 5 }, () => {
      const [name, mark, short] = ["strong", "span", "span"].map((tag) => make(tag, {}));
      short.className = "ck-short";
      return { name, mark, short, root: make("div", { role: "gridcell", class: "ck-option" }, name, mark, short) };
    });
    const answers = make("div", { role: "grid", class: "ck-answers", "aria-label": "What the last picture may be called" }, make("div", { role: "row" }, ...options.map((each) => each.root)));
    const does = make("p", { class: "ck-quiet ck-does" });
    const pairs = make("div", { class: "ck-pairs", role: "grid", "aria-label": "What the two words are about" });
    const hint = make("div", {});
    const grid = make("table", { role: "grid", "aria-label": "What the words may mean" });
    const strip = make("div", { class: "ck-strip" }, ...figures.map((each) => each.root));
    roving(strip, [figures.map((each) => each.frame)], () => {}); // a picture in focus is large, as one under the pointer
    const root = make("div", { class: "cogkit-widget ck-hypotheses" },
      make("div", { class: "ck-bar" }, taskBox, profileBox, make("span", { class: "ck-turns" }, previous, make("label", {}, "Episode ", number), next, any)),
      strip,
      make("div", { class: "ck-bar" }, make("label", { class: "ck-slide" }, "Panels seen", slider, count), shortcutBox, reveal),
      hint, answers, does, readingBox, pairs, grid, status, why);
    const drawKeys = takeKeys(root, (event) => {
      if (event.target === number || (event.target === slider && event.key.startsWith("Arrow"))) return; // their own keys
      const act = acts[event.key.toLowerCase()] ?? (/^[0-6]$/.test(event.key) && (() => see(Number(event.key))));
      if (!act) return;
      event.preventDefault();
      act();
    }, undefined, hint);
    const turns = [["← →", "for the panels"], ["P", "for the previous episode"], ["N", "for the next"], ["A", "for any"]];
    drawKeys([...turns, ["C", "for the answer"]]);

    // What each cell is: when it is struck out, and why.
    const cells = new Map();
    let told = null;
    const tell = (cell) => {
      told = cell;
      why.textContent = cells.get(cell)();
    };
    let [entries, heads, tops, names, groups] = [[], [], [], [], []];
    function build() {
      const { rows, columns, groups: sorts, struck, abouts, names: said, options: asked, shortcuts, why: reasons, aboutStruck, aboutWhy } = model.get("table");
      shortcut.replaceChildren(...shortcuts.map(([value, text]) => make("option", { value }, text)));
      cells.clear();
      const first = sorts.flatMap(([, wide]) => Array.from({ length: wide }, (_, k) => k === 0));
      const sort = (k) => (first[k] ? "is-first" : "");
      const inHead = abouts.length === sorts.length;
      const about = (node, k) => ({ node, label: `The words are about ${abouts[k]}`, struck: aboutStruck[k], why: aboutWhy[k] });
      const groupCells = sorts.map(([name, wide]) => make("th", { scope: "colgroup", colspan: wide, class: "ck-group is-first" }, make("span", {}, name)));
      const chips = inHead ? [] : abouts.map((name) => make("span", { role: "gridcell", class: "ck-pair" }, name));
      tops = (inHead ? groupCells : chips).map(about);
      pairs.replaceChildren(...(chips.length ? [make("span", { class: "ck-quiet" }, "The first word is about, and the second:"), make("div", { role: "row" }, ...chips)] : []));
      heads = columns.map((name, k) => make("th", { scope: "col", class: sort(k) }, ...name.split(" ").map((part) => make("span", {}, part))));
      names = rows.map((name) => make("th", { scope: "row" }, name));
      entries = rows.map((row, r) => columns.map((column, c) => ({
        node: make("td", { class: sort(c) }, make("span", { "aria-hidden": true })), label: `${row}, ${column}`, struck: struck[r][c], why: reasons[r][c], c,
      })));
      groups = groupCells.map((node, k) => [node, sorts[k][1]]);
      grid.style.setProperty("--n", columns.length);
      grid.replaceChildren(
        make("thead", {}, ...(sorts.length ? [make("tr", {}, make("td", {}), ...groupCells)] : []), make("tr", {}, make("th", {}, ""), ...heads)),
        make("tbody", {}, ...entries.map((row, r) => make("tr", {}, names[r], ...row.map((each) => each.node)))));
      entries.flat().forEach(({ node }) => node.setAttribute("role", "gridcell"));
      const body = entries.map((row) => row.map((each) => each.node));
      roving(grid, inHead && tops.length ? [groupCells, ...body] : body, tell);
      if (chips.length) roving(pairs, [chips], tell);
      roving(answers, [options.map((each) => each.root)], tell);
      figures.slice(0, 6).forEach((each, k) => (each.said = said[k]));
      options.forEach((each, k) => (each.name.textContent = asked[k]));
      why.textContent = "Point at an entry, or go to it by Tab and the arrows: it tells which panel strikes it out, and why.";
      told = null;
      draw();
    }
    function draw() {
      const now = scene();
      const { optionStruck, optionWhy } = model.get("table");
      heard();
      task.value = now.task;
      profile.value = now.profile;
      reading.value = now.reading;
      readingBox.hidden = now.task !== "pragmatic";
      shortcut.value = now.shortcut;
      if (document.activeElement !== number) number.value = now.number; // nobody is typing another
      if (now.press >= pressed) wanted = null;
      slider.value = wanted ?? now.seen;
      slider.setAttribute("aria-valuetext", `${slider.value} of 6`);
      count.textContent = `${wanted ?? now.seen} of 6`;
      previous.setAttribute("aria-disabled", now.number === 0);
      next.setAttribute("aria-disabled", now.number === still.count - 1);
      reveal.textContent = now.answer === null ? "Show the answer" : "Hide the answer";
      const uris = model.get("pictures");
      figures.forEach(({ image, name, frame, root: figure, said }, k) => {
        const open = k === 6 || k < now.seen;
        image.hidden = !uris[k] || !open;
        if (uris[k]) image.src = uris[k];
        image.alt = now.alts[k];
        frame.setAttribute("aria-label", open ? `Picture ${k + 1}` : `Picture ${k + 1}, not seen yet`);
        image.title = now.answer === null ? "" : now.alts[k];
        figure.classList.toggle("is-now", k === now.seen - 1);
        name.textContent = k === 6 ? "What is this?" : said;
        name.classList.toggle("is-unheard", !open); // it keeps its place, and is not read out
      });
      const state = ({ node, label, struck, why: reason }, possible = "possible") => {
        const out = struck <= now.seen;
        node.classList.toggle("is-out", out);
        node.classList.toggle("is-fresh", struck === now.seen);
        const text = out ? `${label}: struck out. ${reason}` : `${label}: ${possible}.`;
        node.setAttribute("aria-label", text);
        cells.set(node, () => text);
        return out;
      };
      tops.forEach((each) => state(each));
      entries.forEach((row, r) => {
        const left = row.filter((each) => each.struck > now.seen).length;
        row.forEach((each) => {
          const meant = now.meant[r] === each.c;
          const out = state(each, `${left === 1 ? "the only meaning left" : "possible"}${meant ? ", and what it means" : ""}`);
          each.node.classList.toggle("is-sure", !out && left === 1);
          each.node.classList.toggle("is-meant", meant);
          each.node.firstChild.textContent = out ? each.struck : left === 1 ? "✓" : "●";
        });
      });
      const gone = heads.map((_, c) => entries.every((row) => row[c].struck <= now.seen));
      heads.forEach((node, c) => node.classList.toggle("is-out", gone[c]));
      let from = 0;
      for (const [node, wide] of groups) node.classList.toggle("is-out", gone.slice(from, (from += wide)).every(Boolean));
      options.forEach(({ root: node, name, mark, short }, k) => {
        const out = optionStruck[k] <= now.seen;
        node.classList.toggle("is-out", out);
        node.classList.toggle("is-answer", now.answer === k);
        const marks = [out ? `✗ out by panel ${optionStruck[k]}` : "● possible", ...(now.answer === k ? ["✓ the answer"] : [])];
        mark.textContent = marks.join(" · ");
        short.hidden = !now.took;
        short.textContent = now.took ? now.took.why[k] : "";
        short.classList.toggle("is-kept", Boolean(now.took?.keeps[k]));
        const text = `${name.textContent}: ${out ? optionWhy[k] : "possible after what is seen."}${now.took ? ` By ${now.shortcut}, ${now.took.why[k]}` : ""}`;
        node.setAttribute("aria-label", `${text}${now.answer === k ? " The answer." : ""}`);
        cells.set(node, () => text);
      });
      does.hidden = !now.took;
      does.textContent = now.took ? `By ${now.shortcut}: ${now.took.does[0].toLowerCase()}${now.took.does.slice(1)}` : "";
      if (told) tell(told);
      if (status.textContent !== now.status) status.textContent = now.status;
    }
    const unwatch = [watch(model, build, "table"), watch(model, draw, "pictures", "scene")];
    settle(el, root);
    build();
    return () => {
      unwatch.forEach((end) => end());
      heard();
    };
  },
};
