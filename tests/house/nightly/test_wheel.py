"""The wheel, installed outside the repository: it carries the notebooks; ``cogkit lab`` works on a copy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import psutil
import pytest

import cogkit

LIMIT = 30e6  # bytes of the wheel
MOST = 28e6  # bytes of the results and weights that all instruments ship in it


@pytest.fixture(scope="module")
def wheel(clone, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, clone], check=True, capture_output=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A folder with the installed wheel; its dependencies are those of this interpreter."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", target, wheel], check=True, capture_output=True, timeout=300
    )
    return target


@pytest.fixture
def elsewhere(installed, tmp_path) -> tuple[Path, dict]:
    """A working folder outside the repository, and an environment that uses nothing of the reader's home."""
    private = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    private += ("JUPYTERLAB_WORKSPACES_DIR", "JUPYTERLAB_SETTINGS_DIR", "COGKIT_HOME")
    env = {**os.environ, **{name: str(tmp_path / name.lower()) for name in private}, "PYTHONPATH": str(installed)}
    env.pop("JUPYTER_TOKEN", None)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder, env


class Lab:
    """``cogkit lab --no-browser`` in a folder, up and answering: what it said, its address and its token."""

    def __init__(self, folder: Path, env: dict) -> None:
        command = [sys.executable, "-m", "cogkit.app.cli", "lab", "--no-browser"]
        self.process = subprocess.Popen(
            command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines = []
        for line in self.process.stdout:  # blocks until the server says where it is, or ends
            self.lines.append(line)
            if match := re.search(r"(http://127\.0\.0\.1:\d+)/\S*\?token=(\w+)", line):
                self.url, self.token = match.groups()
                return self._wait_until_it_listens()
        raise AssertionError("no server: " + "".join(self.lines))

    def _wait_until_it_listens(self) -> None:
        while True:
            try:
                self.get("/api/status", self.token)
                return
            except urllib.error.URLError:
                try:
                    self.process.wait(timeout=0.05)
                except subprocess.TimeoutExpired:
                    continue
                raise AssertionError("the server ended: " + "".join(self.lines)) from None

    def get(self, path: str, token: str = "") -> dict:
        request = urllib.request.Request(self.url + path)
        if token:
            request.add_header("Authorization", f"token {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.communicate(timeout=60)


def test_the_wheel_carries_notebooks_and_licence_and_nothing_foreign(wheel, root):
    names = zipfile.ZipFile(wheel).namelist()
    expected = {f"cogkit/_notebooks/{path.name}" for path in (root / "notebooks").glob("*.ipynb")}
    assert expected and expected <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    tops = {name.split("/")[0].removeprefix(f"cogkit-{cogkit.__version__}") for name in names}
    assert tops == {"cogkit", ".dist-info", ".data"}  # the package, and JupyterLab's extensions beside it
    shared = [name.split(".data/")[1] for name in names if ".data/" in name]
    ours = ("figures", "place", "widgets")
    extensions = {f"data/share/jupyter/labextensions/@cogkit/{name}/package.json" for name in ours}
    assert extensions <= set(shared) and len(shared) == 2 * len(ours)
    assert [name for name in names if name.endswith((".nbi", ".nbc", ".pyc"))] == []
    assert "cogkit/py.typed" in names and wheel.name.split("-")[1] == cogkit.__version__
    static = {path.relative_to(root).as_posix() for path in (root / "cogkit").rglob("static/*") if path.is_file()}
    assert static <= set(names)
    for kind in ("csv", "md", "rst"):  # tables, and frames of pages
        files = {path.relative_to(root).as_posix() for path in (root / "cogkit").rglob(f"*.{kind}")}
        assert files and files <= set(names)


def test_the_wheel_has_all_that_is_shipped_in_few_files_and_bytes(wheel, tracked, root):
    sizes = {entry.filename: entry.file_size for entry in zipfile.ZipFile(wheel).infolist()}
    shipped = {path.relative_to(root).as_posix(): path for path in tracked if "shipped" in path.relative_to(root).parts}
    assert len(shipped) > 50 and all(sizes[name] == path.stat().st_size for name, path in shipped.items())
    assert sum(sizes[name] for name in shipped) <= MOST and wheel.stat().st_size <= LIMIT
    assert sum(name.endswith((".csv", ".json")) for name in shipped) <= 20


def test_the_documentation_takes_its_readme_from_the_wheel(elsewhere, root):
    folder, env = elsewhere
    code = "from cogkit.extras.docs import build; import cogkit; print(cogkit.__file__); print(build.readme())"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=env, check=True, capture_output=True, text=True)
    where, text = done.stdout.split("\n", 1)
    assert not Path(where).is_relative_to(root) and text.strip() == (root / "README.md").read_text("utf-8").strip()


def test_inside_the_repository_lab_works_on_its_own_notebooks(clone, elsewhere):
    _, env = elsewhere
    with Lab(clone / "tests", {**env, "PYTHONPATH": str(clone)}) as lab:
        assert f"JupyterLab on {clone / 'notebooks'} (the repository's own notebooks)" in lab.lines[0]
        names = {item["name"] for item in lab.get("/api/contents", lab.token)["content"]}
        assert "00_start_here.ipynb" in names
    assert not list(clone.rglob("cogkit-notebooks"))


WIDGETS = "/lab/api/settings/@jupyter-widgets/jupyterlab-manager:plugin"
NOTIFICATION = "/lab/api/settings/@jupyterlab/apputils-extension:notification"


def test_lab_has_our_settings_and_extension_and_the_readers_own_win(elsewhere):
    folder, env = elsewhere
    with Lab(folder, env) as lab:
        assert lab.get(WIDGETS, lab.token)["schema"]["properties"]["saveState"]["default"] is True
        news = lab.get(NOTIFICATION, lab.token)["schema"]["properties"]  # the network is not asked
        assert (news["fetchNews"]["default"], news["checkForUpdates"]["default"]) == ("false", False)
        request = urllib.request.Request(f"{lab.url}/lab", headers={"Authorization": f"token {lab.token}"})
        with urllib.request.urlopen(request, timeout=30) as page:
            extensions = re.search(r'"federated_extensions": (\[.*?\])[,}]', page.read().decode())[1]
        names = [extension["name"] for extension in json.loads(extensions)]
        assert {"@cogkit/figures", "@cogkit/widgets", "@cogkit/place"} <= {*names} and "jupyterlab-plotly" in names
        script = f"{lab.url}/lab/extensions/@cogkit/figures/static/figures.js?token={lab.token}"
        with urllib.request.urlopen(script, timeout=30) as answer:
            assert b"_JUPYTERLAB" in answer.read()
    own = Path(env["JUPYTER_CONFIG_DIR"]) / "labconfig" / "default_setting_overrides.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps({"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": False}}))
    with Lab(folder, env) as lab:
        assert lab.get(WIDGETS, lab.token)["schema"]["properties"]["saveState"]["default"] is False


def test_lab_works_on_a_copy_and_keeps_what_was_changed(elsewhere, installed, root):
    folder, env = elsewhere
    where = [sys.executable, "-c", "import cogkit; print(cogkit.__file__)"]
    location = subprocess.run(where, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout.strip()
    assert Path(location) == installed / "cogkit" / "__init__.py"  # not the repository's

    with Lab(folder, env) as lab:
        assert re.search(r"cogkit-notebooks \(copied \d+ files\)", lab.lines[0])
        assert "started" in lab.get("/api/status", lab.token)
        with pytest.raises(urllib.error.HTTPError) as refused:
            lab.get("/api/status")
        assert refused.value.code in (401, 403)
        names = {item["name"] for item in lab.get("/api/contents", lab.token)["content"]}
        assert names == {path.name for path in (root / "notebooks").iterdir() if not path.name.startswith(".")}
        spec = lab.get("/api/kernelspecs", lab.token)["kernelspecs"]["python3"]["spec"]
        assert spec["argv"][0] == sys.executable
        sockets = psutil.Process(lab.process.pid).net_connections()
        assert {item.laddr.ip for item in sockets if item.status == psutil.CONN_LISTEN} == {"127.0.0.1"}

    copy = folder / "cogkit-notebooks"
    notebook = copy / "00_start_here.ipynb"
    notebook.write_text(notebook.read_text() + "\n")
    content = notebook.read_bytes()
    (copy / "mine.ipynb").write_text("{}")
    with Lab(folder, env) as lab:
        assert "kept your 00_start_here.ipynb" in lab.lines[0]
    assert notebook.read_bytes() == content and (copy / "mine.ipynb").read_text() == "{}"
    assert sorted(path.name for path in folder.iterdir()) == ["cogkit-notebooks"]
