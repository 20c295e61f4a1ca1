// What is in view or spoken on the page and stands in no translation, without data such as the names of shapes.
(data) => {
    const stage = document.querySelector("main");
    const nodes = [...stage.querySelectorAll("*")].filter((node) => node.checkVisibility());
    const said = nodes.flatMap((node) => [
        ...[...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent),
        ...["aria-label", "alt", "title"].map((name) => node.getAttribute(name) ?? ""),
    ]);
    return said.map((text) => {
        for (let before = null; before !== text; ) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/g, "")];
        return data.reduce((rest, word) => rest.replaceAll(word, ""), text);
    }).filter((text) => /[a-z]{2}/i.test(text));
}
