// Problems to leaf through: seven pictures with the concept, seven without. Python makes a problem when it is asked for.
const ACROSS = 3;
const ASKED = "Dashed: one picture of each side is asked about; the other six are shown.";
const SIDES = ["Positive: all have the concept", "Negative: none has it"];

// Fourteen pictures as buttons with one Tab stop. The arrows go by what lies where: three a row, two sides abreast.
function makePictures(open) {
  const buttons = [0, 1].map((side) => Array.from({ length: 7 }, (_, place) => {
    const image = make("img", { draggable: false });
    const button = make("button", { type: "button", class: `ck-picture${place === 6 ? " is-asked" : ""}`, tabindex: -1, "aria-pressed": false }, image);
    button.addEventListener("click", () => (go([side, place]), open(side, place)));
    return button;
  }));
  const root = make("div", { class: "ck-sides" }, ...buttons.map((seven, side) =>
    make("div", { role: "group", "aria-label": SIDES[side] }, make("h4", {}, SIDES[side]), make("div", { class: "ck-seven" }, ...seven, ...(side ? [] : [make("p", { class: "ck-quiet" }, ASKED)])))));
  let here = [0, 0];
  const at = ([side, place]) => buttons[side][place];
  function go(to, focus = true) {
    at(here).tabIndex = -1;
    here = to;
    at(here).tabIndex = 0;
    if (focus) at(here).focus();
  }
  const row = ([, place]) => Math.floor(place / ACROSS);
  const column = ([side, place]) => side * ACROSS + (place % ACROSS);
  const all = [0, 1].flatMap((side) => Array.from({ length: 7 }, (_, place) => [side, place]));
  // Of the pictures that lie that way the nearest, a row first.
  function nearest(down, right) {
    const ahead = all.filter((to) => (down ? (row(to) - row(here)) * down > 0 : row(to) === row(here) && (column(to) - column(here)) * right > 0));
    const far = (to) => 10 * Math.abs(row(to) - row(here)) + Math.abs(column(to) - column(here));
    return ahead.sort((a, b) => far(a) - far(b))[0];
  }
  root.addEventListener("keydown", (event) => {
    const to = {
      ArrowLeft: () => nearest(0, -1), ArrowRight: () => nearest(0, 1), ArrowUp: () => nearest(-1, 0), ArrowDown: () => nearest(1, 0),
      Home: () => [0, 0], End: () => [1, 6],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    go(to() ?? here);
  });
  go(here, false);
  function draw(uris) {
    all.forEach((each) => (at(each).firstChild.src = uris[each[0]][each[1]]));
  }
  function name(alts, opened) {
    all.forEach(([side, place]) => {
      at([side, place]).firstChild.alt = alts[side][place];
      at([side, place]).setAttribute("aria-pressed", Boolean(opened && opened.side === side && opened.place === place));
    });
  }
  return { root, draw, name };
}

// The opened picture, close: with the program of each shape and what is known of it.
function drawOpened({ strokes, view, alt, shapes, note }) {
  const line = (title, names) => names.length ? [make("dt", {}, title), make("dd", {}, ...names.flatMap(([name, marked], i) => [i ? ", " : "", make(marked ? "strong" : "span", {}, name)]))] : [];
  const known = shapes.map(({ title, actions, yes, open }) =>
    make("div", {}, make("h4", {}, title),
      make("ol", {}, ...actions.map(([words, text]) => make("li", {}, words, " ", make("code", {}, text)))),
      make("dl", {}, ...line("Yes", yes), ...line("Open", open))));
  const paper = shape("svg", { viewBox: view.join(" "), class: "ck-paper", role: "img", "aria-label": `${alt}, close` }, ...strokes.map(paintStroke));
  return [make("div", {}, paper, make("p", { class: "ck-quiet" }, note)), make("div", { class: `ck-known${shapes.length > 1 ? " is-two" : ""}` }, ...known)];
}

export default explorer(({ model, still, status, ask }) => {
  const scene = () => model.get("scene");
  const [kindBox, kind] = choice("Type", still.kinds, (to) => ask({ change: { kind: to } }));
  const [conceptBox, concept] = choice("Concept", [], (to) => ask({ change: { concept: to } }));
  const [profileBox, profile] = choice("Rules", still.profiles, (to) => ask({ change: { profile: to } }));
  const where = make("input", { type: "number", min: 1, step: 1, class: "ck-where", "aria-label": "Problem" });
  where.addEventListener("change", () => where.value !== "" && ask({ go: Number(where.value) }));
  const count = make("span", {});
  const keys = {
    p: ["Previous", () => scene().place > 1 && ask({ turn: -1 })],
    n: ["Next", () => scene().place < scene().count && ask({ turn: 1 })],
    a: ["Any", () => ask({ any: true })],
    c: ["", () => ask({ reveal: !scene().told })],
  };
  const [previous, next, any, reveal] = Object.entries(keys).map(([key, [label, act]]) => {
    const button = make("button", { type: "button", class: "ck-button", "aria-keyshortcuts": key }, label);
    button.addEventListener("click", act);
    return button;
  });
  reveal.classList.add("ck-primary");
  const pictures = makePictures((side, place) => ask({ look: [side, place] }));
  const opened = make("div", { class: "ck-detail" });
  const told = make("div", { class: "ck-concept" });
  const hint = make("div", {});
  const root = make("div", { class: "cogkit-widget ck-browser" },
    make("div", { class: "ck-head ck-choices" }, kindBox, conceptBox, profileBox),
    make("div", { class: "ck-turns" }, previous, make("span", {}, "Problem ", where, " ", count), next, any, reveal, told),
    hint, pictures.root, status, opened);
  const drawKeys = takeKeys(root, (event) => {
    const act = !event.target.matches("input") && keys[event.key.toLowerCase()]?.[1];
    if (!act) return;
    event.preventDefault();
    act();
  }, () => pictures.root.querySelector("[tabindex='0']"), hint);
  const turns = [["P", "for the previous problem"], ["N", "for the next"], ["A", "for any"], ["C", "for the concept"]];
  drawKeys([...turns, ["arrow keys", "and Enter to open a picture"]]);

  function choose() {
    const { all, groups } = model.get("choices");
    const options = (names) => names.map((name) => make("option", { value: [name].flat()[0] }, [name].flat().at(-1)));
    concept.replaceChildren(...options([["", all]]), ...groups.flatMap(([label, names]) => label ? make("optgroup", { label }, ...options(names)) : options(names)));
  }
  let open = "";
  function draw(now) {
    kind.value = now.kind;
    profile.value = now.profile;
    concept.value = now.concept;
    if (document.activeElement !== where) where.value = now.place; // nobody is typing another
    where.max = now.count;
    count.textContent = `of ${now.count.toLocaleString("en")}`;
    previous.setAttribute("aria-disabled", now.place === 1);
    next.setAttribute("aria-disabled", now.place === now.count);
    reveal.textContent = now.told ? "Hide the concept" : "Show the concept";
    told.replaceChildren(...(now.told ? [make("strong", {}, now.told), make("span", { class: "ck-quiet" }, now.name)] : ["What have the seven on the left in common?"]));
    pictures.name(now.alts, now.opened);
    const fresh = JSON.stringify(now.opened);
    if (fresh !== open) {
      opened.replaceChildren(...(now.opened ? drawOpened(now.opened) : []));
      open = fresh;
    }
  }
  const show = () => pictures.draw(model.get("pictures"));
  return [root, [choose, "choices"], [show, "pictures"], [draw, "scene"]];
});
