"""Sample letters of the Saturday paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.core import paper
from pbem.core.exercises.lesson import ShownLesson
from pbem.core.exercises.puzzle import ShownPuzzle
from pbem.core.game.game import Game
from pbem.core.game.journal import RESIGN, Entry
from pbem.core.letters.letter import Letter, to_player
from pbem.core.paper import Lead, Leaders, Mover, ShownPaper, Upset, Week
from rules import RULES
from tests.people import BILL, JOAO, NOON, SEED_GAME, a_game

WEEK = Week(2026, 10)


def letters_of_papers(puzzle: ShownPuzzle) -> Iterator[tuple[str, Letter]]:
    """A full paper, and one with a game that nobody evaluated alone."""
    anna = replace(BILL, id=31, name="Anna", address="anna@example.com")
    rose = (Mover("bipod", BILL.id, 1500, 1612, 4, False), Mover("bipod", anna.id, 1490, 1502, 1, True))
    full = ShownPaper(
        WEEK,
        paper.ShownLead(Lead(42, 3, 71, 22), _resigned()),
        ((RULES["bipod"], ((rose[0], BILL), (rose[1], anna))),),
        paper.ShownUpset(Upset(42, BILL.id, JOAO.id, 1500, 1731), _resigned(), BILL, JOAO),
        puzzle,
        (paper.ShownNewcomer(BILL, 42), paper.ShownNewcomer(anna, 8)),
        3,
        (
            paper.ShownLeaders(Leaders(3, (31,), 4.5, 6, 15), "Bipod league, season 2, division 1", (anna,)),
            paper.ShownLeaders(Leaders(4, (31, BILL.id), 1, 1, 6), "Bagel league, season 1", (anna, BILL)),
        ),
    )
    yield "paper", to_player("paper", BILL, paper=full)
    few = ShownPaper(WEEK, paper.ShownLead(Lead(42), _resigned()), (), None, None, (), 0)
    yield "paper-short", to_player("paper", BILL, paper=few)
    lesson = ShownLesson(RULES["bipod"], 1)
    yield "paper-lesson", to_player("paper", BILL, paper=replace(few, lead=None, lesson=lesson))


def _resigned() -> Game:
    """A game of Bipod that Joao gave up."""
    game = a_game(SEED_GAME[:6])
    return game.with_entries([Entry(len(game.journal) + 1, NOON, RESIGN, 1, {})])
