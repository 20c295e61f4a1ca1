"""The first code cell of every notebook: it installs cogkit on Colab and Kaggle, and does nothing elsewhere."""

from __future__ import annotations

import importlib.util
import json
from types import SimpleNamespace

import pytest

from cogkit.app import notebooks


def install(monkeypatch, *variables: str) -> list:
    """Run the cell as if cogkit were missing; return the magics that it calls."""
    path = notebooks.source() / "00_start_here.ipynb"
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells[0]["id"] == "install" and cells[0]["metadata"]["jupyter"]["source_hidden"]
    called: list = []
    for name in ("COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"):
        monkeypatch.delenv(name, raising=False)
    for name in variables:
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shell = SimpleNamespace(run_line_magic=lambda *magic: called.append(magic))
    exec("".join(cells[0]["source"]), {"get_ipython": lambda: shell})
    return called


def test_elsewhere_it_does_nothing(monkeypatch):
    assert install(monkeypatch) == []


@pytest.mark.parametrize("variable", ["COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"])
@pytest.mark.parametrize("inside", ["notebooks", "."])
def test_there_it_installs_the_folder_that_lies_around_it_or_beside(monkeypatch, tmp_path, variable, inside):
    for name, folder in (("other", tmp_path / "a"), ("cogkit", tmp_path / "cogkit main")):
        (folder / "notebooks").mkdir(parents=True)
        (folder / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
    monkeypatch.chdir(tmp_path / "cogkit main" / inside)
    assert install(monkeypatch, variable) == [("pip", f"install -q '{tmp_path / 'cogkit main'}'")]
