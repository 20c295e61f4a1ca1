"""The article's claims about its results, in our words, tested on result rows (Nie et al. 2020, § 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from cogkit.bongard.paper.reported import key
from cogkit.bongard.problems.sets import ABLATION, TESTS

MEMORY, METRIC, OPTIMISATION = ("SNAIL",), ("ProtoNet",), ("MetaOptNet", "ANIL")
BASELINES = ("Meta-Baseline-SC", "Meta-Baseline-MoCo")
META = (*MEMORY, *METRIC, *OPTIMISATION, *BASELINES)
NOT_META = ("WReN-Bongard", "CNN-Baseline")
METHODS = (*META, *NOT_META)  # of Table 1
SYMBOLS = "Meta-Baseline-PS"
PEOPLE = ("experts", "amateurs")
ABSTRACT = ("CM", "NV")
SIZED, ALPHAS = ("ProtoNet", "Meta-Baseline-SC"), (1, 2, 4, 8, 16)  # of Fig. 5
_MARGIN = 0.05  # the difference that "only marginally", "around" and "similarly" allow here
_POINT = 0.01


class _NotThere(LookupError):
    """The rows do not contain a number that a claim needs."""


@dataclass(frozen=True)
class _Shares:
    """The means over seeds, by player and task, and the printed spread."""

    means: Mapping[tuple[str, str], float]
    spreads: Mapping[tuple[str, str], float]

    def __call__(self, who: str, task: str) -> float:
        try:
            return self.means[key(who), task]
        except KeyError:
            raise _NotThere(f"no {task} of {who}") from None

    def all(self, whos: Sequence[str], *tasks: str) -> dict[tuple[str, str], float]:
        return {(name, task): self(name, task) for name in whos for task in tasks}

    def tests(self, who: str) -> dict[str, float]:
        return {task: self(who, task) for task in TESTS}

    def spread(self, who: str, task: str) -> float:
        try:
            return self.spreads[key(who), task]
        except KeyError:
            raise _NotThere(f"no spread of {who} on {task}") from None


def claims(rows: pd.DataFrame, metric: str = "accuracy") -> pd.DataFrame:
    """Return the article's claims about its results, each tested on result rows.

    Parameters
    ----------
    rows : DataFrame
        Result rows of one preset and profile, as `data.results.load` or `reported.result_rows` give them. Seeds are
        averaged. Methods and groups of people have the names of the article.
    metric : str
        ``accuracy``, or ``accuracy, as published``. Rows of people always have ``accuracy``.

    Returns
    -------
    DataFrame
        Columns claim, section (of the article), found, holds. ``holds`` is missing where the rows lack a number that
        the claim needs; ``found`` then says which number.

    Notes
    -----
    Differs from the paper: its own tables do not support everything that it says. Among the methods that learn to
    learn, Meta-Baseline-MoCo loses most from training to tests, not the optimisation methods. On NV, Meta-Baseline-PS
    is above amateurs. The words around, marginally and much mean five points here, and half of that for means over
    tests. The words as good as others mean one point.

    Examples
    --------
    >>> from cogkit.bongard.paper.reported import result_rows
    >>> told = claims(result_rows())  # the last three are of figures and words without a number
    >>> int(told.holds.sum()), told.holds.isna().tolist()[-4:]
    (27, [False, True, True, True])
    """
    shares, records = _shares(rows, metric), []
    for sentence, section, test in _CLAIMS:
        try:
            text, holds = test(shares)
        except _NotThere as gap:
            text, holds = str(gap), None
        records.append((sentence, section, text, holds))
    return pd.DataFrame(records, columns=["claim", "section", "found", "holds"]).astype({"holds": "boolean"})


def sized(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the agents in the article's Fig. 5, for all widths of their backbones.

    Parameters
    ----------
    rows : DataFrame
        Result rows. A name such as ``ProtoNet, α = 16`` marks a narrower agent than that of the preset. The source of
        the rows of plain ``ProtoNet`` gives its width.

    Returns
    -------
    DataFrame
        Two more columns: model, one of `SIZED`, and alpha, the divisor of the widths.
    """
    parts = rows.who.str.extract(r"^(?P<model>.+?)(?:, α = (?P<alpha>\d+))?$")
    parts["alpha"] = parts.alpha.fillna(rows.source.str.extract(r"\bα = (\d+)")[0])
    table = rows.assign(**parts)[parts.model.isin(SIZED) & parts.alpha.notna()]
    return table.astype({"alpha": int})


