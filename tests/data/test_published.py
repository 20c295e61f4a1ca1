"""Published files: the mirror, the cache and the network, each with what may go wrong there."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cogkit.core.contracts import InputError
from cogkit.data import published

NAME = "abstract_neural_metamers/data/copy_sample.npy"
SCORES = "abstract_neural_metamers/data/performancedata.csv"


@pytest.fixture
def bare(home, monkeypatch):
    """No mirror, an empty cache, and a process that has not tried the network yet."""
    monkeypatch.delenv("COGKIT_MIRROR", raising=False)
    monkeypatch.delenv("COGKIT_OFFLINE", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(published, "_failed", {})
    monkeypatch.setattr(published, "_said", set())
    return home


@pytest.fixture
def host(tmp_path):
    """A web server on this machine with one file, ``scores``; yields its folder and its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    folder = tmp_path / "www"
    folder.mkdir()
    (folder / "scores").write_bytes(b"1,2,3\n")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_registry_agrees_with_the_mirrors_own_sums(mirror):
    sums = dict(reversed(line.split()) for line in (mirror / "SHA256SUMS").read_text().splitlines())
    registered = {f"./{name}": file.sha256 for name, file in published._registry().items()}
    assert registered == sums
    assert sum(name.startswith("./abstract_neural_metamers/") for name in registered) == 33


def test_registry_pins_repository_and_commit():
    url = published._registry()[SCORES].url
    commit = "0ab657aeb5421d604be721bd5d21d6d4493f535f"
    root = "https://raw.githubusercontent.com"
    assert url == f"{root}/sreejank/Abstract_Neural_Metamers/{commit}/data/performancedata.csv"


def test_mirror_gives_every_file(mirror, monkeypatch):
    monkeypatch.setenv("COGKIT_MIRROR", str(mirror))
    for name in published._registry():
        assert published.fetch(name) == mirror / name
        assert published.source(name) == "mirror"


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty"])
def test_damaged_file_is_named_with_both_hashes(mirror, tmp_path, monkeypatch, home, damage):
    copy = tmp_path / "copy"
    shutil.copytree(mirror / "abstract_neural_metamers", copy / "abstract_neural_metamers")
    content = (copy / SCORES).read_bytes()
    broken = {"truncated": content[:-100], "changed": b"9" + content[1:], "empty": b""}[damage]
    (copy / SCORES).write_bytes(broken)
    monkeypatch.setenv("COGKIT_MIRROR", str(copy))
    with pytest.raises(InputError) as error:
        published.fetch(SCORES)
    assert not isinstance(error.value, published.Unavailable)
    for part in (SCORES, hashlib.sha256(broken).hexdigest()[:12], hashlib.sha256(content).hexdigest()[:12]):
        assert part in str(error.value)
    assert "\n" not in str(error.value)
    assert not (home / "published").exists()
    assert published.fetch(NAME).is_file()  # the others are as good as before


def test_file_missing_from_the_mirror_is_not_fetched_elsewhere(tmp_path, monkeypatch, home):
    monkeypatch.setenv("COGKIT_MIRROR", str(tmp_path))
    with pytest.raises(InputError, match="no such file in COGKIT_MIRROR") as error:
        published.fetch(NAME)
    assert not isinstance(error.value, published.Unavailable)
    monkeypatch.setenv("COGKIT_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="a folder with the published files"):
        published.fetch(NAME)


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="did you mean 'abstract_neural_metamers/data/copy_sample.npy'"):
        published.fetch("abstract_neural_metamers/data/copy_samples.npy")
    with pytest.raises(InputError, match="name of a published file"):
        published.source("../../etc/passwd")


def test_offline_without_a_copy_is_unavailable(bare, monkeypatch):
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    with pytest.raises(published.Unavailable, match="COGKIT_OFFLINE=1"):
        published.fetch(NAME)
    assert list(bare.rglob("*.npy")) == []


def test_cache_serves_offline_and_a_damaged_copy_does_not(mirror, bare, monkeypatch, capsys):
    cached = bare / "published" / NAME
    cached.parent.mkdir(parents=True)
    shutil.copy(mirror / NAME, cached)
    monkeypatch.setenv("COGKIT_OFFLINE", "1")
    assert published.fetch(NAME) == cached
    assert published.source(NAME) == "cache"
    cached.write_bytes(cached.read_bytes()[:-1])
    for _ in range(2):
        with pytest.raises(published.Unavailable):
            published.fetch(NAME)
    assert capsys.readouterr().err.count("not the published file any more") == 1
    assert published.source(NAME) == "network"


def test_download_is_kept_and_said_once(bare, host, capsys):
    folder, address = host
    file = published._File(hashlib.sha256(b"1,2,3\n").hexdigest(), f"{address}/scores")
    path = published._download("somewhere/scores", file)
    assert path == bare / "published" / "somewhere" / "scores"
    assert path.read_bytes() == b"1,2,3\n"
    published._download("somewhere/scores", file)
    assert capsys.readouterr().err.count("fetching from") == 1


def test_wrong_download_leaves_nothing(bare, host):
    folder, address = host
    file = published._File(hashlib.sha256(b"1,2,3,4\n").hexdigest(), f"{address}/scores")
    with pytest.raises(InputError, match="truncated or changed"):
        published._download("somewhere/scores", file)
    assert [path for path in bare.rglob("*") if path.is_file()] == []


def test_missing_file_does_not_stop_the_others(bare, host):
    folder, address = host
    gone = published._File("0" * 64, f"{address}/gone")
    with pytest.raises(published.Unavailable, match="404"):
        published._download("somewhere/gone", gone)
    file = published._File(hashlib.sha256(b"1,2,3\n").hexdigest(), f"{address}/scores")
    assert published._download("somewhere/scores", file).is_file()


def test_silent_network_is_waited_for_once(bare):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection, never answers
        file = published._File("0" * 64, f"http://127.0.0.1:{silent.getsockname()[1]}/scores")
        began = time.monotonic()
        for k in range(16):
            with pytest.raises(published.Unavailable, match="no connection to 127.0.0.1"):
                published._download(f"somewhere/{k}", file)
        assert time.monotonic() - began < 2 * published._TIMEOUT_S
    assert [path for path in bare.rglob("*") if path.is_file()] == []


def test_import_is_light():
    code = (
        "import sys; import cogkit.data.published, cogkit.stats; "
        "print([m for m in ('torch', 'plotly', 'ipywidgets', 'pooch', 'requests') if m in sys.modules])"
    )
    env = {key: value for key, value in os.environ.items() if not re.match("COGKIT_", key)}
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert process.stdout.strip() == "[]"
