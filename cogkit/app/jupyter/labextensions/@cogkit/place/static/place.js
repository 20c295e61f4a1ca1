// JupyterLab and Notebook load this file as it is: a prebuilt extension, written by hand. "Run All Cells" leaps to the
// last cell, and a reader who has just begun sees how the notebook ends. In notebooks of cogkit the reader stays at the
// cell in hand; everybody else's notebooks are left alone.
(() => {
  const RUN_ALL = "notebook:run-all-cells"; // the menu, the toolbar's search for commands and every key lead to it

  function activate(app) {
    const { execute } = app.commands;
    app.commands.execute = function (id, args) {
      const notebook = id === RUN_ALL ? app.shell.currentWidget?.content : null;
      if (!notebook?.scrollToItem || !notebook.model?.getMetadata("cogkit")) return execute.call(this, id, args);
      const place = notebook.activeCellIndex;
      notebook.scrollToItem = async () => {}; // hides the notebook's own while the cells are only being queued
      try {
        return execute.call(this, id, args);
      } finally {
        delete notebook.scrollToItem;
        notebook.activeCellIndex = place;
      }
    };
  }

  const plugin = { id: "@cogkit/place:plugin", description: "Run All Cells keeps the reader's place.", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["@cogkit/place"] = { init: () => {}, get: async () => () => ({ __esModule: true, default: plugin }) };
})();
