// What widgets that play have in common: drawn buttons, a list to choose from, a clock.
const ICONS = {
  First: "M5 4v12M15 4l-7 6 7 6z",
  Back: "M12 4l-6 6 6 6-2-6z",
  Play: "M6 4v12l10-6z",
  Pause: "M6 4h3v12H6zM12 4h3v12h-3z",
  Forward: "M8 4l6 6-6 6 2-6z",
  Last: "M15 4v12M5 4l7 6-7 6z",
};
const icon = (name) => shape("svg", { viewBox: "0 0 20 20", "aria-hidden": true }, shape("path", { d: ICONS[name] }));

function iconButton(name, act) {
  const node = make("button", { type: "button", class: "ck-button ck-icon", "aria-label": name, title: name }, icon(name));
  node.addEventListener("click", act);
  return node;
}

function choice(label, options, act) {
  const select = make("select", { "aria-label": label }, ...options.map(([value, text]) => make("option", { value }, text)));
  select.addEventListener("change", () => act(select.value));
  return [make("label", {}, label, select), select];
}
