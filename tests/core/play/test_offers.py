"""Offers between two players: answers, pauses, time given, claims, lapses."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import union
from pbem.core.clock.mail_times import same_moment
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.game.journal import CLAIM, CLOSE, FLAG, GIVE, LAPSE, OFFER_LIFETIMES, PAUSE
from pbem.core.parsing.line import Command
from pbem.core.play.clock_events import (
    MAX_SILENCE,
    MAX_SILENCE_AFTER_FLAG,
    WARNING_PERIOD,
    next_event,
    next_flag_event,
)
from pbem.core.play.decide import decide
from pbem.core.play.turn import Decision, TurnRequest
from rules.contract import Seat
from tests.people import HOST, NOON, SEED_PLIES, a_game, asks

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NONE_LEFT = [Vacation(NOON - DAY, NOON + 13 * DAY)]
TURN = NOON + 4 * HOUR
"""The start of Bill's turn, ply 5."""


def timed(pace: str = "3d/move", plies: int = 4, **changes: object) -> Game:
    return replace(a_game(SEED_PLIES[:plies]), time_control=read_pace(pace), **changes)  # type: ignore[arg-type]


def after(game: Game, seat: int, words: str, at: datetime = TURN) -> Game:
    """The game after a mail whose commands are carried out."""
    decision = asks(game, seat, words, at=at)  # type: ignore[arg-type]
    assert "" == decision.refused
    return game.with_entries(decision.entries)


def refused(game: Game, seat: int, words: str, at: datetime = TURN, since: int | None = None) -> str:
    return asks(game, seat, words, at=at, since=since).refused  # type: ignore[arg-type]


def run(game: Game, until: datetime) -> Game:
    """The game after all clock events until `until`."""
    while (event := next_flag_event(game, until, NONE_LEFT)) is not None:
        assert event.entry is not None
        game = game.with_entries([event.entry])
    return game


# Several offers.


def test_a_bare_answer_is_refused_where_several_offers_are_open() -> None:
    game = after(after(timed(), 1, "draw"), 1, "pause 10 days")
    choice = "Several offers are open; write `{0} draw` or `{0} pause`."
    for verb in ("accept", "decline"):
        assert choice.format(verb) == refused(game, 0, verb)
    assert game.journal == game.with_entries(asks(game, 0, "accept").entries).journal


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("offer", ["pause 5 days", "undo", "draw", "annul"])
def test_no_offer_outlives_a_game_that_was_given_up(offer: str, who: Seat) -> None:
    game = after(after(timed(), 1, offer), who, "resign yes")
    over = f"The game is over: {('Bill', 'Joao')[who]} resigned."
    for words in ("accept", "decline", f"accept {offer.split()[0]}"):
        assert over == refused(game, 0, words)


def test_offers_of_a_game_agreed_drawn_end_with_it() -> None:
    game = after(after(after(timed(), 1, "pause 5 days"), 1, "undo"), 1, "draw")
    game = after(game, 0, "accept draw")
    for words in ("accept", "accept pause", "decline undo"):
        assert "The game is over: Draw agreed." == refused(game, 0, words)


def test_a_plan_does_not_change_what_an_answer_to_a_letter_means() -> None:
    planned = after(timed(), 1, "if any then E3")
    first = after(planned, 1, "draw")
    both = after(first, 1, "pause 10 days")
    shown = len(first.open_entries)
    assert "" == refused(both, 0, "accept", since=shown)
    assert "Draw agreed" == asks(both, 0, "accept", since=shown, at=TURN).state.ending.reason  # type: ignore[union-attr]


@pytest.mark.parametrize("offer", ["pause", "undo", "draw", "annul"])
def test_an_answer_to_a_letter_from_before_the_offer_must_name_it(offer: str) -> None:
    before = timed()
    game = after(before, 1, "pause 5 days" if offer == "pause" else offer)
    late = refused(game, 0, "accept", since=len(before.open_entries))
    assert "was made after the letter you answered was written" in late
    assert f"`accept {offer}`" in late
    assert "" == refused(game, 0, f"accept {offer}", since=len(before.open_entries))
    assert "" == refused(game, 0, "accept", since=len(game.open_entries))
    assert "" == refused(game, 0, "accept")


