"""Binder gets what pyproject.toml asks for, from a file that it really reads."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

CONDA_NAMES = {"torch": "pytorch-cpu"}
# repo2docker's frozen base for Python 3.11: ranges must hold it, or Binder solves the image anew. Its
# ipykernel 7.0.1 is left out: before 7.4 a request that comes while an answer leaves is now and then never read.
BINDER_BASE = {"python": "3.11.14", "jupyterlab": "4.4.9", "ipywidgets": "8.1.7"}


def specifier(text: str) -> SpecifierSet:
    """Return a conda range as a Python one; conda's single ``=`` is Python's ``==…*``."""
    return SpecifierSet(re.sub(r"^=([\d.]+)$", r"==\1.*", text))


@pytest.fixture(scope="module")
def environment(root) -> dict:
    return yaml.safe_load((root / "environment.yml").read_text())


@pytest.fixture(scope="module")
def ranges(environment) -> dict[str, str]:
    return {re.split(r"[<>=!~ ]", line)[0]: line for line in environment["dependencies"]}


@pytest.fixture(scope="module")
def project(root) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


def test_binder_reads_the_same_environment(root, environment):
    assert yaml.safe_load((root / "binder" / "environment.yml").read_text()) == environment


def test_every_dependency_has_the_same_range(ranges, project):
    requirements = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    expected = {line.name: line.specifier for line in map(Requirement, requirements)}
    pins = {name: specifier(line.removeprefix(name)) for name, line in ranges.items()}
    python = pins.pop("python")
    assert pins.pop("pip") == SpecifierSet()
    assert pins == {CONDA_NAMES.get(name, name): limits for name, limits in expected.items()}
    assert SpecifierSet(project["requires-python"]).contains("3.11") and python == SpecifierSet("==3.11.*")


def test_ranges_hold_binders_own_base(ranges):
    for name, version in BINDER_BASE.items():
        assert specifier(ranges[name].removeprefix(name)).contains(version), name


def test_nothing_local_and_no_exact_pin(environment, ranges):
    assert all(isinstance(line, str) for line in environment["dependencies"])  # a pip section would be a mapping
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert [line for name, line in ranges.items() if "==" in line] == []


def test_the_lowest_versions_are_those_that_the_project_allows(root, project):
    done = subprocess.run([sys.executable, root / ".ci/lowest.py"], capture_output=True, text=True, check=True)
    *lines, _ = done.stdout.splitlines()  # the last is about a tool of the tests
    lowest = dict(line.split("==") for line in lines)
    for line in map(Requirement, project["dependencies"]):
        assert lowest[line.name] in line.specifier, line
        assert [each.version for each in line.specifier if each.operator == ">="] == [lowest[line.name]], line


def test_post_build_installs_the_package_alone(root):
    lines = (root / "binder" / "postBuild").read_text().splitlines()
    assert "python -m pip install --no-deps -e ." in lines
    assert any(line.startswith("cogkit warm") for line in lines)
    copied = [line.split()[2] for line in lines if line.startswith("cp -r ")]
    assert sorted(copied) == sorted(str(path.relative_to(root)) for path in (root / "cogkit/app/jupyter").iterdir())
