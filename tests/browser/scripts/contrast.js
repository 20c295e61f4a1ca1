// WCAG 2 contrast of every piece of text with whatever is painted behind it: of its color, or of its fill in figures.
([selector, paint]) => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
    const behind = (node) => !node ? [255, 255, 255, 1]
        : over(rgba(getComputedStyle(node).backgroundColor), behind(node.parentElement));
    const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const found = {};
    for (const node of document.querySelectorAll(`${selector} *`)) {
        const text = [...node.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("").trim();
        if (text.length < 2 || node.closest("[hidden]")) continue;  // one sign alone is a mark, not text
        if (Boolean(node.closest("svg")) !== (paint === "fill")) continue;
        const back = behind(node), front = over(rgba(getComputedStyle(node)[paint]), back);
        const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
        found[text] = (a + 0.05) / (b + 0.05);
    }
    return found;
}
