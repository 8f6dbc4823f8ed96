"""Sample letters about new seeks, seeks by rating, standing seeks and watched players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from pbem.core.clock.time_control import read_pace
from pbem.core.letters.boards import Boards, letter_with_boards
from pbem.core.letters.letter import Letter, to_player
from pbem.core.letters.start import start_letters
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player
from rules import RULES
from tests.people import BILL, HOST, JOAO, NOON, a_game

BIPOD = RULES["bipod"]


def letters_of_finding(anna: Player) -> Iterator[tuple[str, Letter]]:
    until, pace = NOON + timedelta(days=30), read_pace("3d/move")
    seek = Seek(17, JOAO, BIPOD, BIPOD.complete({}), "random", True, NOON, until, pace)
    near, standing = replace(seek, id=18, seeker=anna, near=True), replace(seek, up_to=3, running=1)
    yield "newseeks", to_player("newseeks", BILL, seeks=[seek])
    yield "newseeks-two", to_player("newseeks", BILL, seeks=[standing, near])
    facts = {"news": [], "to_you": [], "seeks": [standing, near], "now": NOON + timedelta(days=1)}
    yield "digest-seeks", letter_with_boards("digest", BILL, Boards(), **facts)
    mine = replace(standing, id=9, seeker=BILL, running=0, expires_at=NOON + timedelta(days=90))
    yield "seek-near", to_player("seek", BILL, about=9, seek=replace(mine, near=True, up_to=0))
    yield "seek-standing", to_player("seek", BILL, about=9, seek=mine)
    why = (
        "Seek 18 is for players about as strong as Anna. In Bipod you have 1500? and Anna has 1900; between "
        "you two 287 points are the most."
    )
    yield "seeks-far", to_player("seeks", BILL, waiting=[standing], far=[(near, why)], mine=[mine])
    yield "seeks-far-alone", to_player("seeks", BILL, waiting=[], far=[(near, why)], mine=[])
    taken = Challenge(**vars(replace(mine, running=1)), challenged=JOAO, sought=True)
    yield "start-seek-standing", start_letters(a_game(), HOST, taken, 1, "")[0]


def letters_of_watched_players(anna: Player, **facts: object) -> Iterator[tuple[str, Letter]]:
    names = {"boards": [], "names": ["Joao"], "leagues": ["Bipod"]}
    yield "watching-player", to_player("watching", anna, **facts | names | {"whose": "Joao"})
    yield "watching-players", to_player("watching", anna, **facts | names)
    weekly = {"boards": [], "whose": "the Bipod league", "weekly": True, "leagues": ["Bipod"]}
    yield "watching-league", to_player("watching", anna, **facts | weekly)
    ended = {"boards": [], "watched": [], "ended": "Joao"}
    yield "watching-player-ended", to_player("watching", anna, **facts | ended)
