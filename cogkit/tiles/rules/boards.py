"""Boards of the tile-revealing task: 7×7, 1 = red, 0 = blue, row 0 at the top, tile index = 7·row + column.

Boards of your own go wherever items go: into ``judge`` to be scored, and into a widget to be played::

    import numpy as np
    from cogkit import tiles
    from cogkit.tiles.rules.boards import Items

    boards = np.stack([np.eye(7), np.eye(7)[::-1]])
    diagonals = Items(boards, starts=[24, 24], task="diagonal/abstract", source="my lab")
    rows = tiles.summarise(tiles.judge(tiles.learner("nearest-neighbour"), diagonals))
    tiles.figures.TileBoard(diagonals)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, ClassVar

import numpy as np

from cogkit.core import items
from cogkit.core.errors import InputError
from cogkit.core.identity import hashed

SIZE = 7
TILES = SIZE * SIZE


@dataclass(frozen=True, eq=False, repr=False)
class Items(items.Items):
    """Boards with their open start tiles: what a player is asked to reveal.

    Attributes
    ----------
    boards : (n, 7, 7) uint8
        1 = red.
    starts : (n,) int64
        Index of the red tile that is open at the beginning.
    source : str
        Where the boards are from, as it appears in result and trial rows.
    part, seed, split, rung
        As in `core.items.Items`.

    Examples
    --------
    >>> Items([np.eye(7), np.eye(7)[::-1]], [0, 6], "diagonal/abstract", "my lab")[:1].to_frame()["reds"].tolist()
    [7]
    """

    instrument: ClassVar[str] = "tiles"

    boards: np.ndarray
    starts: np.ndarray
    task: str
    source: str
    part: str = "test"
    seed: int = 0
    split: str = ""
    rung: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "boards", as_boards(self.boards))
        object.__setattr__(self, "starts", as_starts(self.boards, self.starts))

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, index: Any) -> Any:
        """Return one board (7, 7) and its start tile, or for a slice some of them as items."""
        boards, starts = self.boards[index], self.starts[index]
        return replace(self, boards=boards, starts=starts) if isinstance(index, slice) else (boards, int(starts))

    @property
    def contents(self) -> list[int]:
        """The boards as bit words: a board is the same item, whatever its start tile."""
        return to_bits(self.boards).tolist()

    def name(self, index: int) -> str:
        """Return the name of one item: its task, and the hash of its board and start tile."""
        return hashed(self.task, self[index])

    def row(self, index: int) -> dict[str, Any]:
        """Return a board as a word, its number of red tiles, and its start tile."""
        return {"board": encode(self.boards[index]), "reds": int(self.boards[index].sum()), "start": self[index][1]}

    def png(self, index: int) -> bytes:
        from PIL import Image  # nothing else of tiles draws

        colours = np.array([(0, 114, 178), (213, 94, 0)], np.uint8)[self.boards[index]]  # blue and red of `ui.theme`
        Image.fromarray(colours).resize((56, 56), Image.Resampling.NEAREST).save(file := BytesIO(), "PNG")
        return file.getvalue()


def as_boards(values) -> np.ndarray:
    """Return boards as (n, 7, 7) uint8 after checking them.

    It takes one board (7, 7) or several (n, 7, 7), of any numeric or boolean type holding only 0 and 1.

    Raises
    ------
    InputError
        Another shape, a value other than 0 or 1, or a board without a red tile.

    Examples
    --------
    >>> as_boards(np.eye(7)).shape
    (1, 7, 7)
    """
    wanted = f"a board of {SIZE}×{SIZE} tiles, or n of them, each 0 (blue) or 1 (red)"
    boards = np.empty(0)
    with suppress(ValueError):  # rows of unequal length
        boards = np.asarray(values)
    boards = boards[None] if boards.ndim == 2 else boards
    if boards.shape[1:] != (SIZE, SIZE) or boards.dtype.kind not in "biuf":
        raise InputError(f"shape {boards.shape} and values of type {boards.dtype}", wanted)
    wrong = np.argwhere((boards != 0) & (boards != 1))
    if len(wrong):
        board, row, column = wrong[0]
        value = boards[board, row, column].item()
        raise InputError(f"{value!r} at row {row}, column {column} of board {board}", wanted)
    empty = ~boards.any(axis=(1, 2))
    if empty.any():
        raise InputError(f"no red tile on board {empty.argmax()}", "a board with at least one red tile", "leave it out")
    return np.ascontiguousarray(boards, dtype=np.uint8)


def as_starts(boards: np.ndarray, starts) -> np.ndarray:
    """Return the start tile of each board as (n,) int64 tile indices after checking that each is red.

    ``starts`` are tile indices (n,), or (n, 2) rows and columns as the published files hold them.

    Raises
    ------
    InputError
        Another length, a tile off the board, or a start tile that is not red.

    Examples
    --------
    >>> as_starts(as_boards(np.eye(7)), [[2, 2]])
    array([16])
    """
    numbers = np.asarray(starts)
    if numbers.dtype.kind not in "iu" or numbers.shape not in ((len(boards),), (len(boards), 2)):
        raise InputError(
            f"start tiles of shape {numbers.shape} and type {numbers.dtype}",
            f"{len(boards)} whole tile numbers, or {len(boards)} (row, column) pairs",
        )
    numbers = numbers.astype(np.int64)
    pairs = np.stack(np.divmod(numbers, SIZE), axis=1) if numbers.ndim == 1 else numbers
    rows, columns = pairs.clip(0, SIZE - 1).T
    is_red = ((pairs >= 0) & (pairs < SIZE)).all(axis=1) & (boards[np.arange(len(boards)), rows, columns] == 1)
    if not is_red.all():
        board = int((~is_red).argmax())
        limit = TILES if numbers.ndim == 1 else SIZE
        raise InputError(f"{numbers[board].tolist()} for board {board}", f"red start tiles between 0 and {limit - 1}")
    tiles = pairs[:, 0] * SIZE + pairs[:, 1]
    return tiles


def to_bits(boards: np.ndarray) -> np.ndarray:
    """Return boards (n, 7, 7) as (n,) uint64 words in which bit *i* is set when tile *i* is red.

    Examples
    --------
    >>> to_bits(as_boards(np.eye(7)[::-1]))[0] >> np.uint64(6) & np.uint64(1)
    np.uint64(1)
    """
    octets = np.zeros((len(boards), 8), np.uint8)
    octets[:, :7] = np.packbits(boards.reshape(-1, TILES), axis=1, bitorder="little")
    return octets.view("<u8")[:, 0].astype(np.uint64)


def from_bits(bits) -> np.ndarray:
    """Return (n, 7, 7) uint8 boards from (n,) uint64 words; the inverse of `to_bits`.

    Examples
    --------
    >>> bool((from_bits(to_bits(as_boards(np.eye(7)))) == np.eye(7)).all())
    True
    """
    words = np.ascontiguousarray(np.atleast_1d(bits), dtype="<u8")
    tiles = np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little", count=TILES)
    return tiles.reshape(-1, SIZE, SIZE)


def encode(board) -> str:
    """Return one board as a short hexadecimal word, the form that trial rows keep.

    Examples
    --------
    >>> encode(np.eye(7))
    '0x1010101010101'
    """
    return hex(int(to_bits(as_boards(board))[0]))


def decode(word: str) -> np.ndarray:
    """Return the (7, 7) uint8 board of a hexadecimal word, or raise `InputError`.

    Examples
    --------
    >>> int(decode("0x1010101010101").trace())
    7
    """
    with suppress(TypeError, ValueError):
        if 0 < (bits := int(word, 16)) < 1 << TILES:
            return from_bits(bits)[0]
    raise InputError(repr(word), "a board of 49 tiles as a hexadecimal word")
