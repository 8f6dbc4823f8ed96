"""Draw offers: accepted, declined, or lapsed as the other plays on."""

from __future__ import annotations

import pytest

from pbem.core.game.journal import AGREE, DECLINE, OFFER
from pbem.core.play.turn import Decision
from tests.people import a_game, asks


def kinds(decision: Decision) -> list[tuple[str, str]]:
    return [(letter.player.name if letter.player else "", letter.kind) for letter in decision.letters]


def offered() -> tuple:  # type: ignore[type-arg]
    """Bill offers a draw before Joao's ply 2: the game, the decision."""
    game = a_game(["f2"])
    decision = asks(game, 0, "draw\n\nIt looks even.")
    return game.with_entries(decision.entries), decision


def test_an_offer_goes_to_the_other_with_its_words_and_changes_no_turn() -> None:
    _game, decision = offered()
    assert [OFFER, "say"] == [entry.kind for entry in decision.entries]
    assert [("Bill", "receipt"), ("Joao", "draw")] == kinds(decision)
    assert "It looks even." == decision.letters[1].told["words"]
    assert 1 == decision.state.to_play


@pytest.mark.parametrize("words", ["accept", "accept draw", "draw"])
def test_an_offer_agreed_to_ends_the_game_drawn(words: str) -> None:
    game, _ = offered()
    decision = asks(game, 1, words)
    assert [AGREE] == [entry.kind for entry in decision.entries]
    ending = decision.state.ending
    assert ending is not None
    assert ("agreement", None, "Draw agreed") == (ending.how, ending.winner, ending.reason)
    assert [("Joao", "result"), ("Bill", "result")] == kinds(decision)


def test_an_offer_declined_is_told_and_the_game_goes_on() -> None:
    game, _ = offered()
    decision = asks(game, 1, "decline")
    assert [DECLINE] == [entry.kind for entry in decision.entries]
    assert [("Joao", "receipt"), ("Bill", "draw")] == kinds(decision)
    assert "draw" not in decision.state.offers


def test_an_offer_lapses_when_the_other_plays_on() -> None:
    game, _ = offered()
    after = game.with_entries(asks(game, 1, "g3").entries)
    assert "draw" not in after.state.offers
    assert "There is no offer of a draw that you could accept." == asks(after, 1, "accept draw").refused


def test_an_offer_made_with_a_move_stays_open_for_the_answer() -> None:
    decision = asks(a_game(), 0, "f2\ndraw")
    assert [("Bill", "receipt"), ("Joao", "turn"), ("Joao", "draw")] == kinds(decision)
    assert 0 == decision.state.offers["draw"].seat


def test_nobody_accepts_his_own_offer_or_offers_twice() -> None:
    game, _ = offered()
    assert "There is no offer of a draw that you could accept." == asks(game, 0, "accept draw").refused
    assert "You have offered a draw already; it waits for Joao's answer." == asks(game, 0, "draw").refused


def test_after_the_end_no_draw_can_be_offered() -> None:
    game, _ = offered()
    ended = game.with_entries(asks(game, 1, "accept").entries)
    assert "The game is over: Draw agreed." == asks(ended, 0, "draw").refused
