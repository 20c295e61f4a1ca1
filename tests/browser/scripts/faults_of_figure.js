// What is wrong with a drawn figure: text that is cut off, and pieces of text that lie on each other.
(area) => {
    const whole = area.querySelector(".main-svg").getBoundingClientRect(), found = [];
    const seen = [...area.querySelectorAll(".main-svg text")].filter((node) => node.textContent.trim());
    const boxes = seen.map((node) => [node.textContent, node.getBoundingClientRect()]);
    for (const [text, box] of boxes)
        if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1
            || box.bottom > whole.bottom + 1) found.push(`cut off: ${text}`);
    boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 3) found.push(`overlap: ${text} | ${other}`);
    }));
    return found;
}
