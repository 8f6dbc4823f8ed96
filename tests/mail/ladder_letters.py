"""Sample letters about ladders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.core.clock.time_control import USUAL, read_pace
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.ladder import LADDER, Ladder, LadderLine, Pairing
from pbem.core.events.league import Settings
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.letters.start import league_letters
from pbem.duties.ladders import told_letter
from pbem.duties.new_games import GameTerms
from rules import RULES
from tests.people import BILL, HOST, JOAO, NOON

EVENT = Event(9, "bipod", 0, Settings(), None, league.RUNNING, NOON, None, False, 1, 0, NOON, 12, LADDER)
LONG = "Wolfeschlegelsteinha"
NAMES = ("Anna", "Joao", LONG, "Clara", "Duarte", "Fritz", "Bill", "Grete", "Heloise", "Ivo", "Jana")
LINES = tuple(LadderLine(n, n, name, ("1694", "1523?", "")[n % 3]) for n, name in enumerate(NAMES, 1))
SHOWN = Ladder(9, EVENT.title, "bipod", LINES, (), word="bipod", called="bipod ladder")
FREE = [LONG, "Clara", "Duarte", "Fritz"]
UNTIL = NOON + timedelta(days=5)
WAITING = (Pairing(7, "Bill", "Joao", NOON, UNTIL), Pairing(8, "Grete", "Bill", NOON, UNTIL, 42))


def letters_of_ladders(game: Game) -> Iterator[tuple[str, Letter]]:
    """Bill enters the ladder of Bipod, challenges Joao, and leaves it."""
    alone = replace(SHOWN, lines=(replace(LINES[6], place=1),))
    others = replace(SHOWN, lines=tuple(line for line in LINES if line.name != "Bill"))
    yield "ladder-entered", _ladder("entered", replace(SHOWN, lines=LINES[:7]), free=FREE)
    yield "ladder-first", _ladder("entered", alone)
    yield "ladder-made", _ladder("made", replace(alone, word="9", called="ladder 9"))
    yield (
        "ladder-challenged",
        _ladder("challenged", replace(SHOWN, waiting=WAITING), until=UNTIL, other="Joao"),
    )
    yield "ladder-shown", _ladder("shown", replace(SHOWN, waiting=WAITING), free=FREE[1:])
    why = "You have challenged Joao already."
    yield "ladder-nobody", _ladder("shown", replace(SHOWN, waiting=WAITING), why=why)
    yield "ladder-others", _ladder("shown", others)
    yield "ladder-left", _ladder("left", others)
    yield "ladderask", _question(often=False)
    yield "ladderask-often", _question(often=True)
    yield from _of_challenges()
    begun = replace(game, journal=game.journal[:1])
    yield "start-ladder", league_letters(begun, HOST, EVENT.title, on_ladder=True)[0]


def _ladder(stage: str, shown: Ladder, **facts: Any) -> Letter:
    known = {"title": EVENT.title, "shown": shown, "me": "Bill", "free": [], "why": "", "other": "", **facts}
    return to_player("ladder", BILL, stage=stage, **known)


def _question(*, often: bool) -> Letter:
    rules = RULES["bipod"]
    terms = GameTerms(rules, rules.complete_for("bipod", {}), not often, read_pace(USUAL))
    facts: dict[str, Any] = {"title": EVENT.title, "other": LONG, "until": UNTIL}
    facts |= {"terms": terms, "often": often, "options": "", "place": 2, "theirs": 6}
    letter = to_player("ladderask", JOAO, **facts)
    return replace(letter, reply=ReplyTo("confirm", 7))


def _of_challenges() -> Iterator[tuple[str, Letter]]:
    for why in ("no", "silence"):
        facts: dict[str, Any] = {"number": 11, "left": False}
        won = {"other": "Joao", "mine": True, "place": 2, "was": 7}
        lost = {"other": "Bill", "mine": False, "place": 7, "was": 2}
        yield f"laddertold-{why}", told_letter(BILL, why, EVENT, **facts, **won)
        yield f"laddertold-{why}-lost", told_letter(JOAO, why, EVENT, **facts, **lost)
    yield "laddertold-stays", told_letter(BILL, "no", EVENT, **facts, **{**won, "place": 2, "was": 2})
    yield "laddertold-left", told_letter(BILL, "off", EVENT, other="Joao", left=True, game=42)
    yield "laddertold-off", told_letter(BILL, "off", EVENT, other="Joao", left=False, game=None)
    full = "You want at most 2 games of Bipod at a time; `limit bipod none` lifts that."
    yield (
        "laddertold-full",
        told_letter(BILL, "off", EVENT, other="Joao", left=False, game=None, problem=full),
    )
    yield "laddertold-out", told_letter(BILL, "out", EVENT, reason="Bill is ill.")
