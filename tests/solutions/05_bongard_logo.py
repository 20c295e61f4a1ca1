# %% 05-two-readings
# The corners of a square, visited across: up the left side, down a diagonal, up the right side, down the other.
across, side = 0.5 * 2**0.5, 0.5
two_readings = [logo.Line(side, 90.0), logo.Line(across, -135.0), logo.Line(side, 135.0), logo.Line(across, 135.0)]

# %% 05-solver
from dataclasses import replace


def belongs(positives, negatives, query):
    def plain(picture):
        return tuple(tuple(replace(action, type="normal") for action in program) for program in picture)

    typed = all(picture == positives[0] for picture in positives)
    return query == positives[0] if typed else plain(query) == plain(positives[0])


# %% 05-two-parts
import shapely


def two_parts(program):
    lines = [shapely.LineString(stroke) for stroke in logo.path(logo.Placed(program))]
    ink = shapely.union_all(lines).buffer(4.0)
    return sum(len(part.interiors) for part in shapely.get_parts(ink)) == 2


# %% 05-standard-errors
alone = (0.8 * 0.2 / 40) ** 0.5
errors = {"each on its own": alone, "the second from the first": (0.8 * 0.2 / 20) ** 0.5}
