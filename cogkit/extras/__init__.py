"""What plugs into the bench from outside: each folder has a module ``extra`` that says what it adds."""

from importlib.util import find_spec

from cogkit.core.errors import InputError


def require(extra: str, *packages: str) -> None:
    """Raise `InputError` if a package that comes with an extra is not installed.

    Examples
    --------
    >>> require("models", "no_such_package")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted the extra [models], got no no_such_package: pip install 'cogkit[models]'
    """
    if missing := [name for name in packages if find_spec(name) is None]:
        raise InputError(f"no {missing[0]}", f"the extra [{extra}]", f"pip install 'cogkit[{extra}]'")
