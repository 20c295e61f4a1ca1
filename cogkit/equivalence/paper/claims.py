"""The article's claims about its simulations, in our words, checked with result rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from cogkit.equivalence.paper.reported import GROUPS, PER_PAIR, means
from cogkit.equivalence.problems.records import CHANCE, STRUCTURES, Design
from cogkit.equivalence.scoring import MASTERY, SOFT_MASTERY, band

DERIVED = GROUPS[1:]
AGENTS = ("GPT", "BERT")
SIMULATIONS = {
    (who, structure, relation): number
    for number, (relation, structure, who) in enumerate(
        ((r, s, w) for r in ("select-reject", "select-only") for s in STRUCTURES for w in AGENTS), 1
    )
}
_LS, _OTM = ("LS", "select-reject"), ("OTM", "select-reject")


class _NotThere(LookupError):
    """A claim needs a number that the rows do not have."""


@dataclass(frozen=True)
class _Runs:
    """The means over seeds, by simulation and group."""

    means: Mapping[tuple[str, ...], float]

    def share(self, simulation: tuple[str, str, str], group: str, metric: str = "accuracy") -> float:
        try:
            return self.means[(*simulation, group, metric)]
        except KeyError:
            raise _NotThere(f"no {metric} of {group} in simulation {SIMULATIONS[simulation]}") from None

    def shares(self, simulation: tuple[str, str, str], metric: str = "accuracy", groups=DERIVED) -> dict[str, float]:
        return {group: self.share(simulation, group, metric) for group in groups}

    def every(self, metric: str = "accuracy", **where: str) -> dict[tuple[int, str], float]:
        """Return all shares of derived groups in matching simulations, by number of simulation and group."""
        return {
            (SIMULATIONS[case], group): share
            for case in _simulations(**where)
            for group, share in self.shares(case, metric).items()
        }


def _simulations(**where: str) -> list[tuple[str, str, str]]:
    """Return the simulations that match, such as ``structure="MTO"``, in the article's order."""
    names = ("who", "structure", "relation")
    return [case for case in SIMULATIONS if all(case[names.index(name)] == want for name, want in where.items())]


def claims(rows: pd.DataFrame, rule: str = "as published", preset: str = "paper") -> pd.DataFrame:
    """Return the article's claims about its simulations, each checked with result rows.

    Parameters
    ----------
    rows : DataFrame
        Result rows from `data.results.load`; seeds are averaged.
    rule : str
        The answer rule; the article's is ``as published``.
    preset : str
        The size of the runs.

    Returns
    -------
    DataFrame
        Columns claim, section (of the article), found, holds. If the rows lack a number that the claim needs, ``holds``
        is missing and ``found`` names the number. Bands and the random limit are those of the article.

    Notes
    -----
    Differs from the paper: its Results say that reflexivity of the MTO node is above soft mastery in both agents, but
    its Discussion says that simulation 5 is lower. Both claims are listed, and at most one can hold.

    Examples
    --------
    >>> from cogkit.equivalence.paper.reported import result_rows
    >>> found = claims(result_rows())  # the article's own tables; they print no number of a single pair
    >>> int(found.holds.sum()), int(found.holds.isna().sum())
    (16, 12)
    """
    runs, lines = _Runs(means(rows, rule, preset).to_dict()), []
    for sentence, section, check in _CLAIMS:
        try:
            text, holds = check(runs)
        except _NotThere as gap:
            text, holds = str(gap), None
        lines.append((sentence, section, text, holds))
    return pd.DataFrame(lines, columns=["claim", "section", "found", "holds"]).astype({"holds": "boolean"})


def _number(share: float) -> str:
    """Return a share in the article's format."""
    return f"{share:.3f}"


def _list(shares: dict) -> str:
    """Return shares with names, such as ``symmetry 0.941``, or with the number of a simulation first."""
    names = (key if isinstance(key, str) else f"sim. {key[0]} {key[1]}" for key in shares)
    return ", ".join(f"{name} {_number(share)}" for name, share in zip(names, shares.values(), strict=True)) or "none"


