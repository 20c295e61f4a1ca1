// What a person has answered stays in this browser from one answer to the next, so that a closed or killed tab loses none.
// A row is in the store for good before anything follows it; a second row of the same order is refused.
async function openStore(id) {
  const done = (request) => new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = () => no(request.error);
  });
  let base;
  try {
    const request = indexedDB.open("cogkit studies", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("sittings", { keyPath: "sitting" });
      request.result.createObjectStore("rows", { keyPath: ["sitting", "order"] });
    };
    base = await done(request);
  } catch {
    return inMemory();
  }
  const change = (names, act) => new Promise((yes, no) => {
    const all = base.transaction(names, "readwrite", { durability: "strict" });
    all.oncomplete = () => yes();
    all.onabort = all.onerror = () => no(all.error ?? new Error("not stored"));
    act(...names.map((name) => all.objectStore(name)));
  });
  const range = (sitting) => IDBKeyRange.bound([sitting, 0], [sitting, Infinity]);
  return {
    kept: true,
    begin: (person, row) => change(["sittings", "rows"], (sittings, rows) => (sittings.add({ ...person, study: id }), rows.add(row))),
    add: (row) => change(["sittings", "rows"], (sittings, rows) => {
      // a sitting that was withdrawn in another window takes no row
      sittings.get(row.sitting).onsuccess = (event) => (event.target.result ? rows.add(row) : rows.transaction.abort());
    }),
    rows: (sitting) => done(base.transaction("rows").objectStore("rows").getAll(range(sitting))),
    last: async () => (await done(base.transaction("sittings").objectStore("sittings").getAll())).filter((each) => each.study === id).sort((a, b) => a.began.localeCompare(b.began)).at(-1),
    update: (person) => change(["sittings"], (sittings) => sittings.put({ ...person, study: id })),
    remove: (sitting) => change(["sittings", "rows"], (sittings, rows) => (sittings.delete(sitting), rows.delete(range(sitting)))),
  };
}

// A browser that keeps nothing: answers last as long as the page, which the page says.
function inMemory() {
  let [person, rows] = [undefined, []];
  return {
    kept: false,
    begin: async (begun, row) => ([person, rows] = [begun, [row]]),
    add: async (row) => void rows.push(row),
    rows: async () => rows,
    last: async () => person,
    update: async (changed) => (person = changed),
    remove: async () => ([person, rows] = [undefined, []]),
  };
}
