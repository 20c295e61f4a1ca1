"""Token numbers of texts of different lengths, in one array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cogkit.core.contracts import InputError


def padded(rows: Sequence[Sequence[int]], limit: int | None = None, fix: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return tokens as (n, longest) int64, with 0 after the end, and a mask of tokens, (n, longest) bool.

    Parameters
    ----------
    rows : sequence of sequences of int
    limit : int, optional
        Most tokens that a model takes.
    fix : str, optional
        Advice for longer texts, for the error message.

    Raises
    ------
    InputError
        A row has more tokens than ``limit``.

    Examples
    --------
    >>> padded([[5, 6], [7]])[0].tolist()
    [[5, 6], [7, 0]]
    """
    longest = max(map(len, rows))
    if limit is not None and longest > limit:
        raise InputError(f"a text of {longest} tokens", f"{limit} at most for this model", fix)
    ids = np.zeros((len(rows), longest), np.int64)
    for row, numbers in zip(ids, rows, strict=True):
        row[: len(numbers)] = numbers
    return ids, np.arange(longest) < np.array(list(map(len, rows)))[:, None]
