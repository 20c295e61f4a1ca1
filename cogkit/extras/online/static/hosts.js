// Where a study runs and where its answers go. Each host says which form a person gets, and saves the rows at the end:
// assign(n) -> [form, how], about() -> what rows say of the host, stage(row), save(json, file, rows, whole), withdraw(), saves.
async function pick(n) {
  return [Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * n), "drawn at random"];
}

async function makeHost(study, query) {
  const plain = { saves: false, assign: pick, about: () => ({}), stage() {}, save: async () => {}, withdraw: async () => {} };
  const said = async (answer) => {
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
    return answer;
  };
  const post = (address, content) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json", Accept: "*/*" }, body: JSON.stringify(content) }).then(said);

  return {
    download: async () => plain,
    // An address of one's own gets the rows of a sitting as one JSON list.
    post: async () => ({ ...plain, saves: true, save: (json, file, rows) => post(study.address, rows) }),
    // DataPipe gives a condition in turn, and passes a file on to an OSF project. Its plugin of jsPsych speaks to it.
    datapipe: async () => ({
      ...plain, saves: true,
      assign: async (n) => {
        const condition = await jsPsychPipe.getCondition(study.experiment).catch(() => null); // it may also return an error
        return Number.isInteger(condition) ? [condition % n, "DataPipe"] : pick(n);
      },
      save: async (json, file) => {
        const result = await jsPsychPipe.saveData(study.experiment, file, json);
        if (result instanceof Error) throw result;
        if (result.error) throw new Error(result.message ?? result.error);
      },
    }),
    // JATOS gives `jatos.js`; how many people finished each form stands in the session of the batch, which everybody shares.
    jatos: async () => {
      await new Promise((ready) => jatos.onLoad(ready));
      Object.entries(jatos.urlQueryParameters ?? {}).forEach(([name, value]) => query.set(name, value));
      const finished = (n) => Array.from({ length: n }, (_, k) => jatos.batchSession.get("finished")?.[k] ?? 0);
      return {
        ...plain, saves: true,
        about: () => ({ jatos: { study_result: jatos.studyResultId, worker: jatos.workerId, batch: jatos.batchId } }),
        assign: async (n) => {
          const counts = finished(n), least = Math.min(...counts);
          const rarest = counts.flatMap((count, k) => (count === least ? [k] : []));
          return [rarest[(await pick(rarest.length))[0]], "one that fewest have finished"];
        },
        // Every row reaches the server at once, so that what somebody leaves half-way is there too.
        stage: (row) => void Promise.resolve(jatos.appendResultData(`${JSON.stringify([row])}\n`)).catch(() => {}),
        save: async (json, file, rows, whole) => {
          await jatos.submitResultData(json);
          for (let attempt = 0; whole && attempt < 20; attempt++) {
            const counts = finished(study.forms);
            counts[rows[0].extra.form]++;
            try {
              await jatos.batchSession.set("finished", counts); // refused if somebody else was first
              break;
            } catch {}
          }
          if (study.finish) jatos.endStudyAndRedirect(study.finish);
          else await jatos.endStudyWithoutRedirect?.();
        },
        withdraw: async () => jatos.abortStudy("withdrawn"),
      };
    },
    // cognition.run stores what jsPsych has collected when it ends.
    cognition: async () => ({ ...plain, saves: true }),
  }[study.host]();
}
