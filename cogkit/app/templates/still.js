// Draws each widget of a page in the state that the run left, by the widget's own script. Nothing is asked of a kernel.
const { code, models } = JSON.parse(document.getElementById("ck-stills").textContent);
const modules = {};
for (const [key, { _esm, _css }] of Object.entries(code)) {
  modules[key] = import(URL.createObjectURL(new Blob([_esm], { type: "text/javascript" })));
  const style = document.createElement("style");
  style.textContent = _css;
  document.head.append(style);
}

function bytes(text) {
  const raw = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new DataView(raw.buffer);
}

function modelOf({ state, buffers }) {
  for (const { path, data } of buffers) {
    const place = path.slice(0, -1).reduce((part, name) => part[name], state);
    place[path.at(-1)] = bytes(data);
  }
  return {
    get: (name) => state[name],
    set: (name, value) => (state[name] = value),
    save_changes() {}, send() {}, on() {}, once() {}, off() {},
  };
}

for (const place of document.querySelectorAll(".ck-still")) {
  const stored = models[place.dataset.model];
  const el = document.createElement("div");
  el.inert = true;  // a picture: nothing in it can be reached
  place.append(el);
  try {
    const { default: made } = await modules[stored.code];
    const widget = typeof made === "function" ? await made() : made;
    await widget.render({ model: modelOf(structuredClone(stored)), el });
  } catch (error) {
    el.textContent = place.getAttribute("aria-label");  // its words stand for it, and the others are still drawn
    console.error(error);
  }
}
