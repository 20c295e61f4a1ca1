// Every text that Python sends to a widget, with all others of its kind replaced in turn, and what came of it.
async ([esm, css, state, bytes, bad, foreign]) => {
    for (const name of bytes) state[name] = new DataView(Uint8Array.from(state[name]).buffer);
    document.head.append(Object.assign(document.createElement("style"), {textContent: css}));
    const {default: widget} = await import(URL.createObjectURL(new Blob([esm], {type: "text/javascript"})));
    const kinds = new Map([["none", []]]);
    const walk = (value, path) => {
        const kind = path.map((part) => typeof part === "number" ? "*" : part).join(".");
        if (typeof value === "string") kinds.set(kind, [...kinds.get(kind) ?? [], path]);
        else if (Array.isArray(value)) value.forEach((part, i) => walk(part, [...path, i]));
        else if (value && Object.getPrototypeOf(value) === Object.prototype)
            for (const [name, part] of Object.entries(value)) walk(part, [...path, name]);
    };
    walk(state, []);
    const said = [], found = [];
    for (const [kind, paths] of kinds) {
        const now = structuredClone(state), el = document.body.appendChild(document.createElement("div"));
        for (const path of paths) path.slice(0, -1).reduce((part, name) => part[name], now)[path.at(-1)] = bad;
        const model = {
            get: (name) => now[name], set: (name, value) => { now[name] = value; },
            save_changes() {}, send() {}, on() {}, off() {},
        };
        const ends = [];
        try {
            ends.push(await widget.initialize?.({model}), await widget.render({model, el}));
        } catch (error) {
            if (kind === "none") throw error;  // other words than it knows may end a drawing, not the page
        }
        const all = [...el.querySelectorAll("*")];
        if (all.some((node) => node.matches(foreign) || node.getAttributeNames().some((name) => name.startsWith("on"))))
            found.push(kind);
        if (el.textContent.includes(bad) || all.some((node) => node.getAttributeNames().some((name) =>
            node.getAttribute(name).includes(bad)))) said.push(kind);
        ends.forEach((end) => end?.());
        el.remove();
    }
    return {found, said, kinds: [...kinds.keys()]};
}
