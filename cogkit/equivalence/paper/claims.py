"""The article's claims about its simulations, in our words, checked with result rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd

from cogkit.data.results import shipped
from cogkit.equivalence.paper.reported import GROUPS, PER_PAIR, means, result_rows
from cogkit.equivalence.problems.records import CHANCE, STRUCTURES, Design
from cogkit.equivalence.scoring import MASTERY, SOFT_MASTERY, band
from cogkit.stats.claims import Claim, Evidence, Missing, bottom, evidence, judge, survey, text, top

DERIVED = GROUPS[1:]
AGENTS = ("GPT", "BERT")
SIMULATIONS: dict[tuple[str, ...], int] = {
    (who, structure, relation): number
    for number, (relation, structure, who) in enumerate(
        ((r, s, w) for r in ("select-reject", "select-only") for s in STRUCTURES for w in AGENTS), 1
    )
}
_LS, _OTM, _MTO = ((structure, "select-reject") for structure in ("LS", "OTM", "MTO"))
_FIFTH = SIMULATIONS["GPT", *_MTO]


@dataclass(frozen=True)
class _Runs:
    """The means over seeds, by agent, structure, relation, group and metric."""

    means: pd.Series

    def of(self, *simulation: str, metric: str = "accuracy", groups=DERIVED) -> pd.Series:
        """Return the shares of a simulation (who, structure, relation), by group."""
        shares = {group: self.means.get((*simulation, group, metric)) for group in groups}
        for group, share in shares.items():
            if share is None:
                raise Missing(f"no {metric} of {group} in simulation {SIMULATIONS[simulation]}")
        return pd.Series(shares, dtype=float)

    def every(self, metric: str = "accuracy", groups=DERIVED, **where: str) -> pd.Series:
        """Return the shares of all simulations that match, such as ``structure="MTO"``, by their number and group."""
        return pd.concat({SIMULATIONS[case]: self.of(*case, metric=metric, groups=groups) for case in _cases(**where)})

    def pairs(self, *simulation: str, types: tuple[str, ...] = ()) -> pd.Series:
        """Return the shares of pairs of members in a simulation, for some types or all."""
        table = Design(simulation[1]).pairs()
        rows = table[table.type.isin(types)] if types else table
        return self.of(*simulation, groups=rows["sample"] + rows.comparison)

    def short(self) -> pd.Series:
        """Return the shares of GPT's pairs below mastery after LS select-reject."""
        pairs = self.pairs("GPT", *_LS)
        return pairs[pairs < MASTERY]

    def node(self) -> pd.Series:
        """Return the shares of the node's reflexivity after MTO."""
        return self.every(groups=["AA"], structure="MTO")

    def agents(self, metric: str, **where: str) -> list[pd.Series]:
        """Return the shares of both agents, as `every` gives them."""
        return [self.every(metric, who=agent, **where) for agent in AGENTS]


def _cases(**where: str) -> list[tuple[str, ...]]:
    """Return the simulations that match, in the article's order."""
    names = ("who", "structure", "relation")
    return [case for case in SIMULATIONS if where.items() <= dict(zip(names, case, strict=True)).items()]


def claims(rows: pd.DataFrame, rule: str = "as published", preset: str = "paper") -> pd.DataFrame:
    """Return the article's claims about its simulations, each checked with result rows.

    Seeds of the rows, from `data.results.load`, are averaged. The article's answer ``rule`` is ``as published``.
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
    return judge(_CLAIMS, _runs(rows, rule, preset), _numbers)


def verdicts() -> pd.DataFrame:
    """Return what the printed tables and the runs that come with the package say to each claim: `stats.claims.survey`.

    Notes
    -----
    Runs ``as_published`` decide, for they have the article's size. Those of ``verified`` stand beside them: smaller
    networks with a shorter training, whose answer is the most probable of all, where the article draws one.

    Examples
    --------
    >>> table = verdicts().set_index("claim")
    >>> table.note["LS select-reject: BERT is slightly above GPT"]
    ''
    """
    as_published, verified = (
        evidence(shipped("equivalence", preset, profile), partial(_runs, rule=rule, preset=preset),
                 f"networks of {preset} size")
        for profile, rule, preset in (("as_published", "as published", "paper"), ("verified", "argmax", "lab"))
    )  # fmt: skip
    return survey(
        _CLAIMS, _numbers, printed=Evidence(_runs(result_rows())), as_published=as_published, verified=verified,
        first="as_published",
    )  # fmt: skip


def _runs(rows: pd.DataFrame, rule: str = "as published", preset: str = "paper") -> _Runs:
    return _Runs(means(rows, rule, preset))


def _numbers(shares: pd.Series) -> str:
    """Return shares with names: ``symmetry 0.941``, or with the number of a simulation, ``sim. 4 symmetry 0.941``."""
    return text(shares, ".3f", lambda *labels: ("sim. {} {}" if len(labels) > 1 else "{}").format(*labels))


def _bands(shares: pd.Series) -> set[str]:
    return {band(share, PER_PAIR) for share in shares}


def _against(shares: pd.Series) -> str:
    """Return BERT's share against GPT's, for pairs of simulations: GPT and BERT in turn."""
    return "; ".join(f"{bert:.3f} against {gpt:.3f}" for gpt, bert in zip(shares[::2], shares[1::2], strict=True))


def _stands_out(runs: _Runs) -> dict[str, tuple[float, pd.Series]]:
    """Return for each MTO simulation the node's reflexivity, and the highest of the other members."""
    pairs = {case: runs.pairs(*case, types=("reflexivity",)) for case in _cases(structure="MTO")}
    return {f"sim. {SIMULATIONS[case]} AA": (part["AA"], top(part.drop("AA"))) for case, part in pairs.items()}


