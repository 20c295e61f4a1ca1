(() => {
const value = (row, k) => row.cells[k].textContent.trim();
const number = (text) => parseFloat(text.replace("−", "-").replace(/[^\d.e+-]*(?=[-+]?[\d.])/, "").replace(/,/g, ""));
const compare = (a, b, asNumber) => asNumber ? number(a) - number(b) : a.localeCompare(b, undefined, { numeric: true });
function sort(table, head, first) {
  const now = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] ?? "ascending";
  for (const other of table.querySelectorAll("[aria-sort]")) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", now);
  const k = Number(head.dataset.k), sign = now === "descending" ? -1 : 1;
  const order = now === "none" ? [...first] : [...first].sort((a, b) => {
    const [x, y] = [value(a, k), value(b, k)];
    return !x || !y ? !x - !y : sign * compare(x, y, head.classList.contains("ck-n"));
  });
  table.tBodies[0].append(...order);
}
const here = document.currentScript?.parentElement ?? document;
for (const table of here.querySelectorAll("table.ck-sort:not([data-ready])")) {
  table.dataset.ready = "";
  const first = [...table.tBodies[0].rows];
  for (const head of table.querySelectorAll("th[data-k]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.onclick = () => sort(table, head, first);
    button.onkeydown = (event) => ["Enter", " "].includes(event.key) && event.stopPropagation();
    head.append(button);
    head.setAttribute("aria-sort", "none");
  }
}
})();
