// The page notes every feedback that it draws: status, and name of the right comparison.
(root) => {
    window.told = [];
    new MutationObserver(() => {
        const right = root.querySelector(".is-right");
        if (right) told.push(`${root.querySelector(".ck-said").textContent} ${right.getAttribute("aria-label")}`);
    }).observe(root, {subtree: true, childList: true, attributes: true});
}