def _symmetry(runs: _Runs) -> dict[str, tuple[float, pd.Series]]:
    """Return for each OTM simulation the share of symmetry, and the lowest of the other types."""
    types = {case: runs.of(*case) for case in _cases(structure="OTM")}
    return {
        f"sim. {SIMULATIONS[case]}": (part["symmetry"], bottom(part.drop("symmetry"))) for case, part in types.items()
    }


def _next(parts: dict[str, tuple[float, pd.Series]]) -> str:
    return "; ".join(f"{name} {share:.3f}, next {_numbers(other)}" for name, (share, other) in parts.items())


def _otm(runs: _Runs, metric: str) -> tuple[pd.Series, pd.Series]:
    """Return BERT's shares after OTM select-reject, and its highest after the other conditions, by group."""
    shares, rest = runs.of("BERT", *_OTM, metric=metric), runs.every(metric, who="BERT")
    return shares, rest.drop(SIMULATIONS["BERT", *_OTM], level=0)


def _elsewhere(parts: tuple[pd.Series, pd.Series]) -> str:
    return f"{_numbers(parts[0])}; highest elsewhere: {_numbers(top(parts[1]))}"


def _highest(parts: tuple[pd.Series, pd.Series]) -> bool:
    return (parts[0] > parts[1].groupby(level=1).max()[parts[0].index]).all()


def _ranges(shares: list[pd.Series]) -> str:
    gpt, bert = (part.to_numpy() for part in shares)
    ranges = (f"{agent} {part.min():.3f} to {part.max():.3f}" for agent, part in (("GPT", gpt), ("BERT", bert)))
    return f"{', '.join(ranges)}; higher in {(gpt > bert).sum()} of {len(gpt)}"


def _most_and_least(parts: tuple[pd.Series, pd.Series]) -> str:
    errors, hits = (top(parts[0]), bottom(parts[1]))
    texts = (f"sim. {part.index[0]}, {part.iat[0]:.3f}" for part in (errors, hits))
    return "most: {}; lowest accuracy: {}".format(*texts)


