"""A kernel gives back what its cells have freed."""

from __future__ import annotations

import re

GROW = """
import psutil
blocks = [bytes(60_000) for _ in range(2_000)]  # each below the size that the C library maps by itself
kept = bytes(60_000)
del blocks[::2], blocks[:]
"""


def resident(kernel) -> float:
    _, client = kernel
    contents = []
    client.execute_interactive(
        "print(psutil.Process().memory_info().rss)", output_hook=lambda message: contents.append(message["content"])
    )
    return float(re.search(r"\d+", next(content["text"] for content in contents if "text" in content))[0])


def test_freed_memory_goes_back_after_the_cell(kernel):
    _, client = kernel
    client.execute_interactive("import cogkit.ui, psutil")
    before = resident(kernel)
    client.execute_interactive(GROW)
    assert resident(kernel) < before + 30e6
