"""The article's claims about its simulations, in our words, checked with result rows.

The claims stand in ``facts/claims.csv``; here are the functions that it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import pandas as pd

from cogkit.core.seeding import stream
from cogkit.data.facts import facts
from cogkit.data.results import shipped
from cogkit.equivalence.paper.reported import GROUPS, PER_PAIR, means, result_rows
from cogkit.equivalence.problems.records import STRUCTURES, Design
from cogkit.equivalence.scoring import MASTERY, SOFT_MASTERY, random_limit
from cogkit.stats.claims import FEWEST, Claim, Evidence, Missing, at_least, bottom, evidence, judge, survey, text, top
from cogkit.stats.claims import power as claims_power

AGENTS = ("GPT", "BERT")
_CASES = product(("select-reject", "select-only"), STRUCTURES, AGENTS)
SIMULATIONS: dict[tuple[str, ...], int] = {case[::-1]: number for number, case in enumerate(_CASES, 1)}
_NEEDED = "GPT or BERT of 6 layers and width 384, 5,000 iterations of 64 trials, three runs"
_REACHED = "the same, with three runs of seven simulations and one of five; changed: 2 layers, width 128, other rate"
_OTM = SIMULATIONS["BERT", "OTM", "select-reject"]


def claims(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the article's claims about its simulations, each checked with result rows.

    Seeds of the rows, from `data.results.load`, are averaged: those of the article's size, and its answer rule.
    Columns: claim, section (of the article), found, holds. If the rows lack a number that the claim needs, ``holds`` is
    missing and ``found`` names the number. Bands and the random limit are those of the article.

    Notes
    -----
    Differs from the paper: its Results say that reflexivity of the MTO node is above soft mastery in both agents, but
    its Discussion says that simulation 5 is lower. Both claims are listed, and at most one can hold.

    Examples
    --------
    >>> table = claims(result_rows())  # the article's own tables; they print no number of a single pair
    >>> int(table.holds.sum()), int(table.holds.isna().sum())
    (16, 12)
    """
    return judge(_claims(), means(rows), _numbers)


def verdicts() -> pd.DataFrame:
    """Return what the printed tables and the runs that come with the package say to each claim: `stats.claims.survey`.

    Notes
    -----
    Runs ``as_published`` of the preset ``paper`` decide, for they are what the article's program trains, and as much of
    it. Those of ``verified`` stand beside them: smaller networks with a shorter training, whose answer is the most
    probable of all, where the article draws one. Every trial of a design is asked, so trials are fixed.

    Examples
    --------
    >>> verdicts().set_index("claim").by["LS select-reject: BERT is slightly above GPT"]
    'ours'
    """
    return survey(
        _claims(), _numbers, printed=Evidence(means(result_rows())),
        ours=_ours("as_published", "as published", "paper"),
        changed=_ours("verified", "argmax", "lab"), needed=_NEEDED, reached=_REACHED,
    )  # fmt: skip


def power(repetitions: int = 400) -> pd.DataFrame:
    """Return how often as many runs as ours would say *holds*, and *does not hold*: `stats.claims.power`.

    Runs lie around the printed numbers as our own do around their means. A simulation has as many as we have of it, so
    that a claim about one that ran once is never decided.
    """
    ours, truth = _ours("as_published", "as published", "paper"), means(result_rows())
    table = pd.DataFrame({k: run for k, run in enumerate(ours.runs)}).reindex(truth.index)
    spread = table.std(axis=1, ddof=1).where(table.notna().sum(axis=1) >= FEWEST)
    spread = spread.fillna(spread.groupby(level=["group", "metric"]).transform("mean")).fillna(spread.mean())
    simulated = []
    for number in range(repetitions):
        rng = stream(number, "equivalence/claims")
        runs = [(truth + spread * rng.normal(size=len(truth))).clip(0, 1)[own.notna()] for _, own in table.items()]
        simulated.append(Evidence(truth, runs, about={"model": len(runs)}))
    return claims_power(_claims(), Evidence(truth), simulated)


def _ours(profile: str, rule: str, preset: str) -> Evidence:
    rows, build = shipped("equivalence", preset, profile), partial(means, rule=rule, preset=preset)
    return evidence(rows, build, f"networks of {preset} size", decides=preset == "paper")


def _claims() -> list[Claim]:
    """Return the claims of the table."""
    return [
        Claim(
            row.claim, row.section, _FOUND.get(row.found) or (row.found if "{}" in row.found else _words(row.found)),
            partial(_values, row), partial(_MARGINS[row.margins], row.than), row.need or "every",
        )
        for row in facts(__file__, "claims", str).itertuples()
    ]  # fmt: skip


