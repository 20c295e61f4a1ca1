"""Tables for figures of GR*, and what is read from a drawn one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cogkit.generalization.views import figures, panels

PEOPLE, MACHINES = "human proxies", "machines"
# Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protanope": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranope": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanope": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def lab(colour: str, eye: str) -> np.ndarray:
    values = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    rgb = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    rgb = (np.asarray(EYES[eye]) @ rgb).clip(0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz / [0.9505, 1, 1.089]]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def scored(values: dict[str, tuple[float, float]], accuracy=(0.8, 0.9), alignment=0.25) -> pd.DataFrame:
    """Scores with GR* of proxies and machines by task."""
    return pd.DataFrame([
        {"task": task, "family": task.split()[0], "side": side, "alignment": alignment, "accuracy": acc, "gr_star": gr}
        for task, pair in values.items() for side, acc, gr in zip((PEOPLE, MACHINES), accuracy, pair, strict=True)
    ])  # fmt: skip


TASKS = {"Linear 0": (0.10, 0.15), "Linear 1": (0.20, 0.35), "Circles 0": (0.05, 0.04), "Iris 0": (0.11, 0.12)}


def marks(figure, axis: str = "x") -> list:
    return [
        trace
        for trace in figure.data
        if (trace.xaxis or "x") == axis and trace.type == "scatter" and "markers" in trace.mode
    ]


def lines_at(figure, axis: str = "x") -> set[float]:
    """Where upright lines stand in the panel of one x axis."""
    return {shape.x0 for shape in figure.layout.shapes if shape.xref == axis and shape.x0 == shape.x1}


def words(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def bars(error, value: float) -> tuple[float, float]:
    return value - error.arrayminus[0], value + error.array[0]


FAMILIES = pd.DataFrame({
    "family": ["Linear", "Circles", "Iris"], "n": [2, 1, 1],
    "difference": [0.1, -0.01, 0.01], "median": [0.1, -0.01, 0.01],
    "low": [0.02, np.nan, np.nan], "high": [0.19, np.nan, np.nan], "p_adjusted": [2.1e-5, np.nan, np.nan],
})  # fmt: skip


CORRELATIONS = pd.DataFrame({
    "side": [PEOPLE, MACHINES], "with_accuracy": [0.71, 0.27], "partial_rank": [0.92, 0.97],
    "partial_linear": [0.81, -0.2], "n": [62, 62],
})  # fmt: skip


MATCHED = pd.DataFrame({
    "side": [PEOPLE, PEOPLE, MACHINES], "linear": ["Linear 0", "Linear 1", "Linear 1"],
    "poly": ["Poly 1", "Poly 0", "Poly 0"], "accuracy": [0.01, -0.03, 0.0], "alignment": [0.2, 0.4, 0.5],
    "gr_star": [0.1, 0.2, 0.3],
})  # fmt: skip


def slopes(figure, axis: str) -> dict[str, list]:
    """From and to, of each side's lines in one panel."""
    return {t.marker.symbol: np.reshape(t.y, (-1, 3))[:, :2].round(6).tolist() for t in marks(figure, axis)}


def curves(kind: str, accuracies: dict[str, list[float]], places=("",), sides=(PEOPLE, MACHINES)) -> pd.DataFrame:
    """Curves at levels 0 and 1; GR* is a tenth of accuracy, and twice that at level 1 with the column first."""
    return pd.DataFrame([
        {"curve": kind, "place": place, "level": level, "task": task, "side": side, "accuracy": accuracy,
         "gr_star": accuracy / 10 * (2 if place == "first" and level else 1)}
        for place in places for task, series in accuracies.items() for side in sides
        for level, accuracy in list(enumerate(series))[::-1]
    ])  # fmt: skip


STREAM = pd.DataFrame({
    "level": [0.0, 0, 1, 1, 2, 2], "task": np.repeat(["Linear 0", "Linear 1", "Linear 2"], 2),
    "side": [PEOPLE, MACHINES] * 3, "gr_star": [0.1, 0.15, 0.2, 0.25, 0.12, 0.22],
    "past": [np.nan, np.nan, 0.61, 0.68, 0.55, 0.56], "classes": 2,
})  # fmt: skip


def part(who, kind, metric, value, task="all", seed=0, n=9600):
    limits = {"low": value - 0.1, "high": value + 0.2} if value == value else {"low": np.nan, "high": np.nan}
    return {"task": task, "who": who, "kind": kind, "metric": metric, "value": value, "seed": seed, "n": n} | limits


PLAYER = pd.DataFrame([part("recipe", "observer", "A_c", 0.9)]).drop(columns=["seed", "n"])
GR_STAR = scored(TASKS)[["task", "side", "gr_star"]]
SWEEPS = pd.DataFrame({"constant": ["alpha"], "value": [1.0], "side": [PEOPLE], "rho": [1.0], "n": [62]})
GOOD = {  # each function with tables that hold just what it needs
    "map": (figures.map_of_tasks, [scored(TASKS)]),
    "agreement": (lambda row: figures.map_of_tasks(scored(TASKS), row), [pd.DataFrame({"rho": [0.8], "n": [4]})]),
    "families": (figures.families, [scored(TASKS), FAMILIES]),
    "sweeps": (figures.rank_stability, [SWEEPS]),
    "correlations": (figures.beyond_accuracy, [CORRELATIONS, CORRELATIONS[["side"]]]),
    "permutations": (figures.permutations, [GR_STAR, GR_STAR, pd.DataFrame({"p": [0.5]})]),
    "pairs": (figures.matched_pairs, [MATCHED, scored(TASKS)]),
    "stress": (panels.stress, [curves("shift", {"Linear 0": [0.9, 0.8]})]),
    "stream": (panels.continual, [STREAM.drop(columns="classes")]),
    "chance": (panels.chance, [pd.DataFrame({"name": ["a"], "accuracy": [0.5], "classes": [2]})]),
    "orders": (panels.column_orders, [pd.DataFrame({"side": [PEOPLE], "rho": [0.5]})]),
    "components": (panels.components, [PLAYER]),
    "claims": (panels.claims_over_seeds, [pd.DataFrame({"claim": ["a"], "printed": [1.0], "holds": [1], "n": [2]})]),
}  # fmt: skip
