"""Laws about the display: dots, lists of stones, words, legends, titles. See `rules.conformance`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from rules.contract import Position, RulesError
from rules.picture import Picture, Spot, cell_table, text
from rules.random_play import RandomGame, hold
from rules.stone_reading import SWAP

_GLYPH = re.compile(r"\((\S{1,2})\)")
"""The sign in the label of a list of stones, as in `Black (X)`."""
_CELL = re.compile(r"[A-Za-z][0-9]{1,2}")
_NUMBER = re.compile(r"[0-9]+")
MORE_GAMES = 20
"""The number of further random games in which to look for a sign of the legend."""


def _look(spot: Spot) -> tuple[str, str, str]:
    return spot.glyph, spot.look, spot.ground


def _bare(words: str) -> str:
    """Return words in lower case and without numbers, such as the numbers of plies."""
    return _NUMBER.sub("", words).lower()


def cells_are_drawn_apart(trial: RandomGame) -> None:
    """No name and no place is drawn twice. A picture names its game and the last ply."""
    for position in trial.positions:
        picture = position.picture()
        names = Counter(spot.name for spot in picture.spots)
        places = Counter((spot.x, spot.y) for spot in picture.spots)
        hold(max(names.values()) == 1, f"draws the cell {names.most_common(1)[0][0]} twice")
        hold(max(places.values()) == 1, f"draws two cells at {places.most_common(1)[0][0]}")
        overlaps = len({picture.grid.offset(place) for place in places}) > 1
        hold(not overlaps, "draws cells that overlap: half a column from each other on one row")
        hold(picture.game == trial.rules.key, f"draws {picture.game} and is {trial.rules.key}")
        told = {int(number) for number in _NUMBER.findall(picture.title)}
        hold(
            told <= {position.ply, position.ply + 1},
            f"is at ply {position.ply} and draws it as {picture.title!r}",
        )


def hold_same_cells(picture: Picture) -> None:
    """Raise Broken unless the text and the table show the cells of the picture, each in its place."""
    lines = text(picture).split("\n")
    top = min([*(spot.y for spot in picture.spots), *(label.y for label in picture.labels)])
    for spot in picture.spots:
        hold(spot.glyph in lines[spot.y - top], f"does not draw {spot.name} in text")
    for y in {spot.y for spot in picture.spots}:
        row = sorted((spot.x, spot.glyph) for spot in picture.spots if spot.y == y)
        drawn, first = "", row[0][0]
        for x, glyph in row:
            drawn = f"{drawn:{(x - first) * picture.pitch}}{glyph}"
        hold(drawn in lines[y - top], f"draws the row of {drawn!r} otherwise in text")
    shown = [cell.spot for row in cell_table(picture).rows for cell in row.cells if cell.spot]
    hold({*shown} == {*picture.spots} and len(shown) == len(picture.spots), "shows other cells in its table")


def dots_stand_where_one_may_play(trial: RandomGame) -> None:
    """The cells marked as open are those that a click may begin with. No other cell is a legal ply."""
    for position in trial.positions:
        marked = {spot.name for spot in position.picture().spots if "legal" in spot.marks}
        draft = position.draft("")
        clicks = {choice.cell for choice in draft.choices if choice.cell}
        written = not (draft.choices or draft.amounts)
        open_ = set(position.playable()) if written else clicks
        hold(marked <= open_, f"marks {_first(marked - open_)} as open, where nothing may be played")
        hold(open_ <= marked, f"does not mark {_first(open_ - marked)} as open, which may be played")
    for position in (trial.positions[0], trial.positions[len(trial.positions) // 2]):
        for spot in position.picture().spots:
            shut = "legal" in spot.marks or not _may_be_played(position, spot.name)
            hold(shut, f"does not mark {spot.name} as open, which may be played")


def _first(names: Iterable[str]) -> str:
    return min(names, default="")


def _may_be_played(position: Position, text: str) -> bool:
    try:
        return position.problem(position.read(text)) is None
    except RulesError:
        return False


def stones_are_listed_as_drawn(trial: RandomGame) -> None:
    """Lists of cells name what is drawn. Cells that look alike are all listed or all left out."""
    for position in trial.positions:
        spots = position.picture().names
        lists = list(_cell_lists(position))
        listed = {name for _, names in lists for name in names}
        glyphs = {spots[name].glyph for name in listed}
        for spot in spots.values():
            left = spot.glyph in glyphs and spot.name not in listed
            hold(not left, f"lists cells with {spot.glyph!r} and leaves {spot.name} out")
        for label, names in lists:
            for sign in _GLYPH.findall(label):
                _hold_signs(position, sign, label, names)


def _cell_lists(position: Position) -> Iterator[tuple[str, list[str]]]:
    """Yield the lists that name cells, and skip lists of cards and the like."""
    spots = position.picture().names
    for label, names in position.stones():
        hold(bool(label.strip() and names), f"has an empty list of stones, {label!r}")
        known = [name for name in names if name in spots]
        wrong = [name for name in names if name not in spots and (known or _CELL.fullmatch(name))]
        hold(not wrong, f"lists {_first(wrong)} under {label!r}, which is not on the board")
        hold(len(known) == len(set(known)), f"lists a cell twice under {label!r}")
        if known:
            yield label, names


def _hold_signs(position: Position, sign: str, label: str, names: list[str]) -> None:
    """Raise Broken unless a sign's cells are in the list naming it."""
    spots = position.picture().spots
    own = [spot.name for spot in spots if spot.glyph == sign]
    others = [each for title, cells in position.stones() if f"({sign})" in title for each in cells]
    missing = set(own) - set(others)
    hold(not missing, f"lists {_first(missing)} under another label than {label!r}, whose sign it has")
    hold(not own or bool(set(others) & set(own)), f"lists {_first(names)} under {label!r}, which it is not")