def _most(shares: dict, pick: Callable = max) -> dict:
    """Return only the highest share, or with ``min`` the lowest."""
    key = pick(shares, key=shares.get)
    return {key: shares[key]}


def _bands(shares: dict) -> set[str]:
    return {band(share, PER_PAIR) for share in shares.values()}


def _baseline(runs: _Runs):
    shares = {(number, "trained"): runs.share(case, "trained") for case, number in SIMULATIONS.items()}
    return f"lowest: {_list(_most(shares, min))}", min(shares.values()) > 0.98


def _only_ls(runs: _Runs):
    numbers = [number for case, number in SIMULATIONS.items() if min(runs.shares(case).values()) >= MASTERY]
    target = [SIMULATIONS[(agent, *_LS)] for agent in AGENTS]
    return f"simulations {', '.join(map(str, numbers)) or 'none'}", numbers == target


def _nothing_else(runs: _Runs):
    ls = {SIMULATIONS[(agent, *_LS)] for agent in AGENTS}
    shares = {key: share for key, share in runs.every().items() if key[0] not in ls}
    return f"highest: {_list(_most(shares))}", max(shares.values()) < MASTERY


def _bert_above_gpt(runs: _Runs):
    gpt, bert = (runs.shares((agent, *_LS)) for agent in AGENTS)
    ahead = {group: bert[group] - gpt[group] for group in DERIVED}
    return f"BERT minus GPT: {_list(ahead)}", min(ahead.values()) > 0


def _slight_edge(runs: _Runs):
    gpt, bert = (pd.Series(runs.every(who=agent)).mean() for agent in AGENTS)
    return f"mean of its eighteen: BERT {_number(bert)}, GPT {_number(gpt)}", bert > gpt


def _pairs(runs: _Runs, simulation: tuple[str, str, str], *types: str) -> dict[str, float]:
    """Return the shares of pairs of members, for some types or all."""
    table = Design(simulation[1]).pairs()
    rows = table[table.type.isin(types)] if types else table
    return runs.shares(simulation, groups=rows["sample"] + rows.comparison)


def _bert_every_pair(runs: _Runs):
    pairs = _pairs(runs, ("BERT", *_LS))
    short = sum(share < MASTERY for share in pairs.values())
    return f"lowest of {len(pairs)}: {_list(_most(pairs, min))}; below .9: {short}", short == 0


def _short(runs: _Runs) -> dict[str, float]:
    pairs = _pairs(runs, ("GPT", *_LS))
    return {pair: share for pair, share in pairs.items() if share < MASTERY}


def _gpt_not_every_pair(runs: _Runs):
    short = _short(runs)
    return f"below .9: {_list(short)}", bool(short)


def _gpt_where(runs: _Runs):
    short = _short(runs)
    strange = {pair: share for pair, share in short.items() if pair[0] != "G" and pair[1] != "A"}
    return f"of {len(short)} pairs below .9, others: {_list(strange)}", bool(short) and not strange


def _gpt_slightly(runs: _Runs):
    short = _short(runs)
    if not short:
        return "none", False
    return f"lowest: {_list(_most(short, min))}", min(short.values()) >= SOFT_MASTERY


def _gpt_both_roles(runs: _Runs):
    pairs = _pairs(runs, ("GPT", *_LS), "symmetry", "transitivity")
    inner = {pair: share for pair, share in pairs.items() if not set(pair) & set("AG")}
    return f"lowest of {len(inner)}: {_list(_most(inner, min))}", min(inner.values()) >= MASTERY


def _gpt_reversed(runs: _Runs):
    along, against = (runs.share(("GPT", *_LS), f"{name} alone") for name in ("transitivity", "equivalence"))
    return f"along it {_number(along)}, against it {_number(against)}", against < along


def _bert_otm(runs: _Runs):
    shares = runs.shares(("BERT", *_OTM))
    bands = {group: band(share, PER_PAIR) for group, share in shares.items()}
    target = {"reflexivity": "above random", "symmetry": "random", "transitivity": "above random"}
    return _list(shares), bands == target