def test_an_answer_to_the_letter_that_showed_one_offer_means_that_one() -> None:
    game = after(timed(), 1, "draw")
    shown = len(game.journal)
    game = after(game, 1, "pause 10 days")
    decision = asks(game, 0, "accept", since=shown)
    assert decision.state.ending is not None
    assert "Draw agreed" == decision.state.ending.reason
    assert "Several" in refused(game, 0, "accept", since=shown + 1)


def told(decision: Decision, name: str) -> list[tuple[str, str]]:
    """The kinds of the letters to one player, and their words."""
    mine = (letter for letter in decision.letters if letter.player and letter.player.name == name)
    return [(letter.kind, letter.told.get("words", "")) for letter in mine]


def test_the_other_hears_of_all_that_one_mail_offers_or_answers() -> None:
    game = timed()
    several = asks(game, 1, "draw\nundo\npause 5 days\ngive 2d\nsay Hello", at=TURN)
    assert [("draw", "Hello"), ("undo", ""), ("deal", "")] == told(several, "Bill")
    deals = [letter.told["deals"] for letter in several.letters if letter.kind == "deal"]
    assert [["asked", "given"]] == [[deal["what"] for deal in each] for each in deals]
    asked = after(after(game, 1, "draw"), 1, "undo")
    answers = asks(asked, 0, "decline draw\naccept undo", at=TURN)
    assert [("draw", ""), ("undo", "")] == told(answers, "Joao")


def test_each_offer_is_answered_by_its_name_and_leaves_the_other_open() -> None:
    game = after(after(timed(), 1, "draw"), 1, "pause 10 days")
    paused = after(game, 0, "accept pause")
    assert [("draw", 1)] == [(what, offer.seat) for what, offer in paused.state.offers.items()]
    declined = after(game, 0, "decline draw")
    assert "draw" not in declined.state.offers
    assert "pause" in declined.state.offers
    assert "There is no offer of a draw that you could accept." == refused(declined, 0, "accept draw")


def test_nobody_answers_his_own_offer() -> None:
    game = after(timed(), 1, "pause 10 days")
    assert "There is no offer of a pause that you could accept." == refused(game, 1, "accept pause")
    assert "it waits for Bill's answer" in refused(game, 1, "pause 5 days")
    assert "`accept pause` agrees to it" in refused(game, 0, "pause 5 days")


# A game without a result.


@pytest.mark.parametrize("words", ["accept annul", "accept", "annul"])
def test_a_game_that_both_annul_is_void(words: str) -> None:
    game = after(after(timed(), 1, "annul"), 0, words)
    ending = game.state.ending
    assert ending is not None
    assert ("void", None, "Annulled, as both agreed") == (ending.how, ending.winner, ending.reason)
    assert {} == game.state.offers


def test_a_move_or_a_decline_keeps_the_game() -> None:
    asked = after(timed(), 1, "annul")
    for words in ("decline annul", "F2"):
        game = after(asked, 0, words)
        assert "annul" not in game.state.offers
        assert "There is no request to annul the game" in refused(game, 0, "accept annul")
    declined = after(asked, 0, "decline")
    assert "has declined to annul the game since your last move" in refused(declined, 1, "annul")


@pytest.mark.parametrize(("open_", "other"), [("draw", "annul"), ("annul", "draw")])
def test_a_draw_and_an_end_without_result_are_never_both_open(open_: str, other: str) -> None:
    game = after(timed(), 1, open_)
    assert f"answer `accept {open_}` or `decline {open_}` first" in refused(game, 0, other)
    assert "is open; it waits for Bill's answer" in refused(game, 1, other)
    assert game.journal == game.with_entries(asks(game, 0, other).entries).journal


