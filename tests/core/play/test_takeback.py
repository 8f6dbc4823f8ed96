"""Takebacks by consent: offered, accepted, declined, lapsed, and their effects."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.cli.migrate import check_game
from pbem.core.clock.clock import ClockStops
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PAUSE, TAKEBACK, TAKEBACK_DECLINED, TAKEBACK_OFFER
from pbem.core.play import director
from pbem.core.play.clock_events import next_event, next_flag_event
from pbem.core.play.turn import Decision
from pbem.core.records.record import game_data, record_of
from pbem.store.games import row_summary
from pbem.web.replay import replay
from rules import RULES
from rules.contract import Seat, other
from tests.amount import amount
from tests.people import HOST, NOON, a_game, asks

BOARDS = {
    "begird": {"islands": "3", "side": "7"},
    "bipod": {"size": "3", "stones": "2"},
    "bounders": {"size": "4"},
}
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
every_game = pytest.mark.parametrize("key", RULES)
chance = settings(
    max_examples=amount(4, 12), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def kinds(decision: Decision) -> list[tuple[str, str]]:
    return [(letter.player.name if letter.player else "", letter.kind) for letter in decision.letters]


def kept(game: Game, decision: Decision) -> Game:
    """The game after an accepted decision, which a new fold confirms."""
    assert "" == decision.refused
    after = game.with_entries(decision.entries)
    assert decision.state == fold(after)
    assert [] == check_game(after, row_summary(fold(after), after.open_entries))
    return after


def undone(game: Game, seat: Seat) -> Game:
    """The game after `seat` asked and the other accepted."""
    game = kept(game, asks(game, seat, "undo"))
    return kept(game, asks(game, other(seat), "accept undo"))


def moves(game: Game) -> list[str]:
    return [ply.move for ply in game.state.plies]


# ------------------------------------------------------------------------------------------ consent


def test_a_request_goes_to_the_other_and_changes_nothing_on_the_board() -> None:
    game = a_game(["f2", "g3"])
    decision = asks(game, 0, "undo\n\nMy cat did that.")
    assert [TAKEBACK_OFFER, "say"] == [entry.kind for entry in decision.entries]
    assert [("Bill", "receipt"), ("Joao", "undo")] == kinds(decision)
    assert "My cat did that." == decision.letters[1].told["words"]
    assert game.state.position == decision.state.position
    assert ["f2", "g3"] == [ply.move for ply in decision.letters[1].view.plies_to_take_back]  # type: ignore[union-attr]


def test_accepted_it_takes_the_askers_last_ply_back_and_what_came_after() -> None:
    game = a_game(["f2", "g3", "h4", "j4"])
    game = kept(game, asks(game, 0, "undo"))
    decision = asks(game, 1, "accept\n\nGladly.")
    game = kept(game, decision)
    assert [TAKEBACK, "say"] == [entry.kind for entry in decision.entries]
    assert [("Joao", "receipt"), ("Bill", "undo")] == kinds(decision)
    assert ["f2", "g3"] == moves(game)
    assert ["h4", "j4"] == [taken.ply.move for taken in game.state.taken_back]
    assert a_game(["f2", "g3"]).state.position == game.state.position
    assert 0 == game.state.to_play


def test_of_the_ply_just_made_only_that_goes() -> None:
    assert ["f2", "g3"] == moves(undone(a_game(["f2", "g3", "h4"]), 0))


def test_declined_it_stays_and_is_not_asked_again_for_that_ply() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    decision = asks(game, 1, "decline")
    game = kept(game, decision)
    assert [TAKEBACK_DECLINED] == [entry.kind for entry in decision.entries]
    assert [("Joao", "receipt"), ("Bill", "undo")] == kinds(decision)
    assert "Joao has declined to have move 1 taken back." == asks(game, 0, "undo").refused
    assert (
        "There is no request to take a move back that you could accept."
        == asks(game, 1, "accept undo").refused
    )
    game = kept(game, asks(game, 0, "h4"))
    assert "" == asks(game, 0, "undo").refused


@pytest.mark.parametrize(("seat", "move"), [(1, "g3")])
def test_it_lapses_when_the_other_plays_on(seat: Seat, move: str) -> None:
    game = a_game(["f2"])
    game = kept(game, asks(game, 0, "undo"))
    game = kept(game, asks(game, seat, move))
    assert "undo" not in game.state.offers
    assert asks(game, 1, "accept undo").refused.startswith("There is no request")


def test_it_lapses_when_the_asker_plays_on() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    game = kept(game, asks(game, 0, "h4"))
    assert asks(game, 1, "accept undo").refused.startswith("There is no request")


def test_after_a_week_there_is_nothing_to_answer_and_it_can_be_asked_anew() -> None:
    game = a_game(["f2"])
    game = kept(game, asks(game, 0, "undo"))
    late = NOON + timedelta(days=7, seconds=1)
    assert asks(game, 1, "accept undo", at=late).refused.startswith("There is no request")
    assert "" == asks(game, 1, "accept undo", at=NOON + timedelta(days=7)).refused
    assert "" == asks(game, 0, "undo", at=late).refused


def test_the_end_of_the_game_ends_a_request_too() -> None:
    game = a_game(["f2"])
    game = kept(game, asks(game, 0, "undo"))
    game = kept(game, asks(game, 1, "resign yes"))
    assert "The game is over: Joao resigned." == asks(game, 1, "accept undo").refused
    assert "The game is over: Joao resigned." == asks(game, 0, "undo").refused


@pytest.mark.parametrize(
    ("moves", "seat", "words", "sentence"),
    [
        ([], 0, "undo", "You have made no move that could be taken back."),
        (["f2"], 1, "undo", "You have made no move that could be taken back."),
        ([], 0, "f2\nundo", "Your mail makes a move and asks to take one back; please write one of the two."),
        (["f2", "g3"], 0, "undo\nh4", "Your mail holds a move besides what it says of taking one back; "),
        (["f2", "g3"], 0, "undo\nundo", "You have asked already to take move 1 back; it waits for Joao's"),
        (["f2"], 0, "accept undo", "There is no request to take a move back that you could accept."),
    ],
)
def test_what_cannot_be_asked_is_refused_and_changes_nothing(
    moves: list[str], seat: Seat, words: str, sentence: str
) -> None:
    decision = asks(a_game(moves), seat, words)
    assert () == decision.entries
    assert decision.refused.startswith(sentence)


def test_nobody_accepts_his_own_request() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    assert asks(game, 0, "accept").refused
    assert asks(game, 0, "accept undo").refused


def test_two_who_both_want_to_go_back_answer_each_other() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    assert asks(game, 1, "undo").refused.startswith("Bill asks to take a move back: answer that first")


def test_with_a_draw_on_offer_too_the_answer_must_say_which() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo\ndraw"))
    for word in ("accept", "decline"):
        assert f"`{word} draw` or `{word} undo`" in asks(game, 1, word).refused
    assert ["ask", "offer", TAKEBACK] == [
        e.kind for e in kept(game, asks(game, 1, "accept undo")).journal[-3:]
    ]
    assert "agreement" == kept(game, asks(game, 1, "accept draw")).state.ending.how  # type: ignore[union-attr]


def test_a_draw_offered_before_falls_with_the_ply() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo\ndraw"))
    game = kept(game, asks(game, 1, "accept undo"))
    assert "draw" not in game.state.offers


# --------------------------------------------------------------------------------------- old letters


def test_letters_older_than_the_going_back_take_no_ply() -> None:
    game = undone(a_game(["f2"]), 0)  # entries: 1 start, 2 f2, 3 ask, 4 undo
    for since in (1, 2, 3):
        for words in ("f2", "f4", "#1 f2"):
            decision = asks(game, 0, words, since=since)
            assert () == decision.entries
            assert decision.refused.startswith("A move has been taken back since the letter you answered")
    assert ["f4"] == moves(kept(game, asks(game, 0, "f4", since=4)))


def test_a_ply_that_still_stands_is_known_again_after_the_going_back() -> None:
    game = undone(a_game(["f2", "g3", "h4"]), 0)
    assert 1 == asks(game, 0, "f2", since=1).letters[0].told["already"].n
    assert "Your move 1 is recorded as f2, and that does not change." == asks(game, 0, "f4", since=1).refused


def test_the_same_request_sent_again_takes_back_no_further_ply() -> None:
    game = undone(a_game(["f2", "g3", "h4", "j4"]), 0)
    assert () == asks(game, 0, "undo", since=5).entries
    assert asks(game, 0, "undo", since=5).refused.startswith("The game has gone on since the letter")
    assert "" == asks(game, 0, "undo", since=7).refused


def test_a_request_to_a_letter_two_plies_old_does_not_say_which_ply() -> None:
    game = a_game(["f2", "g3", "h4", "j4"])
    assert asks(game, 0, "undo", since=1).refused.startswith("The game has gone on since the letter")
    assert "" == asks(game, 0, "undo", since=3).refused


def test_an_acceptance_that_answers_an_older_letter_must_name_what_it_accepts() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    assert "`accept undo`" in asks(game, 1, "accept", since=2).refused
    assert "" == asks(game, 1, "accept undo", since=2).refused
    assert "" == asks(game, 1, "accept", since=4).refused


def test_a_plan_for_a_board_that_is_gone_is_refused() -> None:
    game = undone(a_game(["f2", "g3"]), 1)
    assert asks(game, 0, "if h4 then j4", since=2).refused.startswith("A move has been taken back since")


# ------------------------------------------------------------------------- plans, standing orders


def test_plans_of_both_fall_with_the_ply() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "h4\nif j4 then k5 if m3 then l2"))
    game = kept(game, asks(game, 1, "undo"))
    assert game.state.conditional_moves[0] is not None
    game = kept(game, asks(game, 0, "accept undo"))
    assert (None, None) == game.state.conditional_moves
    game = kept(game, asks(game, 1, "j4"))
    assert ["f2", "j4"] == moves(game)


def test_while_a_request_waits_no_plan_answers_a_draw() -> None:
    game = a_game(["f2"])
    game = kept(game, asks(game, 0, "if draw then accept"))
    game = kept(game, asks(game, 0, "undo"))
    game = kept(game, asks(game, 1, "draw"))
    assert (None, 1) == (game.state.ending, game.state.offers["draw"].seat)


def test_a_ply_made_by_a_plan_can_be_taken_back_too() -> None:
    game = kept(a_game(), asks(a_game(), 0, "f2\nif g3 then h4"))
    game = kept(game, asks(game, 1, "g3"))
    assert ["f2", "g3", "h4"] == moves(game)
    assert ["f2", "g3"] == moves(undone(game, 0))


# ------------------------------------------------------------------------------------------- clocks


def timed(pace: str, *, hours: tuple[int, ...]) -> Game:
    """A game whose plies were made at these hours after noon."""
    game = replace(a_game(), time_control=read_pace(pace))
    for move, hour in zip(("f2", "g3", "h4", "j4"), hours, strict=False):
        game = kept(game, asks(game, game.state.to_play or 0, move, at=NOON + hour * HOUR))
    return game


def test_the_asker_goes_on_with_what_was_left_and_the_other_has_what_he_had() -> None:
    game = timed("7d+1d<=14d", hours=(24, 30))
    game = kept(game, asks(game, 0, "undo", at=NOON + 31 * HOUR))
    later = NOON + 90 * HOUR
    game = kept(game, asks(game, 1, "accept", at=later))
    assert (6 * DAY, 7 * DAY) == game.clock.banks
    assert (0, later) == (game.clock.running, game.clock.since)
    assert later + 6 * DAY == game.deadline


def test_who_played_at_the_last_moment_has_a_day_after_going_back() -> None:
    game = timed("2d/move", hours=(47,))
    game = kept(game, asks(game, 0, "undo", at=NOON + 48 * HOUR))
    game = kept(game, asks(game, 1, "accept", at=NOON + 50 * HOUR))
    assert NOON + 74 * HOUR == game.deadline


def test_a_request_stops_no_clock() -> None:
    game = timed("2d/move", hours=(10,))
    asked = kept(game, asks(game, 0, "undo", at=NOON + 11 * HOUR))
    assert NOON + 58 * HOUR == game.deadline == asked.deadline


def test_time_given_since_the_ply_stays_given() -> None:
    game = timed("2d/move", hours=(10,))
    game = kept(game, asks(game, 0, "give 1d", at=NOON + 11 * HOUR))
    game = kept(game, asks(game, 0, "undo", at=NOON + 12 * HOUR))
    game = kept(game, asks(game, 1, "accept", at=NOON + 13 * HOUR))
    assert (38 * HOUR, 3 * DAY) == game.clock.banks


# ------------------------------------------------------------- beside other offers and the director


def test_a_request_that_nobody_answers_lapses_by_the_clock() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "undo"))
    lapses = NOON + 7 * DAY
    assert lapses == next_event(game)
    assert next_flag_event(game, lapses - HOUR, []) is None
    event = next_flag_event(game, lapses, [])
    assert event is not None
    assert event.entry is not None
    after = game.with_entries([event.entry])
    assert ({}, ["g3"]) == (after.state.offers, moves(after)[1:])
    assert "There is no offer" in asks(after, 1, "accept").refused


def test_of_a_pause_and_a_request_the_answer_takes_the_one_it_names() -> None:
    game = timed("2d/move", hours=(10,))
    game = kept(game, asks(game, 0, "undo", at=NOON + 11 * HOUR))
    game = kept(game, asks(game, 0, "pause 3 days", at=NOON + 12 * HOUR))
    later = NOON + 13 * HOUR
    assert "`accept pause` or `accept undo`" in asks(game, 1, "accept", at=later).refused
    back = kept(game, asks(game, 1, "accept undo", at=later))
    assert "pause" in game.state.offers
    assert {"pause": game.state.offers["pause"]} == back.state.offers
    both = kept(back, asks(back, 1, "accept", at=later))
    assert PAUSE == both.journal[-1].kind


def test_no_ply_from_before_a_rollback_can_be_taken_back_and_those_after_it_can() -> None:
    game = a_game(["f2", "g3", "h4"])
    game = kept(game, asks(game, 0, "undo"))
    game = game.with_entries([director.rollback(game, 2, "A mistake of ours.", NOON)])
    assert {} == game.state.offers
    assert "There is no offer" in asks(game, 1, "accept").refused
    assert "The director has taken the game back" in asks(game, 0, "undo").refused
    game = kept(game, asks(game, 0, "i5"))
    assert ["f2", "g3"] == moves(undone(game, 0))


def test_what_was_taken_back_and_decided_is_still_listed_after_both() -> None:
    game = undone(a_game(["f2", "g3", "h4"]), 0)
    game = game.with_entries([director.notice(game, "Please be quick.", NOON)])
    game = kept(game, asks(game, 0, "i5"))
    game = undone(game, 0)
    assert ["h4", "i5"] == [taken.ply.move for taken in game.state.taken_back]
    assert ["notice"] == [each.kind for each in game.state.rulings]
    game = game.with_entries([director.rollback(game, 1, "A mistake of ours.", NOON)])
    assert ["h4", "i5"] == [taken.ply.move for taken in game.state.taken_back]


# ------------------------------------------------------------------------- what others get to see


def test_fingerprint_record_and_pages_are_those_of_the_game_that_stands() -> None:
    back = undone(a_game(["f2", "g3", "h4"]), 0)
    plain = a_game(["f2", "g3"])
    assert fingerprint(plain, plain.state.plies, HOST) == fingerprint(back, back.state.plies, HOST)
    assert record_of(plain, HOST).plies == record_of(back, HOST).plies
    assert ["h4"] == [ply["move"] for ply in game_data(back, HOST)["taken_back"]]
    assert replay(back, 3) is None
    played = kept(back, asks(back, 0, "j4"))
    third = replay(played, 3)
    assert third is not None
    assert a_game(["f2", "g3", "j4"]).state.position == third.position


def test_what_was_said_stays_where_its_ply_went() -> None:
    game = a_game(["f2", "g3"])
    game = kept(game, asks(game, 0, "say Hm."))
    game = undone(game, 1)
    assert [(1, "Hm.")] == [(said.after, said.words) for said in game.state.said]


# --------------------------------------------------------------------------------- games of chance


@every_game
@chance
@given(seed=st.integers(0, 2**32))
def test_a_game_with_plies_taken_back_is_the_game_without_them(key: str, seed: int) -> None:
    rng = Random(seed)
    game = a_game(key=key, **BOARDS.get(key, {}))
    stands = [game.state]
    for _ in range(30):
        seat = game.state.to_play
        if seat is None:
            break
        mine = [ply for ply in game.state.plies if ply.seat == seat]
        if mine and rng.random() < 0.3:
            who: Seat = rng.choice([ply.seat for ply in game.state.plies])
            n = max(ply.n for ply in game.state.plies if ply.seat == who)
            game = undone(game, who)
            stands = stands[:n]
            assert who == game.state.to_play
        else:
            move = str(game.state.position.sample(rng))
            game = kept(game, asks(game, seat, move))
            if len(game.state.plies) != len(stands):
                break  # standing orders of Hexagonal Thing answered
            stands.append(game.state)
        assert stands[-1].position == game.state.position
        assert [ply.move for ply in stands[-1].plies] == moves(game)
    for n, state in enumerate(stands[: len(moves(game))]):
        shown = replay(game, n)
        assert shown is not None
        assert state.position == shown.position


def test_going_back_a_thousand_times_takes_no_longer_than_it_should() -> None:
    game = a_game()
    entries = []
    for n in range(1000):
        (made,) = asks(game, 0, "f2").entries
        entries += [
            replace(made, n=3 * n + 2),
            replace(made, n=3 * n + 3, kind=TAKEBACK_OFFER, data={"to": 3 * n + 2}),
        ]
        entries += [replace(made, n=3 * n + 4, kind=TAKEBACK, seat=1, data={"to": 3 * n + 2})]
    assert [] == moves(game.with_entries(entries))


# ------------------------------------------------------------------------------------ bids by themselves


def auction(*replies: str) -> Game:
    """Bill lands on a Buy, bids 3, leaves `max 6`; Joao answers."""
    game = a_game(key="hexthing")
    game = kept(game, asks(game, 0, "play 3S bid 3 max 6 take e5"))
    for words in replies:
        game = kept(game, asks(game, 1, words))
    return game


def test_a_bid_made_by_itself_and_taken_back_is_not_made_again_by_itself() -> None:
    game = undone(auction("bid 4"), 0)
    assert ["play 3S bid 3", "bid 4"] == moves(game)
    assert 0 == game.state.to_play
    assert (None, None) == game.state.standing


def test_after_the_others_bid_is_taken_back_the_limit_still_stands() -> None:
    game = undone(auction("bid 4"), 1)
    assert ["play 3S bid 3"] == moves(game)
    game = kept(game, asks(game, 1, "bid 5"))
    assert ["play 3S bid 3", "bid 5", "bid 6"] == moves(game)


# ---------------------------------------------------------------------------------- pauses and grace


def test_a_vacation_before_the_ply_is_charged_to_nobody() -> None:
    away = (NOON + 10 * HOUR, NOON + 58 * HOUR)
    game = replace(timed("7d+1d<=14d", hours=()), stops=ClockStops(vacation=((away,), ())))
    game = kept(game, asks(game, 0, "f2", at=NOON + 72 * HOUR))
    game = kept(game, asks(game, 0, "undo", at=NOON + 73 * HOUR))
    game = kept(game, asks(game, 1, "accept", at=NOON + 80 * HOUR))
    assert (6 * DAY, 7 * DAY) == game.clock.banks


def test_a_game_without_a_clock_goes_back_without_one() -> None:
    game = undone(timed("none", hours=(5, 9)), 0)
    assert game.deadline is None
