// No kernel of the page has died, and Lab asks nothing.
() => {
    const widgets = [...(window.jupyterapp?.shell?.widgets("main") ?? [null])];
    return !document.querySelector(".jp-Dialog") && widgets.every((widget) => {
        const kernel = widget?.sessionContext?.session?.kernel;
        return widget && (!kernel || (kernel.connectionStatus === "connected" && /idle|busy/.test(kernel.status)));
    });
}
