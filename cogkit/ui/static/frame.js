// The frame of an explorer: its status line, its messages to Python, and what is drawn anew at a change of some values.
// `build` is given what never changes, the status line and `ask`. It returns the root and, for each drawing, the names.
const explorer = (build) => ({
  render({ model, el }) {
    const status = make("div", { class: "ck-status", role: "status", "aria-live": "polite" });
    const { ask, heard } = asker(model, status);
    const [root, ...drawings] = build({ model, still: model.get("still"), status, ask });
    settle(el, root);
    const ends = drawings.map(([draw, ...names]) => {
      const anew = () => {
        heard();
        draw(model.get("scene"));
        if (status.textContent !== model.get("scene").status) status.textContent = model.get("scene").status;
      };
      anew();
      return watch(model, anew, ...names);
    });
    return () => [...ends, heard].forEach((end) => end());
  },
});
