"""The estimator for any scikit-learn classifier: it trains on part of your data and scores every component."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, clone
from sklearn.preprocessing import StandardScaler

from cogkit.core import presets, seeding
from cogkit.core.errors import InputError
from cogkit.generalization.metric import calibrated, relevance
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.metric.calibrated import Evidence
from cogkit.generalization.paper import tables
from cogkit.generalization.scoring import (
    DRAWS,
    ask,
    components,
    resampled,
    right_under_shift,
    shuffled_columns,
)
from cogkit.stats.bootstrap import ENDS

VERSION = "2"  # version of the definitions, part of every stamp
_DECIMALS = 8  # of standardised values, so that other units give the same number and not only nearly the same
FEW_ROWS = 100  # below this number of test rows a score is marked as uncertain


@dataclass(frozen=True, eq=False)
class Score:
    """The score of one classifier.

    Attributes
    ----------
    table : DataFrame
        Columns who, component, value, low, high, n, note. Components are accuracy, A_c, P, S, L and GRc under
        ``verified``, and accuracy, D_align, D̃ and GR* under ``as_published``. A missing component is NaN, with a
        reason in the note.
    attribution : DataFrame
        Columns column, relevance (to the label), share, importance (to the classifier), reference.
    stamp : dict
        How the numbers were made: profile, version of the definition, chance level, conventions, missing parts.
    evidence : Evidence
        Answers on the test rows.
    """

    who: str
    table: pd.DataFrame
    attribution: pd.DataFrame
    stamp: dict[str, Any]
    evidence: Evidence = field(repr=False)


class GRStar:
    """Scores classifiers.

    Parameters
    ----------
    profile : {"verified", "as_published"}
        The calibrated components with intervals, or the paper's formula.
        Chance is the share of the most frequent class in the test rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> x, y = load_iris(return_X_y=True, as_frame=True)
    >>> score = GRStar(profile="verified").score(GaussianNB(), x, y)
    >>> score.table.set_index("component").value.round(2)["A_c"].item()
    0.97
    """

    def __init__(self, profile: str = "verified", seed: int = 0, resamples: int = 1000) -> None:
        self.profile, self.seed, self.resamples = presets.profile(profile), seed, resamples

    def score(self, estimator: ClassifierMixin, X, y, X_shift=None, reference=None, name: str | None = None) -> Score:
        """Train a classifier on 70 % of the rows, and return its score on the other rows.

        Units, and the order of rows and columns, do not change the verified components, unless your classifier itself
        depends on the order of columns. S is over 100 draws of a random shift, which are part of its interval.

        Parameters
        ----------
        estimator : classifier
            A copy is trained; yours does not change. Columns are first scaled to mean 0 and standard deviation 1.
        X_shift : (n, d) array or DataFrame, or mapping of str to these, optional
            The same rows under a shift of yours, or under several. By default the three shifts of the library, see
            `scoring.shifted`.
        reference : (d,) array, Series or mapping by column, optional
            Importance of each column in the world, such as an expert's weights. Without it there is no L.

        Raises
        ------
        InputError
            Values are missing, there is only one class, fewer than two columns or fewer than 20 test rows, or a shift
            or a reference has another size.
        """
        x, columns = tables.matrix(X), tables.columns(X)
        labels, weights = tables.labels(y, len(x)), tables.weights(reference, columns)
        inputs = tables.shifts(X_shift, x, columns)
        # Rows and columns have one order, so the split, noise and shuffles are the same for any order and any units.
        rows, order = tables.orders(x, labels)
        x, labels, inputs = x[rows], labels[rows], {shift: values[rows] for shift, values in inputs.items()}
        train, test = tables.split(labels, self.seed)
        scaler, places = StandardScaler().fit(x[train]), np.argsort(order)
        shifts = {shift: scaler.transform(values)[test].round(_DECIMALS) for shift, values in inputs.items()}
        x = scaler.transform(x).round(_DECIMALS)
        model = clone(estimator).fit(x[train], labels[train])
        right = ask(model, x[test]) == labels[test]
        rng = seeding.stream(self.seed, "generalization/door")
        hits = {shift: ask(model, values) == labels[test] for shift, values in shifts.items()}
        hits = hits or right_under_shift(model, x[test], labels[test], rng, places)
        losses = right[:, None] - shuffled_columns(model, x[test], labels[test], rng, places)
        chance = float(np.bincount(labels[test]).max() / len(test))
        evidence = Evidence(right, chance, hits, losses, weights)
        column_weights = relevance.mutual_information(x[train][:, order], labels[train], self.seed)[places]
        label = name or type(estimator).__name__
        attribution = pd.DataFrame({
            "column": columns, "relevance": column_weights, "share": relevance.shares(column_weights),
            "importance": losses.mean(axis=0), "reference": weights if weights is not None else np.nan,
        })  # fmt: skip
        stamp = {
            "profile": self.profile, "version": VERSION, "chance": chance, "n": len(x), "test rows": len(test),
            "rows": _digits(labels), "columns": len(columns), "classes": int(labels.max()) + 1, "seed": self.seed,
            "shifts": ", ".join(hits), "draws": DRAWS,
            "S is of": "your shifts" if X_shift is not None else "the library's shifts",
            "shifted rows": _digits(*inputs.values()), "reference": _digits(*([] if weights is None else [weights])),
        }  # fmt: skip
        if self.profile == "verified":
            table = self._components(label, evidence, rng)
        else:
            table = self._published(right, column_weights, len(x), rng).assign(who=label)
        table = table.assign(n=len(test))[["who", "component", "value", "low", "high", "n", "note"]]
        stamp["not there"] = ", ".join(table.component[table.value.isna()]) or "nothing"
        return Score(label, table, attribution, stamp, evidence)

    def _components(self, who: str, evidence: Evidence, rng: np.random.Generator) -> pd.DataFrame:
        table, product = components(who, evidence, rng, self.resamples)
        finite, n, few = table.set_index("component").value.notna(), len(evidence.correct), calibrated.FEWEST_COLUMNS
        alike = "" if finite["L"] else "the importances, or the reference, are all alike"
        notes = {
            "accuracy": f"only {n} test rows" if n < FEW_ROWS else "",
            "A_c": "anti-aligned: worse than a constant answer" if evidence.correct.mean() < evidence.chance else "",
            "S": "" if finite["S"] else "accuracy is not above chance (binomial test, 5 %)",
            "L": "no reference" if evidence.reference is None
            else f"fewer than {few} columns" if len(evidence.reference) < few else alike,
            "GRc": product,
        }  # fmt: skip
        return table.assign(note=table.component.map(notes).fillna(""))

    def _published(self, right: np.ndarray, weights: np.ndarray, n: int, rng: np.random.Generator) -> pd.DataFrame:
        accuracy, samples = float(right.mean()), resampled(right, rng, self.resamples)
        parts = float(relevance.alignment(weights)), float(relevance.entropy(weights)), n, len(weights)
        values = [accuracy, *parts[:2], float(metric.gr_star(accuracy, *parts))]
        table = pd.DataFrame({"component": ["accuracy", "D_align", "D̃", "GR*"], "value": values})
        ends = np.quantile([samples, metric.gr_star(samples, *parts)], ENDS, axis=1)
        table.loc[[0, 3], ["low", "high"]] = ends.T
        note = "below one half GR* rises as accuracy falls" if accuracy < 0.5 else ""
        return table.assign(note=["", "", "", note])


def compare(scores: Sequence[Score], component: str = "A_c", seed: int = 0) -> pd.DataFrame:
    """Return for each pair of classifiers which one may be called better, on the same test rows.

    Parameters
    ----------
    scores : sequence of Score
        Scores of the same rows and seed, under ``verified``.
    component : str
        One of `calibrated.COMPONENTS`.
    seed : int
        Seed of the bootstrap, which draws the same rows for both classifiers.

    Returns
    -------
    DataFrame
        As `calibrated.ranks`: where intervals overlap the claim is "none".
    """
    scores = list(scores)
    presets.choose(component, calibrated.COMPONENTS, "component")
    keys = ["rows", "n", "test rows", "columns", "seed", "chance", "shifts"]
    keys += {"S": ["shifted rows"], "L": ["reference"]}.get(component, [])
    differing = [key for key in keys if len({score.stamp[key] for score in scores}) > 1]
    if differing or len({score.who for score in scores}) < max(2, len(scores)):
        got = f"scores of {[score.who for score in scores]} that differ in {', '.join(differing) or 'nothing'}"
        raise InputError(got, "two or more of the same rows, asked the same, each with a name of its own")
    rng = seeding.stream(seed, "generalization/compare")
    table, draws = calibrated.intervals({score.who: [score.evidence] for score in scores}, rng)
    return calibrated.ranks(table, draws, component)


def _digits(*arrays: np.ndarray) -> str:
    """Return eight hex digits that identify arrays, or "" without arrays."""
    return f"{zlib.crc32(b''.join(array.tobytes() for array in arrays)):08x}" if arrays else ""
