// The page itself plays: it chooses by these places, goes on from feedback, and notes every answer that was told.
(root, places) => {
    const buttons = root.querySelectorAll(".ck-comparisons button"), next = root.querySelector(".ck-primary");
    window.seen = [];
    let last = "";
    const go = () => {
        const told = Boolean(root.querySelector(".is-right"));
        const now = root.querySelector(".ck-head").innerText + told;
        if (now === last || root.matches(".is-over")) return;
        if (told) seen.push({place: places[seen.length], right: !root.querySelector(".is-wrong")});
        last = now;
        if (told) next.click();
        else buttons[places[seen.length]].click();
    };
    new MutationObserver(() => queueMicrotask(go)).observe(root, {subtree: true, childList: true, attributes: true});
    go();
}