def test_conditional_moves_stop_at_a_request_to_annul_and_say_so() -> None:
    planned = after(timed(), 0, "F2\nif any then E3")
    decision = asks(planned, 1, "E3\nannul", at=TURN)
    assert "" == decision.refused
    game = planned.with_entries(decision.entries)
    assert ["annul"] == list(game.state.offers)
    assert 0 == game.state.to_play


def test_an_event_keeps_annulling_to_its_director() -> None:
    command = Command("annul", "annul", {})
    request = TurnRequest(1, [command], same_moment(TURN), HOST, in_event=True)
    assert "the director alone" in decide(timed(), request).refused


# Lapsed offers.


@pytest.mark.parametrize(("words", "what"), [("draw", "draw"), ("pause 3 days", "pause")])
def test_an_offer_lapses_by_the_clock_when_its_days_are_over(words: str, what: str) -> None:
    game = after(replace(timed("60d/move"), soft=False), 1, words)
    end = TURN + OFFER_LIFETIMES[what]
    assert end == next_event(game)
    assert next_flag_event(game, end - timedelta(seconds=1), []) is None
    event = next_flag_event(game, end, [])
    assert event is not None and event.entry is not None
    assert (LAPSE, end) == (event.entry.kind, event.entry.at)
    later = game.with_entries([event.entry])
    assert later.state.offers == {}
    assert "no offer" in refused(later, 0, f"accept {what}", at=end)


def test_an_offer_lapses_in_a_game_without_a_clock_too() -> None:
    game = after(a_game(SEED_PLIES[:4]), 1, "draw")
    assert TURN + OFFER_LIFETIMES["draw"] == next_event(game)
    lapsed = run(game, TURN + 20 * DAY)
    assert "draw" not in lapsed.state.offers
    assert TURN + MAX_SILENCE - WARNING_PERIOD == next_event(lapsed), "the clock's word is no sign of life"


def test_a_game_that_is_over_has_nothing_due() -> None:
    game = after(after(timed(), 1, "draw"), 1, "pause 3 days")
    ended = after(game, 0, "accept draw")
    assert next_event(ended) is None


# Time given.


def test_time_given_moves_the_others_deadline() -> None:
    game = timed("1d/move")
    assert TURN + DAY == game.deadline
    richer = after(game, 1, "give 2d")
    assert TURN + 3 * DAY == richer.deadline
    assert TURN + 3 * DAY == next_event(richer)
    assert {"seconds": 172_800} == richer.journal[-1].data
    assert GIVE == richer.journal[-1].kind


@pytest.mark.parametrize(
    ("words", "time"), [("give 48h", 2 * DAY), ("give 2 days", 2 * DAY), ("give 36h", 36 * HOUR)]
)
def test_time_is_given_in_days_or_hours(words: str, time: timedelta) -> None:
    assert TURN + 3 * DAY + time == after(timed(), 1, words).deadline


def test_time_given_on_ones_own_turn_waits_for_the_others() -> None:
    game = after(timed("7d+1d<=14d"), 0, "give 3d")
    assert timed("7d+1d<=14d").clock.banks[1] + 3 * DAY == game.clock.banks[1]
    assert timed("7d+1d<=14d").deadline == game.deadline


@pytest.mark.parametrize("words", ["give 0d", "give 31d", "give 0h", "give 900h"])
def test_too_little_or_too_much_is_not_given(words: str) -> None:
    assert "What can be given at a time is from an hour to 30 days." == refused(timed(), 1, words)


def test_a_clock_is_not_filled_without_end() -> None:
    game = timed("7d+1d<=14d")
    for minute in range(11):
        game = after(game, 1, "give 30d", at=TURN + minute * timedelta(minutes=1))
    once_more = refused(game, 1, "give 30d", at=TURN + HOUR)
    assert "Bill would have more than 365 days then, and that is enough." == once_more