def _shares(rows: pd.DataFrame, metric: str) -> _Shares:
    plain = sized(rows)
    plain = plain[plain.who == plain.model]
    rows = pd.concat([rows, plain.assign(who=plain.who + ", α = " + plain.alpha.astype(str))])
    table = rows[(rows.metric == metric) | ((rows.kind == "person") & (rows.metric == "accuracy"))]
    table = table[table.value.notna()].assign(who=table.who.map(key), reach=table.value - table.low)
    groups = table.groupby(["who", "task"])
    return _Shares(groups.value.mean().to_dict(), groups.reach.mean().dropna().to_dict())


def _points(share: float) -> str:
    """Return a share, or a difference of two, in per cent, as the article prints it."""
    return f"{100 * share:.1f}"


def _list(shares: Mapping) -> str:
    """Return shares with their names, such as ``FF 66.3, BA 73.3``."""
    names = (name if isinstance(name, str) else " ".join(name) for name in shares)
    return ", ".join(f"{name} {_points(share)}" for name, share in zip(names, shares.values(), strict=True)) or "none"


def _best(shares: Mapping, pick: Callable = max) -> Mapping:
    """Return only the highest share, or with ``min`` the lowest."""
    name = pick(shares, key=shares.get)
    return {name: shares[name]}


def _of_people(task: str) -> str:
    """Return the task of people that corresponds to one of the tests."""
    return "abstract" if task in ABSTRACT else task


def _types(shares: _Shares, who: str) -> dict[str, float]:
    return {task: shares(who, task) for task in ("FF", "BA", "abstract")}


def _lead(shares: _Shares, people: str, methods: Sequence[str]) -> dict[str, float]:
    """Return the lead of people over the best of some methods, for each test."""
    best = {task: max(shares.all(methods, task).values()) for task in TESTS}
    return {task: shares(people, _of_people(task)) - share for task, share in best.items()}


def _gap(shares: _Shares, who: str) -> float:
    """Return the share in training minus the mean of the tests."""
    return shares(who, "train") - sum(shares.tests(who).values()) / len(TESTS)


def _experts_above(shares: _Shares):
    experts, amateurs = (_types(shares, group) for group in PEOPLE)
    lead = {task: experts[task] - amateurs[task] for task in experts}
    return f"experts less amateurs: {_list(lead)}", min(lead.values()) > 0


def _experts_vary_less(shares: _Shares):
    experts, amateurs = ({task: shares.spread(group, task) for task in ("FF", "BA", "abstract")} for group in PEOPLE)
    text = f"half-widths of intervals: experts {_list(experts)}; amateurs {_list(amateurs)}"
    return text, all(experts[task] < amateurs[task] for task in experts)


def _most_on_abstract(shares: _Shares):
    experts, amateurs = (_types(shares, group) for group in PEOPLE)
    lead = {task: experts[task] - amateurs[task] for task in experts}
    return _list(lead), max(lead, key=lead.__getitem__) == "abstract"


def _people_above(people: str, *methods: str) -> Callable:
    def asked(shares: _Shares):
        lead = _lead(shares, people, methods)
        return f"{people} less the best: {_list(lead)}", min(lead.values()) > 0

    return asked


def _perfect_on_basic(shares: _Shares):
    share = shares("experts", "BA")
    return _points(share), share > 0.99


def _experts_elsewhere(shares: _Shares):
    values = shares.all(PEOPLE[:1], "FF", "abstract")
    return _list(values), min(values.values()) > 0.9


def _best_on_basic(shares: _Shares):
    best = _best(shares.all(METHODS, "BA"))
    return _list(best), abs(max(best.values()) - 0.70) <= _MARGIN


def _best_elsewhere(shares: _Shares):
    best = _best(shares.all(METHODS, "FF", *ABSTRACT))
    return f"highest: {_list(best)}", max(best.values()) <= 0.65 + _MARGIN


def _meta_above(shares: _Shares):
    bar = {task: max(shares.all(NOT_META, task).values()) for task in TESTS}
    above = [method for method in META if all(share > bar[task] for task, share in shares.tests(method).items())]
    return f"on every test: {len(above)} of {len(META)}", len(above) > len(META) / 2


def _wren_overfits(shares: _Shares):
    gaps = {method: _gap(shares, method) for method in METHODS}
    return f"training less tests: {_list(gaps)}", max(gaps, key=gaps.__getitem__) == "WReN-Bongard"


def _wren_at_chance(shares: _Shares):
    tests = shares.tests("WReN-Bongard")
    return _list(tests), max(tests.values()) <= 0.5 + _MARGIN


