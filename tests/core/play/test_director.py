"""A director's rulings: the fold, both clocks, stale letters, refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli.migrate import check_game
from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import interval_at
from pbem.core.clock.time_control import read_pace
from pbem.core.errors import Refusal
from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.fold import fold
from pbem.core.game.game import Game, first_since
from pbem.core.game.journal import (
    PAUSE,
    PLY,
    ROLLBACK,
    RULING_WORDS,
    RULINGS,
    SAY,
    SEATS,
    START,
    Entry,
    describe_ruling,
    director_stops,
    seat_periods,
)
from pbem.core.game.state import RESULTS, board_states
from pbem.core.play.director import (
    adjudicate,
    clean_message,
    clean_reason,
    enter,
    extend,
    letters_for_decision,
    replace_seated,
    rollback,
    start_clocks,
    stop_clocks,
)
from pbem.core.players import Player
from pbem.store.games import row_summary
from rules import RULES
from tests.amount import amount
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ANNA = replace(
    BILL, id=31, name="Anna", address="anna@example.com", addresses=frozenset({"anna@example.com"})
)
WHY = "A mail was lost."


def timed(plies: int = 4, pace: str = "normal") -> Game:
    """Game 42 after so many plies, one an hour, with clocks."""
    return replace(a_game(SEED_GAME[:plies]), time_control=read_pace(pace))


def with_one(game: Game, entry: Entry) -> Game:
    return game.with_entries([entry])


def moves(game: Game) -> list[str]:
    return [ply.move for ply in game.state.plies]


# Time.


def test_time_given_moves_the_deadline_by_as_much_and_no_other_clock() -> None:
    game = timed()
    after = with_one(game, extend(game, 2 * DAY, 0, WHY, NOON + DAY))
    assert game.deadline + 2 * DAY == after.deadline
    assert game.clock.banks[1] == after.clock.banks[1]


def test_time_given_to_both_waits_for_the_one_who_is_not_to_play() -> None:
    game = timed()
    after = with_one(game, extend(game, 36 * HOUR, None, WHY, NOON + DAY))
    assert [game.clock.banks[seat] + 36 * HOUR for seat in SEATS] == list(after.clock.banks)


def test_time_given_above_the_cap_is_not_lost_with_the_next_ply() -> None:
    game = timed(4)
    after = with_one(game, extend(game, 30 * DAY, 0, WHY, NOON + 5 * HOUR))
    played = after.with_entries([Entry(7, NOON + 6 * HOUR, PLY, 0, {"move": "F2"})])
    assert after.clock.banks[0] - 2 * HOUR == played.clock.banks[0]


def test_a_pause_moves_the_deadline_by_its_length_whether_it_was_told_before_or_not() -> None:
    game = timed()
    at = NOON + DAY
    open_end = with_one(game, stop_clocks(game, None, WHY, at))
    assert open_end.deadline is None
    resumed = with_one(open_end, start_clocks(open_end, WHY, at + 3 * DAY))
    foretold = with_one(game, stop_clocks(game, at + 3 * DAY, WHY, at))
    assert game.deadline + 3 * DAY == resumed.deadline == foretold.deadline


def test_a_pause_that_is_ended_early_counts_as_long_as_it_was() -> None:
    game = timed()
    paused = with_one(game, stop_clocks(game, NOON + 30 * DAY, WHY, NOON + DAY))
    after = with_one(paused, start_clocks(paused, WHY, NOON + 2 * DAY))
    assert game.deadline + DAY == after.deadline
    again = with_one(after, stop_clocks(after, None, WHY, NOON + 4 * DAY))
    assert game.deadline + 4 * DAY == with_one(again, start_clocks(again, WHY, NOON + 7 * DAY)).deadline


def test_a_pause_that_the_players_agreed_to_goes_on_after_the_end_of_the_directors() -> None:
    game = timed()
    until = {"until": (NOON + 31 * DAY).isoformat()}
    agreed = with_one(game, game.next_entry(NOON + DAY, PAUSE, 0, until))
    assert game.deadline + 30 * DAY == agreed.deadline
    halted = with_one(agreed, stop_clocks(agreed, None, WHY, NOON + 2 * DAY))
    after = with_one(halted, start_clocks(halted, WHY, NOON + 4 * DAY))
    assert agreed.deadline == after.deadline
    loaded = replace(after, stops=ClockStops(director_stops(after.journal)))
    assert after.deadline == loaded.deadline
    assert interval_at(after.agreed, NOON + 5 * DAY) is not None


def test_a_ply_in_a_pause_costs_no_time() -> None:
    game = timed()
    paused = with_one(game, stop_clocks(game, None, WHY, NOON + 5 * HOUR))
    late = paused.with_entries([Entry(7, NOON + 20 * DAY, PLY, 0, {"move": "F2"})])
    swift = game.with_entries([Entry(6, NOON + 5 * HOUR, PLY, 0, {"move": "F2"})])
    assert swift.clock.banks == late.clock.banks


# Rollback.


def test_after_a_rollback_board_and_clocks_are_as_after_that_ply_and_the_turn_begins_now() -> None:
    game, at = timed(7), NOON + 2 * DAY
    after = with_one(game, rollback(game, 4, WHY, at))
    before = timed(4)
    assert before.state.position.data() == after.state.position.data()
    assert (before.clock.banks, at) == (after.clock.banks, after.clock.since)
    assert fingerprint(before, before.state.plies, HOST) == fingerprint(after, after.state.plies, HOST)
    assert 9 + 1 - 1 == len(after.journal)


def test_after_a_rollback_the_boards_of_all_plies_are_there() -> None:
    game = with_one(timed(7), rollback(timed(7), 4, WHY, NOON + DAY))
    game = game.with_entries(asks(game, 0, "F2", at=NOON + DAY).entries)
    boards = [state.position.data() for state in board_states(game.state)]
    assert [state.position.data() for state in board_states(timed(4).state)] == boards[:5]
    assert game.state.position.data() == boards[-1]
    assert len(game.state.plies) + 1 == len(boards)


def test_a_game_can_be_taken_back_to_its_start_and_to_it_again() -> None:
    game = timed(3)
    for number in range(2):
        game = with_one(game, rollback(game, 0, WHY, NOON + DAY))
        assert ([], 0) == (moves(game), game.state.to_play)
        played = asks(game, 0, "f2", at=NOON + DAY)
        assert "" == played.refused
        game = game.with_entries(played.entries)
        assert ["f2"] == moves(game), number


def test_a_rollback_after_another_goes_by_the_plies_that_count_now() -> None:
    game = timed(6)
    game = with_one(game, rollback(game, 2, WHY, NOON + DAY))
    game = game.with_entries(asks(game, 0, "F2", at=NOON + DAY).entries)
    game = game.with_entries(asks(game, 1, "n2", at=NOON + DAY).entries)
    assert ["f2 f4 g3", "e5 g1", "F2", "n2"] == moves(game)
    game = with_one(game, rollback(game, 3, WHY, NOON + DAY))
    assert ["f2 f4 g3", "e5 g1", "F2"] == moves(game)
    game = with_one(game, rollback(game, 1, WHY, NOON + DAY))
    assert ["f2 f4 g3"] == moves(game)


@pytest.mark.parametrize("ply", [18, 19])
def test_a_game_that_was_given_up_goes_on_after_a_rollback(ply: int) -> None:
    game = a_game(SEED_GAME)
    over = game.with_entries(asks(game, 1, "resign").entries)
    assert over.state.ending is not None
    after = with_one(over, rollback(over, ply, WHY, NOON + DAY))
    assert (None, ply) == (after.state.ending, len(after.state.plies))
    values = row_summary(after.state, after.open_entries)
    assert [None] * 4 == [values[name] for name in ("ended_at", "ended_by", "winner", "reason")]


def test_a_game_taken_back_a_hundred_times_is_folded_as_fast_as_any() -> None:
    """Each rollback goes to a later ply; none may fold everything again."""
    game = timed(2)
    entries = list(game.journal)
    for _ in range(100):
        n, at = len(entries) + 1, entries[-1].at
        entries += [
            Entry(n, at, PLY, 0, {"move": "F2"}),
            Entry(n + 1, at, PLY, 1, {"move": "n2"}),
            Entry(n + 2, at, ROLLBACK, None, {"ply": 3, "entry": n, "reason": WHY}),
            Entry(n + 3, at, ROLLBACK, None, {"ply": 2, "entry": 3, "reason": WHY}),
        ]
    often = replace(game, journal=tuple(entries))
    assert ["f2 f4 g3", "e5 g1"] == moves(often)
    assert game.clock.banks == often.clock.banks


def test_words_that_were_said_stay_said_after_a_rollback() -> None:
    game = timed(4)
    game = game.with_entries(asks(game, 1, "say Take your time.").entries)
    after = with_one(game, rollback(game, 1, WHY, NOON + DAY))
    assert [("Take your time.", 1)] == [(said.words, said.after) for said in after.state.said]


def test_offers_and_standing_orders_end_with_a_rollback() -> None:
    game = timed(4)
    game = game.with_entries(asks(game, 1, "draw").entries)
    assert 1 == game.state.offers["draw"].seat
    after = with_one(game, rollback(game, 3, WHY, NOON + DAY))
    assert ({}, (None, None)) == (after.state.offers, after.state.standing)


def test_a_limit_left_in_an_auction_makes_no_ply_after_a_rollback_and_its_owner_alone_is_told() -> None:
    """The server answers a bid, then the director takes the game back.

    White bids 3 with limit 6; Black's 4 is answered by the server; then the game goes back to ply 1.
    """
    game = a_game(key="hexthing")
    game = game.with_entries(asks(game, 0, "play 3S bid 3 max 6 take e5").entries)
    bid = game.with_entries(asks(game, 1, "bid 4").entries)
    assert ["play 3S bid 3", "bid 4", "bid 5"] == moves(bid)
    back = with_one(bid, rollback(bid, 1, WHY, NOON + DAY))
    assert [True, False] == [letter.told["voided"] for letter in letters_for_decision(bid, back, HOST)]
    again = back.with_entries(asks(back, 1, "bid 4", at=NOON + DAY).entries)
    assert (["play 3S bid 3", "bid 4"], 0) == (moves(again), again.state.to_play)


def test_a_limit_of_who_left_is_void_and_the_newcomer_hears_nothing_of_it() -> None:
    game = a_game(key="hexthing")
    game = game.with_entries(asks(game, 0, "play 3S bid 3 max 6 take e5").entries)
    after = replaced(game)
    assert [False, False, False] == [
        letter.told["voided"] for letter in letters_for_decision(game, after, HOST, BILL)
    ]
    bid = asks(after, 1, "bid 4", at=NOON + DAY)
    assert ["bid 4"] == [entry.data["move"] for entry in bid.entries]
    kept = replaced(game, 1)
    assert ["bid 4", "bid 5"] == [e.data["move"] for e in asks(kept, 1, "bid 4", at=NOON + DAY).entries]


@pytest.mark.parametrize("words", ["F2", "#3 F2", "resign", "resign yes", "draw", "f6 h2 i1"])
def test_an_answer_to_a_letter_of_before_the_rollback_does_nothing(words: str) -> None:
    game = timed(4)
    back = with_one(game, rollback(game, 2, WHY, NOON + DAY))
    for since in range(1, 6):
        decision = asks(back, 0, words, since=since)
        assert ((), True) == (decision.entries, "taken the game back" in decision.refused), since
    assert "" == asks(back, 0, "F2", since=len(back.journal)).refused


@pytest.mark.parametrize("words", ["show", "say Hello.", "moves"])
def test_words_and_looks_in_answer_to_an_old_letter_still_work(words: str) -> None:
    game = timed(4)
    back = with_one(game, rollback(game, 2, WHY, NOON + DAY))
    assert "" == asks(back, 1, words, since=4).refused


def test_an_old_letter_is_stale_even_where_the_game_has_gone_past_its_ply_again() -> None:
    game = timed(4)
    back = with_one(game, rollback(game, 2, WHY, NOON + DAY))
    on = back.with_entries(asks(back, 0, "F2").entries)
    assert "taken the game back" in asks(on, 1, "n2", since=5).refused
    back = first_since(on, 5, ROLLBACK)
    assert (2, None) == (back and back.data["ply"], first_since(on, 7, ROLLBACK))


# Ends, and new players.


@pytest.mark.parametrize(
    ("result", "how", "winner"),
    [("first", "director", 0), ("second", "director", 1), ("draw", "director", None), ("void", "void", None)],
)
def test_an_adjudicated_game_is_over_with_the_reason_told(result: str, how: str, winner: int | None) -> None:
    game = timed(9)
    after = with_one(game, adjudicate(game, result, "Bill left", NOON + DAY))
    ending = after.state.ending
    assert (how, winner, NOON + DAY) == (ending.how, ending.winner, ending.at)
    assert "The director decided: Bill left" == ending.reason
    assert None is after.deadline
    assert "The game is over" in asks(after, 1, "y3 O").refused
    both = letters_for_decision(game, after, HOST)
    assert [("result", BILL, True), ("result", JOAO, True)] == [(x.kind, x.player, x.wanted) for x in both]
    again = with_one(after, rollback(after, 9, WHY, NOON + 2 * DAY))
    assert (None, 9) == (again.state.ending, len(again.state.plies))


def replaced(game: Game, seat: int = 0, by: Player = ANNA, at=NOON + DAY) -> Game:
    entry = replace_seated(game, seat, by, WHY, at)
    seats = (by, game.seats[1]) if seat == 0 else (game.seats[0], by)
    return replace(with_one(game, entry), seats=seats)


def test_who_takes_a_seat_over_has_a_whole_bank_and_the_turn_begins_anew() -> None:
    game = replace(timed(), time_control=read_pace("7d"))
    after = replaced(game)
    assert ((7 * DAY, game.clock.banks[1]), NOON + DAY) == (after.clock.banks, after.clock.since)
    away = replaced(game, 1, at=NOON + 2 * DAY)
    assert game.deadline == away.deadline


def test_the_fingerprint_stays_when_a_seat_is_taken_over() -> None:
    game = timed(6)
    after = replaced(replaced(game), 1, replace(ANNA, id=32, name="Rui"))
    back = replaced(after, 0, BILL)
    for each in (after, back):
        assert (17, 23) == each.founders
        assert fingerprint(game, game.state.plies, HOST) == fingerprint(each, each.state.plies, HOST)


def test_plies_and_words_stay_with_the_name_of_who_made_them() -> None:
    after = replaced(timed(2))
    after = after.with_entries(asks(after, 0, "F2", at=NOON + DAY).entries)
    assert ["Bill", "Joao", "Anna"] == [after.name_at(ply.seat, ply.entry) for ply in after.state.plies]


def test_an_offer_and_standing_orders_of_who_left_are_void() -> None:
    game = timed()
    game = game.with_entries(asks(game, 0, "draw").entries)
    assert replaced(game).state.offers == {}


def test_a_plan_of_who_left_makes_no_ply_and_the_newcomer_cannot_see_it() -> None:
    game = timed()
    planned = game.with_entries(asks(game, 1, "if any then E3").entries)
    after = replaced(planned, 1)
    assert (None, None) == after.state.conditional_moves
    assert ["F2"] == [entry.data["move"] for entry in asks(after, 0, "F2", at=NOON + DAY).entries]
    kept = replaced(planned, 0)
    assert ["F2", "E3"] == [entry.data["move"] for entry in asks(kept, 0, "F2", at=NOON + DAY).entries]


@pytest.mark.parametrize("offer", ["draw", "pause 5 days", "undo"])
def test_nothing_that_who_left_has_offered_can_be_accepted(offer: str) -> None:
    game = timed()
    offered = replaced(game.with_entries(asks(game, 1, offer).entries), 1)
    assert offered.state.offers == {}
    assert "There is no offer" in asks(offered, 0, "accept", at=NOON + DAY).refused


def test_a_plan_made_void_by_a_rollback_is_told_to_its_owner_alone() -> None:
    game = timed()
    planned = game.with_entries(asks(game, 1, "if any then E3").entries)
    back = with_one(planned, rollback(planned, 3, WHY, NOON + DAY))
    assert (None, None) == back.state.conditional_moves
    assert [False, True] == [letter.told["voided"] for letter in letters_for_decision(planned, back, HOST)]


@pytest.mark.parametrize("offer", ["draw", "pause 5 days", "undo"])
def test_a_decided_game_has_no_offer_open(offer: str) -> None:
    game = timed()
    game = game.with_entries(asks(game, 1, offer).entries)
    ended = with_one(game, adjudicate(game, "draw", WHY, NOON + DAY)).state
    assert ended.offers == {}


def test_who_sat_where_is_told_by_the_journal() -> None:
    after = replaced(replaced(timed()), 0, BILL, NOON + 3 * DAY)
    assert [17, 31, 17] == [player for player, _, _ in seat_periods(BILL.id, 0, after.journal)]
    assert [23] == [player for player, _, _ in seat_periods(JOAO.id, 1, after.journal)]


# Refusals.


def over() -> Game:
    game = timed()
    return game.with_entries(asks(game, 1, "resign yes").entries)


@pytest.mark.parametrize(
    ("decide", "sentence"),
    [
        (lambda: extend(over(), DAY, 0, WHY, NOON), "is over: Joao resigned"),
        (lambda: stop_clocks(over(), None, WHY, NOON), "is over: Joao resigned"),
        (lambda: adjudicate(over(), "draw", WHY, NOON), "is over: Joao resigned"),
        (lambda: replace_seated(over(), 0, ANNA, WHY, NOON), "is over: Joao resigned"),
        (lambda: extend(a_game(), DAY, 0, WHY, NOON), "without a clock"),
        (lambda: stop_clocks(a_game(), None, WHY, NOON), "without a clock"),
        (lambda: extend(timed(), timedelta(), 0, WHY, NOON), "from an hour"),
        (lambda: extend(timed(), 400 * DAY, 0, WHY, NOON), "from an hour"),
        (lambda: stop_clocks(timed(), NOON, WHY, NOON + DAY), "before it begins"),
        (lambda: start_clocks(timed(), WHY, NOON), "is not paused"),
        (lambda: rollback(timed(), 5, WHY, NOON), "moves 1 to 4, so none numbered 5"),
        (lambda: rollback(timed(), -1, WHY, NOON), "none numbered -1"),
        (lambda: rollback(timed(), 4, WHY, NOON), "after move 4 already"),
        (lambda: rollback(timed(0), 0, WHY, NOON), "after move 0 already"),
        (lambda: replace_seated(timed(), 0, JOAO, WHY, NOON), "Joao plays in game 42 already"),
        (lambda: replace_seated(timed(), 0, BILL, WHY, NOON), "Bill plays in game 42 already"),
        (lambda: clean_reason(" \n\x07"), "reason is needed"),
        (lambda: clean_reason("x" * 501), "at most 500"),
        (lambda: clean_message("\n"), "no words"),
        (lambda: clean_message("x" * 5001), "at most 5000"),
    ],
)
def test_what_cannot_be_decided_is_refused_in_a_sentence(decide, sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence):
        decide()


def test_a_game_paused_already_is_not_paused_twice_but_again_when_that_is_over() -> None:
    game = timed()
    paused = with_one(game, stop_clocks(game, NOON + 2 * DAY, WHY, NOON + DAY))
    with pytest.raises(Refusal, match="paused already, until 2026-03-03 12:00 UTC"):
        stop_clocks(paused, None, WHY, NOON + DAY + HOUR)
    stop_clocks(paused, None, WHY, NOON + 2 * DAY)


def test_a_game_that_ended_by_its_rules_goes_back_before_its_last_ply_alone() -> None:
    game = whole_game(Random(7))
    last = len(game.state.plies)
    with pytest.raises(Refusal, match=f"go back to {last - 1}"):
        rollback(game, last, WHY, NOON)
    assert with_one(game, rollback(game, last - 1, WHY, NOON)).state.ending is None


def whole_game(rng: Random) -> Game:
    game = a_game(key="bipod", size="3", rows="3")
    while game.state.ending is None:
        position = game.state.position
        game = played(game, str(position.sample(rng)))
    return game


def played(game: Game, move: str) -> Game:
    at = game.journal[-1].at + HOUR
    return game.with_entries([Entry(len(game.journal) + 1, at, PLY, game.state.to_play, {"move": move})])


def test_journals_never_go_back_in_time_whatever_another_clock_said() -> None:
    game = timed()
    entry = extend(game, DAY, 0, WHY, NOON - DAY)
    assert game.journal[-1].at == entry.at


def test_a_reason_is_one_line_and_every_kind_of_decision_can_be_told_in_one() -> None:
    assert "Two lines, tabs too." == clean_reason("Two lines,\n\ttabs\x00too. ")
    assert RULINGS | {PLY} == set(RULING_WORDS)
    game = timed()
    paused = with_one(game, stop_clocks(game, NOON + 9 * DAY, WHY, NOON + DAY))
    assert "clocks stopped until 2026-03-10 12:00 UTC: A mail was lost." == describe_ruling(
        paused.state.rulings[0]
    )
    assert "Anna for Bill as first: A mail was lost." == describe_ruling(replaced(game).state.rulings[0])


# Any journal.


DECISIONS: dict[str, Callable[[Game, datetime, Random], Entry]] = {
    "extend": lambda game, at, rng: extend(game, DAY, rng.choice((0, 1, None)), WHY, at),
    "halt": lambda game, at, rng: stop_clocks(game, rng.choice((None, at + 2 * DAY)), WHY, at),
    "go": lambda game, at, _rng: start_clocks(game, WHY, at),
    "end": lambda game, at, rng: adjudicate(game, rng.choice(RESULTS), WHY, at),
    "say": lambda game, at, rng: Entry(len(game.journal) + 1, at, SAY, rng.choice(SEATS), {"words": "Hm."}),
}


def one_more(game: Game, kept: list[str], rng: Random) -> tuple[Game, list[str]]:
    """The game with one more random entry, and the plies that count."""
    at = game.journal[-1].at + rng.choice((HOUR, 9 * HOUR, DAY))
    what = rng.choice([*["ply"] * 20, *["rollback"] * 3, "replace", *DECISIONS])
    if what == "ply":
        if game.state.ending is not None:
            return game, kept
        move = str(game.state.position.sample(rng))
        return played(game, move), [*kept, move]
    if what == "rollback":
        ply = rng.randrange(len(kept) + 1)
        return with_one(game, rollback(game, ply, WHY, at)), kept[:ply]
    if what == "replace":
        return replaced(game, rng.choice(SEATS), rng.choice((BILL, ANNA, JOAO)), at), kept
    return with_one(game, DECISIONS[what](game, at, rng)), kept


@settings(deadline=None, max_examples=amount(7, 60))
@given(st.sampled_from(sorted(RULES)), st.integers(0, 2**32), st.data())
def test_any_game_with_decisions_equals_the_game_without_what_was_rolled_back(
    key: str, seed: int, data: st.DataObject
) -> None:
    """A plain list of valid plies must agree with the journal's fold."""
    rng = Random(seed)
    rules = RULES[key]
    start = rules.start({}, seed % 1000)
    begun = Game(
        42, rules, start.options, seed % 1000, (BILL, JOAO), NOON, (Entry(1, NOON, START, None, {}),)
    )
    game = replace(begun, time_control=read_pace("normal"))
    kept: list[str] = []
    for _ in range(data.draw(st.integers(20, 60))):
        before = game
        try:
            game, kept = one_more(game, kept, rng)
        except Refusal:
            assert before is game
    plain = begun
    for move in kept:
        plain = played(plain, move)
    assert kept == moves(game)
    assert plain.state.position.data() == game.state.position.data()
    assert fingerprint(plain, plain.state.plies, HOST) == fingerprint(game, game.state.plies, HOST)
    assert [] == check_game(game, row_summary(fold(game), game.open_entries))
    loaded = replace(game, stops=ClockStops(director_stops(game.journal)))
    assert (loaded.stops, loaded.clock, loaded.deadline) == (game.stops, game.clock, game.deadline)
    assert min(game.clock.banks) >= timedelta()


