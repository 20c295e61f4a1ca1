// The paper's four bands, by the names that Python has for them; bands.css has their colours.
const BANDS = ["random", "above random", "soft mastery", "mastery"];
const isBand = (band) => (band ? `is-${band.replace(" ", "-")}` : "is-empty");
const makeKeys = (...more) => make("div", { class: "ck-keys", "aria-hidden": true }, ...BANDS.map((band) => make("span", {}, make("i", { class: isBand(band) }), band)), ...more);