def _values(row: Any, results: pd.Series) -> Any:
    """Return the values that decide on a claim, a row of the table; ``results`` are as `reported.means` gives them."""
    return _VALUES[row.made](*(_shares(results, row.about, row.groups, name) for name in row.metrics.split(", ")))


def _shares(results: pd.Series, about: str, groups: str, metric: str) -> pd.Series:
    """Return the shares of all simulations that match, by number and group; of one that is fully named, by group."""
    shares = {}
    for case, number in SIMULATIONS.items():
        if re.search(about, " ".join(case)):
            for group in _groups(groups, case[1]):
                if (share := results.get((*case, group, metric))) is None:
                    raise Missing(f"no {metric} of {group} in simulation {number}")
                shares[group if about == " ".join(case) else (number, group)] = share
    return pd.Series(shares, dtype=float)


def _groups(words: str, structure: str) -> list[str]:
    """Return the groups of trials that a table names: the derived types, pairs of members of some types, or others."""
    kind, _, types = words.partition(" of ")
    if kind != "pairs":
        return words.split(", ") if words else [*GROUPS[1:]]
    pairs = zip(Design(structure).pair_names, Design(structure).types().ravel(), strict=True)
    return [pair for pair, name in pairs if name in types or not types]


def _by_agent(shares: pd.Series) -> dict[str, pd.Series]:
    """Return the shares of each agent; simulations are of GPT and BERT in turn."""
    return {who: shares[shares.index.get_level_values(0) % 2 == 1 - k] for k, who in enumerate(AGENTS)}


def _beside(name: str, shares: pd.Series) -> dict[str, tuple]:
    """Return for each simulation the share of one group, and those of the others."""
    parts = {number: part.droplevel(0) for number, part in shares.groupby(level=0)}
    label = "" if name == "symmetry" else f" {name}"
    return {f"sim. {number}{label}": (part[name], part.drop(name)) for number, part in parts.items()}


# What decides on a claim, made of its shares in each of its metrics.
_VALUES: dict[str, Callable[..., Any]] = {
    "all": lambda shares: shares,
    "elsewhere": lambda shares: shares.drop([1, 2], level=0),  # than after LS select-reject
    "all but simulation 5": lambda shares: shares.drop(5, level=0),
    "means by simulation": lambda *metrics: [shares.groupby(level=0).mean() for shares in metrics],
    "means": lambda shares: pd.Series({who: _by_agent(shares)[who].mean() for who in ("BERT", "GPT")}),
    "lead": lambda shares: shares.groupby(level=1, sort=False).agg(lambda pair: pair.iat[1] - pair.iat[0]),  # of BERT
    "by agent": _by_agent,
    "trained in both roles": lambda shares: shares.filter(regex="^[^AG]+$"),
    "node and the others": partial(_beside, "AA"),
    "symmetry and the others": partial(_beside, "symmetry"),
    "OTM select-reject and the rest": lambda shares: (shares[_OTM], shares.drop(_OTM, level=0)),
}
# By how much each part of a claim holds, from the number that the table names and these values.
_MARGINS: dict[str, Callable[[str, Any], pd.Series]] = {
    "above": lambda limit, shares: shares - float(limit),
    "at least": lambda limit, shares: at_least(shares, float(limit)),
    "below": lambda limit, shares: float(limit) - shares,
    "falling": lambda _, shares: pd.Series({"fall": shares.iat[0] - shares.iat[1]}),
    "at the ends": lambda limit, shares: at_least(_others(shares), float(limit)),
    "mastered by": lambda numbers, shares: _mastered(numbers.split(), shares),
    "all in band": lambda name, shares: _in_bands([name] * len(shares), shares),
    "in bands": lambda names, shares: _in_bands(names.split(", "), shares),
    "higher for BERT": lambda _, agents: _paired(agents["BERT"], agents["GPT"]),
    "higher for GPT": lambda _, agents: _paired(agents["GPT"], agents["BERT"]),
    "first is higher": lambda _, parts: _beyond(parts, 1),
    "first is lower": lambda _, parts: _beyond(parts, -1),
    "highest": lambda _, parts: pd.concat(
        [parts[0][group] - parts[1].xs(group, level=1) for group in parts[0].index], keys=parts[0].index
    ),
    "both in": lambda number, parts: pd.concat(
        [sign * (part[int(number)] - part.drop(int(number))) for sign, part in zip((1, -1), parts, strict=True)],
        keys=["hallucinations", "accuracy"],
    ),
}  # fmt: skip


