"""Syllables as names of stimuli, for whoever meets them in words."""

from __future__ import annotations

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.equivalence.problems.records import Design

NAMES = tuple(
    "bav bap bez bef bep biv bif bik bov bof buv buz buf dav daf dap dez dof dop duv duf fep fiv foz gav gev gep "
    "gik gof gup jav jaf jef jep jiv jof jop juv juf kav kaf kep kiv koz kof kuv kuf laf lef lif lof lup mef mev miv "
    "mif mov muf muv naf nef nif niv nof nuf nuv paf pav pef pev pov puv rav rez rif riv rof rov ruv saf sav sef siv "
    "sof suf taf tav tef tiv tof tuf tuv vaf vak vap vef vep vof vok vop vuf vup waf wak wap wef wep wiv wof wuv zaf "
    "zef zep zif zik zof zup".split()
)
"""Syllables that are no English words."""


def names(design: Design, seed: int = 0) -> tuple[str, ...]:
    """Return a name for every stimulus and dummy of a design, by token, from `NAMES` in random order.

    Examples
    --------
    >>> len(set(names(Design())))
    49
    """
    if (needed := design.stimuli + design.dummies) > len(NAMES):
        raise InputError(f"{needed} stimuli and dummies", f"at most {len(NAMES)}, for which there are names")
    return tuple(seeding.stream(seed, "equivalence/names").permutation(NAMES)[:needed].tolist())
