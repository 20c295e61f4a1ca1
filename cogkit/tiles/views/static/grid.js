// What every board shares, put between base.js and the file that uses it.
const SIZE = 7;
const STATE = { ".": "covered", 0: "blue", 1: "red" };
const CIVIDIS = ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"];
const NAME = { covered: tr`covered`, blue: tr`blue`, red: tr`red` };
const place = (tile) => tr`row ${Math.floor(tile / SIZE) + 1}, column ${(tile % SIZE) + 1}`;
const percent = (mille) => `${(mille / 10).toFixed(1)} %`;

function cividis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(at), CIVIDIS.length - 2);
  return `color-mix(in srgb, #${CIVIDIS[low + 1]} ${((at - low) * 100).toFixed(0)}%, #${CIVIDIS[low]})`;
}

// The grid that both uses share: real buttons in rows, one Tab stop, arrows within.
function makeGrid(label, readOnly, open, look) {
  const root = make("div", { class: "ck-grid", role: "grid", "aria-label": label, "aria-readonly": readOnly });
  const tiles = [];
  let here = 0;
  let game = null;
  for (let row = 0; row < SIZE; row++) {
    const line = make("div", { class: "ck-row", role: "row" });
    for (let column = 0; column < SIZE; column++) {
      const tile = make("button", { class: "ck-tile", role: "gridcell", type: "button", tabindex: -1 });
      tile.dataset.tile = tiles.length;
      tiles.push(tile);
      line.append(tile);
    }
    root.append(line);
  }
  function go(tile, focus = true) {
    tiles[here].tabIndex = -1;
    here = tile;
    tiles[here].tabIndex = 0;
    if (focus) tiles[here].focus({ preventScroll: focus === "still" });
  }
  const indexOf = (event) => Number(event.target.closest(".ck-tile")?.dataset.tile ?? NaN);
  root.addEventListener("click", (event) => {
    const tile = indexOf(event);
    if (Number.isNaN(tile)) return;
    go(tile);
    open(tile);
  });
  root.addEventListener("keydown", (event) => {
    const to = walk(event, here, SIZE);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  root.addEventListener("focusin", (event) => (go(indexOf(event), false), look(here)));
  root.addEventListener("mouseover", (event) => look(indexOf(event)));
  root.addEventListener("mouseleave", () => look(root.contains(document.activeElement) ? here : NaN));
  function draw(scene, chance) {
    if (game !== scene.game) {
      const fresh = game !== null;
      game = scene.game;
      go(Math.max(scene.start, 0), fresh && root.parentNode.contains(document.activeElement) && "still");
    }
    const most = chance && (scene.most ?? Math.max(1, ...chance));
    tiles.forEach((tile, i) => {
      const state = STATE[scene.shown[i]];
      const marks = [`is-${state}`, i === scene.start && "is-start", i === scene.last && "is-last"];
      tile.className = ["ck-tile", ...marks].filter(Boolean).join(" ");
      const heat = chance && (state === "covered" || scene.most);
      tile.classList.toggle("is-heat", Boolean(heat));
      tile.style.setProperty("--heat", heat ? cividis(chance[i] / most) : "");
      const number = chance ? `, ${percent(chance[i])}` : "";
      tile.setAttribute("aria-label", `${place(i)}: ${i === scene.start ? tr`${NAME[state]}, start` : NAME[state]}${number}`);
      tile.title = chance ? percent(chance[i]) : "";
    });
  }
  return { root, draw, wait: (tile) => tiles[tile].classList.add("is-waiting"), indexOf };
}

// The button, the scale and the number under the pointer that explain a board coloured by chances.
function makeLegend(flip, named) {
  const ramp = make("div", { class: "ck-ramp" });
  const toggle = make("button", { type: "button", class: "ck-button" });
  const readout = make("span", { class: "ck-quiet" });
  const root = make("div", { class: "ck-legend" }, toggle, ramp, readout);
  let looking = NaN;
  let chance = null;
  toggle.addEventListener("click", flip);
  function look(tile = looking) {
    looking = tile;
    readout.textContent = !chance ? "" : Number.isNaN(tile) ? "Point at a tile for its number." : `${place(tile)}: ${percent(chance[tile])}`;
  }
  function draw(now, on, label, most = percent(Math.max(...(now ?? [])))) {
    chance = now;
    toggle.textContent = `${on ? "Hide" : "Show"} ${named}`;
    ramp.hidden = !chance;
    if (chance) ramp.replaceChildren(make("b", {}, label), "0 %", make("i", {}), most);
    look();
  }
  return { root, draw, look };
}