def _moco_trains_best(shares: _Shares):
    best = _best(shares.all(METHODS, "train"))
    return f"highest: {_list(best)}", next(iter(best))[0] == "Meta-Baseline-MoCo"


def _moco_competes(shares: _Shares):
    behind = {task: max(shares.all(METHODS, task).values()) - shares("Meta-Baseline-MoCo", task) for task in TESTS}
    close = [task for task, gap in behind.items() if gap <= _POINT]
    return f"behind the best: {_list(behind)}", len(close) > len(TESTS) / 2


def _moco_gains(shares: _Shares):
    gain = {task: shares(BASELINES[1], task) - shares(BASELINES[0], task) for task in ("train", *TESTS)}
    return f"MoCo less SC: {_list(gain)}", max(gain, key=gain.__getitem__) == "train"


def _basic_above_abstract(shares: _Shares):
    leads = {method: shares(method, "BA") - max(shares.all([method], *ABSTRACT).values()) for method in META}
    much = [method for method, gap in leads.items() if gap > _MARGIN]
    return f"BA less the better of CM and NV: {_list(leads)}", len(much) > len(META) / 2


def _snail_abstract(shares: _Shares):
    tests = shares.tests("SNAIL")
    return _list(tests), tests["CM"] + tests["NV"] > tests["FF"] + tests["BA"]


def _protonet_alike(shares: _Shares):
    means = {method: sum(shares.tests(method).values()) / len(TESTS) for method in (*METRIC, *BASELINES)}
    return f"mean of the tests: {_list(means)}", max(means.values()) - min(means.values()) <= _MARGIN / 2


def _protonet_above(shares: _Shares):
    bar = {task: max(shares.all((*MEMORY, *OPTIMISATION), task).values()) for task in TESTS}
    lead = {task: share - bar[task] for task, share in shares.tests("ProtoNet").items()}
    return f"ProtoNet less the best of them: {_list(lead)}", min(lead.values()) > 0


def _optimisation_gap(shares: _Shares):
    gaps = {method: _gap(shares, method) for method in META}
    least = min(gaps[method] for method in OPTIMISATION)
    return f"training less tests: {_list(gaps)}", least > max(
        gaps[method] for method in META if method not in OPTIMISATION
    )


def _ablation_helps(shares: _Shares):
    better = [
        method
        for method in METHODS
        if all(shares(method, f"{ABLATION}/{task}") > shares(method, task) for task in ("train", "FF"))
    ]
    others = ", ".join(name for name in METHODS if name not in better) or "one"
    return f"{len(better)} of {len(METHODS)}; not {others}", len(better) >= 7


def _ablation_best(shares: _Shares):
    best = {f"{before}{task}": max(shares.all(METHODS, f"{before}{task}").values())
            for task in ("train", "FF") for before in ("", f"{ABLATION}/")}  # fmt: skip
    return _list(best), all(best[f"{ABLATION}/{task}"] > best[task] for task in ("train", "FF"))


def _ablation_wren(shares: _Shares):
    wren = shares("WReN-Bongard", f"{ABLATION}/FF")
    below = [method for method in META if shares(method, f"{ABLATION}/FF") < wren]
    return f"above {len(below)} of {len(META)}", len(below) > len(META) / 2


def _ablation_people(shares: _Shares):
    best = _best(shares.all(METHODS, f"{ABLATION}/FF"))
    lead = shares("experts", "FF") - max(best.values())
    return f"experts less the best: {_points(lead)}", lead > _MARGIN


def _symbols_best(shares: _Shares):
    tasks = ("train", *TESTS)
    lead = {task: shares(SYMBOLS, task) - max(shares.all(METHODS, task).values()) for task in tasks}
    return f"ahead of the best: {_list(lead)}", min(lead.values()) > 0


def _novel_is_easy(shares: _Shares):
    lead = {method: shares(method, "NV") - shares(method, "CM") for method in (*METHODS, SYMBOLS)}
    return f"NV less CM: {_list(lead)}", min(lead.values()) >= 0


def _backbone(shares: _Shares):
    values = shares.all(["ResNet-15"], "convex/test", "has_two_parts/test")
    return _list(values), min(values.values()) >= 1 - _MARGIN


def _by_width(shares: _Shares, who: str, *tasks: str) -> dict[int, float]:
    """Return the mean of some tasks for each available divisor of the widths."""
    names = {alpha: f"{who}, α = {alpha}" for alpha in ALPHAS}
    means = {
        alpha: sum(shares(name, task) for task in tasks) / len(tasks)
        for alpha, name in names.items()
        if all((key(name), task) in shares.means for task in tasks)
    }
    if len(means) < 2:
        raise _NotThere(f"no {tasks[0]} of {who} in two widths")
    return means