def _node(runs: _Runs) -> dict[tuple[int, str], float]:
    return {(SIMULATIONS[case], "AA"): runs.share(case, "AA") for case in _simulations(structure="MTO")}


def _node_soft(runs: _Runs):
    shares = {key: share for key, share in _node(runs).items() if key[0] != SIMULATIONS["GPT", "MTO", "select-reject"]}
    return _list(shares), _bands(shares) == {"soft mastery"}


def _node_fifth(runs: _Runs):
    share = _node(runs)[SIMULATIONS["GPT", "MTO", "select-reject"], "AA"]
    return _number(share), band(share, PER_PAIR) == "above random"


def _node_all(runs: _Runs):
    shares = _node(runs)
    return _list(shares), _bands(shares) == {"soft mastery"}


def _node_bert(runs: _Runs):
    shares = list(_node(runs).values())
    pairs = list(zip(shares[::2], shares[1::2], strict=True))  # GPT and BERT in turn
    text = "; ".join(f"{_number(bert)} against {_number(gpt)}" for gpt, bert in pairs)
    return text, all(bert > gpt for gpt, bert in pairs)


def _node_stands_out(runs: _Runs):
    highest, texts = True, []
    for simulation in _simulations(structure="MTO"):
        pairs = _pairs(runs, simulation, "reflexivity")
        node = pairs.pop("AA")
        highest &= node > max(pairs.values())
        texts.append(f"sim. {SIMULATIONS[simulation]} AA {_number(node)}, next {_list(_most(pairs))}")
    return "; ".join(texts), highest


def _select_only(runs: _Runs):
    shares = runs.every(relation="select-only")
    return f"highest: {_list(_most(shares))}", _bands(shares) == {"random"}


def _sixth(runs: _Runs):
    shares = runs.shares(("BERT", "MTO", "select-reject"))
    return _list(shares), _bands(shares) == {"random"}


def _symmetry_pairs(runs: _Runs):
    shares = {
        (SIMULATIONS[case], pair): share
        for case in SIMULATIONS
        if case[1] != "LS"
        for pair, share in _pairs(runs, case, "symmetry").items()
    }
    return f"highest of {len(shares)}: {_list(_most(shares))}", max(shares.values()) < MASTERY


def _otm_symmetry(runs: _Runs):
    lowest, texts = True, []
    for simulation in _simulations(structure="OTM"):
        shares = runs.shares(simulation)
        symmetry = shares.pop("symmetry")
        lowest &= symmetry < min(shares.values())
        texts.append(f"sim. {SIMULATIONS[simulation]} {_number(symmetry)}, next {_list(_most(shares, min))}")
    return "; ".join(texts), lowest


def _otm_far_below(runs: _Runs):
    shares = runs.every(structure="OTM", relation="select-only")
    symmetry = {key: share for key, share in shares.items() if key[1] == "symmetry"}
    return _list(symmetry), max(symmetry.values()) < CHANCE / 2


def _gpt_hallucinates(runs: _Runs):
    gpt, bert = (list(runs.every("hallucinations", who=agent, relation="select-only").values()) for agent in AGENTS)
    ahead = sum(a > b for a, b in zip(gpt, bert, strict=True))
    ranges = (f"{agent} {_number(min(part))} to {_number(max(part))}" for agent, part in (("GPT", gpt), ("BERT", bert)))
    return f"{', '.join(ranges)}; higher in {ahead} of {len(gpt)}", ahead == len(gpt)


def _bert_otm_hallucinates(runs: _Runs):
    gpt, bert = (runs.shares((agent, *_OTM), "hallucinations") for agent in AGENTS)
    return f"BERT: {_list(bert)}; GPT: {_list(gpt)}", all(bert[group] > gpt[group] for group in DERIVED)