def test_the_same_mail_again_gives_nothing_more() -> None:
    game = after(timed(), 1, "give 2d")
    assert "That is recorded already: you have given Bill 2 days." == refused(game, 1, "give 2d")
    assert "" == refused(game, 1, "give 2d", at=TURN + timedelta(seconds=1))


@pytest.mark.parametrize("words", ["give 2d", "pause 3 days"])
def test_without_a_clock_there_is_no_time_to_settle(words: str) -> None:
    assert "This game is played without a clock" in refused(a_game(SEED_PLIES[:4]), 1, words)


@given(st.lists(st.integers(1, 720), max_size=8), st.integers(0, 1))
def test_whatever_is_given_is_had_and_never_by_the_giver(hours: list[int], seat: int) -> None:
    game = timed("7d+1d<=14d")
    before = game.clock.banks
    got = timedelta()
    for minute, number in enumerate(hours):
        at = TURN + timedelta(minutes=minute)
        decision = asks(game, seat, f"give {number}h", at=at)  # type: ignore[arg-type]
        game = game.with_entries(decision.entries)
        got += timedelta(hours=number) if not decision.refused else timedelta()
    assert before[seat] == game.clock.banks[seat]
    assert before[1 - seat] + got == game.clock.banks[1 - seat]


# A pause by agreement.


def test_in_a_pause_both_clocks_stand_from_the_answer_on() -> None:
    asked = after(timed("1d/move"), 1, "pause 10 days", at=TURN + HOUR)
    assert asked.deadline == TURN + DAY
    agreed = after(asked, 0, "accept", at=TURN + 2 * HOUR)
    assert TURN + 11 * DAY == agreed.deadline
    assert PAUSE == agreed.journal[-1].kind
    played = after(agreed, 0, "F2", at=TURN + 5 * DAY)
    assert TURN + 2 * HOUR + 11 * DAY == played.deadline


def test_a_pause_counts_once_whatever_else_stops_the_clock() -> None:
    away = ClockStops(both=((TURN + HOUR, TURN + 5 * DAY),))
    game = after(after(timed("1d/move", stops=away), 1, "pause 10 days"), 0, "accept", at=TURN + HOUR)
    assert TURN + 11 * DAY == game.deadline
    assert game.stops == replace(game, rated=False).stops


@pytest.mark.parametrize("days", [0, 31, 365])
def test_a_pause_is_1_to_30_days_long(days: int) -> None:
    assert "A pause is from 1 to 30 days long." == refused(timed(), 1, f"pause {days} days")
    assert "" == refused(timed(), 1, "pause 30 days")


def test_no_second_pause_is_asked_for_while_one_runs() -> None:
    game = after(after(timed(), 1, "pause 10 days"), 0, "accept")
    assert "The game pauses already" in refused(game, 0, "pause 3 days", at=TURN + DAY)
    assert "" == refused(game, 0, "pause 3 days", at=TURN + 10 * DAY)


def test_a_pause_that_is_declined_stops_nothing() -> None:
    game = timed()
    assert game.deadline == after(after(game, 1, "pause 10 days"), 0, "decline").deadline


@given(st.integers(0, 71), st.integers(1, 30), st.integers(0, 1000))
def test_a_pause_moves_the_flag_by_its_own_length(begins: int, days: int, later: int) -> None:
    game, at = timed(), TURN + begins * HOUR
    paused = after(after(game, 1, f"pause {days} days", at=at), 0, "accept pause", at=at)
    assert game.deadline is not None
    assert game.deadline + days * DAY == paused.deadline
    assert union([(at, at + days * DAY)]) == paused.agreed
    assert paused.clock.left(0, paused.stops, at + min(later * HOUR, days * DAY)) == game.clock.left(
        0, game.stops, at
    )


# Soft clocks.


def soft(plies: int = 4) -> Game:
    return timed("2d/move", plies, soft=True, rated=False)