# Moves that a director enters.


def test_a_move_is_entered_for_the_player_to_play_and_marked() -> None:
    game = a_game(SEED_GAME[:2])
    after = game.with_entries([enter(game, "f6 h2 i1", WHY, NOON + DAY)])
    ply = after.state.plies[-1]
    assert ("f6 h2 i1", 0, True, False) == (ply.move, ply.seat, ply.entered, ply.auto)
    assert "move f6 h2 i1 entered for first: A mail was lost." == describe_ruling(after.state.rulings[-1])
    told = letters_for_decision(game, after, HOST)
    assert [("director", "Bill"), ("director", "Joao")] == [
        (letter.kind, letter.player.name) for letter in told if letter.player
    ]


@pytest.mark.parametrize("move", ["f2", "z99", "nonsense", ""])
def test_an_illegal_move_is_not_entered(move: str) -> None:
    game = a_game(SEED_GAME[:2])
    with pytest.raises(Refusal, match="Nothing was entered in game 42: "):
        enter(game, move, WHY, NOON)


def test_no_plan_answers_an_entered_move() -> None:
    game = a_game(SEED_GAME[:2])
    game = game.with_entries(asks(game, 1, "if f6 h2 i1 then E1").entries)
    after = game.with_entries([enter(game, "f6 h2 i1", WHY, NOON + DAY)])
    assert (None, None) == after.state.conditional_moves
    assert 1 == after.state.to_play
    told = {letter.player.name: letter for letter in letters_for_decision(game, after, HOST) if letter.player}
    assert told["Joao"].told["voided"]
    assert not told["Bill"].told["voided"]


def test_no_move_is_entered_after_the_end() -> None:
    game = a_game(SEED_GAME[:2])
    over = game.with_entries(asks(game, 0, "resign yes").entries)
    with pytest.raises(Refusal, match="is over"):
        enter(over, "f6 h2 i1", WHY, NOON)
