// The reader's stars as they are drawn: subplot, value, and the width in pixels of the mark on the page.
(area) => {
    const plot = area.matches(".js-plotly-plot") ? area : area.querySelector(".js-plotly-plot"), found = [];
    for (const points of plot.calcdata) {
        const trace = points[0].trace;
        if (trace.marker?.symbol !== "star") continue;
        const node = [...plot.querySelectorAll(".scatterlayer .trace")].find((n) => n.__data__ === points
            || n.__data__?.[0]?.trace === trace);
        const marks = node ? [...node.querySelectorAll(".points path")] : [];
        points.filter((point) => typeof point.y === "number").forEach((point, i) =>
            found.push([trace.xaxis, point.y, marks[i]?.getBoundingClientRect().width ?? 0]));
    }
    return found;
}
