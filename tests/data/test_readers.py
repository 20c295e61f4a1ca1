"""Readers of files from outside: nothing but a regular file is opened."""

from __future__ import annotations

import os

import pytest
from cases import case

from cogkit.core.errors import InputError
from cogkit.data import readers

READERS = {
    "a.json": readers.json, "a.txt": readers.text, "a.bin": readers.content, "a.tsv": readers.rows,
    "a.csv": readers.table, "a.parquet": readers.table, "a.npy": readers.array, "a.npz": readers.arrays,
    "a.xz": readers.unpacked, "a.safetensors": lambda path: readers.tensors(path, "weights"),
}  # fmt: skip


@pytest.mark.timeout(60, method="thread")  # who opens a pipe may wait for ever
def test_a_pipe_a_folder_and_a_device_are_refused_by_every_reader(tmp_path):
    kinds = {"pipe": os.mkfifo, "folder": os.mkdir, "device": lambda to: os.symlink("/dev/zero", to)}
    for name, read in READERS.items():
        for kind, make in kinds.items():
            path = tmp_path / f"{kind}-{name}"
            make(path)
            with case(path.name), pytest.raises(InputError, match=r"a folder|no regular file"):
                read(path)