FLAG_FELL = TURN + 2 * DAY


def test_a_soft_flag_ends_nothing_and_is_noted_once() -> None:
    game = run(soft(), FLAG_FELL + DAY)
    assert game.state.ending is None
    assert [FLAG] == [entry.kind for entry in game.journal[5:]]
    assert FLAG_FELL == game.state.flagged
    assert FLAG_FELL + MAX_SILENCE_AFTER_FLAG == next_event(game)


@pytest.mark.parametrize(
    ("claim", "how", "winner"), [("win", "timeout", 1), ("draw", "claim", None), ("void", "void", None)]
)
def test_whoever_waits_may_claim(claim: str, how: str, winner: int | None) -> None:
    game = after(run(soft(), FLAG_FELL), 1, f"claim {claim}", at=FLAG_FELL + DAY)
    ending = game.state.ending
    assert ending is not None
    assert (how, winner, FLAG_FELL + DAY) == (ending.how, ending.winner, ending.at)
    assert CLAIM == game.journal[-1].kind
    assert "Bill ran out of time" in ending.reason
    assert "The game is over" in refused(game, 1, "claim win")


def test_nobody_claims_before_the_flag_or_against_himself_or_with_a_hard_clock() -> None:
    assert "Bill has not run out of time" in refused(soft(), 1, "claim win")
    assert "Joao has not run out of time" in refused(run(soft(), FLAG_FELL), 0, "claim win")
    assert "Only a soft clock leaves anything to claim" in refused(timed(), 1, "claim win")


def test_the_one_out_of_time_may_still_play_until_somebody_claims() -> None:
    game = after(run(soft(), FLAG_FELL), 0, "F2", at=FLAG_FELL + 5 * DAY)
    assert game.state.flagged is None
    assert "Joao" in refused(game, 0, "claim win", at=FLAG_FELL + 5 * DAY)
    assert "Bill has not run out of time" in refused(game, 1, "claim win", at=FLAG_FELL + 5 * DAY)
    assert FLAG_FELL + 7 * DAY == game.deadline


def test_before_both_have_played_twice_nobody_claims_a_win() -> None:
    game = run(soft(2), NOON + 2 * HOUR + 2 * DAY)
    late = NOON + 5 * DAY
    assert "nobody wins on time" in refused(game, 1, "claim win", at=late)
    assert "" == refused(game, 1, "claim void", at=late)


def test_time_given_after_the_flag_takes_the_claim_away() -> None:
    game = after(run(soft(), FLAG_FELL), 1, "give 2d", at=FLAG_FELL + DAY)
    assert game.state.flagged is None
    assert FLAG_FELL + 2 * DAY == next_event(game)
    assert "has not run out of time" in refused(game, 1, "claim win", at=FLAG_FELL + DAY)
    assert FLAG_FELL + 2 * DAY == run(game, FLAG_FELL + 3 * DAY).state.flagged


def test_after_thirty_silent_days_the_game_is_closed_without_a_winner() -> None:
    game = run(soft(), FLAG_FELL + MAX_SILENCE_AFTER_FLAG)
    ending = game.state.ending
    assert ending is not None
    assert ("void", None, FLAG_FELL + MAX_SILENCE_AFTER_FLAG) == (ending.how, ending.winner, ending.at)
    assert CLOSE == game.journal[-1].kind
    assert next_event(game) is None


def test_words_break_the_silence() -> None:
    game = after(run(soft(), FLAG_FELL), 1, "say Are you well?", at=FLAG_FELL + 20 * DAY)
    assert FLAG_FELL + 20 * DAY + MAX_SILENCE_AFTER_FLAG == next_event(game)


def test_what_the_clock_does_depends_on_no_look() -> None:
    once = run(soft(), FLAG_FELL + 100 * DAY)
    often = soft()
    for day in range(100):
        often = run(often, TURN + day * DAY)
    assert once.journal == often.journal
