// The page itself clicks tiles of a board, each as soon as the one before is open, and notes what it has seen open.
(node, clicks) => {
    const grid = node.querySelector(".ck-grid"), tiles = grid.querySelectorAll(".ck-tile");
    const isOpen = (t) => tiles[t].matches(".is-red, .is-blue") && !tiles[t].matches(".is-waiting");
    window.seen = [];
    const go = () => {
        while (seen.length < clicks.length && isOpen(clicks[seen.length])) seen.push(clicks[seen.length]);
        const next = tiles[clicks[seen.length]];
        if (next && !next.matches(".is-waiting")) next.click();
    };
    new MutationObserver(go).observe(grid, {subtree: true, attributes: true, attributeFilter: ["class"]});
    go();
}
