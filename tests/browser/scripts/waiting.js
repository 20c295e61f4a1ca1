// What a page knows of a run that does not end: its kernel, and the cells that wait.
() => {
    const panel = window.jupyterapp?.shell?.currentWidget, kernel = panel?.sessionContext?.session?.kernel;
    const cells = [...(panel?.content?.widgets ?? [])].map((cell, number) => [number, cell.model.executionState]);
    const waiting = cells.filter(([, state]) => state && state !== "idle").map((cell) => cell.join(" "));
    return `kernel ${kernel?.status}, ${kernel?.connectionStatus}; cells ${waiting.join(", ")}`;
}
