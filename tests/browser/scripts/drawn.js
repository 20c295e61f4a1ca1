// A cell has been run before its widget is drawn: JupyterLab shows an empty panel until the widget's script is there.
() => {
    const areas = window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.outputArea).filter(Boolean);
    return areas.flatMap(({model, widgets}) => widgets.filter((_, n) => n < model.length
        && model.get(n).data["application/vnd.jupyter.widget-view+json"])).every(({node}) =>
            node.querySelector(".jupyter-widgets, .ck-place") && !node.querySelector(".lm-Widget:empty"));
}
