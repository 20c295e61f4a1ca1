"""A widget to explore a learner's answers: its heatmap and graph, and the trials of each pair of members."""

from __future__ import annotations

import numpy as np
import pandas as pd
import traitlets

from cogkit.core import presets
from cogkit.equivalence import scoring
from cogkit.equivalence.problems.records import OPTIONS, Trials
from cogkit.equivalence.views import style
from cogkit.ui import widget
from cogkit.ui.files import script

PAGE = 6  # trials shown at once


class Explorer(widget.Explorer):
    """Choose a pair of members on the heatmap, and see its trials: the stimuli, the probability of each answer, and
    the answer under each rule.

    One page at a time shows trials of the chosen pair, starting with the lowest probability of a right answer. Clicks
    call the methods `choose`, `turn` and `use`. ``trials`` are all ``records.tests(design)``, or some of them from
    ``records.probe``; ``learner`` and ``seed`` are as for `scoring.judge`.

    Notes
    -----
    Keys: arrows, Home, End, Page Up and Page Down move on the heatmap, Enter or Space chooses, N and P turn the page.
    Probabilities are without dropout. Under the rule ``as published``, one answer for each trial is drawn with dropout
    on. Only learners that the paper's program could use have this rule.

    Examples
    --------
    >>> from cogkit.equivalence.learners import floors
    >>> from cogkit.equivalence.problems import records
    >>> design = records.Design(negatives="standard")
    >>> explorer = Explorer(floors.Associative(design), records.tests(design))
    >>> explorer.choose("A", "B")
    'Sample A, comparison B: baseline, 1.000 right in 72 trials, mastery.'
    """

    _esm = script(__file__, "base.js", "asker.js", "transport.js", "frame.js", "bands.js", "explorer.js")
    _css = script(__file__, "base.css", "bands.css", "explorer.css")
    steps = ("look_at", "turn", "use")
    heat = traitlets.Dict().tag(sync=True)  # shares and bands under the rule in use; a scene has a page of trials

    def __init__(self, learner, trials: Trials, seed: int = 0) -> None:
        super().__init__()
        self.learner, self.trials = learner, trials
        profiles = ["verified"] + ["as_published"] * hasattr(learner, "as_published")
        self._answers = [scoring.judge(learner, trials, profile=profile, seed=seed) for profile in profiles]
        self._by_rule = {rule: answers for answers in self._answers for rule in answers.rules}
        self._table, self.page = trials.design.pairs(), 0
        self.still = {
            "members": trials.design.letters,
            "types": self._table.relation.tolist(),
            "arrows": [_arrow_view(arrow) for arrow in style.arrows(trials.design)],
            "nodes": style.nodes(trials.design).round(3).tolist(),
            "rules": list(self._by_rule),
            "kind": self._answers[0].kind,
            "label": f"{self._answers[0].who}, {trials.design.condition}",
        }
        self.use("argmax")
        self.look_at(int(np.nanargmin(self.matrix)))

    @property
    def rule(self) -> str:
        """The answer rule of the heatmap."""
        return self.heat["rule"]

    @property
    def matrix(self) -> np.ndarray:
        """The share of right answers by sample and comparison under this rule, (members, members)."""
        return self._by_rule[self.rule].matrix(self.rule)

    def use(self, rule: str) -> None:
        """Show the shares of another answer rule."""
        presets.choose(rule, self._by_rule, "answer rule")
        counts, shares = np.bincount(self.trials.pair, minlength=len(self._table)), self._by_rule[rule].matrix(rule)
        names = style.bands(shares.ravel(), counts).tolist()
        texts = ["" if np.isnan(share) else f"{share:.3f}" for share in shares.ravel()]
        self.heat = {"rule": rule, "texts": texts, "bands": names, "counts": counts.tolist()}
        if self.scene:
            self._draw(f"Rule: {rule}. {self._sentence()}")

    def choose(self, sample: str, comparison: str) -> str:
        """Show the trials of a pair of members; return the status line.

        Raises `InputError` if the pair is not among the trials.
        """
        pairs = self.trials.design.pair_names
        tested = [pairs[number] for number in np.unique(self.trials.pair)]
        return self.look_at(pairs.index(presets.choose(sample + comparison, tested, "pair among the trials")))

    def look_at(self, pair: int) -> str:
        """Do what `choose` does, for a cell of the page."""
        rows = np.flatnonzero(self.trials.pair == pair)
        self.pair, self.page = pair, 0
        self._which = rows[np.argsort(self._answers[0].right[rows], kind="stable")]
        self._draw(sentence := self._sentence())
        return sentence

    def turn(self, pages: int = 1) -> None:
        """Go some pages forward or back, up to the last or first."""
        self.page = min(max(self.page + int(pages), 0), self._pages - 1)
        sample, comparison = self.trials.design.pair_names[self.pair]
        first, last = self.page * PAGE + 1, min((self.page + 1) * PAGE, len(self._which))
        self._draw(f"Sample {sample}, comparison {comparison}: trials {first} to {last} of {len(self._which)}.")

    def to_frame(self) -> pd.DataFrame:
        """Return every trial of the chosen pair, in the order on the page.

        Columns sample, comparison_1 to comparison_3, response (the right one), pair, type; chance_1 to chance_3 and
        chance_none; and for each answer rule the place answered, 1 to 3, or 0 for none of the options.
        """
        return self._rows(self._which)

    @property
    def _pages(self) -> int:
        return -(-len(self._which) // PAGE)

    def _rows(self, which: np.ndarray) -> pd.DataFrame:
        part = self.trials[which]
        chances = np.asarray(self.learner.choose(part.question()))
        columns = {f"chance_{place + 1}": chances[:, place] for place in range(OPTIONS)}
        columns["chance_none"] = chances[:, OPTIONS:].sum(axis=1)
        for answers in self._answers:
            columns |= {rule: (places[which] + 1) % (OPTIONS + 1) for rule, places in answers.choices.items()}
        return part.frame().assign(**columns)

    def _sentence(self) -> str:
        """Return a sentence about the chosen pair and its number."""
        row, heat = self._table.loc[self.pair], self.heat
        distance = f", {row.nodes} between" if row.nodes else ""
        text, n, band = (heat[name][self.pair] for name in ("texts", "counts", "bands"))
        what = f"Sample {row['sample']}, comparison {row.comparison}: {row.relation}{distance}"
        return f"{what}, {text} right in {n:,} trials, {band}."

    def _draw(self, status: str) -> None:
        rows = self._rows(self._which[self.page * PAGE : (self.page + 1) * PAGE])
        rules = [rule for answers in self._answers for rule in answers.choices]
        options, chances = rows.filter(like="comparison_"), rows.filter(like="chance_").astype(float).round(3)
        right, places = rows.response.str[-1].astype(int) - 1, rows[rules].astype(int) - 1
        names = ["sample", "right", "options", "chances", "given"]
        columns = (part.to_numpy().tolist() for part in (rows["sample"], right, options, chances, places))
        trials = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        self.scene = {
            "pair": self.pair, "status": status, "trials": trials, "rules": rules, "page": self.page,
            "pages": self._pages, "speaks": self._answers[0].speaks,
        }  # fmt: skip


def _arrow_view(path: np.ndarray) -> dict:
    """Return an arrow for the browser, with y downwards."""
    line = "L".join(f"{x:.2f} {-y:.2f}" for x, y in path)
    x, y = path[-1]
    return {"line": f"M{line}", "head": f"translate({x:.2f} {-y:.2f}) rotate({style.heading(path):.0f})"}
