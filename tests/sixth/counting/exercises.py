"""Exercises of the sixth instrument."""

from cogkit.core.instruments import Exercise


def _is_seven(answer) -> bool | str:
    return answer + 0 == 7 or "too small"


EXERCISES = {"90-seven": Exercise(_is_seven, "count the days of a week")}
