// A model as anywidget describes it, and no more: one event a call, as in marimo, and `off` with the name of the event.
async ([esm, css, state, bytes]) => {
    const heard = new Map();
    const plain = (name) => { if (!/^change:[a-z_]+$/.test(name)) throw new Error(`not one event: ${name}`); };
    for (const name of bytes) state[name] = new DataView(Uint8Array.from(state[name]).buffer);
    window.model = {
        get: (name) => state[name],
        set: (name, value) => { state[name] = value; },
        save_changes: () => {},
        send: (message) => sent.push(message),
        on: (name, act) => { plain(name); heard.set(name, [...heard.get(name) ?? [], act]); },
        off: (name, act) => { plain(name); heard.set(name, heard.get(name).filter((each) => each !== act)); },
    };
    window.sent = [];
    window.change = () => heard.forEach((acts) => acts.forEach((act) => act()));
    window.listening = () => [...heard.values()].flat().length;
    document.head.append(Object.assign(document.createElement("style"), {textContent: css}));
    const widget = (await import(URL.createObjectURL(new Blob([esm], {type: "text/javascript"})))).default;
    const ends = [await widget.initialize?.({model})];
    ends.push(await widget.render({model, el: document.body}));
    window.end = () => ends.forEach((end) => end?.());
}
