// What a reader cannot read whole: cells that end in dots, text behind an edge, and boxes to be pushed sideways.
() => {
    const DOTS = /(\.\.\.|…)$|^\.\.\.|\s\.\.\.\s/, found = [];
    const name = (node) => `${node.tagName.toLowerCase()}.${[...node.classList].join(".")}`;
    for (const area of document.querySelectorAll(".jp-Notebook .jp-OutputArea-output")) {
        for (const node of area.querySelectorAll("td, th, pre"))
            for (const line of node.innerText.split("\n"))
                if (DOTS.test(line.trim())) found.push(`truncated: ${line.trim()}`);
        for (const node of area.querySelectorAll("pre"))
            for (const text of node.childNodes)
                for (const {0: word, index} of text.data?.matchAll(/[a-z]{2,30}/gi) ?? []) {
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    if (range.getClientRects().length > 1) found.push(`broken within: ${word}`);
                }
        for (const node of area.querySelectorAll(":not(svg *)")) {
            const over = node.scrollWidth - node.clientWidth, style = getComputedStyle(node);
            if (over <= 1 || node.clientWidth <= 1 || !node.checkVisibility()) continue;
            if (node.matches("select, input, .ck-box[tabindex]")) continue;  // such a table says that it is wide
            const says = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
            if (/auto|scroll/.test(style.overflowX)) found.push(`sideways by ${over} px: ${name(node)}`);
            else if (/hidden|clip/.test(style.overflowX) && says) found.push(`cut: ${name(node)} ${node.innerText}`);
        }
        if (area.matches("[data-mime-type='application/vnd.jupyter.stderr']")) found.push(`stderr: ${area.innerText}`);
        if (/<.* object at 0x/.test(area.innerText)) found.push(`no sentence: ${area.innerText}`);
        if (/model not found/i.test(area.innerText)) found.push(`lost: ${area.innerText}`);
    }
    for (const fold of document.querySelectorAll(".jp-OutputArea-output details[open]"))
        found.push(`open before anybody asked: ${fold.querySelector("summary")?.innerText}`);
    const tables = [...document.querySelectorAll(".jp-OutputArea-output table")]
        .filter((table) => table.checkVisibility() && !table.closest(".jupyter-widgets, .cogkit-widget, .cogkit-run"));
    if (tables.length > 3) found.push(`${tables.length} tables`);
    return found;
}
