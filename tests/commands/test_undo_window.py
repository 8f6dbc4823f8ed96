"""The undo window, in which only its owner can find a ply."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.core.game.journal import PLY
from pbem.core.play import director
from pbem.duties.game_clock import check_due_games
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.compose import MailDraft, make_form_mail
from pbem.mail.person.mailbox import reply_mail
from pbem.store import inbox
from pbem.store.tables import journal, outbox
from pbem.web import create_app
from tests.apps import (
    BILL,
    JOAO,
    SERVER,
    Clock,
    a_game,
    last_words,
    letters,
    mail,
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
def app_config() -> dict[str, str]:
    relay = {"PBEM_RELAY": "smtp://127.0.0.1:1", "PBEM_AUTHSERV": SERVER}
    return {"PBEM_HOST": "localhost", "PBEM_SECRET": "s" * 32, **relay}


def pages(app: App) -> list[tuple[str, int, str, str]]:
    """Body and date of every public page about the game, without how long ago things were."""
    client = create_app(app).test_client()
    paths = ["/", "/games", "/games?player=Bill", "/games/1", "/games/1/0", "/games/1/1", "/games/1.json"]
    paths += ["/games/1/study", "/games/1.game", "/games/1/0.svg", "/games/1/1.svg", "/games/1/1-small.svg"]
    paths += ["/api/games", "/api/games/1", "/api/games/1/plies", "/api/games/1/positions/0"]
    paths += ["/api/games/1/positions/1", "/api/players/Bill"]
    answers = [(path, client.get(path)) for path in paths]
    return [
        (path, a.status_code, re.sub(r">[^<]*</time>", "", a.text), a.headers.get("Last-Modified", ""))
        for path, a in answers
    ]


def bill_plays(app: App, words: str = f"{UNIQUE}\n\nA secret so far.") -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, words)


def end_window(app: App, clock: Clock) -> None:
    clock.now += AFTER
    check_due_games(app)


# ------------------------------------------------------------------------------------------- secrecy


def test_a_mail_that_is_handled_again_makes_what_waits_now_and_not_in_the_past(
    app: App, clock: Clock
) -> None:
    bills, _ = a_game(app, "3d/move")
    key = put_aside(app, clock, JOAO, "draw")
    clock.now += timedelta(days=2)
    assert "done" == reply(app, BILL, bills, UNIQUE)
    assert [] == moves(app)
    clock.now += timedelta(minutes=1)
    assert "done" == retry(app, key)
    game = sound(app)
    assert (clock.now, clock.now + timedelta(days=3)) == (game.state.plies[-1].at, game.deadline)


def test_until_it_ends_a_ply_is_nowhere_that_others_look_and_afterwards_everywhere(
    app: App, clock: Clock
) -> None:
    bills, _ = a_game(app)
    before, joaos = pages(app), len(letters(app, JOAO))
    assert "done" == reply(app, BILL, bills, f"{UNIQUE}\n\nA secret so far.")
    assert before == pages(app)
    assert joaos == len(letters(app, JOAO))
    for words in ("show", "moves", "games", "boards all", "say Are you there?"):
        assert "done" == writes(app, JOAO, words)
        assert not any(word in letters(app, JOAO)[-1].text for word in ("C3", "secret", "move 1, f2"))
    end_window(app, clock)
    assert [UNIQUE] == moves(app)
    assert "A secret so far." in last_words(app, JOAO)
    assert UNIQUE in last_words(app, JOAO)
    assert 200 == {path: status for path, status, _, _ in pages(app)}["/games/1/1.svg"]


def test_no_answer_to_the_other_tells_of_it_where_clocks_run(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    joaos = register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 3d/move")
    writes(app, JOAO, "accept")
    bills = letters(app, BILL)[-1]
    asked = "games\nboards all\ngame 1\nshow\nmoves\nexport json"

    def seen() -> tuple[list[str], list[tuple[str, int, str, str]]]:
        before = len(letters(app, JOAO))
        assert "done" == reply(app, JOAO, joaos, asked)
        return [letter.text for letter in letters(app, JOAO)[before:]], pages(app)

    before = seen()
    assert "done" == reply(app, BILL, bills, f"{UNIQUE}\n\nA secret so far.")
    assert before == seen()


def test_its_owner_sees_it_and_until_when(app: App) -> None:
    bill_plays(app)
    assert "Done, Bill: your move 1 is f2 h4 C3." in last_words(app, BILL)
    assert "12:05" in last_words(app, BILL)
    for words in ("show", "moves"):
        writes(app, BILL, words)
        assert UNIQUE in last_words(app, BILL)
    assert [] == moves(app)


def test_the_same_move_again_is_known_and_ends_no_window(app: App) -> None:
    bill_plays(app)
    writes(app, BILL, UNIQUE)
    assert "already recorded" in last_words(app, BILL)
    assert [] == moves(app)


# ------------------------------------------------------------------------------------- taking it back


def test_within_the_window_it_goes_without_asking_and_leaves_no_trace(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    before, joaos = pages(app), len(letters(app, JOAO))
    reply(app, BILL, bills, UNIQUE)
    clock.now += timedelta(minutes=4)
    assert "done" == writes(app, BILL, "undo")
    assert "move 1, f2 h4 C3, is taken back, and nobody else has seen it" in last_words(app, BILL)
    end_window(app, clock)
    assert before == pages(app)
    assert joaos == len(letters(app, JOAO))
    assert ["start"] == [entry.kind for entry in sound(app).journal]
    assert "refused" == writes(app, BILL, "undo")
    assert "done" == writes(app, BILL, "f6")
    end_window(app, clock)
    assert ["f6"] == moves(app)


def test_after_the_window_the_other_is_asked(app: App, clock: Clock) -> None:
    bill_plays(app)
    end_window(app, clock)
    assert "done" == writes(app, BILL, "undo")
    assert [UNIQUE] == moves(app)
    assert "Bill asks to take a move back, Joao." in last_words(app, JOAO)


def test_undo_beside_something_else_is_refused_and_the_ply_waits_on(app: App) -> None:
    bill_plays(app)
    assert "refused" == writes(app, BILL, "undo\nf6")
    assert [] == moves(app)
    assert "done" == writes(app, BILL, "undo")


@pytest.mark.each_database
def test_of_undo_and_the_end_of_the_window_in_the_same_moment_one_happens(app: App, clock: Clock) -> None:
    a_game(app)
    for _ in range(3):
        told = len(letters(app, JOAO))
        assert "done" == writes(app, BILL, "f2")
        mine = letters(app, BILL)[-1]
        clock.now += AFTER
        (key,) = receive(app, reply_mail(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
        with ThreadPoolExecutor(3) as pool:
            jobs = [pool.submit(check_due_games, app), pool.submit(process, app, int(key[1:]))]
            jobs.append(pool.submit(check_due_games, app))
            assert all(job.exception() is None for job in jobs)
        (turn, ask) = [letter.header("Message-ID").split(".")[3] for letter in letters(app, JOAO)[told:]]
        assert ("turn", "undo") == (turn, ask)  # too late: the clock or the mail made it first
        assert "done" == writes(app, JOAO, "accept")


def test_undo_written_twice_in_a_hurry_does_not_ask_for_the_ply_before(app: App, clock: Clock) -> None:
    bill_plays(app)
    end_window(app, clock)
    assert "done" == writes(app, JOAO, "f4")
    end_window(app, clock)
    assert "done" == writes(app, BILL, "d2")
    receipt = letters(app, BILL)[-1]
    joaos = len(letters(app, JOAO))
    assert ["done", "refused"] == [reply(app, BILL, receipt, "undo") for _ in range(2)]
    assert "You have just taken your move back, before anybody saw it, so it is gone." in last_words(
        app, BILL
    )
    assert "let you take back move 1 too" in last_words(app, BILL)
    assert joaos == len(letters(app, JOAO))
    assert "undo" not in sound(app).state.offers
    clock.now += timedelta(minutes=11)
    assert "done" == writes(app, BILL, "undo")
    assert "undo" in sound(app).state.offers


def test_undo_soon_after_another_is_asked_for_of_a_ply_made_since(app: App, clock: Clock) -> None:
    bill_plays(app)
    assert "done" == writes(app, BILL, "undo")
    assert "done" == writes(app, BILL, "f2 h4 C5")
    end_window(app, clock)
    assert "done" == writes(app, BILL, "undo")
    assert "undo" in sound(app).state.offers


@pytest.mark.each_database
def test_an_undo_that_came_in_time_counts_however_late_it_is_read(app: App, clock: Clock) -> None:
    bill_plays(app)
    mine = letters(app, BILL)[-1]
    clock.now += WINDOW - timedelta(seconds=1)
    (key,) = receive(app, reply_mail(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
    told = len(letters(app, JOAO))
    end_window(app, clock)
    assert [] == moves(app)
    process(app, int(key[1:]))
    end_window(app, clock)
    assert [] == moves(app)
    assert told == len(letters(app, JOAO))


def test_letters_about_a_ply_that_never_was_take_no_later_move(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2\ndraw")
    receipt = letters(app, BILL)[-1]
    assert "done" == reply(app, BILL, receipt, "undo")
    assert "done" == writes(app, BILL, "f6")
    end_window(app, clock)
    assert "done" == writes(app, JOAO, "g3")
    end_window(app, clock)
    assert "refused" == reply(app, BILL, receipt, "h4")
    assert ["f6", "g3"] == moves(app)


# --------------------------------------------------------------------------------- the other meanwhile


def test_what_the_other_says_goes_through_and_the_ply_waits_on(app: App, clock: Clock) -> None:
    bill_plays(app)
    assert "done" == writes(app, JOAO, "say Hello?")
    assert "Hello?" in last_words(app, BILL)
    assert UNIQUE in last_words(app, BILL)
    assert [] == moves(app)
    end_window(app, clock)
    assert ["start", "say", "ply"] == [entry.kind for entry in sound(app).journal]


@pytest.mark.parametrize(("words", "kinds"), [("resign yes", ["ply", "resign"]), ("draw", ["ply", "offer"])])
def test_what_the_other_decides_comes_after_the_ply(app: App, words: str, kinds: list[str]) -> None:
    bill_plays(app)
    assert "done" == writes(app, JOAO, words)
    assert ["start", *kinds] == [entry.kind for entry in sound(app).journal]


def test_a_move_of_the_other_finds_that_it_is_not_his_turn(app: App) -> None:
    bill_plays(app)
    assert "refused" == writes(app, JOAO, "g3")
    assert "It is Bill's turn" in last_words(app, JOAO)
    assert "C3" not in last_words(app, JOAO)
    assert [] == moves(app)


def test_a_plan_of_the_other_answers_when_the_window_has_ended(app: App, clock: Clock) -> None:
    _, joaos = a_game(app)
    assert "done" == reply(app, JOAO, joaos, f"if {UNIQUE} then m3")
    writes(app, BILL, f"game 1\n{UNIQUE}")
    assert "m3" not in re.findall(r"\w+", last_words(app, BILL))
    assert [] == moves(app)
    end_window(app, clock)
    assert [UNIQUE, "m3"] == moves(app)
    assert "Your move, Bill: Joao played m3." in last_words(app, BILL)


def test_a_draw_offered_with_a_ply_that_waits_and_declined_by_a_plan_is_told_to_who_offered(
    app: App, clock: Clock
) -> None:
    bills, joaos = a_game(app)
    assert "done" == reply(app, JOAO, joaos, "if draw then decline")
    assert "done" == reply(app, BILL, bills, "f2\ndraw")
    before = len(letters(app, BILL))
    assert "declined" not in last_words(app, BILL)
    end_window(app, clock)
    assert before + 1 == len(letters(app, BILL))
    assert "Joao has declined the draw, Bill. It is Joao's turn, move 2." in last_words(app, BILL)
    assert "as you had planned it was declined" in last_words(app, JOAO)


def test_what_else_its_owner_does_makes_it_at_once(app: App) -> None:
    bill_plays(app)
    assert "done" == writes(app, BILL, "say By the way.")
    assert [UNIQUE] == moves(app)
    assert "By the way." in last_words(app, JOAO)


def test_a_directors_decision_comes_after_the_ply(app: App) -> None:
    bill_plays(app)
    decide_as_director(app, 1, lambda game, now: director.rollback(game, 0, "A mail was lost.", now))
    assert [PLY, "rollback"] == [entry.kind for entry in sound(app).journal][-2:]
    assert sound(app).pending is None
    assert [] == moves(app)


def test_a_note_beside_a_ply_that_waits_is_kept_whatever_becomes_of_the_ply(app: App) -> None:
    bill_plays(app, f"{UNIQUE}\nnote my own thoughts")
    assert "done" == writes(app, BILL, "undo")
    assert "done" == writes(app, BILL, "notes")
    assert "my own thoughts" in last_words(app, BILL)


def test_nobody_is_reminded_of_a_turn_whose_ply_waits(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "set quiet off")
    reply(app, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(app, JOAO, "accept")
    reminded = clock.now + timedelta(hours=18)
    clock.now = reminded - timedelta(minutes=1)
    writes(app, BILL, UNIQUE)
    clock.now = reminded + timedelta(minutes=2)
    check_due_games(app)
    assert UNIQUE not in moves(app)
    with app.store.read() as db:
        assert "reminder" not in {row.kind for row in db.execute(outbox.select())}


# ------------------------------------------------------------------------------------- clocks, settings


def test_the_owners_clock_stops_at_the_mail_and_the_others_starts_at_the_end(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 7d+1d<=14d")
    writes(app, JOAO, "accept")
    start = clock.now
    clock.now += timedelta(days=1)
    writes(app, BILL, "f2")
    assert "The time of Joao, 7 days, begins when this move can no longer be taken back." in last_words(
        app, BILL
    )
    assert "Joao's clock: 7 days, about to run" in last_words(app, BILL)
    end_window(app, clock)
    game = sound(app)
    assert (timedelta(days=7), timedelta(days=7)) == game.clock.banks
    assert start + timedelta(days=1) + WINDOW == game.clock.since
    assert start + timedelta(days=8) + WINDOW == game.deadline


def test_each_sets_his_own_time_and_off_is_at_once(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "set undo 10m")
    assert "undo is now 10 minutes" in last_words(app, BILL)
    reply(app, BILL, bills, "f2")
    end_window(app, clock)
    assert [] == moves(app)
    clock.now += WINDOW
    check_due_games(app)
    assert ["f2"] == moves(app)
    assert "done" == writes(app, JOAO, "set undo off")
    turn = next(letter for letter in reversed(letters(app, JOAO)) if ".turn." in letter.header("Message-ID"))
    reply(app, JOAO, turn, "g3")
    assert ["f2", "g3"] == moves(app)


@pytest.mark.parametrize("value", ["61m", "soon", "-1"])
def test_a_time_that_cannot_be_is_refused_with_one_that_can(app: App, value: str) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, f"set undo {value}")


def test_a_capital_from_the_web_is_remarked_on_and_waits_five_minutes_whatever_is_set(
    app: App, clock: Clock
) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "set undo off")
    to = bills.header("Reply-To")
    draft = MailDraft(BILL, to, "Re: Bipod", "D2")
    form = make_form_mail(draft, "1", app.config.host, app.addressing.keys, clock())
    assert "done" == mail(app, BILL, form, to)
    assert "Please note: D2 was taken as written" in last_words(app, BILL)
    assert "Nobody else sees this move until Sunday 1 March, 12:05 UTC." in last_words(app, BILL)
    assert 'Answer "undo" before then to take it back.' in last_words(app, BILL)
    assert [] == moves(app)
    end_window(app, clock)
    assert 1 == len(moves(app))


def test_words_that_do_not_go_through_let_no_ply_wait_whose_owner_wants_no_window(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, BILL, bills, "set undo off")
    reply(app, JOAO, joaos, "block Bill")
    assert "done" == reply(app, BILL, bills, "f2\n\nHave a look at that.")
    assert "Messages between you and Joao are off" in last_words(app, BILL)
    assert ["f2"] == moves(app)


def test_a_result_waits_like_any_ply(app: App, clock: Clock) -> None:
    bill_plays(app, "f2\nresign yes")
    assert sound(app).state.ending is None
    assert not any(".result." in letter.header("Message-ID") for letter in letters(app, JOAO))
    end_window(app, clock)
    assert "You have won, Joao." in last_words(app, JOAO)
    with app.store.read() as db:
        assert 1 == sum(row.kind == PLY for row in db.execute(journal.select()))
        assert 1 == sum(row.kind == "result" and row.player_id == 1 for row in db.execute(outbox.select()))
        assert [] == inbox.waiting_mail_ids(db, clock.now)


@pytest.mark.parametrize("early", [True, False])
def test_a_resignation_asked_about_beside_a_ply_that_waits_can_be_confirmed(
    app: App, clock: Clock, early: bool
) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2 f4\nresign")
    question = next(letter for letter in letters(app, BILL) if "Do you really want" in letter.text)
    if not early:
        end_window(app, clock)
    assert "done" == reply(app, BILL, question, "confirm")
    ending = sound(app).state.ending
    assert ending is not None
    assert (["f2 f4"], "Bill resigned") == (moves(app), ending.reason)


def test_a_resignation_asked_about_beside_a_ply_taken_back_is_still_a_question(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2 f4\nresign")
    question, receipt = letters(app, BILL)[-2:]
    assert "done" == reply(app, BILL, receipt, "undo")
    assert sound(app).state.ending is None
    assert "done" == reply(app, BILL, question, "confirm")
    assert "Bill resigned" == getattr(sound(app).state.ending, "reason", "")


def test_a_mail_from_before_its_end_takes_a_ply_back_before_a_director_decides(
    app: App, clock: Clock
) -> None:
    bill_plays(app)
    mine = letters(app, BILL)[-1]
    clock.now += WINDOW - timedelta(minutes=1)
    (key,) = receive(app, reply_mail(mine, BILL, "undo"), BILL, [mine.header("Reply-To")])
    clock.now += AFTER
    decide_as_director(app, 1, lambda game, now: director.notice(game, "Thank you.", now))
    assert ("done", []) == (state(app, key), moves(app))
