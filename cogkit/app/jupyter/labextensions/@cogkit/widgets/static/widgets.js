// JupyterLab and Notebook load this file as it is: a prebuilt extension, written by hand. It mends two faults of the
// manager of widgets, for the widgets of everybody, so that a notebook of yesterday shows what it showed.
(() => {
  const STATE = "application/vnd.jupyter.widget-state+json";
  const VIEW = "application/vnd.jupyter.widget-view+json";
  const LOST = "Error displaying widget: model not found";

  // The manager looks for a widget for two seconds. On a page that draws for longer, or beside a slow kernel, it can give
  // up before it has read the notebook, and does not look again. Here it does, as soon as it has read something.
  function patient(Renderer) {
    const { renderModel } = Renderer.prototype;
    Renderer.prototype.renderModel = async function (model) {
      await renderModel.call(this, model);
      if (this.isDisposed || this.node.textContent !== LOST) return;
      this._rerenderMimeModel = model;
      const manager = await this._manager.promise;
      if (manager.has_model(model.data[VIEW]?.model_id)) this._rerender();
    };
  }

  // The manager saves the widgets that have a kernel alone. Whoever opens a notebook, looks and saves would lose all of
  // them. Here those that the notebook shows, and what they consist of, keep the state that they were saved with.
  function keeping(Manager) {
    const { _saveState } = Manager.prototype;
    Manager.prototype._saveState = function () {
      const { model } = this._context;
      const before = model.getMetadata?.("widgets")?.[STATE]?.state;
      _saveState.call(this);
      const saved = model.getMetadata?.("widgets");
      if (!before || !saved) return;
      const state = { ...saved[STATE].state };
      const keep = (id) => {
        if (id in state || !(id in before)) return;
        state[id] = before[id];
        for (const [, part] of JSON.stringify(before[id]).matchAll(/"IPY_MODEL_(\w+)"/g)) keep(part);
      };
      for (const cell of model.sharedModel.cells)
        for (const output of cell.toJSON().outputs ?? []) keep(output.data?.[VIEW]?.model_id);
      model.setMetadata("widgets", { ...saved, [STATE]: { ...saved[STATE], state } });
    };
  }

  async function activate() {
    const get = window._JUPYTERLAB["@jupyter-widgets/jupyterlab-manager"]?.get;
    const { WidgetManager, WidgetRenderer } = get ? (await get("./extension"))() : {};
    if (WidgetRenderer?.prototype._rerender) patient(WidgetRenderer);
    if (WidgetManager?.prototype._saveState) keeping(WidgetManager);
  }

  const plugin = { id: "@cogkit/widgets:plugin", description: "Widgets of a reopened notebook.", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB["@cogkit/widgets"] = { init: () => {}, get: async () => () => ({ __esModule: true, default: plugin }) };
})();
