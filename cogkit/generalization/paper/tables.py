"""Tables of a user, checked before any training; scikit-learn says what is wrong with their numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_array

from cogkit.core.errors import InputError, some
from cogkit.generalization.problems.records import TEST

FEWEST_ROWS = 20  # test rows
_FIX = "encode words as numbers, and fill in or drop what is missing, with OneHotEncoder and SimpleImputer for two"


def columns(table) -> list[str]:
    """Return the names of a table's columns; for an array they are ``column 1`` and so on.

    Examples
    --------
    >>> columns(np.zeros((3, 2))), columns(pd.DataFrame({"age": [1], "size": [2]}))
    (['column 1', 'column 2'], ['age', 'size'])
    """
    if hasattr(table, "columns"):
        return [str(name) for name in table.columns]
    return [f"column {j + 1}" for j in range(np.shape(table)[1])]


def matrix(table, what: str = "X") -> np.ndarray:
    """Return a table as (n, d) floats. `InputError` if it is no table, has one column, or lacks values."""
    try:
        return check_array(table, dtype=np.float64, ensure_min_features=2, input_name=what)
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{what}: {reason}", "a table of finite numbers with two columns or more", _FIX) from None


def labels(y, n: int) -> np.ndarray:
    """Return classes as whole numbers from 0. `InputError` if lengths differ, classes are missing, or all are alike."""
    classes, least = np.asarray(y), int(np.ceil(1 / TEST))
    if classes.shape != (n,) or pd.isna(classes).any():
        missing = f"{int(pd.isna(classes).sum())} classes that are missing"
        raise InputError(f"y of shape {classes.shape} with {missing}", f"one class for each of {n} rows")
    try:
        kinds, codes = np.unique(classes, return_inverse=True)  # in order, so that codes are numbers of classes
    except TypeError:
        raise InputError("y with classes of several types", "numbers alone, or words alone") from None
    counts = np.bincount(codes)
    if len(counts) < 2 or counts.min() < least:
        got = f"y with {len(counts)} classes, and {counts.min()} rows of {some(kinds[counts == counts.min()])}"
        raise InputError(got, f"two classes or more, with at least {least} rows of each class")
    return codes


def orders(x: np.ndarray, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an order of the rows and one of the columns that are the same whatever their units and their order.

    Columns are compared by their standardised values, from the smallest up, then by their means in each class. Rows are
    compared by their standardised values, column by column, then by class. What is equal in all of these is alike, and
    stays in the given order.

    Examples
    --------
    >>> x, classes = np.array([[3.0, 10.0], [1.0, 20.0], [2.0, 40.0]]), np.array([0, 1, 1])
    >>> orders(x, classes)
    (array([1, 2, 0]), array([0, 1]))
    >>> orders(x[::-1, ::-1] * [5, 1000], classes[::-1])
    (array([1, 0, 2]), array([1, 0]))
    """
    values = StandardScaler().fit_transform(x).round(6)
    means = [values[classes == kind].mean(axis=0).round(6) for kind in np.unique(classes)]
    columns = np.lexsort(np.concatenate([np.sort(values, axis=0), means])[::-1])
    return np.lexsort([classes, *values.T[columns][::-1]]), columns


def split(classes: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows for training and for the test, 70 to 30, with each class in proportion."""
    if (least := int(np.ceil(TEST * len(classes)))) < FEWEST_ROWS:
        expected = f"at least {FEWEST_ROWS} test rows, so {int((FEWEST_ROWS - 1) / TEST) + 1} rows in all"
        raise InputError(f"{len(classes)} rows, of which {least} would be for the test", expected)
    rows = np.arange(len(classes))
    return train_test_split(rows, test_size=TEST, stratify=classes, random_state=seed)


def shifts(shifted, x: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    """Return rows by name of shift; a single table is ``shift``. `InputError` if it has not the form of X."""
    if shifted is None:
        return {}
    tables = {}
    for name, table in (shifted if isinstance(shifted, Mapping) else {"shift": shifted}).items():
        values = matrix(table, f"X_shift {name!r}")
        if values.shape != x.shape or (hasattr(table, "columns") and columns(table) != names):
            got = f"X_shift {name!r} of shape {values.shape} with columns {some(columns(table))}"
            raise InputError(got, f"the shape of X, {x.shape}, and its columns in their order: {some(names)}")
        tables[str(name)] = values
    return tables


def weights(reference, names: list[str]) -> np.ndarray | None:
    """Return a reference as one weight per column, by name if it has names. `InputError` if one is missing, or over."""
    if reference is None:
        return None
    if isinstance(reference, pd.Series) and not isinstance(reference.index, pd.RangeIndex):
        reference = reference.to_dict()
    form = "in the order of the columns"
    if isinstance(reference, Mapping):
        rest = {str(name): value for name, value in reference.items()}
        form = f"by name: {some(rest)}"
        reference = [*(rest.pop(name, np.nan) for name in names), *rest.values()]
    try:
        values = np.asarray(reference, dtype=float)
    except (TypeError, ValueError):
        values = np.array([])
    if values.shape != (len(names),) or not np.isfinite(values).all():
        got = f"a reference of shape {values.shape}, {int(np.isnan(values).sum())} of its weights missing, {form}"
        raise InputError(got, f"one weight for each of {len(names)} columns: {some(names)}")
    return values
