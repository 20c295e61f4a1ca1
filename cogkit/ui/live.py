"""A live view of a run: its curves, a progress bar, the time left, and a Stop button that keeps the model."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import traitlets
from IPython import get_ipython
from IPython.display import display

from cogkit.core.errors import InputError
from cogkit.core.records import Progress
from cogkit.ui import theme
from cogkit.ui.alt import describe, with_alt
from cogkit.ui.files import script
from cogkit.ui.parts import line
from cogkit.ui.widget import Widget

if TYPE_CHECKING:  # at run time torch would come along, and most notebooks need none
    from cogkit.learning import Fit, Result

PLOTLY = "application/vnd.plotly.v1+json"
SCRIPT = script(__file__, "base.js", "asker.js", "live.js") + "\n"  # shared by all runs, like STYLE
STYLE = script(__file__, "live.css") + "\n"
MOST_POINTS = 500  # per line; more points than a chart has pixels
_BETWEEN = 0.25  # seconds between drawings
_SAID_EVERY = 10.0  # seconds between messages to a screen reader
_FEW = 60  # with at most this many points, each gets a mark
_STYLES = (  # colour, symbol, dash and sign in the label: they distinguish the metrics on one pair of axes
    (theme.WHO["model"].colour, "diamond", "solid", "◆"),
    (theme.INK, "circle-open", "solid", "○"),
    (theme.WHO["model"].colour, "diamond-open", "dash", "◇"),
    (theme.INK, "circle", "dash", "●"),
)

Metrics = str | Sequence[str] | Mapping[str, str | Sequence[str] | Mapping[str, str]] | None


@dataclass(frozen=True)
class Line:
    """A reference level for a curve: its kind (a key of `theme.WHO`), its name and its height."""

    kind: str
    label: str
    value: float


@dataclass(frozen=True)
class Curve:
    """One pair of axes: the label of its y-axis, its metrics with their names, and its reference levels."""

    label: str
    names: Mapping[str, str]
    lines: tuple[Line, ...] = ()


def curves(metrics: Metrics, log: pd.DataFrame, references: Mapping[str, Sequence[Line]] | None = None) -> list[Curve]:
    """Return the axes to draw, from the arguments of ``live``.

    Raises
    ------
    InputError
        There are too many metrics on one pair of axes.

    Examples
    --------
    >>> [curve.label for curve in curves(None, pd.DataFrame(columns=["step", "loss", "accuracy"]))]
    ['loss', 'accuracy']
    """
    axes = []
    if metrics is None:
        metrics = [name for name in log.columns if name != "step"]
    for label, metric in _named(metrics).items():
        names = _named(metric)
        if not 1 <= len(names) <= len(_STYLES):
            raise InputError(f"{len(names)} metrics for {label!r}", f"1 to {len(_STYLES)} on one pair of axes")
        levels = tuple(line for name in names for line in (references or {}).get(name, ()))
        axes.append(Curve(label, names, levels))
    return axes


def _named(names: str | Iterable[str]) -> dict[str, Any]:
    """Return a mapping as it is, and one name or several under their own names."""
    if isinstance(names, Mapping):
        return dict(names)
    return {name: name for name in ([names] if isinstance(names, str) else names)}


def points(log: pd.DataFrame, name: str, most: int = MOST_POINTS) -> np.ndarray:
    """Return steps and values of a metric where it was measured, (n, 2), reduced to ``most`` of its points.

    The lowest and the highest point of each section and both ends remain, so no peak is lost and none is invented.

    Examples
    --------
    >>> points(pd.DataFrame({"step": [1, 2, 3], "loss": [0.5, np.nan, 0.25]}), "loss").tolist()
    [[1.0, 0.5], [3.0, 0.25]]
    """
    if name not in log:
        return np.empty((0, 2))
    series = log[["step", name]].to_numpy(dtype=float)
    series = series[np.isfinite(series[:, 1])]
    if len(series) <= most:
        return series
    places = {0, len(series) - 1}
    for stretch in np.array_split(np.arange(1, len(series) - 1), most // 2 - 1):
        values = series[stretch, 1]
        places |= {int(stretch[values.argmin()]), int(stretch[values.argmax()])}
    return series[sorted(places)]


def chart(
    log: pd.DataFrame, metrics: Metrics = None, references: Mapping[str, Sequence[Line]] | None = None, title: str = ""
) -> go.Figure:
    """Return the learning curves of a log, one pair of axes for each metric.

    The log is as in `learning.Result`, NaN where a metric was not measured; ``metrics`` and ``references`` are as in
    `live`.
    """
    axes = curves(metrics, log, references)
    columns = max(1, min(len(axes), 3))
    rows = -(-len(axes) // columns) or 1
    margin = {"l": 48, "r": 24, "t": 88 if title else 40, "b": 56}
    height = margin["t"] + margin["b"] + 224 * rows
    figure = theme.figure(
        title, height, rows=rows, columns=columns, margin=margin,
        horizontal_spacing=0.18 / columns, vertical_spacing=0.36 / rows,
    )  # fmt: skip
    figure.update_xaxes(title="step", rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    for place, curve in enumerate(axes):
        where = {"row": place // columns + 1, "col": place % columns + 1}
        above = {"xref": "x domain", "yref": "y domain", "y": 1, "yanchor": "bottom", "yshift": 8, "showarrow": False}
        figure.add_annotation(text=curve.label, x=0, xanchor="left", xshift=-32, **above, **where)
        names = []
        for (metric, name), (colour, symbol, dash, sign) in zip(curve.names.items(), _STYLES, strict=False):
            series = points(log, metric)
            line(
                figure, series[:, 0].tolist(), series[:, 1].tolist(), {"color": colour, "width": 1.5, "dash": dash},
                "", hovertemplate="step %{x}: %{y:.4g}", mode="lines+markers" if len(series) <= _FEW else "lines",
                name=name, marker={"color": colour, "symbol": symbol}, **where,
            )  # fmt: skip
            names += [theme.coloured(colour, f"{sign} {name}")] if len(series) else []
        if not names:
            figure.add_annotation(text="not taken", x=1, xanchor="right", **above, **where)
        elif len(curve.names) > 1:
            figure.add_annotation(text="&nbsp; ".join(names), x=1, xanchor="right", **above, **where)
        for level in curve.lines:
            label = {"text": f"{level.label} {level.value:.4g}", "font": {"size": 12}}
            stroke = theme.stroke(level.kind, 2)
            figure.add_hline(level.value, line=stroke, annotation=label, annotation_position="top right", **where)
    return with_alt(figure, " ".join(_in_words(curve, log) for curve in axes) or "No metric was taken.")


def duration(seconds: float) -> str:
    """Return a duration in words, for the progress bar.

    Examples
    --------
    >>> duration(4.2), duration(125), duration(7321)
    ('4 s', '2 min 5 s', '2 h 2 min')
    """
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    return f"{total // 60} min {total % 60} s" if total < 3600 else f"{total // 3600} h {total % 3600 // 60} min"


class RunPanel(Widget):
    """The panel of a run: curves, progress bar, time left, and Stop; ``async for`` over `watch` runs it.

    Python writes ``scene`` at most four times a second and uses at most a tenth of the time for it. The browser draws
    the scene and reports which button was pressed. ``fit`` is None if it is made later; ``metrics`` and ``references``
    are as in `live`. ``state`` is what else the page has from the start: traits of the instrument's own panel.
    """

    _esm = SCRIPT + "export default { render: ({ model, el }) => makeRun(model, el) };"
    _css = STYLE
    scene = traitlets.Dict().tag(sync=True)
    again = "Run again to go on."

    def __init__(
        self, fit: Fit | None, metrics: Metrics = None, references: Mapping[str, Sequence[Line]] | None = None, **state
    ) -> None:
        self.fit, self.running = fit, False
        self._metrics, self._references = metrics, references
        self._progress: Progress | None = None
        self._result: Result | None = None
        self._began, self._first = 0.0, 0
        self._next_draw = self._next_message = 0.0
        super().__init__(scene=self._scene("Not begun."), **state)  # the page has it from the start
        self.listen(self._hear)

    @property
    def log(self) -> pd.DataFrame:
        """The log as last drawn; after an error it holds every complete step that was drawn."""
        return self._result.log if self._result else pd.DataFrame(columns=["step"])

    def figure(self, title: str = "") -> go.Figure:
        """Return the curves as a figure, to keep in the notebook."""
        return chart(self.log, self._metrics, self._references, title)

    def stop(self) -> None:
        """End the run after the current step, as the button does; the model is kept."""
        if self.running and self.fit is not None:
            self.fit.stop()
            self._draw("Stopping after this step.")

    async def watch(self) -> AsyncIterator[Progress]:
        """Run or continue the fit and yield its reports; the panel shows them."""
        fit = self._begun()
        self._result = fit.result
        self._first, self._began = self._result.steps, time.monotonic()
        self._progress = Progress(self._first, fit.steps, {})
        self.running = True
        self._draw("Running.")
        failure = None
        try:
            async for progress in fit:
                self._progress = progress
                if time.monotonic() >= self._next_draw:
                    self._draw()
                yield progress
        except (Exception, KeyboardInterrupt) as error:  # an interrupt that leaves the fit came in the middle of a step
            failure = error
            raise
        finally:
            self.running = False
            self._draw(self._ending(fit, self._progress, failure))

    def _begun(self) -> Fit:
        """Return the fit; some panels make it only when they are started."""
        if self.fit is None:
            raise InputError("a panel without an agent yet", "one that was started", "press Start, or await train()")
        return self.fit

    def _ending(self, fit: Fit, progress: Progress, broken: BaseException | None) -> str:
        if broken is not None:
            return f"Broke off after step {progress.step:,}: {type(broken).__name__}: {broken}"
        self._result = result = fit.result
        self._progress = replace(progress, step=result.steps)
        if result.stopped:
            return f"Stopped at step {result.steps:,} of {fit.steps:,}; the model is kept. {self.again}"
        return f"Done: {result.steps:,} steps in {duration(result.seconds)}."

    def _hear(self, *message) -> None:
        """Handle what the page says in the thread of the cells.

        JupyterLab may bring it to another one (a subshell). But training uses torch's random generators and the
        kernel's interrupts, which cells use too: in one thread they take turns.
        """
        kernel = getattr(get_ipython(), "kernel", None)
        if kernel is None or threading.current_thread() is threading.main_thread():
            self._receive(*message)
        else:
            kernel.io_loop.add_callback(self._receive, *message)

    def _receive(self, _, message, __) -> None:
        if message.get("press") == "stop":
            self.stop()

    def _draw(self, status: str = "") -> None:
        """Send the scene, with a message for the screen reader if there is one or if it is time for one."""
        start = time.monotonic()
        if self.running:
            self._result = self._begun().result
        if not status and start >= self._next_message:
            status = self._so_far()
        if status:
            self._next_message = start + _SAID_EVERY
        self.scene = self._scene(status or self.scene["status"])
        self._next_draw = time.monotonic() + max(_BETWEEN, 9 * (time.monotonic() - start))

    def _scene(self, status: str) -> dict:
        step, total = (self._progress.step, self._progress.total) if self._progress else (0, 0)
        axes = [_curve_view(curve, self.log) for curve in curves(self._metrics, self.log, self._references)]
        return {
            "status": status, "line": self._line(), "step": step, "total": total,
            "reach": _reach(step, total), "curves": axes, "buttons": self._buttons(),
        }  # fmt: skip

    def _buttons(self) -> list[dict]:
        """Return the buttons; a button with a text in ``why`` is disabled."""
        is_done = self._progress is not None and self._progress.step == self._progress.total
        why = "" if self.running else "done" if is_done else "nothing is running"
        return [{"press": "stop", "label": "Stop", "why": why}]

    def _line(self) -> str:
        """Return the current step and an estimate of the time left."""
        if self._progress is None:
            return "Not begun"
        step, total = self._progress.step, self._progress.total
        text, elapsed = f"Step {step:,} of {total:,}", time.monotonic() - self._began
        if self.running and step > self._first and elapsed >= 1:
            text += f" · {duration(elapsed)} · about {duration(elapsed * (total - step) / (step - self._first))} left"
        return text

    def _so_far(self) -> str:
        """Return the newest value of the first curve, as a sentence."""
        progress = self._progress or Progress(0, 0, {})
        for curve in curves(self._metrics, self.log, self._references):
            metric, name = next(iter(curve.names.items()))
            value = progress.metrics.get(metric, np.nan)
            if np.isfinite(value):
                return f"Step {progress.step:,} of {progress.total:,}: {name} {value:.3g}."
        return ""


async def live(
    fit: Fit, metrics: Metrics = None, references: Mapping[str, Sequence[Line]] | None = None
) -> AsyncIterator[Progress]:
    """Yield the reports of a fit while a notebook shows its curves, a progress bar, the time left and a Stop button.

    ``async for progress in live(fit)`` leaves the kernel free to react to Stop between steps. Afterwards ``fit.result``
    exists, the final curves stay in the notebook, and the same loop continues the run. A plain script draws nothing.

    Parameters
    ----------
    metrics : str, sequence or mapping, optional
        The metrics to draw, each on its own axes; all by default. A mapping gives the label of the y-axis first, such
        as ``{"blue tiles a board (fewer is better ↓)": "blue"}``; ``{metric: name}`` puts several on the same axes.
    references : mapping of str to sequence of Line, optional
        Levels to draw beside a metric.
    """
    panel = RunPanel(fit, metrics, references)
    in_notebook = getattr(get_ipython(), "kernel", None) is not None
    if in_notebook:
        display(panel)
    try:
        async for progress in panel.watch():
            yield progress
    finally:
        if in_notebook:
            # Only at the end: JupyterLab's plotly draws an output once and ignores later updates (plotly.py 3053).
            panel.scene = panel.scene | {"curves": []}
            show(panel.figure())


def show(figure: go.Figure) -> None:
    """Display a figure as data without script or picture, and as text for programs that cannot draw it."""
    display({PLOTLY: figure.to_plotly_json(), "text/plain": describe(figure)}, raw=True)


def _curve_view(curve: Curve, log: pd.DataFrame) -> dict:
    """Return one pair of axes in the form that the browser draws."""
    series = []
    for metric, name in curve.names.items():
        samples = points(log, metric)
        pairs = [[int(step), float(f"{value:.4g}")] for step, value in samples]
        series.append({"name": name, "points": pairs, "dots": len(samples) <= _FEW})
    lines = [
        {"kind": line.kind, "label": f"{line.label} {line.value:.4g}", "value": line.value} for line in curve.lines
    ]
    return {"label": curve.label, "series": series, "lines": lines, "alt": _in_words(curve, log)}


def _in_words(curve: Curve, log: pd.DataFrame) -> str:
    """Return one pair of axes as a sentence: the first and the last value of each metric."""
    parts = []
    for metric, name in curve.names.items():
        samples = log[["step", metric]].dropna() if metric in log else log.iloc[:0]
        if len(samples):
            (first_step, start), (last_step, end) = samples.to_numpy(dtype=float)[[0, -1]]
            parts.append(f"{name} from {start:.3g} at step {first_step:.0f} to {end:.3g} at step {last_step:.0f}")
    parts += [f"{line.label} {line.value:.4g}" for line in curve.lines]
    return f"{curve.label}: {'; '.join(parts) or 'nothing yet'}."


def _reach(step: int, total: int) -> int:
    """Return the end of the step axis: the run is halved as often as the steps done still fit."""
    while total > 20 and total // 2 >= step:
        total //= 2
    return total
