"""Attempts to cheat or to annoy another player, by the journal alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.core.clock.dates import read_date
from pbem.core.errors import Refusal
from pbem.core.game.conditional import branch_rows
from pbem.core.game.game import Game
from pbem.core.game.journal import FLAG, Entry
from pbem.core.play.clock_events import next_flag_event
from pbem.core.play.director import replace_seated, stop_clocks
from pbem.core.players import Player
from pbem.core.records.record import record_of
from tests.core.play.test_offers import DAY, NONE_LEFT, TURN, after, refused, timed
from tests.people import HOST, NOON, SEED_PLIES, a_game, asks

HOUR = timedelta(hours=1)
ANNA = Player(31, "Anna", "anna@example.com", frozenset({"anna@example.com"}), NOON)


def replaced(game: Game, seat: int) -> Game:
    """The game with Anna in a seat."""
    entry = replace_seated(game, seat, ANNA, "He is gone.", TURN)  # type: ignore[arg-type]
    seats = (ANNA, game.seats[1]) if seat == 0 else (game.seats[0], ANNA)
    return replace(game.with_entries([entry]), seats=seats)


def flagged() -> Game:
    """A game in which Bill's soft clock ran out a day ago."""
    flag = TURN + 3 * DAY
    game = timed("3d/move", soft=True, rated=False)
    return game.with_entries([Entry(len(game.journal) + 1, flag, FLAG, 0, {"flag": flag.isoformat()})])


NOW = TURN + 4 * DAY


# New players of seats.


def test_who_takes_a_seat_over_neither_sees_nor_follows_the_plan_of_who_sat_there() -> None:
    game = a_game(["f2"])
    planned = after(game, 0, "if f4 then resign")
    taken_over = replaced(planned, 0)
    assert None is taken_over.state.conditional_moves[0]
    played = after(taken_over, 1, "f4")
    assert (None, ["f2", "f4"]) == (played.state.ending, [ply.move for ply in played.state.plies])


def test_a_plan_of_the_other_outlasts_that_a_seat_is_taken_over() -> None:
    planned = after(a_game(["f2"]), 0, "if f4 then g3")
    plan = replaced(planned, 1).state.conditional_moves[0]
    assert plan is not None
    assert ["if f4 then g3"] == [branch.text for _, branch in branch_rows(plan.plan)]


def test_a_newcomer_is_not_late_for_who_was_late() -> None:
    taken_over = replaced(flagged(), 0)
    assert None is taken_over.state.flagged
    assert "has not run out of time" in refused(taken_over, 1, "claim win", NOW)


def test_who_is_late_stays_so_when_the_others_seat_is_taken_over() -> None:
    assert flagged().state.flagged == replaced(flagged(), 1).state.flagged


def test_a_pause_that_somebody_else_asked_for_is_not_the_newcomers() -> None:
    assert "pause" not in replaced(after(timed(), 0, "pause 3 days"), 0).state.offers


# Soft clocks.


def test_nothing_is_claimed_while_the_game_pauses_by_agreement_or_by_the_director() -> None:
    agreed = after(after(flagged(), 0, "pause 10 days", NOW), 1, "accept pause", NOW)
    assert "nothing can be claimed in a pause" in refused(agreed, 1, "claim win", NOW + DAY)
    halted = flagged().with_entries([stop_clocks(flagged(), None, "Let me look.", NOW)])
    assert "nothing can be claimed in a pause" in refused(halted, 1, "claim win", NOW + DAY)
    assert "claim" == after(agreed, 1, "claim win", NOW + 10 * DAY).journal[-1].kind


def test_who_ran_out_of_time_is_not_less_late_for_giving_time_away() -> None:
    game = flagged()
    assert game.state.flagged == after(game, 0, "give 1h", NOW).state.flagged
    assert None is after(game, 1, "give 1h", NOW).state.flagged


def test_what_the_clock_writes_after_a_gift_that_is_too_small_is_not_dated_before_it() -> None:
    given = after(flagged(), 1, "give 1h", NOW)
    event = next_flag_event(given, NOW + HOUR, NONE_LEFT, days_off=False)
    assert event is not None and event.entry is not None
    assert NOW <= event.entry.at


# Offers.


def test_who_was_declined_a_draw_plays_on_before_another_offer() -> None:
    game = after(after(timed(), 0, "draw"), 1, "decline draw")
    assert "Joao has declined a draw since your last move" in refused(game, 0, "draw")
    assert 1 == after(game, 1, "draw").state.offers["draw"].seat
    assert 0 == after(game, 0, f"{SEED_PLIES[4]}\ndraw").state.offers["draw"].seat
    assert 0 == after(after(game, 0, SEED_PLIES[4]), 0, "draw").state.offers["draw"].seat


def test_a_pause_is_haggled_over_but_not_for_ever() -> None:
    game = timed()
    for days in (9, 5, 3):
        game = after(after(game, 0, f"pause {days} days"), 1, "decline pause")
    assert "Joao has declined a pause" in refused(game, 0, "pause 2 days")


def test_which_offer_a_bare_answer_means_does_not_tell_of_a_hidden_plan() -> None:
    for plan in ("plans", "if m3 then h4"):
        offered = after(after(timed(plies=1), 0, plan), 0, "draw")
        both = after(offered, 0, "pause 3 days")
        answered = asks(both, 1, "decline", since=len(offered.open_entries), at=TURN)
        assert ["decline"] == [entry.kind for entry in answered.entries], answered.refused


# The command `show`.


def test_the_board_after_a_ply_that_the_same_mail_takes_back_is_that_of_now() -> None:
    game = after(a_game(["f2"]), 0, "undo")
    decision = asks(game, 1, "show #1\naccept undo", at=TURN)
    assert ["undo"] == [entry.kind for entry in decision.entries]


# Words after the end.


def test_nothing_said_or_forgotten_after_the_end_changes_the_record() -> None:
    game = after(after(a_game(["f2"]), 0, "if f4 then g3"), 1, "resign yes\n\nWell played.")
    before = record_of(game, HOST)
    assert before.ending is not None
    assert "Well played." == before.ending.comment
    later = after(game, 0, "say I was lucky.", TURN + DAY)
    assert before == record_of(later, HOST)
    assert before == record_of(after(game, 0, "if clear", TURN + DAY), HOST)
    assert len(game.journal) == len(after(game, 0, "if clear", TURN + DAY).journal)
    at_once = after(game, 0, "say I was lucky.", game.journal[-1].at)
    assert before == record_of(at_once, HOST)


# Days.


def test_a_day_after_which_the_calendar_ends_is_no_day_to_be_away_till() -> None:
    with pytest.raises(Refusal, match="more than 10 years away"):
        read_date("9999-12-31", NOON.date())
