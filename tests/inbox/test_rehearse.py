"""`pbem try`: a mail handled completely, with nothing stored."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner, Result

from pbem.app import App
from pbem.cli.try_mail import try_command
from pbem.inbox.process import rehearse
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import inbox
from tests.apps import BILL, JOAO, Clock, a_game, letters, mail


def counts(app: App) -> object:
    with app.store.read() as db:
        return inbox.count_by_state(db)


def rehearsed(app: App, letter: ReceivedLetter, words: str, writer: str = BILL) -> tuple[str, list[str]]:
    filing = rehearse(app, reply_mail(letter, writer, words), writer, letter.header("Reply-To"))
    return filing.state, [f"{each.kind} {each.address}" for each in filing.letters]


def test_a_rehearsed_move_tells_its_letters_and_is_not_made(app: App) -> None:
    bills, _ = a_game(app)
    before = counts(app)
    for _ in range(2):
        assert ("done", [f"receipt {BILL}", f"turn {JOAO}"]) == rehearsed(app, bills, "f2 f4 g3")
    assert before == counts(app)
    assert "done" == mail(app, BILL, reply_mail(bills, BILL, "e5"), bills.header("Reply-To"))


def test_a_rehearsal_tells_refusals_and_mails_that_are_here_already(app: App) -> None:
    bills, _ = a_game(app)
    assert ("refused", [f"refused {BILL}"]) == rehearsed(app, bills, "f7")
    raw = reply_mail(bills, BILL, "f2")
    mail(app, BILL, raw, bills.header("Reply-To"))
    sent = len(letters(app, BILL))
    assert "duplicate" == rehearse(app, raw, BILL, bills.header("Reply-To")).state
    assert sent == len(letters(app, BILL))


def tried(environ: dict[str, str], raw: bytes, *more: str) -> Result:
    return CliRunner().invoke(try_command, ["-", "--here", *more], input=raw, env=environ)


def delivered(letter: ReceivedLetter, raw: bytes, to: str = "") -> bytes:
    return f"Return-Path: <{BILL}>\nDelivered-To: {to or letter.header('Reply-To')}\n".encode() + raw


def test_try_here_tells_whose_address_it_is_and_what_would_be_answered(
    app: App, clock: Clock, environ: dict[str, str]
) -> None:
    clock.now = datetime.now(UTC)  # the command's own time: an old game would get a notice of inactivity
    bills, _ = a_game(app)
    done = tried(environ, delivered(bills, reply_mail(bills, BILL, "f2 f4 g3")))
    assert 0 == done.exit_code
    assert "good here: game 1, the first seat, the letter of entry 1" in done.output
    assert [["turn", "to", JOAO]] == [s.split() for s in done.output.splitlines() if f"to {JOAO}" in s]
    assert bills.header("Reply-To").partition("@")[0] not in done.output


def test_try_here_reads_moves_as_the_game_does(app: App, environ: dict[str, str]) -> None:
    bills, _ = a_game(app)
    found = tried(environ, delivered(bills, reply_mail(bills, BILL, "f2 f4 g3")), "--json").output
    assert ["f2 f4 g3"] == json.loads(found)["orders"]


def test_try_here_tells_what_is_refused_at_the_door(app: App, environ: dict[str, str]) -> None:
    bills, _ = a_game(app)
    done = tried(
        environ, delivered(bills, reply_mail(bills, BILL, "f2"), "play+aeaqbf2lk3jq7wzr4m2v@localhost")
    )
    assert (0, True) == (done.exit_code, "550 at the door" in done.output)


def test_try_here_without_a_database_of_this_version_is_exit_1(tmp_path: Path) -> None:
    done = tried({"PBEM_VAR": str(tmp_path)}, b"From: bill@example.org\n\nf2\n")
    assert 1 == done.exit_code
