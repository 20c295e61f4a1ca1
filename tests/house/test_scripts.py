"""What the scripts of widgets keep to, so that they run in every front end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cogkit.ui import theme

PACKAGE = Path(__file__).resolve().parents[2] / "cogkit"
SCRIPTS = sorted(PACKAGE.glob("*/**/static/*.js"))
EXTENSIONS = PACKAGE / "app" / "jupyter" / "labextensions" / "@cogkit"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_events_are_heard_one_by_one(path):
    """`model.on("change:a change:b", …)` and `model.off(null, …)` fail in marimo, or end too much."""
    calls = re.findall(r"\bmodel\s*\.\s*(?:on|off)\s*\(([^,)]*)", path.read_text())
    one_by_one = ["`change:${name}`"] * 2 + ['"change:woken"'] * 2
    assert calls == one_by_one * (path.name == "base.js")


@pytest.mark.parametrize("name", ["figures", "place", "widgets"])
def test_an_extension_is_what_jupyterlab_loads(name):
    package = json.loads((EXTENSIONS / name / "package.json").read_text())
    script = (EXTENSIONS / name / package["jupyterlab"]["_build"]["load"]).read_text()
    assert package["name"] == f"@cogkit/{name}" and f'_JUPYTERLAB["{package["name"]}"]' in script
    assert sorted(path.name for path in EXTENSIONS.iterdir()) == ["figures", "place", "widgets"]


def test_the_extension_of_figures_knows_every_grey():
    script = (EXTENSIONS / "figures" / "static" / "figures.js").read_text()
    assert f'MARK = "{theme.TEMPLATE.layout.meta}"' in script
    for grey in (theme.INK, theme.QUIET, theme.HAIRLINE, theme.COVERED, theme.TEMPLATE.layout.yaxis.gridcolor):
        assert f'"{grey}": ' in script
    assert theme.BLACK not in script and theme.WHITE not in script  # they stay as they are
