"""Players, games, preferences and seeks of the sample letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.core.clock.time_control import read_pace
from pbem.core.game.game import Game
from pbem.core.game.view import view_for_reader
from pbem.core.letters.boards import Boards
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player, Preferences
from pbem.core.preferences.preferences import MOST_USED, preference_values
from pbem.mail.outbound.message import Site
from pbem.store.games import RunningGame
from rules import RULES
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game

HOUSE = Site(HOST, f"https://{HOST}")
BIPOD = RULES["bipod"]
OFFERED = [BIPOD]
TOKEN = "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"
ONLOOKER = replace(BILL, id=31, name="Anna", address="anna@example.com")
BEGIRD_GAME = ("q14", "i9", "h12")
LONG_WORDS = """\
Dear Bill, I have thought about this for two days and still do not know
whether you want to run or to block; so I shall put off the question.

Shall we meet in Coimbra, in August? The cafés are open till late, and
> quoted things
f2 f4 g3
resign
From here I can see: https://example.com/a/very/long/link/that/goes/on/and/on/and/never/stops/until/it/does
"""

PREFERENCE_SAMPLES = {
    "text": Preferences(format="text"),
    "signs": Preferences(board="text"),
    "bare": Preferences(stones=False),
}
"""Combinations of preferences; each has a letter in the golden files."""

OUTAGES = ((NOON + timedelta(hours=7), NOON + timedelta(hours=16)),)
WEEK = NOON + timedelta(days=7)


def a_challenge(**changes: object) -> Challenge:
    challenge = Challenge(
        7,
        BILL,
        BIPOD,
        BIPOD.complete({}),
        "random",
        True,
        NOON,
        WEEK,
        read_pace("normal"),
        challenged=JOAO,
    )
    return replace(challenge, **changes)  # type: ignore[arg-type]


def a_settings_letter(player: Player, *changed: str, shown: Sequence[str] = MOST_USED) -> Letter:
    facts = {
        "settings": preference_values(player),
        "shown": list(shown),
        "stopped": sorted(player.stopped),
        "changed": list(changed),
    }
    facts["spare"] = player.spare
    facts["calendar"] = f"https://{HOST}/calendar/{TOKEN}.ics"
    return to_player("settings", player, **facts, now=NOON)


def only_letter(letters: Sequence[Letter], kind: str) -> Letter:
    """Return the only letter of its kind."""
    (letter,) = (letter for letter in letters if letter.kind == kind)
    return letter


def several_games() -> list[Game]:
    """Return three running games of Bill's; in the first and last Bill moves."""
    begird = a_game(BEGIRD_GAME, key="begird")
    against_anna = replace(begird, id=57, seats=(ONLOOKER, BILL))
    return [a_game(SEED_GAME[:4]), replace(a_game(SEED_GAME[:5]), id=43), against_anna]


def boards_of(games: Sequence[Game], player: Player = BILL, **more: Any) -> Boards:
    return Boards([view_for_reader(game, player, HOST) for game in games], bundle=5, **more)


ASKED = ReplyTo("confirm", 3)
SMALL = BIPOD.complete({"size": "4"})
RUNNING = [
    RunningGame(42, BIPOD, "Joao", 4, True, NOON, NOON + timedelta(days=7)),
    RunningGame(43, BIPOD, "Anna", 11, False, NOON + timedelta(hours=30)),
]


def a_seek(**changes: Any) -> Seek:
    """Return a seek of Bill's for Bipod, on the terms of `a_challenge`."""
    until, pace = NOON + timedelta(days=30), a_challenge().time_control
    return replace(Seek(9, BILL, BIPOD, BIPOD.complete({}), "random", True, NOON, until, pace), **changes)


def with_ratings(letter: Letter, ratings: Mapping[int, str], **more: Any) -> Letter:
    """Add both players' ratings to the letter."""
    return replace(letter.telling(**more), ratings=ratings)
