// What every widget shares, put before the files that use it.
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// The same for what is drawn: svg, path, g, text, …
function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
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

// JupyterLab's command mode would take b, x, d, … as orders to the notebook; Tab and Escape stay its own.
function onKeys(root, act) {
  root.addEventListener("keydown", (event) => {
    if (event.key === "Tab" || event.key === "Escape") return;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    act(event);
  });
}
