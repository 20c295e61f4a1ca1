"""Any cell of a notebook can be run again at any time: no name that it takes is bound twice with different meanings."""

from __future__ import annotations

import nbformat
import order
import pytest

from cogkit.app.notebooks import find

PATHS = find()
CLASHES = {
    "a later cell": ["a = 1", "print(a)", "a = 2"],
    "itself": ["a = [1]", "a = a + [2]"],
    "in place": ["a = 1", "a += 1"],
    "a loop": ["a = 1", "b = a", "for a in range(3):\n    pass"],
    "a with": ["a = 1", "b = a", "with open('x') as a:\n    pass"],
    "an unpacking": ["a = 1", "b = a", "a, *c = 1, 2"],
    "an import": ["import numpy as a", "b = a", "import pandas as a"],
    "a function's own later": ["a = 1\n\n\ndef f():\n    return a", "a = 2"],
    "a lambda": ["a = 1\nf = lambda: a", "a = 2"],
    "a default": ["a = 1", "def f(b=a):\n    return b", "a = 2"],
    "a parameter bound anew": ["source: str = ''  # where from", "source = source or 'x'", "print(source)"],
    "a comprehension's source": ["a = [1]", "b = [a for a in a]", "a = [2]"],
}
SOUND = {
    "each its own": ["a = 1\nprint(a)", "a = 2\nprint(a)"],
    "the same import": ["import numpy as np", "np.ones(3)", "import numpy as np"],
    "a comprehension's name": ["a = 1", "b = [a for a in range(3)]", "print(a)"],
    "an argument": ["a = 1", "def f(a):\n    return a", "print(a)"],
    "a local name": ["a = 1", "def f():\n    a = 2\n    return a", "print(a)"],
    "magics and awaits": ["%matplotlib inline\nf = 1", "b = await f()", "async for c in b:\n    print(c)"],
    "an attribute": ["a = f()", "a.b = 1", "a.c"],
}


@pytest.mark.parametrize("name", CLASHES)
def test_a_name_with_two_meanings_is_seen(name):
    assert order.clashes(CLASHES[name])


@pytest.mark.parametrize("name", SOUND)
def test_what_any_order_leaves_alone_is_no_fault(name):
    assert order.clashes(SOUND[name]) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_cell_can_be_run_again(path):
    cells = nbformat.read(path, as_version=4).cells
    assert order.clashes([cell.source if cell.cell_type == "code" else "" for cell in cells]) == []
