// Drawings of programs. Python lists the strokes, each with its marks in painting order: [path, width, whether a stamp].
const paintStroke = ({ marks }) =>
  shape("g", { class: "ck-stroke" }, ...marks.map(([d, width, stamp]) => shape("path", { d, "stroke-width": width, pathLength: 1, class: stamp ? "ck-stamp" : "ck-ink" })));

const pointer = () => shape("path", { d: "M26 0L-14 14L-6 0L-14 -14z", class: "ck-pointer" });
