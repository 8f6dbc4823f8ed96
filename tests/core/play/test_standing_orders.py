"""Standing orders: plies by the server, hidden limits, fewer mails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.game.view import view
from pbem.core.play.turn import Decision
from rules.contract import Seat
from tests.people import BILL, JOAO, NOON, a_game, asks


def plies(decision: Decision) -> list[tuple[int, str, bool]]:
    """The seat, move and `auto` flag of every new ply."""
    return [
        (entry.seat or 0, entry.data["move"], entry.data.get("auto", False))
        for entry in decision.entries
        if entry.kind == PLY
    ]


def after(game: Game, decision: Decision) -> Game:
    return game.with_entries(decision.entries)


def kinds(decision: Decision) -> list[tuple[str, str]]:
    return [(letter.player.name if letter.player else "", letter.kind) for letter in decision.letters]


def ordered(game: Game, seat: Seat) -> str:
    """A player's standing orders, in a game read again from its journal."""
    return view(game, seat, "localhost").ordered


def auction() -> tuple[Game, Decision]:
    """White lands on a Buy and bids 3, `max 6 take e5`."""
    game = a_game(key="hexthing")
    return game, asks(game, 0, "play 3S bid 3 max 6 take e5", since=1)


def test_the_limit_and_the_hex_named_ahead_are_in_no_ply_and_no_letter() -> None:
    _game, decision = auction()
    assert [(0, "play 3S bid 3", False)] == plies(decision)
    turn = decision.letters[1]
    assert ("Joao", "turn") == (turn.player.name if turn.player else "", turn.kind)
    assert turn.view is not None
    assert ["play 3S bid 3"] == [ply.move for ply in turn.view.state.plies]
    assert "max" not in str(turn.view.state.plies)


def test_the_server_bids_one_more_each_time_until_the_limit_and_the_plies_are_marked() -> None:
    game, opened = auction()
    answered = asks(after(game, opened), 1, "bid 4")
    assert [(1, "bid 4", False), (0, "bid 5", True)] == plies(answered)
    again = asks(after(after(game, opened), answered), 1, "bid 6")
    assert [(1, "bid 6", False), (0, "pass take e5", True)] == plies(again)


def test_who_passes_loses_the_thing_and_the_hex_named_ahead_is_taken() -> None:
    game, opened = auction()
    passed = asks(after(game, opened), 1, "pass")
    assert [(1, "pass", False), (0, "take e5", True)] == plies(passed)
    assert 1 == passed.state.to_play


def test_two_standing_orders_bid_against_each_other_in_one_mail() -> None:
    game, opened = auction()
    both = asks(after(game, opened), 1, "bid 4 max 9")
    made = [(1, "bid 4", False), (0, "bid 5", True), (1, "bid 6", True), (0, "pass take e5", True)]
    assert made == plies(both)


def test_two_limits_of_much_money_come_to_their_end_in_a_few_plies() -> None:
    game = a_game(key="hexthing", money="999")
    game = after(game, asks(game, 0, "play 3S bid 0 max 998 take e5", since=1))
    both = asks(game, 1, "bid 1 max 999")
    made = [(1, "bid 1", False), (0, "bid 2", True), (1, "bid 998", True), (0, "pass take e5", True)]
    assert made == plies(both)


def test_auctions_of_a_bid_a_pound_in_old_journals_are_read_as_ever() -> None:
    """The server's single bids stay legal, with their records and fingerprints."""
    game, opened = auction()
    played = after(game, opened)
    for seat, move in enumerate(["bid 4", "bid 5", "bid 6", "bid 7", "bid 8", "pass"], start=1):
        by: Seat = 1 if seat % 2 else 0
        auto = {"auto": True} if seat > 1 else {}
        entry = Entry(len(played.journal) + 1, NOON, PLY, by, {"move": move, **auto})
        played = played.with_entries([entry])
    state = fold(played)
    assert 8 == len(state.plies) + 1
    assert (42, 1) == (state.position.estates[1].dollars, state.position.estates[1].things)  # type: ignore[attr-defined]


# ----------------------------------------------------------------------------- a move that gives up


def test_to_stay_is_asked_about_once_where_it_loses_and_changes_nothing() -> None:
    decision = asks(a_game(key="hexthing"), 0, "stay\n\nEnough.", since=1)
    assert () == decision.entries
    assert ("stay", "Enough.") == (decision.asks, decision.words)
    assert [("Bill", "resign")] == kinds(decision)
    why = "If you stay, you owe a Thing and own none, so you lose the game."
    assert ("stay", why) == (decision.letters[0].told["move"], decision.letters[0].told["why"])


@pytest.mark.parametrize("words", ["stay yes", "Stay, yes", "#1 stay yes", "move stay yes"])
def test_whoever_says_yes_beside_it_is_not_asked(words: str) -> None:
    decision = asks(a_game(key="hexthing"), 0, words, since=1)
    assert [(0, "stay", False)] == plies(decision)
    assert decision.state.ending is not None
    assert 1 == decision.state.ending.winner