def _mastered(numbers: Sequence[str], shares: pd.Series) -> pd.Series:
    """Return how far the shares of some simulations lie above mastery, and how far the lowest of the others below."""
    lowest = shares.groupby(level=0).min()
    named = lowest.index.astype(str).isin(numbers)
    return pd.concat([at_least(shares[shares.index.get_level_values(0).astype(str).isin(numbers)], MASTERY),
                      MASTERY - lowest[~named]])  # fmt: skip


def _in_bands(names: Sequence[str], shares: pd.Series) -> pd.Series:
    """Return how far each share lies inside its band, from both ends."""
    limits = {"random": (0.0, random_limit(PER_PAIR)), "above random": (random_limit(PER_PAIR), SOFT_MASTERY),
              "soft mastery": (SOFT_MASTERY, MASTERY), "mastery": (MASTERY, 1.0)}  # fmt: skip
    low, high = (pd.Series([limits[name][end] for name in names], shares.index) for end in (0, 1))
    parts = {"from below": at_least(shares, low)[low > 0], "from above": (high - shares)[high < 1]}
    return pd.concat(list(parts.values()), keys=list(parts))


def _paired(first: pd.Series, second: pd.Series) -> pd.Series:
    return pd.Series(first.to_numpy() - second.to_numpy(), first.index)


def _beyond(parts: dict[str, tuple], sign: int) -> pd.Series:
    """Return by how much one share of each simulation is beyond each of its others."""
    return pd.concat([sign * (first - others) for first, others in parts.values()], keys=list(parts))


def _numbers(shares: pd.Series) -> str:
    """Return shares with names: ``symmetry 0.941``, or with the number of a simulation, ``sim. 4 symmetry 0.941``."""
    return text(shares, ".3f", lambda *labels: " ".join(f"sim. {x}" if isinstance(x, int) else x for x in labels))


def _masters(shares: pd.Series) -> str:
    lowest = shares.groupby(level=0).min()
    return ", ".join(map(str, lowest.index[lowest >= MASTERY])) or "none"


def _others(pairs: pd.Series) -> pd.Series:
    """Return the pairs that have neither A as comparison nor G as sample."""
    return pairs.filter(regex="^[^G][^A]")


def _short(pairs: pd.Series) -> pd.Series:
    """Return the pairs below mastery."""
    return pairs[pairs < MASTERY]


def _words(sentence: str) -> Callable[[pd.Series], str]:
    """Return how to write shares: what a sentence may name of them."""
    return lambda shares: sentence.format(
        n=len(shares), first=shares.iat[0], last=shares.iat[-1], lowest=_numbers(bottom(shares)),
        highest=_numbers(top(shares)), weak=(shares < MASTERY).sum(),
    )  # fmt: skip


def _ranges(agents: dict[str, pd.Series]) -> str:
    ranges = (f"{who} {part.min():.3f} to {part.max():.3f}" for who, part in agents.items())
    gpt, bert = (part.to_numpy() for part in agents.values())
    return f"{', '.join(ranges)}; higher in {(gpt > bert).sum()} of {len(gpt)}"


# How values are written that no sentence of the table can write.
_FOUND: dict[str, Callable[[Any], str]] = {
    "masters": lambda shares: f"simulations {_masters(shares)}",
    "lowest": lambda shares: f"lowest: {_numbers(bottom(shares))}",
    "highest": lambda shares: f"highest: {_numbers(top(shares))}",
    "short": lambda pairs: f"below .9: {_numbers(_short(pairs))}",
    "others": lambda pairs: f"of {len(_short(pairs))} pairs below .9, others: {_numbers(_short(_others(pairs)))}",
    "against": lambda agents: "; ".join(
        f"{bert:.3f} against {gpt:.3f}" for gpt, bert in zip(agents["GPT"], agents["BERT"], strict=True)
    ),
    "both": lambda agents: "; ".join(f"{who}: {_numbers(agents[who].droplevel(0))}" for who in ("BERT", "GPT")),
    "ranges": _ranges,
    "next": lambda parts: "; ".join(
        f"{name} {share:.3f}, best other {_numbers(top(others))}" for name, (share, others) in parts.items()
    ),
    "least": lambda parts: "; ".join(
        f"{name} {share:.3f}, lowest other {_numbers(bottom(others))}" for name, (share, others) in parts.items()
    ),
    "elsewhere": lambda parts: f"{_numbers(parts[0])}; highest elsewhere: {_numbers(top(parts[1]))}",
    "most and least": lambda parts: (
        f"most: sim. {parts[0].idxmax()}, {parts[0].max():.3f}; "
        f"lowest accuracy: sim. {parts[1].idxmin()}, {parts[1].min():.3f}"
    ),
}
