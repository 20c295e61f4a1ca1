// Figures that the notebook's outputs hold, and those that the page has drawn.
() => {
    const {cells} = window.jupyterapp.shell.currentWidget.content.model.sharedModel;
    const outputs = cells.flatMap((cell) => cell.toJSON().outputs ?? []);
    return outputs.filter((output) => output.data?.["application/vnd.plotly.v1+json"]).length;
}
