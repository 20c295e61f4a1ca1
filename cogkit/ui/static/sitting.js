// What sittings share: buttons, the status line, how sure a person is, and the table at the end.
const button = (words, act, more = "") => {
  const node = make("button", { type: "button", class: `ck-button ${more}` }, words);
  node.addEventListener("click", act);
  return node;
};

// The status line, and after it feedback in words for people who cannot see it.
function makeStatus() {
  const [status, spoken] = [make("div", { class: "ck-said" }), make("div", { class: "ck-spoken" })];
  const root = make("div", { class: "ck-status", role: "status", "aria-live": "polite" }, status, spoken);
  const draw = (now) => {
    if (status.textContent !== now.status) status.textContent = now.status;
    if (spoken.textContent !== now.spoken) spoken.textContent = now.spoken;
  };
  return { root, status, draw };
}

// A button for each level of confidence, with its key; they wait until an answer is chosen.
function makeLevels(levels, keys, noun, rate) {
  const nodes = levels.map(([words, share], level) => {
    const node = button("", () => rate(level), "ck-level");
    node.append(make("strong", {}, keys[level]), ` ${words}`, make("span", { class: "ck-quiet" }, share));
    node.setAttribute("aria-keyshortcuts", keys[level]);
    return node;
  });
  const how = make("span", { class: "ck-how" });
  how.id = `ck-how-${Math.random().toString(36).slice(2)}`;
  nodes.forEach((node) => node.setAttribute("aria-describedby", how.id));
  const root = make("div", { class: "ck-levels", role: "group", "aria-label": tr`How sure are you?` }, how, ...nodes);
  const draw = (chosen) => {
    nodes.forEach((node) => node.setAttribute("aria-disabled", chosen < 0));
    how.textContent = chosen < 0 ? tr`First a ${noun}, then how sure:` : tr`How sure?`;
  };
  return { root, nodes, draw };
}

// Right answers of the reader, and of groups of people of the paper.
function drawTable(groups, rows) {
  const mark = (kind, sign) => make("span", { class: `ck-${kind}`, "aria-hidden": true }, `${sign} `);
  const head = [["Right answers"], [mark("you", "★"), "you"], ...groups.map((group) => [mark("person", "●"), `${group} of the paper`])];
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, ...words)))),
    make("tbody", {}, ...rows.map(([words, ...cells]) => make("tr", {}, make("th", { scope: "row" }, words), ...cells.map((text) => make("td", {}, text))))));
}