def words_tell_what_is_drawn(trial: RandomGame) -> None:
    """Cells that look the same have the same words, numbers aside; different signs have different words."""
    words: dict[object, str] = {}
    signs: dict[str, str] = {}
    for position in trial.positions:
        picture, over = position.picture(), position.outcome is not None
        for spot in picture.spots:
            told, where = _bare(spot.words), f"tells {spot.name} as {spot.words!r}"
            hold(bool(spot.words.strip()), f"has no words for the cell {spot.name}")
            before = words.setdefault((*_look(spot), over), told)
            hold(before == told, f"{where}, which looks like cells told as {before!r}")
            same = signs.setdefault(told, _bare(spot.glyph)) == _bare(spot.glyph)
            hold(same, f"{where}, as cells that have another sign")
        _hold_description(position, picture)


def _hold_description(position: Position, picture: Picture) -> None:
    """Raise Broken where a description names a cell that is not listed."""
    if not position.stones():
        return
    known = {word for _, names in position.stones() for name in names for word in re.findall(r"\w+", name)}
    told = {word for word in re.findall(r"\w+", picture.description) if word in picture.names}
    hold(told <= known, f"describes something on {_first(told - known)}, where nothing is listed")


def legends_explain_what_is_drawn(trial: RandomGame) -> None:
    """Each sign of the legend is on the board at some time and keeps one meaning until the end."""
    missing: set[str] = set()
    meanings: dict[tuple[str, bool], str] = {}
    for position in trial.positions:
        legend, over = position.picture().legend, position.outcome is not None
        hold(len(legend) == len(dict(legend)), "explains a sign twice in its legend")
        for sign, meaning in legend:
            hold(bool(meaning.strip()), f"does not say what {sign} stands for")
            hold(meanings.setdefault((sign, over), meaning) == meaning, f"explains {sign} in two ways")
            missing.add(sign)
    seeds = range(trial.seed + 1, trial.seed + 1 + MORE_GAMES)
    games = chain([trial], (RandomGame(trial.rules, trial.chosen, seed) for seed in seeds))
    for each in games:
        drawn = {sign for position in each.positions for sign in _signs(position.picture())}
        missing = {sign for sign in missing if not _is_drawn(sign, drawn)}
        if not missing:
            break
    hold(not missing, f"explains the sign {_first(missing)}, which is never on the board")


def _signs(picture: Picture) -> Iterator[str]:
    yield from (spot.glyph for spot in picture.spots)
    yield from (label.text for label in picture.labels)


def _is_drawn(legend: str, drawn: set[str]) -> bool:
    """True if one of the signs is drawn; `[1] to [15]` stands for several signs."""
    return any(sign.strip("[]") in drawn for sign in legend.split())


def swap_leaves_the_board(trial: RandomGame) -> None:
    """The pie rule exchanges sides and changes no stone."""
    for position in trial.positions[:3]:
        if trial.rules.pie and position.problem(SWAP) is None:
            before, after = position.picture(), position.play(SWAP).picture()
            pairs = zip(before.spots, after.spots, strict=True)
            changed = [old.name for old, new in pairs if (_look(old), old.name) != (_look(new), new.name)]
            hold(not changed, f"changes {_first(changed)} by swap, which leaves the board as it is")


LAWS = (
    dots_stand_where_one_may_play,
    stones_are_listed_as_drawn,
    words_tell_what_is_drawn,
    legends_explain_what_is_drawn,
    swap_leaves_the_board,
)