def test_to_stay_is_not_asked_about_where_the_game_goes_on() -> None:
    game, opened = auction()
    game = after(game, opened)
    game = after(game, asks(game, 1, "pass"))
    game = after(game, asks(game, 1, "play 1N"))
    assert [(0, "stay", False)] == plies(asks(game, 0, "stay"))
    assert asks(game, 0, "stay yes").refused == "stay: this needs no yes; write stay alone."


@pytest.mark.parametrize("words", ["stay\nresign", "resign\nstay"])
def test_a_game_is_given_up_in_one_way(words: str) -> None:
    decision = asks(a_game(key="hexthing"), 0, words, since=1)
    assert () == decision.entries
    assert "Your mail gives the game up in two ways; please write one of them." == decision.refused


def test_a_move_beside_one_that_gives_the_game_up_is_one_too_many() -> None:
    decision = asks(a_game(key="hexthing"), 0, "stay\nplay 1S", since=1)
    assert ((), "") == (decision.entries, decision.asks)
    assert "Your mail holds more than one move" in decision.refused


def test_whoever_asks_and_says_yes_in_one_mail_is_asked_nothing() -> None:
    stays = asks(a_game(key="hexthing"), 0, "stay\nstay yes", since=1)
    resigns = asks(a_game(), 0, "resign\nresign yes", since=1)
    for decision in (stays, resigns):
        assert "" == decision.asks
        assert [("Bill", "result"), ("Joao", "result")] == kinds(decision)


def test_another_move_with_yes_is_refused_with_the_move_to_write() -> None:
    assert "f2: this needs no yes; write f2 alone." == asks(a_game(), 0, "f2 yes").refused


def test_a_turn_that_needs_no_decision_of_the_other_costs_one_mail() -> None:
    game = a_game(key="hexthing")
    decision = asks(game, 0, "play 1W change £50", since=1)
    assert [("Bill", "receipt"), ("Joao", "turn")] == kinds(decision)
    assert 1 == decision.state.to_play


def test_words_go_with_the_players_own_ply_not_with_the_servers() -> None:
    game, opened = auction()
    passed = asks(after(game, opened), 1, "pass\n\nAll yours.")
    assert ["All yours.", None] == [entry.data.get("comment") for entry in passed.entries]


def test_the_same_mail_again_is_already_recorded_limits_and_all() -> None:
    game, opened = auction()
    again = asks(after(game, opened), 0, "play 3S bid 3 max 6 take e5", since=1)
    assert () == again.entries
    assert 1 == again.letters[0].told["already"].n


def test_what_was_left_is_told_to_its_owner_alone_as_long_as_it_may_do_something() -> None:
    game, opened = auction()
    played = after(game, opened)
    assert ("max 6 take e5", "") == (ordered(played, 0), ordered(played, 1))
    assert "" == ordered(after(played, asks(played, 1, "pass")), 0)


def test_whoever_clears_a_plan_takes_back_the_limit_too() -> None:
    game, opened = auction()
    played = after(game, opened)
    cleared = asks(played, 0, "if clear\nif bid 5 then bid 9")
    assert [("Bill", "receipt")] == kinds(cleared)
    free = after(played, cleared)
    assert "" == ordered(free, 0)
    assert [(1, "bid 4", False)] == plies(asks(free, 1, "bid 4"))
    assert [(1, "bid 5", False), (0, "bid 9", True)] == plies(asks(free, 1, "bid 5"))
    assert () == asks(played, 1, "if clear").entries


def test_a_limit_above_ones_money_is_refused_and_nothing_happens() -> None:
    decision = asks(a_game(key="hexthing"), 0, "play 3S bid 3 max 51", since=1)
    assert () == decision.entries
    assert decision.refused.startswith("max 51: you have $50")


def test_a_refold_of_the_journal_gives_the_same_state() -> None:
    game, opened = auction()
    played = after(game, opened)
    passed = asks(played, 1, "pass")
    assert passed.state.position == fold(after(played, passed)).position


def test_the_other_hears_of_every_ply_since_his_own_last_one() -> None:
    game, opened = auction()
    played = after(game, opened)
    passed = asks(played, 1, "pass")
    (receipt,) = [letter for letter in passed.letters if letter.player == replace(JOAO)]
    assert receipt.view is not None
    assert ["pass", "take e5"] == [ply.move for ply in receipt.view.plies_after(receipt.told["since"])]
    assert [("Joao", "receipt")] == kinds(passed)
    later = asks(after(played, passed), 1, "stay")
    for letter in later.letters:
        if letter.player == BILL and letter.view is not None:
            assert ["pass", "take e5"] == [p.move for p in letter.view.plies_after(letter.told["since"])][:2]
