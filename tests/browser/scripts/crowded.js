// What sticks out of a widget, or lies over a neighbour: pairs of texts whose boxes share more than a hairline.
(root) => {
    const own = (node) => [...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const nodes = [...root.querySelectorAll("*")].filter((node) =>
        own(node) && node.checkVisibility({visibilityProperty: true})
        && !node.closest("svg, option, .ck-live, .ck-spoken, .ck-keyline, .ck-actions"));
    const boxes = nodes.map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    });
    const frame = root.getBoundingClientRect();
    const found = [];
    boxes.forEach((a, i) => {
        if (a.right > frame.right + 1 || a.left < frame.left - 1) found.push(`out: ${nodes[i].textContent}`);
        boxes.slice(i + 1).forEach((b, k) => {
            const over = nodes[i + 1 + k];
            if (nodes[i].contains(over)) return;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 4) found.push(`${nodes[i].textContent} | ${over.textContent}`);
        });
    });
    return found;
}
