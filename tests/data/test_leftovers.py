"""What killed runs leave of a file: cleared by the next run, and nothing else is."""

from __future__ import annotations

import os

import pytest
from data.started import FULL_DISK, make, started
from kills.harness import contents

from cogkit.core.errors import InputError
from cogkit.data.files import clear, whole_folder, write_whole
from cogkit.extras.datasets import folders


def test_a_part_is_cleared_unless_a_live_process_writes_it(tmp_path):
    parts = [tmp_path / f".a.json.{tail}.part" for tail in ("0", "aaaa", "0123abcd")]
    with started("hold(to)", parts[0]) as process:
        assert process.stdout.readline() == "begun\n"
        for part in parts[1:]:
            part.write_bytes(b"half")
        write_whole(tmp_path / "a.json", b"{}")
        assert sorted(tmp_path.iterdir()) == [parts[0], tmp_path / "a.json"]
        process.kill()
    clear(tmp_path / "a.json")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_what_is_not_its_own_is_left_alone(tmp_path):
    for name in (".a.json.part", ".a.json.xyz.part", ".b.json.0a.part", "a.json.0a.part", ".a.json.0a.partly"):
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / ".a.json.1a.part").mkdir()
    (tmp_path / ".a.json.2a.part").symlink_to(tmp_path / ".a.json.part")
    os.mkfifo(tmp_path / ".a.json.3a.part")
    before = sorted(tmp_path.iterdir())
    write_whole(tmp_path / "a.json", b"{}")
    assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "a.json"])


def test_a_folder_is_whole_or_not_there_and_a_killed_run_s_part_is_cleared_by_the_next(tmp_path):
    folder, code = tmp_path / "study", "with whole_folder(to) as part:\n    (part / 'a').write_text('half')\n    wait()"
    with started(code, folder) as killed, started(code, folder) as alive:
        assert [process.stdout.readline() for process in (killed, alive)] == ["begun\n"] * 2
        assert len(list(tmp_path.iterdir())) == 2 and not folder.exists()
        killed.kill()
        killed.wait()
        with whole_folder(folder) as part:
            (part / "a").write_text("whole")
        left = [path for path in tmp_path.iterdir() if path != folder]
        assert len(left) == 1 and (left[0] / "a").read_text() == "half"  # of the run that goes on
        assert (folder / "a").read_text() == "whole"
        alive.kill()
    with pytest.raises(InputError, match="wanted a folder that can be written, got .*study .*not empty"):
        with whole_folder(folder):
            pass
    assert list(tmp_path.iterdir()) == [folder] and (folder / "a").read_text() == "whole"


def test_a_folder_is_not_cleared_between_its_making_and_its_lock(tmp_path):
    folder = tmp_path / "study"
    with started("print('begun', flush=True)\nwhile True: clear(to, folders=True)", folder) as clearing:
        assert clearing.stdout.readline() == "begun\n"
        try:
            for _ in range(3000):  # the time between the two is short
                with whole_folder(folder) as part:
                    (part / "a").write_text("whole")
                assert (folder / "a").read_text() == "whole"
                (folder / "a").unlink()
        finally:
            clearing.kill()
    assert list(tmp_path.iterdir()) == [folder]


def test_a_journal_that_meets_a_full_disk_is_one_sentence_and_the_next_run_goes_on(tmp_path):
    code = "try: make(to, 30)\nexcept InputError as error: print(error)"

    def output(name: str, before: str = "") -> str:
        return started(before + code, tmp_path / name).communicate()[0]

    full = output("set", FULL_DISK)
    assert full.startswith("wanted a file that can be written, got") and full.count("\n") == 1
    assert "sums.jsonl" in full and not (tmp_path / "set" / "manifest.json").exists()
    assert output("set") == output("undisturbed") == ""
    assert contents(tmp_path / "set") == contents(tmp_path / "undisturbed")


def test_writers_of_one_file_take_nothing_from_each_other(tmp_path):
    path = tmp_path / "a.json"
    writers = [started(f"for k in range(300): write_whole(to, b{word!r} * 9000)", path) for word in "abcd"]
    assert [writer.communicate() and writer.returncode for writer in writers] == [0] * 4
    assert path.read_bytes() in [word * 9000 for word in (b"a", b"b", b"c", b"d")]
    assert list(tmp_path.iterdir()) == [path]


def test_a_set_is_made_by_one_run_at_a_time(tmp_path):
    root = tmp_path / "set"
    with started("make(to, before=wait)", root) as process:
        assert process.stdout.readline() == "begun\n"
        before = contents(root)
        with pytest.raises(InputError, match="wanted one run at a time, got .*set, which another run is making"):
            make(root)
        assert contents(root) == before
        process.communicate("go on\n")
    assert process.returncode == 0
    after = contents(root)
    assert sorted(after) == ["0", "0/a", "manifest.json"]
    make(root)
    assert contents(root) == after


def test_what_a_killed_run_left_is_cleared_and_a_strangers_file_is_not(tmp_path):
    make(tmp_path / "whole")
    with started("make(to, before=wait)", tmp_path / "killed") as process:
        assert process.stdout.readline() == "begun\n"
        process.kill()
    (tmp_path / "killed").rename(root := tmp_path / "set")
    bench = root / folders.UNFINISHED
    for folder in ("0-123", "0-123-old"):
        (bench / folder).mkdir()
        (bench / folder / "a").write_bytes(b"half")
    (bench / ".asked.json.0a1b2c3d.part").touch()
    (root / ".manifest.json.0a1b2c3d.part").touch()
    (bench / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="other files in .*making"):
        make(root)
    assert (bench / "notes.txt").read_text() == "mine"
    (bench / "notes.txt").unlink()
    make(root)
    assert contents(root) == contents(tmp_path / "whole")


def test_another_folder_of_that_name_is_no_unfinished_set(tmp_path):
    (tmp_path / folders.UNFINISHED / "bread").mkdir(parents=True)
    with pytest.raises(InputError, match="other files in .*making"):
        make(tmp_path)
    assert list(contents(tmp_path)) == [folders.UNFINISHED, f"{folders.UNFINISHED}/bread"]
