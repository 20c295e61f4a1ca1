// What every widget shares, put before the files that use it.
function filled(node, attributes = {}, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const make = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
// The same for what is drawn: svg, path, g, text, …
const shape = (tag, attributes, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// What a page of a study shows is marked by this, so that it can be translated: tr`Board ${k} of ${n}` is the text
// "Board {0} of {1}". A page has its translations in `cogkitTexts`; in a notebook there are none.
function tr(parts, ...values) {
  const text = parts.reduce((all, part, k) => `${all}{${k - 1}}${part}`);
  return (self.cogkitTexts?.[text] ?? text).replace(/{(\d)}/g, (_, k) => values[k]);
}

// Calls `draw` at each of these changes, and returns what ends that. JupyterLab alone knows several events in one call.
function watch(model, draw, ...names) {
  wake(model);
  for (const name of names) model.on(`change:${name}`, draw);
  return () => names.forEach((name) => model.off(`change:${name}`, draw));
}

// anywidget gives a widget two seconds to begin. On a page that is busy with figures it can take longer, and anywidget then
// drops whatever Python says to it, for good. Here such a widget hears as every other one does, and asks what it missed.
function wake(model) {
  const look = async (whole) => {
    if (!whole?.comm) return; // asleep, or not in Jupyter
    try {
      await whole._handle_comm_msg({ content: { data: {} } });
    } catch {
      const { _handle_comm_msg: hear } = Object.getPrototypeOf(whole.constructor.prototype); // as of any other widget
      whole.comm.on_msg(hear.bind(whole));
      whole.comm.send({ method: "request_state" }, {}, {}, []);
    }
  };
  model.on("change:woken", look); // the change brings the whole model, of which a widget is given a part
  model.set("woken", Math.random());
  model.off("change:woken", look);
}

// Where a key leads in a square grid of buttons, from the place `here`; undefined for a key that leads nowhere.
function walk(event, here, size) {
  const [row, column, end] = [Math.floor(here / size), here % size, size - 1];
  const to = {
    ArrowLeft: [row, Math.max(column - 1, 0)], ArrowRight: [row, Math.min(column + 1, end)],
    ArrowUp: [Math.max(row - 1, 0), column], ArrowDown: [Math.min(row + 1, end), column],
    Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? end : row, end],
    PageUp: [0, column], PageDown: [end, column],
  }[event.key];
  return to && to[0] * size + to[1];
}

// Puts a widget in its place, and keys in its hands. While a notebook is open without the kernel that drew the widget,
// a line above it says what to do: JupyterLab marks the place then. The place takes the names of its widget, which styles
// begin from: a rule that asks with `:has()` whom an element holds makes the browser ask every element at each change.
const ASLEEP = ".jupyter-widgets-disconnected";
function settle(el, root, words = "Run this cell to play.") {
  const asleep = make("p", { class: "ck-asleep", role: "note" }, words);
  const look = () => (asleep.hidden = !el.matches(ASLEEP));
  new MutationObserver(look).observe(el, { attributeFilter: ["class"] });
  look();
  el.classList.add("ck-place", ...[...root.classList].map((name) => `of-${name}`));
  el.append(asleep, root);
}

// JupyterLab's command mode would take b, x, d, … as orders to the notebook; Tab and Escape stay its own. Keys work only
// while the focus is within, where any click brings it; until then the line of keys says so. Returns what draws the line,
// from pairs such as ["N", "next"]. `home` is what arrows lead to while the focus is on the whole.
function takeKeys(root, act, home = () => null, where = root) {
  const [before, after] = ["before", "after"].map((when) => make("span", { class: `ck-${when}` }));
  const line = make("p", { class: "ck-keyline" }, before, after);
  root.tabIndex = -1;
  where.append(line);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Tab" || event.key === "Escape") return;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (event.target === root && home() && /^(Arrow.*|Home|End)$/.test(event.key)) {
      event.preventDefault();
      home().focus();
    } else act(event);
  });
  return (keys) => {
    const names = keys.map(([name]) => name);
    line.hidden = !keys.length;
    const all = names.length > 1 ? tr`${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join();
    before.textContent = tr`Click here, then use ${all}.`;
    after.textContent = tr`Keys: ${keys.map((pair) => pair.join(" ")).join(", ")}.`;
  };
}