_CLAIMS = (
    Claim("in all twelve simulations more than 98 % of the trials of training are right", "Results", "lowest: {}",
          lambda runs: bottom(runs.every(groups=["trained"])), lambda lowest: lowest.min() > 0.98),
    Claim("both agents reach mastery in all derived types after LS select-reject, and nowhere else", "Results",
          lambda lowest: f"simulations {', '.join(map(str, lowest.index[lowest >= MASTERY])) or 'none'}",
          lambda runs: runs.every().groupby(level=0).min(),
          lambda lowest: [*lowest.index[lowest >= MASTERY]] == [SIMULATIONS[agent, *_LS] for agent in AGENTS]),
    Claim("elsewhere not one derived type reaches mastery", "Results", "highest: {}",
          lambda runs: top(runs.every().drop([SIMULATIONS[agent, *_LS] for agent in AGENTS], level=0)),
          lambda highest: highest.max() < MASTERY),
    Claim("LS select-reject: BERT is slightly above GPT", "Results", "BERT minus GPT: {}",
          lambda runs: runs.of("BERT", *_LS) - runs.of("GPT", *_LS), lambda lead: lead.min() > 0),
    Claim("over all conditions BERT has a slight edge", "4.4", "mean of its eighteen: {}",
          lambda runs: pd.Series({agent: runs.every(who=agent).mean() for agent in ("BERT", "GPT")}),
          lambda means: means["BERT"] > means["GPT"]),
    Claim("LS select-reject: BERT reaches mastery in every pair", "4.4.2",
          lambda pairs: f"lowest of {len(pairs)}: {_numbers(bottom(pairs))}; below .9: {(pairs < MASTERY).sum()}",
          lambda runs: runs.pairs("BERT", *_LS), lambda pairs: pairs.min() >= MASTERY),
    Claim("LS select-reject: GPT does not reach mastery in every pair", "4.2", "below .9: {}", _Runs.short, len),
    Claim("LS select-reject: GPT's pairs below mastery have A as comparison or G as sample", "4.2",
          lambda short: f"of {len(short)} pairs below .9, others: {_numbers(short.filter(regex='^[^G][^A]'))}",
          _Runs.short, lambda short: len(short) and short.filter(regex="^[^G][^A]").empty),
    Claim("LS select-reject: GPT's pairs below mastery are so only slightly", "4.2",
          lambda short: f"lowest: {_numbers(bottom(short))}" if len(short) else "none",
          _Runs.short, lambda short: len(short) and short.min() >= SOFT_MASTERY),
    Claim("LS select-reject: GPT passes symmetry and transitivity among members trained in both roles", "4.4.2",
          lambda inner: f"lowest of {len(inner)}: {_numbers(bottom(inner))}",
          lambda runs: runs.pairs("GPT", *_LS, types=("symmetry", "transitivity")).filter(regex="^[^AG]+$"),
          lambda inner: inner.min() >= MASTERY),
    Claim("LS select-reject: GPT's transitivity is worse against the order of training than along it", "4.4.2",
          lambda shares: "along it {:.3f}, against it {:.3f}".format(*shares),
          lambda runs: runs.of("GPT", *_LS, groups=("transitivity alone", "equivalence alone")),
          lambda shares: shares.iat[1] < shares.iat[0]),
    Claim("OTM select-reject: BERT's reflexivity and transitivity are above random and below soft mastery, its "
          "symmetry not", "Results", "{}", lambda runs: runs.of("BERT", *_OTM),
          lambda shares: [band(share, PER_PAIR) for share in shares] == ["above random", "random", "above random"]),
    Claim("MTO: reflexivity of the node lies between soft mastery and mastery in both agents", "Results", "{}",
          _Runs.node, lambda shares: _bands(shares) == {"soft mastery"}),
    Claim("MTO: there BERT is slightly above GPT", "Results", _against, _Runs.node,
          lambda shares: (shares[1::2].to_numpy() > shares[::2].to_numpy()).all()),
    Claim("MTO, later on: between soft mastery and mastery in simulations 6, 11 and 12", "4.2", "{}",
          lambda runs: runs.node().drop(_FIFTH, level=0), lambda shares: _bands(shares) == {"soft mastery"}),
    Claim("MTO, later on: above random in simulation 5", "4.2", lambda share: f"{share:.3f}",
          lambda runs: runs.node()[_FIFTH, "AA"], lambda share: band(share, PER_PAIR) == "above random"),
    Claim("MTO: the node's reflexivity stands out from that of the other members", "4.2", _next, _stands_out,
          lambda parts: all(node > other.iat[0] for node, other in parts.values())),
    Claim("select-only: all derived types lie below the random limit", "4.1", lambda r: f"highest: {_numbers(top(r))}",
          lambda runs: runs.every(relation="select-only"), lambda shares: _bands(shares) == {"random"}),
    Claim("simulation 6: they do so too, for all its reject relations", "4.1", "{}",
          lambda runs: runs.of("BERT", *_MTO), lambda shares: _bands(shares) == {"random"}),
    Claim("OTM and MTO: both agents fail the symmetry pairs", "4.4.2",
          lambda shares: f"highest of {len(shares)}: {_numbers(top(shares))}",
          lambda runs: pd.concat({number: runs.pairs(*case, types=("symmetry",))
                                  for case, number in SIMULATIONS.items() if case[1] != "LS"}),
          lambda shares: shares.max() < MASTERY),
    Claim("OTM: symmetry is the lowest of the derived types", "Table 1", _next, _symmetry,
          lambda parts: all(symmetry < other.iat[0] for symmetry, other in parts.values())),
    Claim("OTM select-only: symmetry is less than half of chance", "Table 1", "{}",
          lambda runs: runs.every(groups=["symmetry"], structure="OTM", relation="select-only"),
          lambda shares: shares.max() < CHANCE / 2),
    Claim("select-only: GPT hallucinates more than BERT", "Results", _ranges,
          lambda runs: runs.agents("hallucinations", relation="select-only"),
          lambda shares: (shares[0].to_numpy() > shares[1].to_numpy()).all()),
    Claim("OTM select-reject: BERT hallucinates more than GPT", "Results",
          lambda shares: "; ".join(f"{agent}: {_numbers(part)}" for agent, part in shares.items()),
          lambda runs: {agent: runs.of(agent, *_OTM, metric="hallucinations") for agent in ("BERT", "GPT")},
          lambda shares: (shares["BERT"] > shares["GPT"]).all()),
    Claim("BERT hallucinates most after OTM select-reject", "Results", _elsewhere,
          lambda runs: _otm(runs, "hallucinations"), _highest),
    Claim("OTM select-only: most wrong answers of GPT are hallucinations", "Results", "{}",
          lambda runs: runs.of("GPT", "OTM", "select-only", metric="hallucinations among errors"),
          lambda shares: shares.min() > 0.5),
    Claim("BERT's wrong answers are hallucinations most often after OTM select-reject", "Results", _elsewhere,
          lambda runs: _otm(runs, "hallucinations among errors"), _highest),
    Claim("hallucinations are most where accuracy is lowest: GPT after OTM select-only", "4.3", _most_and_least,
          lambda runs: tuple(runs.every(metric).groupby(level=0).mean() for metric in ("hallucinations", "accuracy")),
          lambda parts: parts[0].idxmax() == parts[1].idxmin() == SIMULATIONS["GPT", "OTM", "select-only"]),
)  # fmt: skip
