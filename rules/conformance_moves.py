"""Laws about foreign moves, chance, and a game's knowledge for the search. See `rules.conformance`."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from random import Random
from typing import Any
from xml.etree import ElementTree

from rules.contract import Move, Position, replay
from rules.random_play import Broken, RandomGame, hold, some_moves
from rules.record import RecordError, read, written_options
from rules.stone_reading import SWAP, Cells

MANY = 400
SAMPLES = 600
"""The number of random plies that must show every open kind."""
DEALS = 6
_DIGIT = re.compile(r"[0-9]")
NOWHERE = "z0"
"""The name of a cell that no board has."""


def foreign_moves_are_refused(trial: RandomGame) -> None:
    """A foreign move and a move off the board are refused with a sentence."""
    cells = {spot.name for spot in trial.start.picture().spots}
    foreign: list[Move] = [Cells((NOWHERE,)), Cells(()), "no move", 7, None]
    for position, move in trial.steps[:-1]:
        own = some_moves(position, move)[-2:]
        away = [each for made in own for each in _off_the_board(made, cells)]
        for each in (*foreign, *away, *(() if trial.rules.pie else (SWAP,))):
            try:
                sentence = position.problem(each)
            except Exception as error:
                named = f"{type(error).__name__}: {error}"
                raise Broken(f"cannot bear the foreign move {each!r}: {named}") from error
            hold(bool(sentence and sentence.strip()), f"takes the move {each!r}, which is not on its board")


def _off_the_board(move: Move, cells: set[str]) -> Iterator[Move]:
    """Yield the move with its cells replaced by one that no board has."""
    if is_dataclass(move) and not isinstance(move, type):
        for field in fields(move):
            value = getattr(move, field.name)
            changed = _changed(value, cells)
            if changed != value:
                yield replace(move, **{field.name: changed})
    elif move in cells:
        yield NOWHERE


def _changed(value: Any, cells: set[str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(each, cells) for each in value)
    return NOWHERE if isinstance(value, str) and value in cells else value


def _kind(move: Move) -> str:
    """Return a move's words, with each sequence of words that contain a digit replaced by one `#`."""
    words = ["#" if _DIGIT.search(word) else word for word in str(move).split()]
    return " ".join(word for n, word in enumerate(words) if n == 0 or word != "#" or words[n - 1] != "#")


def chance_makes_every_open_kind(trial: RandomGame) -> None:
    """`sample` makes moves of each listed kind if it is called often enough."""
    seen: dict[frozenset[str], set[str]] = {}
    rng = Random(trial.seed)
    for position, move in trial.steps[:-1]:
        kinds = frozenset(_kind(each) for each in islice(position.moves(), MANY))
        made = seen.setdefault(kinds, set())
        made.add(_kind(move))
        for _ in range(SAMPLES):
            if kinds <= made:
                break
            made.add(_kind(position.sample(rng)))
        missing = min(kinds - made, default="")
        hold(not missing, f"never makes a move such as {missing!r} by chance")


def seeds_deal_where_it_is_said(trial: RandomGame) -> None:
    """A game that deals begins differently with another seed. The deal stands in its options."""
    rules = trial.rules
    starts = [rules.start(trial.chosen, seed).data() for seed in range(DEALS)]
    differ = any(start != starts[0] for start in starts)
    hold(rules.deals or not differ, "deals by its seed and does not say so")
    given = trial.chosen.keys() or differ or not rules.deals
    hold(bool(given), "says that it deals, and begins alike with every seed")
    again = rules.begin(trial.start.options, trial.seed + 1)
    hold(again == trial.start, "deals something that its options do not tell")


def what_a_search_knows_is_true(trial: RandomGame) -> None:
    """Playouts and priors are worth 0 to 1. A seat that is known to win does win the game."""
    rng, known = Random(trial.seed), trial.rules.knowledge
    outcome = trial.positions[-1].outcome
    for position, _ in trial.steps[:-1][:: max(1, len(trial.steps) // 8)]:
        if known.playout is not None:
            value = known.playout(position, rng).value
            hold(0 <= value <= 1, f"has a playout that is worth {value}")
        winner = known.winner(position) if known.winner is not None else None
        true = winner is None or outcome is None or outcome.winner == winner
        hold(true, f"knows too early that seat {winner} wins")
        _hold_numbers(trial, position)


def _hold_numbers(trial: RandomGame, position: Position) -> None:
    known, actions = trial.rules.knowledge, position.actions()
    priors = known.priors(position, actions) if known.priors else []
    hold(len(priors) in (0, len(actions)), "has not one prior for each ply")
    hold(all(0 <= each <= 1 for each in priors), "has a prior that is not from 0 to 1")
    marks = known.marks(position, actions) if known.marks else []
    hold(len(marks) in (0, len(actions)), "has not one mark for each ply")


def the_package_is_whole(trial: RandomGame) -> None:
    """The emblem is SVG. The example is a complete record of this game."""
    rules = trial.rules
    try:
        ElementTree.fromstring(f"<svg>{rules.emblem}</svg>")  # noqa: S314
    except ElementTree.ParseError as error:
        raise Broken(f"has an emblem that is no SVG: {error}") from None
    if not rules.example:
        return
    try:
        record = read(rules.example)
        begun = rules.begin(rules.complete(written_options(rules, record)), int(record.tags.get("Seed", "0")))
        last = replay(begun, [ply.move for ply in record.plies])
    except (RecordError, ValueError) as error:
        raise Broken(f"has an example that is no record of it: {error}") from None
    hold(record.tags["Game"] == rules.name, f"has an example of {record.tags['Game']}")
    hold(last.outcome is not None or record.ending is not None, "has an example that does not end")


LAWS = (
    foreign_moves_are_refused,
    chance_makes_every_open_kind,
    seeds_deal_where_it_is_said,
    what_a_search_knows_is_true,
    the_package_is_whole,
)