def _highest_in_otm(metric: str) -> Callable:
    def asked(runs: _Runs):
        shares, rest = runs.shares(("BERT", *_OTM), metric), runs.every(metric, who="BERT")
        rest = {key: share for key, share in rest.items() if key[0] != SIMULATIONS[("BERT", *_OTM)]}
        ahead = all(share > max(s for (_, g), s in rest.items() if g == group) for group, share in shares.items())
        return f"{_list(shares)}; highest elsewhere: {_list(_most(rest))}", ahead

    return asked


def _gpt_errors(runs: _Runs):
    shares = runs.shares(("GPT", "OTM", "select-only"), "hallucinations among errors")
    return _list(shares), min(shares.values()) > 0.5


def _most_and_least(runs: _Runs):
    hits, errors = (pd.Series(runs.every(metric)).groupby(level=0).mean() for metric in ("accuracy", "hallucinations"))
    top, bottom = errors.idxmax(), hits.idxmin()
    text = f"most: sim. {top}, {_number(errors[top])}; lowest accuracy: sim. {bottom}, {_number(hits[bottom])}"
    return text, top == bottom == SIMULATIONS["GPT", "OTM", "select-only"]


_RESULTS = "Results"
_CLAIMS = (
    ("in all twelve simulations more than 98 % of the trials of training are right", _RESULTS, _baseline),
    ("both agents reach mastery in all derived types after LS select-reject, and nowhere else", _RESULTS, _only_ls),
    ("elsewhere not one derived type reaches mastery", _RESULTS, _nothing_else),
    ("LS select-reject: BERT is slightly above GPT", _RESULTS, _bert_above_gpt),
    ("over all conditions BERT has a slight edge", "4.4", _slight_edge),
    ("LS select-reject: BERT reaches mastery in every pair", "4.4.2", _bert_every_pair),
    ("LS select-reject: GPT does not reach mastery in every pair", "4.2", _gpt_not_every_pair),
    ("LS select-reject: GPT's pairs below mastery have A as comparison or G as sample", "4.2", _gpt_where),
    ("LS select-reject: GPT's pairs below mastery are so only slightly", "4.2", _gpt_slightly),
    ("LS select-reject: GPT passes symmetry and transitivity among members trained in both roles", "4.4.2",
     _gpt_both_roles),
    ("LS select-reject: GPT's transitivity is worse against the order of training than along it", "4.4.2",
     _gpt_reversed),
    ("OTM select-reject: BERT's reflexivity and transitivity are above random and below soft mastery, its symmetry not",
     _RESULTS, _bert_otm),
    ("MTO: reflexivity of the node lies between soft mastery and mastery in both agents", _RESULTS, _node_all),
    ("MTO: there BERT is slightly above GPT", _RESULTS, _node_bert),
    ("MTO, later on: between soft mastery and mastery in simulations 6, 11 and 12", "4.2", _node_soft),
    ("MTO, later on: above random in simulation 5", "4.2", _node_fifth),
    ("MTO: the node's reflexivity stands out from that of the other members", "4.2", _node_stands_out),
    ("select-only: all derived types lie below the random limit", "4.1", _select_only),
    ("simulation 6: they do so too, for all its reject relations", "4.1", _sixth),
    ("OTM and MTO: both agents fail the symmetry pairs", "4.4.2", _symmetry_pairs),
    ("OTM: symmetry is the lowest of the derived types", "Table 1", _otm_symmetry),
    ("OTM select-only: symmetry is less than half of chance", "Table 1", _otm_far_below),
    ("select-only: GPT hallucinates more than BERT", _RESULTS, _gpt_hallucinates),
    ("OTM select-reject: BERT hallucinates more than GPT", _RESULTS, _bert_otm_hallucinates),
    ("BERT hallucinates most after OTM select-reject", _RESULTS, _highest_in_otm("hallucinations")),
    ("OTM select-only: most wrong answers of GPT are hallucinations", _RESULTS, _gpt_errors),
    ("BERT's wrong answers are hallucinations most often after OTM select-reject", _RESULTS,
     _highest_in_otm("hallucinations among errors")),
    ("hallucinations are most where accuracy is lowest: GPT after OTM select-only", "4.3", _most_and_least),
)  # fmt: skip
