"""The undo window, in which only its owner can find a ply."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from pbem.actions.game_clock import tick
from pbem.app import Office
from pbem.core.game.journal import PLY
from pbem.core.play import director
from pbem.inbox.director import rule
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import answer
from pbem.store import inbox
from pbem.store.tables import journal, outbox
from pbem.web import create_app
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    a_game,
    last_words,
    letters,
    moves,
    register,
    reply,
    sound,
    state,
    writes,
)
from tests.inbox.test_late_answers import put_aside, retry

UNIQUE = "f2 h4 C3"
WINDOW = timedelta(minutes=5)
AFTER = WINDOW + timedelta(minutes=2)


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_HOST": "localhost", "PBEM_RELAY": "smtp://127.0.0.1:1", "PBEM_SECRET": "s" * 32}


def pages(office: Office) -> list[tuple[str, int, str, str]]:
    """Body and date of every public page about the game."""
    client = create_app(office).test_client()
    paths = ["/", "/games", "/games?player=Bill", "/games/1", "/games/1/0", "/games/1/1", "/games/1.json"]
    paths += ["/games/1.game", "/games/1/0.svg", "/games/1/1.svg", "/games/1/1-small.svg"]
    paths += ["/api/games", "/api/games/1", "/api/games/1/plies", "/api/games/1/positions/0"]
    paths += ["/api/games/1/positions/1", "/api/players/Bill"]
    answers = [(path, client.get(path)) for path in paths]
    return [(path, a.status_code, a.text, a.headers.get("Last-Modified", "")) for path, a in answers]


def bill_plays(office: Office, words: str = f"{UNIQUE}\n\nA secret so far.") -> None:
    bills, _ = a_game(office)
    assert "done" == reply(office, BILL, bills, words)


def end_window(office: Office, clock: Clock) -> None:
    clock.now += AFTER
    tick(office)


# ------------------------------------------------------------------------------------------- secrecy


def test_a_mail_that_is_handled_again_makes_what_waits_now_and_not_in_the_past(
    office: Office, clock: Clock
) -> None:
    bills, _ = a_game(office, "3d/move")
    key = put_aside(office, clock, JOAO, "draw")
    clock.now += timedelta(days=2)
    assert "done" == reply(office, BILL, bills, UNIQUE)
    assert [] == moves(office)
    clock.now += timedelta(minutes=1)
    assert "done" == retry(office, key)
    game = sound(office)
    assert (clock.now, clock.now + timedelta(days=3)) == (game.state.plies[-1].at, game.deadline)


def test_until_it_ends_a_ply_is_nowhere_that_others_look_and_afterwards_everywhere(
    office: Office, clock: Clock
) -> None:
    bills, _ = a_game(office)
    before, joaos = pages(office), len(letters(office, JOAO))
    assert "done" == reply(office, BILL, bills, f"{UNIQUE}\n\nA secret so far.")
    assert before == pages(office)
    assert joaos == len(letters(office, JOAO))
    for words in ("show", "moves", "games", "boards all", "say Are you there?"):
        assert "done" == writes(office, JOAO, words)
        assert not any(word in letters(office, JOAO)[-1].text for word in ("C3", "secret", "ply 1, f2"))
    end_window(office, clock)
    assert [UNIQUE] == moves(office)
    assert "A secret so far." in last_words(office, JOAO)
    assert UNIQUE in last_words(office, JOAO)
    assert 200 == {path: status for path, status, _, _ in pages(office)}["/games/1/1.svg"]


def test_no_answer_to_the_other_tells_of_it_where_clocks_run(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    joaos = register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 3d/move")
    writes(office, JOAO, "accept")
    bills = letters(office, BILL)[-1]
    asked = "games\nboards all\ngame 1\nshow\nmoves\nexport json"

    def seen() -> tuple[list[str], list[tuple[str, int, str, str]]]:
        before = len(letters(office, JOAO))
        assert "done" == reply(office, JOAO, joaos, asked)
        return [letter.text for letter in letters(office, JOAO)[before:]], pages(office)

    before = seen()
    assert "done" == reply(office, BILL, bills, f"{UNIQUE}\n\nA secret so far.")
    assert before == seen()


def test_its_owner_sees_it_and_until_when(office: Office) -> None:
    bill_plays(office)
    assert "Done, Bill: your ply 1 is f2 h4 C3." in last_words(office, BILL)
    assert "12:05" in last_words(office, BILL)
    for words in ("show", "moves"):
        writes(office, BILL, words)
        assert UNIQUE in last_words(office, BILL)
    assert [] == moves(office)


def test_the_same_move_again_is_known_and_ends_no_window(office: Office) -> None:
    bill_plays(office)
    writes(office, BILL, UNIQUE)
    assert "already recorded" in last_words(office, BILL)
    assert [] == moves(office)


# ------------------------------------------------------------------------------------- taking it back


def test_within_the_window_it_goes_without_asking_and_leaves_no_trace(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    before, joaos = pages(office), len(letters(office, JOAO))
    reply(office, BILL, bills, UNIQUE)
    clock.now += timedelta(minutes=4)
    assert "done" == writes(office, BILL, "undo")
    assert "ply 1, f2 h4 C3, is taken back, and nobody else has seen it" in last_words(office, BILL)
    end_window(office, clock)
    assert before == pages(office)
    assert joaos == len(letters(office, JOAO))
    assert ["start"] == [entry.kind for entry in sound(office).journal]
    assert "refused" == writes(office, BILL, "undo")
    assert "done" == writes(office, BILL, "f6")
    end_window(office, clock)
    assert ["f6"] == moves(office)


def test_after_the_window_the_other_is_asked(office: Office, clock: Clock) -> None:
    bill_plays(office)
    end_window(office, clock)
    assert "done" == writes(office, BILL, "undo")
    assert [UNIQUE] == moves(office)
    assert "Bill asks to take a ply back, Joao." in last_words(office, JOAO)


def test_undo_beside_something_else_is_refused_and_the_ply_waits_on(office: Office) -> None:
    bill_plays(office)
    assert "refused" == writes(office, BILL, "undo\nf6")
    assert [] == moves(office)
    assert "done" == writes(office, BILL, "undo")


@pytest.mark.each_database
def test_of_undo_and_the_end_of_the_window_in_the_same_moment_one_happens(
    office: Office, clock: Clock
) -> None:
    a_game(office)
    for _ in range(3):
        told = len(letters(office, JOAO))
        assert "done" == writes(office, BILL, "f2")
        mine = letters(office, BILL)[-1]
        clock.now += AFTER
        (key,) = receive(office, answer(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
        with ThreadPoolExecutor(3) as pool:
            jobs = [pool.submit(tick, office), pool.submit(process, office, int(key[1:]))]
            jobs.append(pool.submit(tick, office))
            assert all(job.exception() is None for job in jobs)
        (turn, ask) = [letter.header("Message-ID").split(".")[3] for letter in letters(office, JOAO)[told:]]
        assert ("turn", "undo") == (turn, ask)  # too late: the clock or the mail made it first
        assert "done" == writes(office, JOAO, "accept")


def test_undo_written_twice_in_a_hurry_does_not_ask_for_the_ply_before(office: Office, clock: Clock) -> None:
    bill_plays(office)
    end_window(office, clock)
    assert "done" == writes(office, JOAO, "f4")
    end_window(office, clock)
    assert "done" == writes(office, BILL, "d2")
    receipt = letters(office, BILL)[-1]
    joaos = len(letters(office, JOAO))
    assert ["done", "refused"] == [reply(office, BILL, receipt, "undo") for _ in range(2)]
    assert "You have just taken your ply back, before anybody saw it, so it is gone." in last_words(
        office, BILL
    )
    assert "let you take back ply 1 too" in last_words(office, BILL)
    assert joaos == len(letters(office, JOAO))
    assert sound(office).state.asked is None
    clock.now += timedelta(minutes=11)
    assert "done" == writes(office, BILL, "undo")
    assert sound(office).state.asked is not None


def test_undo_soon_after_another_is_asked_for_of_a_ply_made_since(office: Office, clock: Clock) -> None:
    bill_plays(office)
    assert "done" == writes(office, BILL, "undo")
    assert "done" == writes(office, BILL, "f2 h4 C5")
    end_window(office, clock)
    assert "done" == writes(office, BILL, "undo")
    assert sound(office).state.asked is not None


def test_an_undo_that_came_in_time_counts_however_late_it_is_read(office: Office, clock: Clock) -> None:
    bill_plays(office)
    mine = letters(office, BILL)[-1]
    clock.now += WINDOW - timedelta(seconds=1)
    (key,) = receive(office, answer(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
    told = len(letters(office, JOAO))
    end_window(office, clock)
    assert [] == moves(office)
    process(office, int(key[1:]))
    end_window(office, clock)
    assert [] == moves(office)
    assert told == len(letters(office, JOAO))


def test_letters_about_a_ply_that_never_was_take_no_later_move(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    assert "done" == reply(office, BILL, bills, "f2\ndraw")
    receipt = letters(office, BILL)[-1]
    assert "done" == reply(office, BILL, receipt, "undo")
    assert "done" == writes(office, BILL, "f6")
    end_window(office, clock)
    assert "done" == writes(office, JOAO, "g3")
    end_window(office, clock)
    assert "refused" == reply(office, BILL, receipt, "h4")
    assert ["f6", "g3"] == moves(office)


# --------------------------------------------------------------------------------- the other meanwhile


def test_what_the_other_says_goes_through_and_the_ply_waits_on(office: Office, clock: Clock) -> None:
    bill_plays(office)
    assert "done" == writes(office, JOAO, "say Hello?")
    assert "Hello?" in last_words(office, BILL)
    assert UNIQUE in last_words(office, BILL)
    assert [] == moves(office)
    end_window(office, clock)
    assert ["start", "say", "ply"] == [entry.kind for entry in sound(office).journal]


@pytest.mark.parametrize(("words", "kinds"), [("resign yes", ["ply", "resign"]), ("draw", ["ply", "offer"])])
def test_what_the_other_decides_comes_after_the_ply(office: Office, words: str, kinds: list[str]) -> None:
    bill_plays(office)
    assert "done" == writes(office, JOAO, words)
    assert ["start", *kinds] == [entry.kind for entry in sound(office).journal]


def test_a_move_of_the_other_finds_that_it_is_not_his_turn(office: Office) -> None:
    bill_plays(office)
    assert "refused" == writes(office, JOAO, "g3")
    assert "It is Bill's turn" in last_words(office, JOAO)
    assert "C3" not in last_words(office, JOAO)
    assert [] == moves(office)


def test_a_plan_of_the_other_answers_when_the_window_has_ended(office: Office, clock: Clock) -> None:
    _, joaos = a_game(office)
    assert "done" == reply(office, JOAO, joaos, f"if {UNIQUE} then m3")
    writes(office, BILL, f"game 1\n{UNIQUE}")
    assert "m3" not in re.findall(r"\w+", last_words(office, BILL))
    assert [] == moves(office)
    end_window(office, clock)
    assert [UNIQUE, "m3"] == moves(office)
    assert "Your turn, Bill: ply 3" in last_words(office, BILL)


def test_a_draw_offered_with_a_ply_that_waits_and_declined_by_a_plan_is_told_to_who_offered(
    office: Office, clock: Clock
) -> None:
    bills, joaos = a_game(office)
    assert "done" == reply(office, JOAO, joaos, "if draw then decline")
    assert "done" == reply(office, BILL, bills, "f2\ndraw")
    before = len(letters(office, BILL))
    assert "declined" not in last_words(office, BILL)
    end_window(office, clock)
    assert before + 1 == len(letters(office, BILL))
    assert "Joao has declined the draw, Bill. The game goes on." in last_words(office, BILL)
    assert "as you had planned it was declined" in last_words(office, JOAO)


def test_what_else_its_owner_does_makes_it_at_once(office: Office) -> None:
    bill_plays(office)
    assert "done" == writes(office, BILL, "say By the way.")
    assert [UNIQUE] == moves(office)
    assert "By the way." in last_words(office, JOAO)


def test_a_directors_decision_comes_after_the_ply(office: Office) -> None:
    bill_plays(office)
    rule(office, 1, lambda game, now: director.rollback(game, 0, "A mail was lost.", now))
    assert [PLY, "rollback"] == [entry.kind for entry in sound(office).journal][-2:]
    assert sound(office).held is None
    assert [] == moves(office)


def test_a_note_beside_a_ply_that_waits_is_kept_whatever_becomes_of_the_ply(office: Office) -> None:
    bill_plays(office, f"{UNIQUE}\nnote my own thoughts")
    assert "done" == writes(office, BILL, "undo")
    assert "done" == writes(office, BILL, "notes")
    assert "my own thoughts" in last_words(office, BILL)


def test_nobody_is_reminded_of_a_turn_whose_ply_waits(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "set quiet off")
    reply(office, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(office, JOAO, "accept")
    reminded = clock.now + timedelta(hours=18)
    clock.now = reminded - timedelta(minutes=1)
    writes(office, BILL, UNIQUE)
    clock.now = reminded + timedelta(minutes=2)
    tick(office)
    assert UNIQUE not in moves(office)
    with office.store.read() as db:
        assert "reminder" not in {row.kind for row in db.execute(outbox.select())}


# ------------------------------------------------------------------------------------- clocks, settings


def test_the_owners_clock_stops_at_the_mail_and_the_others_starts_at_the_end(
    office: Office, clock: Clock
) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 7d+1d<=14d")
    writes(office, JOAO, "accept")
    start = clock.now
    clock.now += timedelta(days=1)
    writes(office, BILL, "f2")
    assert "The time of Joao, 7 days, begins when this ply stands." in last_words(office, BILL)
    assert "Joao's clock: 7 days, about to run" in last_words(office, BILL)
    end_window(office, clock)
    game = sound(office)
    assert (timedelta(days=7), timedelta(days=7)) == game.clock.banks
    assert start + timedelta(days=1) + WINDOW == game.clock.since
    assert start + timedelta(days=8) + WINDOW == game.deadline


def test_each_sets_his_own_time_and_off_is_at_once(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    assert "done" == reply(office, BILL, bills, "set undo 10m")
    assert "undo: 10 minutes" in last_words(office, BILL)
    reply(office, BILL, bills, "f2")
    end_window(office, clock)
    assert [] == moves(office)
    clock.now += WINDOW
    tick(office)
    assert ["f2"] == moves(office)
    assert "done" == writes(office, JOAO, "set undo off")
    turn = next(
        letter for letter in reversed(letters(office, JOAO)) if ".turn." in letter.header("Message-ID")
    )
    reply(office, JOAO, turn, "g3")
    assert ["f2", "g3"] == moves(office)


@pytest.mark.parametrize("value", ["61m", "soon", "-1"])
def test_a_time_that_cannot_be_is_refused_with_one_that_can(office: Office, value: str) -> None:
    bills, _ = a_game(office)
    assert "refused" == reply(office, BILL, bills, f"set undo {value}")


def test_a_capital_read_by_itself_waits_five_minutes_whatever_is_set(office: Office, clock: Clock) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "set undo off")
    assert "done" == reply(office, BILL, bills, "D2")
    assert "Please note" in last_words(office, BILL)
    assert [] == moves(office)
    end_window(office, clock)
    assert 1 == len(moves(office))


def test_words_that_do_not_go_through_let_no_ply_wait_whose_owner_wants_no_window(office: Office) -> None:
    bills, joaos = a_game(office)
    reply(office, BILL, bills, "set undo off")
    reply(office, JOAO, joaos, "block Bill")
    assert "done" == reply(office, BILL, bills, "f2\n\nHave a look at that.")
    assert "No words go between you and Joao" in last_words(office, BILL)
    assert ["f2"] == moves(office)


def test_a_result_waits_like_any_ply(office: Office, clock: Clock) -> None:
    bill_plays(office, "f2\nresign yes")
    assert sound(office).state.ending is None
    assert not any(".result." in letter.header("Message-ID") for letter in letters(office, JOAO))
    end_window(office, clock)
    assert "You have won, Joao." in last_words(office, JOAO)
    with office.store.read() as db:
        assert 1 == sum(row.kind == PLY for row in db.execute(journal.select()))
        assert 1 == sum(row.kind == "result" and row.player_id == 1 for row in db.execute(outbox.select()))
        assert [] == inbox.waiting(db, clock.now)


@pytest.mark.parametrize("early", [True, False])
def test_a_resignation_asked_about_beside_a_ply_that_waits_can_be_confirmed(
    office: Office, clock: Clock, early: bool
) -> None:
    bills, _ = a_game(office)
    assert "done" == reply(office, BILL, bills, "f2 f4\nresign")
    question = next(letter for letter in letters(office, BILL) if "Do you really want" in letter.text)
    if not early:
        end_window(office, clock)
    assert "done" == reply(office, BILL, question, "confirm")
    ending = sound(office).state.ending
    assert ending is not None
    assert (["f2 f4"], "Bill resigned") == (moves(office), ending.reason)


def test_a_resignation_asked_about_beside_a_ply_taken_back_is_still_a_question(office: Office) -> None:
    bills, _ = a_game(office)
    reply(office, BILL, bills, "f2 f4\nresign")
    question, receipt = letters(office, BILL)[-2:]
    assert "done" == reply(office, BILL, receipt, "undo")
    assert sound(office).state.ending is None
    assert "done" == reply(office, BILL, question, "confirm")
    assert "Bill resigned" == getattr(sound(office).state.ending, "reason", "")


def test_a_mail_from_before_its_end_takes_a_ply_back_before_a_director_decides(
    office: Office, clock: Clock
) -> None:
    bill_plays(office)
    mine = letters(office, BILL)[-1]
    clock.now += WINDOW - timedelta(minutes=1)
    (key,) = receive(office, answer(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
    clock.now += AFTER
    rule(office, 1, lambda game, now: director.notice(game, "Thank you.", now))
    assert ("done", []) == (state(office, key), moves(office))
