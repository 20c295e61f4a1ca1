"""Several processes draw, make and audit what one does."""

from __future__ import annotations

from carded import contents
from stored import ROOT, again, faults, folders

from cogkit.bongard.problems import freeform, rendering
from cogkit.extras.datasets import auditing
from cogkit.extras.datasets.bongard import datasets


def test_pictures_are_the_same():
    problems = [freeform.problem(k, "as_published") for k in range(70)]  # more than one part
    one, two = (rendering.pictures_of(some, 16, jobs) for some, jobs in ((problems, 1), (problems[::-1], 2)))
    assert (one[:] == two[::-1]).all()


def test_a_set_is_the_same_and_so_are_its_faults(stored, tmp_path, monkeypatch):
    again(tmp_path, jobs=2)
    assert contents(tmp_path) == contents(stored / "verified")
    spoilt = [*folders(tmp_path / ROOT, "ff"), *folders(tmp_path / ROOT, "hd")]
    for folder in spoilt:
        (folder / "1" / "2.png").unlink()
    alone = faults(tmp_path)
    assert len(alone) == len(spoilt) == 8
    monkeypatch.setattr(auditing, "A_TASK", 1)
    findings = datasets.audit(tmp_path, jobs=2)
    assert [(fault.path.rsplit("/", 1)[-1], fault.field, fault.problem) for fault in findings] == alone
