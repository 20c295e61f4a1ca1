window.jatos = {
    said: [], urlQueryParameters: { PROLIFIC_PID: "p-77" }, studyResultId: 5, workerId: 6, batchId: 7,
    onLoad: (act) => setTimeout(act),
    batchSession: {
        finished: [2, 1], refusals: 1,
        get: () => [...jatos.batchSession.finished],
        set: async (name, value) => {
            if (jatos.batchSession.refusals--) throw new Error("somebody else was first");
            jatos.batchSession.finished = value;
            jatos.said.push(["set", name, value]);
        },
    },
    appendResultData: async (text) => void jatos.said.push(["append", text]),
    submitResultData: async (text) => void jatos.said.push(["submit", text]),
    endStudyWithoutRedirect: async () => void jatos.said.push(["end"]),
    abortStudy: async (why) => void jatos.said.push(["abort", why]),
};
