"""A position in words for readers without sight: what changed, groups and their ends, where one may play."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from textwrap import wrap

from rules.contract import Position
from rules.grids import Grid
from rules.picture import Picture, Spot

Lists = list[tuple[str, list[str]]]
"""Labelled lists, as `Position.stones` has them."""

JOINED = frozenset({"light", "dark", "block", "ring", "disc"})
"""Looks of stones that are told by groups."""
SHUT = frozenset({"shut", "cut"})
"""Looks of empty cells on which no stone may be placed."""
FREE = SHUT | {"empty", "light-land", "dark-land", "bagel", "baguette", "cup", "croissant"}
"""Looks of empty cells."""
MORE = "    more:"
"""Begins each further line of a list, so that no line alone is read as a move."""
PAIR = 2
MIN_RUN = 3
"""The least cells that are told by the two ends of their run."""


def word_lines(position: Position, width: int) -> list[str]:
    """Return the position as lines of at most `width` characters. No line begins with a cell."""
    return [line for label, names in word_lists(position) for line in _lines(label, names, width)]


def _lines(label: str, names: Sequence[str], width: int) -> list[str]:
    lines = wrap(f"{label}:", width, subsequent_indent="    ")
    for name in names:
        if len(lines[-1]) + 1 + len(name) > width:
            lines.append(MORE)
        lines[-1] += f" {name}"
    return lines


def word_lists(position: Position) -> Lists:
    """Return the last ply's cells, all stones by groups, scores, and where one may play."""
    picture = position.picture()
    told: Lists = []
    for label, names in position.stones():
        told += _grouped(position, picture, label, names)
    found = [*_changed(picture), *(told or [("Stones", ["none"])]), *_scores(position, picture)]
    return found if position.outcome else [*found, *_playable(position, picture)]


def _changed(picture: Picture) -> Lists:
    by_words: dict[str, list[str]] = {}
    for spot in picture.spots:
        if "last" in spot.marks:
            by_words.setdefault(spot.words, []).append(spot.name)
    return [("Changed", [*names[:-1], f"{names[-1]},", *words.split()]) for words, names in by_words.items()]


def _grouped(position: Position, picture: Picture, label: str, names: Sequence[str]) -> Lists:
    """Return stones by groups, shut cells as a number, and any other list as it is."""
    looks = {picture.names[name].look if name in picture.names else "" for name in names}
    if looks and looks <= SHUT:
        return [(label, [f"{len(names)} cells"])]
    if not looks <= JOINED:
        return [(label, list(names))]
    groups = sorted(_groups([picture.names[name] for name in names], picture.grid), key=len, reverse=True)
    told: Lists = []
    for group in groups:
        if len(group) > 1:
            one, other = _ends(group, picture.grid)
            size = f"{len(group)} from {one} to {other}" if len(group) > PAIR else "two"
            told.append((f"{label}, {size}", _touching(position, group)))
    alone = [" ".join(_touching(position, group)) for group in groups if len(group) == 1]
    return [*told, (f"{label}, alone", alone)] if alone else told


def _touching(position: Position, group: Sequence[Spot]) -> list[str]:
    """Return the names of a group, and behind them what the group touches."""
    touched = position.touched(group[0].name)
    return [*(spot.name for spot in group), *(f"({touched})".split() if touched else ())]


def _groups(spots: Sequence[Spot], grid: Grid) -> list[list[Spot]]:
    """Return the connected groups of these cells, each in the order of the list."""
    left = {(spot.x, spot.y): spot for spot in spots}
    found = []
    for spot in spots:
        if (spot.x, spot.y) not in left:
            continue
        group = [left.pop((spot.x, spot.y))]
        for here in group:  # grows while it is walked
            for dx, dy in grid.around:
                beside = (here.x + dx, here.y + dy)
                if beside in left:
                    group.append(left.pop(beside))
        found.append(sorted(group, key=spots.index))
    return found


def _ends(group: Sequence[Spot], grid: Grid) -> tuple[str, str]:
    """Return the two cells of a group that lie farthest apart."""

    def distance(pair: tuple[Spot, Spot]) -> int:
        return grid.steps(*((spot.x, spot.y) for spot in pair))

    one, other = max(combinations(group, 2), key=distance)
    return one.name, other.name


def _scores(position: Position, picture: Picture) -> Lists:
    """Return each side's scores but those of 0 for both, unless the lists tell them."""
    counted: Mapping[str, Mapping[str, object]] = {} if picture.scored else position.scores()
    kept = {name for of_side in counted.values() for name, value in of_side.items() if value != 0}
    return [
        (f"Score of {side}", _separated(f"{name} {value}" for name, value in of_side.items() if name in kept))
        for side, of_side in counted.items()
        if kept
    ]


def _separated(items: Iterable[str]) -> list[str]:
    """Put a comma behind each item but the last."""
    *first, last = items
    return [*(f"{item}," for item in first), last]


def _playable(position: Position, picture: Picture) -> Lists:
    """Return the cells that may be played, or those free ones that may not where these are fewer."""
    playable = set(position.playable())
    free = [spot for spot in picture.spots if spot.look in FREE]
    shut = [spot for spot in free if spot.name not in playable]
    cells = [spot for spot in picture.spots if spot.name in playable]
    words = _number_runs([word for word in position.playable() if word not in picture.names])
    told: Lists = []
    if cells and not shut:
        told.append(("May be played", [f"all {len(cells)} free cells"]))
    elif len(shut) * 2 < len(cells):
        told.append((f"May be played, {len(cells)} cells", ["any free one but", *_runs(shut, picture.grid)]))
    elif cells:
        told.append((f"May be played, {len(cells)} cells", _runs(cells, picture.grid)))
    return [*told, ("May be written", _separated(words))] if words else told


def _runs(spots: Sequence[Spot], grid: Grid) -> list[str]:
    """Return cells row by row, three or more side by side by their ends: `c1 to i1`."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for spot in spots:
        row, place = (spot.x, spot.y) if grid.by_columns else (spot.y, spot.x)
        rows.setdefault(row, []).append((place, spot.name))
    found: list[str] = []
    for row in sorted(rows):
        runs: list[list[tuple[int, str]]] = []
        for cell in sorted(rows[row]):
            if runs and cell[0] - runs[-1][-1][0] == 2:
                runs[-1].append(cell)
            else:
                runs.append([cell])
        items = [item for run in runs for item in _told_run([name for _, name in run])]
        found += [*items[:-1], f"{items[-1]},"]
    return [*found[:-1], found[-1].rstrip(",")] if found else []


def _told_run(names: Sequence[str]) -> list[str]:
    return [f"{names[0]} to {names[-1]}"] if len(names) >= MIN_RUN else list(names)


def _number_runs(words: Sequence[str]) -> list[str]:
    """Return plies of words, those with one number after another by their ends: `bid 1 to 30`."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        head, _, number = word.rpartition(" ")
        goes_on = number.isdigit() and found and found[-1][0] == head and found[-1][1][-1].isdigit()
        if goes_on and abs(int(number) - int(found[-1][1][-1])) == 1:
            found[-1][1].append(number)
        else:
            found.append((head, [number]))
    return [
        f"{head} {numbers[0]}".lstrip() + (f" to {numbers[-1]}" if len(numbers) > 1 else "")
        for head, numbers in found
    ]
