"""The score table as text: a column a side, a line each thing that is counted.

points       12         9
rows of 6     1         0
"""

from collections.abc import Mapping
from typing import Any


def score_lines(scores: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """`Position.scores()`, side -> what is counted -> how many, as lines; [] for a game without."""
    if not scores:
        return []
    counted = list(dict.fromkeys(name for table in scores.values() for name in table))
    first = max(map(len, counted))
    widths = {
        side: max(len(side), *(len(str(value)) for value in table.values())) for side, table in scores.items()
    }
    heads = "".join(f"   {side:>{widths[side]}}" for side in scores)
    lines = [f"{'':{first}}{heads}"]
    for name in counted:
        values = "".join(f"   {scores[side].get(name, '')!s:>{widths[side]}}" for side in scores)
        lines.append(f"{name:{first}}{values}")
    return [line.rstrip() for line in lines]
