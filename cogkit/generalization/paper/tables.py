"""Tables of a user, checked before any training. Each error message is one sentence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder

from cogkit.core.errors import InputError, some
from cogkit.generalization.problems.records import TEST

FEWEST_ROWS = 20  # test rows


def columns(table) -> list[str]:
    """Return the names of a table's columns; for an array they are ``column 1`` and so on.

    Examples
    --------
    >>> columns(np.zeros((3, 2))), columns(pd.DataFrame({"age": [1], "size": [2]}))
    (['column 1', 'column 2'], ['age', 'size'])
    """
    if hasattr(table, "columns"):
        return [str(name) for name in table.columns]
    return [f"column {j + 1}" for j in range(np.shape(table)[1] if np.ndim(table) == 2 else 0)]


def matrix(table, what: str = "X") -> np.ndarray:
    """Return a table as (n, d) floats. `InputError` if it is no table, has one column, or lacks values."""
    try:
        x = np.asarray(table.astype(float) if hasattr(table, "astype") else table, dtype=float)
    except (TypeError, ValueError):
        lengths = {len(row) for row in table if hasattr(row, "__len__")} if isinstance(table, list | tuple) else set()
        if len(lengths) > 1:
            raise InputError(f"{what} with rows of different lengths", "a table: as many values in each row") from None
        fix = "encode words as numbers first, with OneHotEncoder for one"
        raise InputError(f"{what} with values that are no numbers", "numbers throughout", fix) from None
    if x.ndim != 2 or x.shape[1] < 2:
        raise InputError(f"{what} of shape {x.shape}", "a table of rows and at least two columns")
    if count := int((~np.isfinite(x)).sum()):
        fix = "drop these rows, or fill them in, with SimpleImputer for one"
        raise InputError(f"{count} values of {what} that are missing or infinite", "finite values throughout", fix)
    return x


def labels(y, n: int) -> np.ndarray:
    """Return classes as whole numbers from 0. `InputError` if lengths differ, classes are missing, or all are alike."""
    classes = np.asarray(y)
    if classes.shape != (n,):
        raise InputError(f"y of shape {classes.shape}", f"one class for each of {n} rows")
    if count := int(pd.isna(classes).sum()):
        raise InputError(f"{count} classes that are missing", "a class for each row", "drop these rows")
    try:
        kinds, counts = np.unique(classes, return_counts=True)
    except TypeError:
        raise InputError("y with classes of several types", "numbers alone, or words alone") from None
    if len(kinds) < 2:
        raise InputError(
            f"y with the one class {kinds.tolist()[0]!r}" if len(kinds) else "no rows", "at least two classes"
        )
    if counts.min() < (least := int(np.ceil(1 / TEST))):
        many = "one row alone" if counts.min() == 1 else f"{counts.min()} rows"
        problem = f"{many} of class {kinds.tolist()[counts.argmin()]!r}"
        fix = "drop this class, or bring more of it: some are for training and some for the test"
        raise InputError(problem, f"at least {least} rows of each class", fix)
    return LabelEncoder().fit_transform(classes)


def split(classes: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows for training and for the test, 70 to 30, with each class in proportion."""
    if (least := int(np.ceil(TEST * len(classes)))) < FEWEST_ROWS:
        expected = f"at least {FEWEST_ROWS} test rows, so {int((FEWEST_ROWS - 1) / TEST) + 1} rows in all"
        raise InputError(f"{len(classes)} rows, of which {least} would be for the test", expected)
    rows = np.arange(len(classes))
    return train_test_split(rows, test_size=TEST, stratify=classes, random_state=seed)


def shifts(shifted, x: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    """Return rows by name of shift; a single table is ``shift``. `InputError` if a size differs from that of X."""
    if shifted is None:
        return {}
    tables = {}
    for name, table in (shifted if isinstance(shifted, Mapping) else {"shift": shifted}).items():
        values = matrix(table, f"X_shift {name!r}")
        if values.shape != x.shape:
            raise InputError(f"X_shift {name!r} of shape {values.shape}", f"the same rows and columns as X, {x.shape}")
        if hasattr(table, "columns") and columns(table) != names:
            order = f"those of X in their order: {some(names)}"
            raise InputError(f"X_shift {name!r} with columns {some(columns(table))}", order)
        tables[str(name)] = values
    return tables


def weights(reference, names: list[str]) -> np.ndarray | None:
    """Return a reference as one weight per column, by name if it has names. `InputError` if its length differs."""
    if reference is None:
        return None
    if len(set(names)) < len(names):
        twice = some(sorted({name for name in names if names.count(name) > 1}))
        raise InputError(f"several columns {twice}", "a name of its own for each column, to give weights to")
    if isinstance(reference, pd.Series) and not isinstance(reference.index, pd.RangeIndex):
        reference = reference.to_dict()
    if isinstance(reference, Mapping):
        reference = {str(name): value for name, value in reference.items()}
        if set(reference) != set(names):
            differing = some(sorted({*reference} ^ {*names}))
            raise InputError(f"a reference that differs in {differing}", f"one weight for each of {some(names)}")
        reference = [reference[name] for name in names]
    try:
        values = np.asarray(reference, dtype=float)
    except (TypeError, ValueError):
        raise InputError("a reference with weights that are no numbers", "a number for each column") from None
    if values.shape != (len(names),):
        raise InputError(f"a reference of shape {values.shape}", f"one weight for each of {len(names)} columns")
    if not np.isfinite(values).all():
        raise InputError("a reference with missing weights", "a finite weight for each column")
    return values
