"""Work on the workers of a dask scheduler, on this machine or on others. Only this process keeps what they answer.

Workers need no disk in common: an answer comes back through the scheduler. They run what a client sends them, and a
client reads what they send, so each must trust the other. An address is therefore of this machine, or encrypted.
"""

from __future__ import annotations

import ipaddress
import itertools
import logging
import pkgutil
import socket
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import cogkit
from cogkit.core.errors import InputError
from cogkit.extras import require

if TYPE_CHECKING:  # at run time distributed is imported inside functions: it is heavy, and of an extra
    from distributed import Client
    from distributed.security import Security

_PORT = 8786  # dask's own
_REACH = 5.0  # seconds within which a scheduler answers
_RETURN = 600.0  # seconds until a scheduler that was lost is given up
_LOOK = 1.0  # seconds between two looks for a scheduler that was lost, or for workers that are new


def on_workers(address: str, work: Callable, jobs: Iterable[tuple]) -> Iterator[tuple[tuple, Any]]:
    """Yield each job and what ``work(*job)`` returned, as they end; None for a job that several workers died of.

    A job whose worker dies runs again on another one, as often as the scheduler's ``allowed-failures`` says. A worker
    holds one job at a time, so that no other job is taken for the culprit. If the scheduler is lost, what is left goes
    to the one that comes in its place.

    Parameters
    ----------
    address : str
        The scheduler, such as ``127.0.0.1:8786`` on this machine or ``tls://HOST:8786`` elsewhere.
    work : callable
        A module-level function: workers import their own.

    Raises
    ------
    InputError
        There is no such scheduler, distributed is not installed, or a worker has another cogkit or several threads.
    """
    url, left, patience = address_of(address), dict.fromkeys(jobs), 0.0
    while left:
        # TimeoutError, which closing a client that has lost its scheduler can raise, is an OSError as well
        with suppress(OSError, CancelledError), _client(url, patience) as client, client.as_current():
            for job, answer in _answers(client, url, work, left):
                del left[job]
                yield job, answer
        if left:
            print(f"lost the scheduler at {url}: waiting for it", file=sys.stderr)
            patience = _RETURN


def _answers(client: Any, url: str, work: Callable, left: Collection[tuple]) -> Iterator[tuple[tuple, Any]]:
    """Yield as `on_workers` until the scheduler is lost, which raises OSError or CancelledError."""
    from distributed import wait  # heavy, and of an extra

    task, code, name = _task(), _code(), f"{work.__module__}:{work.__qualname__}"
    running: dict[tuple, Any] = {}
    while left:
        free = sum(client.nthreads().values()) - len(running)  # asked for each time: workers come and go
        waiting = (job for job in left if job not in running)
        for job in itertools.islice(waiting, max(0, free)):
            running[job] = client.submit(task, code, name, job)
        if not running:
            print(f"no workers at {url} yet: waiting for the first", file=sys.stderr)
            client.wait_for_workers(1)
            continue
        with suppress(TimeoutError):
            wait([*running.values()], timeout=_LOOK, return_when="FIRST_COMPLETED")
        for job in [job for job, future in running.items() if future.done()]:
            yield job, _answer(running.pop(job))


def _answer(future: Any) -> Any:
    """Return what a job returned; None if workers died of it."""
    from distributed import KilledWorker  # heavy, and of an extra

    if future.status != "error":
        return future.result()
    error = future.exception()
    if isinstance(error, KilledWorker):
        return None
    if isinstance(error, InputError):
        raise error
    got = f"{type(error).__name__}: {error.__cause__ or error}"  # above all, that they cannot import what is here
    raise InputError(got, f"a scheduler and workers with {_code()}", "start it again from the same commit")


def _task() -> Callable:
    """Return what a worker is sent. It goes there as it stands: a worker that cannot import a name would end."""

    def task(code: str, work: str, job: tuple) -> Any:
        from cogkit.extras.cluster import workers as cluster  # the worker's own

        return cluster.guarded(code, work, job)

    return task


def guarded(code: str, work: str, job: tuple) -> Any:
    """Return what the function named ``work`` returns for a job, on a worker.

    Raises
    ------
    InputError
        The worker has other code, or several threads: a run has a process of its own.
    """
    from distributed import get_worker  # heavy, and of an extra

    worker = get_worker()
    here, wanted = f"{_code()} and --nthreads {worker.state.nthreads}", f"{code} and --nthreads 1"
    if here != wanted:
        raise InputError(f"{here} at {worker.address}", f"workers with {wanted}", "start it again from the same commit")
    return pkgutil.resolve_name(work)(*job)


def _code() -> str:
    """Return which cogkit this is: its version, and its commit if it is in a repository."""
    from cogkit.data import results  # brings pandas

    return " ".join(dict.fromkeys((f"cogkit {cogkit.__version__}", results.commit())))


def address_of(text: str) -> str:
    """Return a scheduler's address in full; only on this machine may it be without encryption.

    Raises
    ------
    InputError
        It is no such address.

    Examples
    --------
    >>> address_of("localhost:8786"), address_of("tls://10.0.0.7")
    ('tcp://localhost:8786', 'tls://10.0.0.7:8786')
    >>> address_of("tcp://10.0.0.7:8786")
    Traceback (most recent call last):
    cogkit.core.errors.InputError: wanted a scheduler on this machine, such as tcp://127.0.0.1:8786, or one with \
encryption, such as tls://HOST:8786, got 'tcp://10.0.0.7:8786'
    """
    with suppress(ValueError):  # a bracket alone, a port that is no number
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        host, port = parts.hostname or "", _PORT if parts.port is None else parts.port
        if host and (parts.scheme == "tls" or (parts.scheme == "tcp" and _is_here(host))):
            return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    wanted = f"a scheduler on this machine, such as tcp://127.0.0.1:{_PORT}, or one with encryption, such as tls://HOST"
    raise InputError(repr(text), f"{wanted}:{_PORT}")


def _is_here(host: str) -> bool:
    """Return whether a host is this machine; another name may lead anywhere."""
    return host == "localhost" or ipaddress.ip_address(host).is_loopback


def _client(url: str, patience: float) -> Client:
    """Return a client of a scheduler that answers within so many seconds; it is tried once at least.

    Raises
    ------
    InputError
        None answers, distributed is not installed, or it has no certificates.
    """
    require("cluster", "distributed")
    from distributed import Client  # heavy, and of an extra
    from distributed.security import Security

    # A client that is closed after its scheduler was lost logs a traceback later on, from its own thread.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    until = time.monotonic() + patience
    while True:
        try:
            _greeted(url, Security())
            return Client(url, timeout=_REACH, set_as_default=False)
        except OSError as error:
            if time.monotonic() >= until:
                fix = "start it: dask scheduler --host 127.0.0.1"
                raise InputError(f"{url} ({error.strerror or error})", "a dask scheduler that answers", fix) from None
        time.sleep(_LOOK)


def _greeted(url: str, security: Security) -> None:
    """Return when a scheduler has greeted, as each does at once; else raise OSError within seconds.

    A `Client` waits for that greeting without end, and leaves a thread behind if it reaches nobody.
    """
    parts = urlsplit(url)
    encrypted = security.get_connection_args("client")["ssl_context"]
    if parts.scheme == "tls" and encrypted is None:
        fix = "set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, __CLIENT__CERT and __CLIENT__KEY"
        raise InputError("none", f"certificates for {url}", fix)
    with socket.create_connection((parts.hostname, parts.port), _REACH) as line:
        with encrypted.wrap_socket(line) if parts.scheme == "tls" else line as line:
            if not line.recv(1):
                raise ConnectionError("it hangs up")
