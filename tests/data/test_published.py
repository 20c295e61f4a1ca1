"""Published files: the mirror, the cache and the network, each with what may go wrong there."""

from __future__ import annotations

import hashlib
import io
import itertools
import shutil
from types import SimpleNamespace

import pytest
import requests

from cogkit.core.errors import InputError
from cogkit.data import published

FOLDER = "abstract_neural_metamers"
NAME, OTHER = f"{FOLDER}/data/copy_sample.npy", f"{FOLDER}/data/tree_sample.npy"
SCORES = f"{FOLDER}/data/performancedata.csv"
days = itertools.count(1)


@pytest.fixture
def bare(home, monkeypatch):
    """No mirror, an empty cache, and a day on which nobody has tried the network yet."""
    monkeypatch.delenv("COGKIT_MIRROR", raising=False)
    monkeypatch.delenv("COGKIT_OFFLINE", raising=False)
    day = 86_400 * next(days) - 1e9  # long ago, so that no other test finds a network that has just failed
    monkeypatch.setattr(published, "time", SimpleNamespace(monotonic=lambda: day))
    return home


@pytest.fixture
def network(mirror, monkeypatch):
    """The authors' repository, without its network: files by address, and every address that was asked for."""
    repository = SimpleNamespace(files={}, urls=[], fault=None)

    def get(url, **options):
        repository.urls.append(url)
        if repository.fault:
            raise repository.fault
        path = mirror / FOLDER / url.split("/", 6)[-1]
        content = repository.files.get(path.name, path.read_bytes())
        response = requests.Response()
        response.status_code, response.url = (404, url) if content is None else (200, url)
        response.raw = io.BytesIO(content or b"")
        return response

    monkeypatch.setattr(requests, "get", get)
    return repository


def files(folder) -> list:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_mirror_gives_every_file(mirror, monkeypatch):
    """Each has the SHA-256 of the project's list, or it would be refused."""
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    names = [line.split()[1].removeprefix("./") for line in (mirror / "SHA256SUMS").read_text().splitlines()]
    assert sum(name.startswith(FOLDER) for name in names) == 33
    for name in names:
        assert published.fetch(name) == mirror / name and published.source(name) == "mirror"


def test_damaged_file_is_named_with_both_hashes(mirror, tmp_path, monkeypatch, home):
    copy = tmp_path / "copy"
    shutil.copytree(mirror / FOLDER / "data", copy / FOLDER / "data")
    content = (copy / SCORES).read_bytes()
    monkeypatch.setenv("COGKIT_MIRROR", str(copy))
    for broken in (content[:-100], b"9" + content[1:], b""):
        (copy / SCORES).write_bytes(broken)
        with pytest.raises(InputError) as error:
            published.fetch(SCORES)
        assert not isinstance(error.value, published.Unavailable) and "\n" not in str(error.value)
        for part in (SCORES, hashlib.sha256(broken).hexdigest()[:12], hashlib.sha256(content).hexdigest()[:12]):
            assert part in str(error.value)
    assert not (home / "published").exists()
    assert published.fetch(NAME).is_file()  # the others are as good as before


def test_file_missing_from_the_mirror_is_not_fetched_elsewhere(tmp_path, monkeypatch, home):
    monkeypatch.setenv("COGKIT_MIRROR", str(tmp_path))
    with pytest.raises(InputError, match="No such file or directory.*: complete the mirror") as error:
        published.fetch(NAME)
    assert not isinstance(error.value, published.Unavailable)
    monkeypatch.setenv("COGKIT_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="a folder with the published files"):
        published.fetch(NAME)


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match=f"did you mean '{NAME}'"):
        published.fetch(f"{FOLDER}/data/copy_samples.npy")
    with pytest.raises(InputError, match="name of a published file"):
        published.source("../../etc/passwd")


def test_cache_serves_offline_and_a_damaged_copy_does_not(mirror, bare, monkeypatch, capsys):
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    with pytest.raises(published.Unavailable, match="COGKIT_OFFLINE=1"):
        published.fetch(OTHER)
    assert list(bare.rglob("*.npy")) == []
    cached = bare / "published" / OTHER
    cached.parent.mkdir(parents=True)
    shutil.copy(mirror / OTHER, cached)
    assert published.fetch(OTHER) == cached and published.source(OTHER) == "cache"
    cached.write_bytes(cached.read_bytes()[:-1])
    for _ in range(2):
        with pytest.raises(published.Unavailable):
            published.fetch(OTHER)
    assert capsys.readouterr().err.count("not the published file any more") == 1
    assert published.source(OTHER) == "network"


def test_a_download_comes_from_one_commit_and_is_kept(mirror, bare, network):
    path = published.fetch(SCORES)
    assert path == bare / "published" / SCORES == published.fetch(SCORES)
    assert path.read_bytes() == (mirror / SCORES).read_bytes()
    root, commit = "https://raw.githubusercontent.com/sreejank", "0ab657aeb5421d604be721bd5d21d6d4493f535f"
    assert network.urls == [f"{root}/Abstract_Neural_Metamers/{commit}/data/performancedata.csv"]


def test_a_line_is_said_once(capsys):
    for _ in range(2):
        published.announce("one thing stands in for another, in a test")
    assert capsys.readouterr().err.count("in a test") == 1


def test_a_wrong_download_leaves_nothing_and_a_missing_one_does_not_stop_the_others(bare, network):
    network.files["performancedata.csv"] = b"1,2,3\n"
    with pytest.raises(InputError, match="truncated or changed"):
        published.fetch(SCORES)
    network.files["performancedata.csv"] = None
    with pytest.raises(published.Unavailable, match="404"):
        published.fetch(SCORES)
    assert files(bare) == [] and published.fetch(NAME).is_file()


def test_a_network_that_fails_is_tried_once(bare, network):
    network.fault = requests.ConnectTimeout("nobody there")
    for name in (NAME, OTHER, SCORES):
        with pytest.raises(published.Unavailable, match="no connection to raw.githubusercontent.com"):
            published.fetch(name)
    assert len(network.urls) == 1 and files(bare) == []
