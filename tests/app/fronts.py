"""The same items in three places, each as one content: in a sitting, on a page, and for a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import studied

from cogkit.bongard.views.solve import uri
from cogkit.core import registry
from cogkit.extras.models import asking
from cogkit.extras.online import page
from cogkit.mewl.views import pictures
from cogkit.study.sitting import Sitting
from cogkit.study.trials import Trials

SEED = 4


class Front(NamedTuple):
    """How the same item looks in three places, as one content: in a sitting, on a page, and for a model."""

    tasks: tuple[str, ...]  # that make up a sitting
    condition: str  # of the web study
    sat: Callable[[Any], Any]
    paged: Callable[[dict], Any]
    model_view: Callable[[Any], Any]


@cache
def _drawn(scene) -> str:
    return pictures.uri(pictures.sharp(scene))


def _scenes(trial) -> list:
    return [list(map(_drawn, trial.scenes)), list(trial.utterances), list(trial.options)]


def _sides(problem) -> list:
    return [[uri(picture) for picture in side] for side in problem.sides]


def _unturned(item: dict) -> list:
    """The two sides of a problem on a page: six pictures each, then its query."""
    queries = dict(zip(item["sides"], item["pictures"][2], strict=True))
    return [[*item["pictures"][side], queries[side]] for side in (0, 1)]


FRONTS = {
    "tiles": Front(
        ("copy/abstract",), "copy/abstract",
        lambda item: [item[0].ravel().tolist(), int(item[1])],
        lambda item: [[int(tile) for tile in item["board"]], item["start"]],
        lambda items: [items.boards[0].ravel().tolist(), int(items.starts[0])],
    ),
    "bongard": Front(
        ("FF", "BA", "CM", "NV"), "verified",
        lambda item: _sides(item.problem), _unturned, lambda problems: _sides(problems[0]),
    ),
    "mewl": Front(
        ("shape",), "shape",
        lambda item: _scenes(item.trial),
        lambda item: [item["pictures"], item["names"], item["options"]],
        lambda episodes: _scenes(episodes[0].trial),
    ),
    "equivalence": Front(
        ("LS/select-reject/standard",), "LS/select-reject/standard",
        lambda trial: trial.tokens[0, :4].tolist(),
        lambda item: item["cards"],
        lambda trials: trials.tokens[0, :4].tolist(),
    ),
}  # fmt: skip


def digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def sat(name: str, folder) -> Sitting:
    """Return the whole study of an instrument, as a person sits it."""
    study = registry.part("online", name).study().study(FRONTS[name].condition, None)
    return Sitting.begin(study, SEED, Trials(folder / "trials.sqlite"), who="p-1")


def check(name: str, folder, prompted: Callable[[asking.Asking], list[tuple[int, str]]]) -> None:
    """Check that a person, a page and a model get the same items; ``prompted`` says what a model is asked of each."""
    front, web, sitting = FRONTS[name], registry.part("online", name).study(), sat(name, folder)
    of_person = [digest(front.sat(sitting.items[k])) for k in sitting.order]
    options = {"condition": front.condition, "seed": SEED, "forms": 1, "jspsych": studied.package()}
    out = page.make(folder / "page", web, name, **options)
    form = studied.in_script(out / "forms" / "000.js")
    of_page = [digest(front.paged(form["items"][k])) for k in sitting.order]
    assert of_page == of_person and form["hash"] == sitting.item_set

    checks = {digest(front.sat(sitting.items[k])) for k in sitting.study.checks}
    of_model = []
    for task in front.tasks:
        what = asking.Asking(f"{name}/{task}", seed=SEED, sitting=True)
        items = asking.asked_items(what)
        for item, text in prompted(what):
            single = items[item : item + 1]
            assert text == asking.prompts(what, single)[0].text
            of_model.append(digest(front.model_view(single)))
    assert sorted(of_model) == sorted(each for each in of_person if each not in checks)
    assert len(of_model) == len(of_person) - len(sitting.study.checks)
