"""The two notebooks of Bongard-LOGO do nothing for their reader: no answer, no move, no training before Start."""

from __future__ import annotations

import json
import re

import pytest

from cogkit.app import notebooks

PATHS = {path.stem[:2]: path for path in notebooks.find()}


def cells(number: str) -> list[str]:
    """Return the source of each code cell but the one that installs cogkit."""
    all_cells = json.loads(PATHS[number].read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in all_cells if cell["cell_type"] == "code" and cell["id"] != "install"]


def run(number: str, *beginnings: str) -> tuple[dict, list]:
    """Run the parameters, the imports and the cells that begin so; return the names and what was displayed."""
    sources, outputs = cells(number), []
    names = {"display": lambda *objects: outputs.extend(objects), "__name__": "__main__"}
    wanted = [next(source for source in sources if source.startswith(beginning)) for beginning in beginnings]
    for source in (*sources[:2], *wanted):
        *lines, last = source.splitlines()
        value = last.startswith(("figures.", "folded("))
        exec("\n".join(lines if value else [*lines, last]), names)
        if value:
            outputs.append(eval(last, names))
    return names, outputs


@pytest.mark.usefixtures("mirror")
def test_the_concepts_wait_in_a_closed_fold():
    names, outputs = run("05", "made = sets.one_of_each")
    concepts = [names["figures"].style.concept(problem) for problem in names["made"].values()]
    *sheets, fold = outputs
    assert len(sheets) == len(concepts) == 3
    for text in (*map(repr, outputs), *(sheet._repr_html_() for sheet in sheets)):
        assert not any(concept in text for concept in concepts)
    assert all(concept in fold._repr_html_() for concept in concepts) and " open>" not in fold._repr_html_()


@pytest.mark.parametrize(("number", "names"), [("05", ("task", "browser", "turtle", "builder")), ("06", ())])
def test_demonstrations_leave_the_readers_own_widgets_alone(number, names):
    for name in names:
        (own,) = [k for k, source in enumerate(cells(number)) if source.startswith(f"{name} = ")]
        assert cells(number)[own].splitlines()[-1] == name  # the cell shows it, and no later one touches it
        assert not any(re.search(rf"(?<![.\w]){name}\.", source) for source in cells(number)[own + 1 :])


def test_nothing_is_trained_or_kept_before_start():
    sources = cells("06")
    assert not any("panel.train(" in source or "panel.start(" in source for source in sources)
    (cell,) = [source for source in sources if "results.keep" in source]
    last = [line for line in cell.partition("results.keep")[0].splitlines() if not line.startswith(" ")][-1]
    assert last.startswith("if panel.trained:")


@pytest.mark.parametrize("number", ["05", "06"])
def test_at_most_three_tables_are_open(number):
    assert sum(line.startswith("figures.readable(") for source in cells(number) for line in source.splitlines()) <= 3