def _told(shares: Mapping[int, float]) -> str:
    return _list({f"α = {alpha}": share for alpha, share in shares.items()})


def _narrow_trains_worse(shares: _Shares):
    table = {method: _by_width(shares, method, "train") for method in SIZED}
    falling = all(sorted(means.values(), reverse=True) == list(means.values()) for means in table.values())
    return "; ".join(f"{method}: {_told(means)}" for method, means in table.items()), falling


def _protonet_minds_width(shares: _Shares):
    table = {method: list(_by_width(shares, method, *TESTS).values()) for method in SIZED}
    lost = {method: means[0] - means[-1] for method, means in table.items()}
    return f"mean of the tests, widest less narrowest: {_list(lost)}", lost[SIZED[0]] > lost[SIZED[1]]


def _mixture_helps(shares: _Shares):
    names = (SYMBOLS, f"{SYMBOLS}, L2")
    means = {method: sum(shares.tests(method).values()) / len(TESTS) for method in names}
    return f"mean of the tests: {_list(means)}", means[names[0]] > means[names[1]]


_RESULTS, _APPENDIX = "3.3", "Appendix C"
_CLAIMS = (
    ("experts are above amateurs on every type of problem", _RESULTS, _experts_above),
    ("experts vary less than amateurs on every type", _RESULTS, _experts_vary_less),
    ("the lead of experts over amateurs is largest on abstract problems", _RESULTS, _most_on_abstract),
    ("experts are above every method on every test", _RESULTS, _people_above("experts", *METHODS)),
    ("experts are right in more than 99 % of basic problems", _RESULTS, _perfect_on_basic),
    ("experts are right in more than 90 % of free-form and of abstract problems", _RESULTS, _experts_elsewhere),
    ("amateurs too are above every method on every test", "Table 1", _people_above("amateurs", *METHODS)),
    ("the best methods reach around 70 % on BA", _RESULTS, _best_on_basic),
    ("on FF, CM and NV all methods reach around 65 % or less", _RESULTS, _best_elsewhere),
    ("most methods that learn to learn are above those that do not, on every test", _RESULTS, _meta_above),
    ("WReN-Bongard overfits most", _RESULTS, _wren_overfits),
    ("WReN-Bongard's tests are only marginally above chance", _RESULTS, _wren_at_chance),
    ("Meta-Baseline-MoCo is best in training", _RESULTS, _moco_trains_best),
    ("Meta-Baseline-MoCo is as good as others or better on most tests", _RESULTS, _moco_competes),
    ("pre-training with MoCo helps training more than any test", _RESULTS, _moco_gains),
    ("most methods that learn to learn are much better on basic than on abstract problems", _RESULTS,
     _basic_above_abstract),
    ("SNAIL is better on abstract problems than on the others", _RESULTS, _snail_abstract),
    ("ProtoNet does as the Meta-Baselines do", _RESULTS, _protonet_alike),
    ("ProtoNet is above the methods of memory and of optimisation on every test", _RESULTS, _protonet_above),
    ("methods of optimisation lose more from training to tests than the others that learn to learn", _RESULTS,
     _optimisation_gap),
    ("NV, an attribute held out, is no harder than CM for any method", "3.2", _novel_is_easy),
    ("free-form alone: almost all methods do better in training and on FF", _APPENDIX, _ablation_helps),
    ("free-form alone: the best of training and the best of FF rise", _APPENDIX, _ablation_best),
    ("free-form alone: WReN-Bongard is above most methods that learn to learn", _APPENDIX, _ablation_wren),
    ("free-form alone: experts are still far above every method", _APPENDIX, _ablation_people),
    ("Meta-Baseline-PS is above every other method, in training and on every test", _APPENDIX, _symbols_best),
    ("experts are still above Meta-Baseline-PS on every test", _APPENDIX, _people_above("experts", SYMBOLS)),
    ("amateurs too are above Meta-Baseline-PS on every test", "Table 3", _people_above("amateurs", SYMBOLS)),
    ("the backbone alone tells convex and has_two_parts nearly perfectly", _APPENDIX, _backbone),
    ("training falls with the width of the backbone", _APPENDIX, _narrow_trains_worse),
    ("ProtoNet's tests suffer more from a narrow backbone than those of Meta-Baseline-SC", _APPENDIX,
     _protonet_minds_width),
    ("a mixture of Gaussians does better than squared error in Meta-Baseline-PS", _APPENDIX, _mixture_helps),
)  # fmt: skip
