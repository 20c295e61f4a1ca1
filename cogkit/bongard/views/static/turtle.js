// A program drawn stroke by stroke. Python sends the strokes once; moving through them needs no kernel.
const SPEEDS = [[0.5, "a stroke in 2 s"], [1, "1 stroke a second"], [2, "2 strokes a second"], [4, "4 strokes a second"]];
const TURNING = 0.25; // the share of a stroke's time that the pen turns in, before it draws

// Where the pen is along a stroke, and where it looks, when a share p of the stroke's time has gone.
function penAt({ way, was, from, to }, p) {
  if (p < TURNING) return [...way[0], was + ((from - was) * p) / TURNING];
  const share = (p - TURNING) / (1 - TURNING);
  const at = share * (way.length - 1);
  const i = Math.min(Math.floor(at), way.length - 2);
  const mix = (k) => way[i][k] + (at - i) * (way[i + 1][k] - way[i][k]);
  return [mix(0), mix(1), from + share * (to - from)];
}

// Show the first part of a stroke's marks: whole stamps, and a line as far as the pen has come.
function uncover(group, p) {
  const share = Math.max(0, (p - TURNING) / (1 - TURNING));
  const marks = [...group.children];
  marks.forEach((mark, i) => {
    const done = Math.min(Math.max(share * marks.length - i, 0), 1);
    const whole = done === 1 || (mark.matches(".ck-stamp") && done > 0.5);
    mark.setAttribute("display", whole || (done > 0 && mark.matches(".ck-ink")) ? "inline" : "none");
    if (whole) mark.removeAttribute("stroke-dasharray");
    else mark.setAttribute("stroke-dasharray", `${done} 2`);
  });
}

export default {
  // The clock belongs to the widget, not to a view of it: two views of one drawing play it once.
  initialize({ model }) {
    let timer = 0;
    function tick() {
      const at = model.get("position");
      if (at === model.get("still").strokes.length) model.set("playing", false); // once the last stroke has had its time
      else model.set("position", at + 1);
      model.save_changes();
    }
    function beat() {
      clearInterval(timer);
      if (model.get("playing")) timer = setInterval(tick, 1000 / model.get("speed"));
    }
    function start() {
      beat();
      if (model.get("playing")) tick();
    }
    const unwatch = [watch(model, start, "playing"), watch(model, beat, "speed")];
    beat();
    return () => {
      unwatch.forEach((end) => end());
      clearInterval(timer);
    };
  },
  render({ model, el }) {
    const { strokes, view, said, start, title } = model.get("still");
    const last = strokes.length;
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const painted = strokes.map(paintStroke);
    const pen = pointer();
    const paper = shape("svg", { viewBox: view.join(" "), class: "ck-paper", role: "img" }, ...painted, pen);
    const head = make("div", { class: "ck-head" });
    const status = make("div", { class: "ck-status" });
    const live = make("div", { class: "ck-live", role: "status", "aria-live": "polite" });
    let [shown, frame, spoken] = [model.get("position"), 0, 0];

    function put(values) {
      for (const [name, value] of Object.entries(values)) model.set(name, value);
      model.save_changes();
    }
    const move = (to) => put({ position: Math.min(Math.max(to, 0), last), playing: false });
    const by = (steps) => move(model.get("position") + steps);
    function play() {
      const playing = !model.get("playing");
      put(playing && model.get("position") === last ? { position: 0, playing } : { playing });
    }

    const rows = ["", ...strokes].map((stroke, i) => {
      const button = make("button", { type: "button", class: "ck-action" },
        make("span", {}, i ? stroke.words : "The pen is put down"), make("code", {}, i ? stroke.text : ""));
      button.addEventListener("click", () => move(i));
      return button;
    });
    const list = make("ol", { class: "ck-actions", start: 0, "aria-label": "Actions" }, ...rows.map((row) => make("li", {}, row)));
    const toggle = iconButton("Play", play);
    toggle.classList.add("ck-primary");
    const [speedBox, speed] = choice("Speed", SPEEDS, (value) => put({ speed: Number(value) }));
    const transport = make("div", { class: "ck-transport", role: "group", "aria-label": "Playback" },
      iconButton("First", () => move(0)), iconButton("Back", () => by(-1)), toggle, iconButton("Forward", () => by(1)), iconButton("Last", () => move(last)));
    const foot = make("div", { class: "ck-foot" }, transport, make("div", { class: "ck-choices" }, speedBox));
    const root = make("div", { class: "cogkit-widget ck-turtle" }, head,
      make("div", { class: "ck-main" }, paper, status, live, foot), make("div", { class: "ck-aside" }, list));
    const drawKeys = takeKeys(root, (event) => {
      const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -last, End: last }[event.key];
      if (steps !== undefined) by(steps);
      else if (event.key === " " && event.target.tagName !== "BUTTON") play();
      else return;
      event.preventDefault();
    }, undefined, foot);
    drawKeys([["← →", "for one stroke"], ["Home", "for the start"], ["End", "for the whole"], ["Space", "to play and pause"]]);

    function putPen([x, y, heading]) {
      pen.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${heading.toFixed(1)})`);
    }
    function paint(position, p = 1) {
      painted.forEach((group, i) => {
        group.setAttribute("display", i < position ? "inline" : "none");
        group.setAttribute("class", `ck-stroke${i === position - 1 ? " is-now" : ""}`);
        if (i < position) uncover(group, i === position - 1 ? p : 1);
      });
      putPen(position ? penAt(strokes[position - 1], p) : start);
    }
    function animate(position) {
      const [began, time] = [performance.now(), 900 / model.get("speed")];
      function go(now) {
        const p = Math.min(Math.max((now - began) / time, 0), 1);
        paint(position, p);
        if (p < 1) frame = requestAnimationFrame(go);
      }
      frame = requestAnimationFrame(go);
    }
    function draw() {
      const [position, playing] = [Math.min(model.get("position"), last), model.get("playing")];
      const words = said[position];
      if (position !== shown || !playing) {
        cancelAnimationFrame(frame);
        if (playing && position === shown + 1 && !still.matches) animate(position);
        else paint(position);
      }
      shown = position;
      head.replaceChildren(make("strong", {}, title), make("span", {}, `Stroke ${position} of ${last}`));
      paper.setAttribute("aria-label", `The drawing after ${position} of ${last} strokes`);
      rows.forEach((row, i) => {
        row.tabIndex = i === position ? 0 : -1;
        row.classList.toggle("is-now", i === position);
        if (i === position) row.setAttribute("aria-current", "step");
        else row.removeAttribute("aria-current");
      });
      list.scrollTop = rows[position].parentNode.offsetTop - list.offsetTop - list.clientHeight / 2;
      if (list.contains(document.activeElement)) rows[position].focus({ preventScroll: true });
      status.textContent = words;
      // While it plays, a screen reader hears one stroke in five seconds.
      if (!playing || performance.now() - spoken > 5000) {
        live.textContent = words;
        spoken = performance.now();
      }
      speed.value = model.get("speed");
      const name = playing ? "Pause" : "Play";
      toggle.replaceChildren(icon(name));
      toggle.title = name;
      toggle.setAttribute("aria-label", name);
    }
    const unwatch = watch(model, draw, "position", "playing", "speed");
    settle(el, root, "Run this cell to use it from Python. The drawing plays as it is.");
    paint(shown);
    draw();
    return () => {
      unwatch();
      cancelAnimationFrame(frame);
    };
  },
};
