"""Contexts for a step of training: no interrupt half-way, own random generators, one thread, device and precision."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def interrupts_wait(stop: Callable[[], None]) -> Iterator[None]:
    """Return a context in which a keyboard interrupt calls ``stop``; a second one interrupts at once."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # only the main thread gets signals; a handler that ignores or kills stays in place
        return

    def wait(signum, frame) -> None:
        stop()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def one_thread() -> Iterator[None]:
    """Return a context in which torch computes on one thread; afterwards the old number is restored.

    Two threads gain little on networks this small. On a busy machine they wait for each other: up to 18 times slower.

    Examples
    --------
    >>> with one_thread():
    ...     torch.get_num_threads()
    1
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def default_device(half: bool = True) -> str:
    """Return the device of a network: a GPU, if the network may use half precision and there is one."""
    return "cuda" if half and torch.cuda.is_available() else "cpu"


def precision(half: bool) -> torch.dtype:
    """Return the precision of products: bfloat16, if the config asks for it and the machine has it."""
    if not half:
        return torch.float32
    if torch.cuda.is_available():
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    return torch.bfloat16 if torch.backends.cpu.get_cpu_capability().startswith("AVX512") else torch.float32


def products(half: bool) -> torch.autocast:
    """Return a context in which products are computed in the `precision` of a network, on its `device`."""
    return torch.autocast(default_device(half), precision(half), enabled=precision(half) != torch.float32)


@contextmanager
def inference(network: nn.Module) -> Iterator[None]:
    """Return a context for answers of a network: in evaluation mode, without gradients, on one thread.

    Afterwards mode, gradients and threads are restored.

    Examples
    --------
    >>> network = nn.Dropout()
    >>> with inference(network):
    ...     network.training, torch.is_grad_enabled(), torch.get_num_threads()
    (False, False, 1)
    >>> network.training
    True
    """
    was = network.training
    network.eval()
    try:
        with torch.no_grad(), one_thread():
            yield
    finally:
        network.train(was)


@contextmanager
def lent_generators(states: list[torch.Tensor]) -> Iterator[None]:
    """Return a context in which torch's default generators run on ``states``; at its end ``states`` are updated.

    Initial weights and dropout can draw only from these generators. Outside the context they are unchanged. There is
    one state per generator: first the CPU's, then the GPUs' once CUDA is in use; replaced in place.

    Examples
    --------
    >>> own = [torch.Generator().manual_seed(3).get_state()]
    >>> with lent_generators(own):
    ...     drawn = torch.rand(2)
    >>> bool((drawn == torch.rand(2, generator=torch.Generator().manual_seed(3))).all())
    True
    """
    outside = [generator.get_state() for generator in _generators()]
    _set_states(states)
    try:
        yield
    finally:
        states[:] = [generator.get_state() for generator in _generators()]
        _set_states(outside)


def _generators() -> list[torch.Generator]:
    cuda = torch.cuda.default_generators if torch.cuda.is_initialized() else ()
    return [torch.default_generator, *cuda]


def _set_states(states: list[torch.Tensor]) -> None:
    for generator, state in zip(_generators(), states, strict=False):
        generator.set_state(state)
