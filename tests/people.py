"""Two players, their game, and their mails, for many tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, START, Entry
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.play.decide import decide
from pbem.core.play.turn import Decision, TurnRequest
from pbem.core.play.unsent_words import add_unsent_notice
from pbem.core.players import Player
from rules import RULES
from rules.contract import Seat

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOST = "pbem.example.org"

BILL = Player(17, "Bill", "bill@example.org", frozenset({"bill@example.org"}), NOON)
JOAO = Player(23, "Joao", "joao@example.net", frozenset({"joao@example.net"}), NOON)

SEED_GAME = (
    "f2 f4 g3|e5 g1|f6 h2 i1|E1|F2|mo1 n2|adopt|k3 o|x4|y3 O|x2|v2 O|w3|u3 O|u5|r4 O|r6|o5 O|j4".split("|")
)
"""The mail game of June 2004, with its misprints corrected.

Bill (first) has played ply 19, and Joao resigns.
"""
SEED_PLIES = [move.replace("mo1", "m1 o1") for move in SEED_GAME]
"""The same in canonical spelling."""


def a_game(moves: Sequence[str] = (), *, key: str = "bipod", **options: str) -> Game:
    """Game 42 after `moves`, one an hour from noon, Bill first."""
    rules = RULES[key]
    start = rules.start(options)
    game = Game(42, rules, start.options, 0, (BILL, JOAO), NOON, (Entry(1, NOON, START, None, {}),))
    for n, text in enumerate(moves):
        position = fold(game).position
        move = position.read(text)
        assert position.problem(move) is None, position.problem(move)
        at = NOON + timedelta(hours=n + 1)
        game = game.with_entries([Entry(n + 2, at, PLY, position.to_play, {"move": str(move)})])
    return game


def asks(
    game: Game,
    seat: Seat,
    words: str,
    *,
    since: int | None = None,
    at: datetime = NOON,
    as_written: bool = True,
) -> Decision:
    """The decision about a mail from `seat`, answering entry `since`."""
    orders = read_orders(words, marked=True, reader=fold(game).position.read)
    assert len(orders.blocks) == 1, orders.problem
    block = orders.blocks[0]
    request = TurnRequest(seat, block.commands, same_moment(at), HOST, since, block.comment, block.said)
    decision = decide(game, replace(request, as_written=as_written))
    return replace(decision, letters=tuple(add_unsent_notice(decision.letters, game.seats[seat], block)))


def command(verb: str, text: str, **args: Any) -> Command:
    return Command(verb, text, args)
