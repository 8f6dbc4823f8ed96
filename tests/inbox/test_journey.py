"""Two newcomers from registration to the end of a game by mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.store import games
from tests.browser import DESKTOP
from tests.e2e.town import HOST, Town, running_town
from tests.people import SEED_GAME, SEED_PLIES

BILL, JOAO = "bill@example.org", "joao@example.net"

FINAL_BOARD = """\
_________________________________
: : : x x @ x x . . . Q . . . x :   1
 : : x x . . x . . . O x . . . x    2
  : : x . o . . . . O x O . . .     3
   : x .(x). . . O . . x . . .      4
    x . . . . O . . x . . . .       5
     x . . . . . x . . . . .        6
abcdefghijklmnopqrstuvwxyzABCDEFG"""

SLIPS = {2: ("f7 h2 i1", "there is no row 7"), 5: ("mn1 o2", "n1")}
"""Misprints of the 2004 mails, by ply from 0, with our answers."""


def board_of(letter: ReceivedLetter) -> str:
    """The text board of a letter, without its indent."""
    lines = letter.text.splitlines()
    top = next(n for n, line in enumerate(lines) if line.strip().startswith("____"))
    indent = len(lines[top]) - len(lines[top].lstrip())
    return "\n".join(line[indent:].rstrip() for line in lines[top : top + 8])


def register(town: Town, resident: MailUser, name: str) -> ReceivedLetter:
    """Register and confirm; return the welcome letter."""
    resident.write(town.play, f"register {name}")
    resident.reply(town.next_letter(resident), "confirm")
    welcome = town.next_letter(resident)
    assert name in welcome.text
    return welcome


def meet(town: Town, bill: MailUser, joao: MailUser) -> dict[str, ReceivedLetter]:
    """Register both, challenge, accept; return the letters that begin the game."""
    welcome = register(town, bill, "Bill")
    register(town, joao, "Joao")
    bill.reply(welcome, "challenge Joao bipod first\n\nShall we?")
    offered, challenge = town.next_letter(bill), town.next_letter(joao)
    assert "Joao" in offered.text
    assert "Shall we?" in challenge.text
    joao.reply(challenge, "accept")
    return {BILL: town.next_letter(bill), JOAO: town.next_letter(joao)}


@pytest.mark.chromium
def test_a_game_of_bipod_by_mail_from_register_to_result(
    tmp_path: Path,
    database_url: str,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
) -> None:
    with running_town(tmp_path, database_url) as town:
        bill, joao = town.resident(BILL), town.resident(JOAO)
        letters = meet(town, bill, joao)
        subject = letters[BILL].header("Subject")
        assert "Bipod #1: Bill - Joao" == subject
        for number, move in enumerate(SEED_GAME):
            player, other = (bill, joao) if number % 2 == 0 else (joao, bill)
            if number in SLIPS:
                letters[player.address] = slip(town, player, letters[player.address], *SLIPS[number])
            player.reply(letters[player.address], move)
            letters[player.address] = town.next_letter(player)
            letters[other.address] = town.next_letter(other)
            assert SEED_PLIES[number] in letters[other.address].text
        joao.reply(letters[JOAO], "resign")
        results = [town.next_letter(bill), town.next_letter(joao)]
        for result in results:
            assert subject == result.header("Subject")
            assert FINAL_BOARD == board_of(result)
            assert "resigned" in result.text
        with town.app.store.read() as db:
            game = games.load_game(db, town.app.games_by_key, 1)
        assert game is not None
        assert SEED_PLIES == [ply.move for ply in fold(game).plies]
        _seen_in_a_browser(serve(town.app), open_page(viewport=DESKTOP))


def _seen_in_a_browser(site: str, page: Page) -> None:
    """Check the result, the plies and the last move at `/games/1`."""
    page.goto(f"{site}/games/1")
    moves = page.inner_text("main")
    assert "Bill won" in moves
    assert all(move in moves for move in SEED_PLIES)
    marked = page.locator("svg.board circle.last")
    assert marked.count() > 0
    j4 = page.locator('svg.board path[data-cell="j4"]').bounding_box()
    ring = marked.first.bounding_box()
    assert j4 is not None and ring is not None
    assert abs(j4["x"] + j4["width"] / 2 - ring["x"] - ring["width"] / 2) < 2


def slip(town: Town, player: MailUser, letter: ReceivedLetter, move: str, reason: str) -> ReceivedLetter:
    """Send a misprint; check the reason and the example. The board is in the letter that is answered."""
    player.reply(letter, move)
    answer = town.next_letter(player)
    assert reason in answer.text
    assert move in answer.text
    assert "The board" not in answer.text
    return answer


@pytest.fixture
def started(tmp_path: Path, sqlite_url: str) -> object:
    """A server with game 1 begun, its players and their letters."""
    with running_town(tmp_path, sqlite_url) as town:
        bill, joao = town.resident(BILL), town.resident(JOAO)
        yield town, bill, joao, meet(town, bill, joao)


Started = tuple[Town, MailUser, MailUser, dict[str, ReceivedLetter]]


def test_a_game_is_one_conversation_in_every_mail_program(started: Started) -> None:
    town, bill, joao, letters = started
    root = letters[JOAO].header("Message-ID")
    bill.reply(letters[BILL], "f2 f4 g3\n\nHello Joao!")
    receipt, turn = town.next_letter(bill), town.next_letter(joao)
    assert letters[JOAO].header("Subject") == turn.header("Subject")
    assert root in turn.header("References")
    assert re.fullmatch(rf"<g1\.e2\.s1\.turn\.1@{re.escape(HOST)}>", turn.header("Message-ID"))
    assert "auto-replied" == receipt.header("Auto-Submitted")
    assert "auto-generated" == turn.header("Auto-Submitted")
    assert "Hello Joao!" in turn.text
    assert f"<g1.games.{HOST}>" == turn.header("List-Id")


def test_the_answer_goes_to_the_mail_it_answers(started: Started) -> None:
    town, bill, _joao, letters = started
    from email import message_from_bytes

    from pbem.mail.person.mailbox import reply_mail

    raw = reply_mail(letters[BILL], BILL, "f2")
    bill.send(raw, letters[BILL].header("Reply-To"))
    receipt = town.next_letter(bill)
    assert message_from_bytes(raw)["Message-ID"] == receipt.header("In-Reply-To")


def test_the_same_mail_delivered_twice_is_answered_once(started: Started) -> None:
    from pbem.mail.person.mailbox import reply_mail

    town, bill, joao, letters = started
    raw = reply_mail(letters[BILL], BILL, "f2 f4 g3")
    for _ in range(3):
        bill.send(raw, letters[BILL].header("Reply-To"))
    town.quiet()
    assert 1 == len(bill.unread())
    assert 1 == len(joao.unread())


def test_a_stranger_who_does_not_register_is_asked_for_a_name_once(started: Started) -> None:
    town, *_ = started
    stranger = town.resident("spam@example.com")
    stranger.write(town.play, "f2 f4 g3")
    stranger.write(town.play, "Buy now!")
    town.quiet()
    (letter,) = stranger.unread()
    assert "answer with your first move" in letter.text and "f2" not in letter.text


def test_a_newcomer_is_asked_once_a_day_at_most(started: Started) -> None:
    town, *_ = started
    stranger = town.resident("new@example.com")
    for name in ("Anna", "Berta", "Carla"):
        stranger.write(town.play, f"register {name}")
    town.quiet()
    (letter,) = stranger.unread()
    assert 'To be Anna at pbem.example.org, answer "yes", or with a first move.' in letter.text


def test_somebody_else_who_has_the_reply_address_moves_nothing(started: Started) -> None:
    town, bill, joao, letters = started
    thief = town.resident("thief@example.com")
    for _ in range(3):
        thief.reply(letters[BILL], "resign yes")
    town.quiet()
    assert [] == thief.unread()
    assert [] == joao.unread()
    (told,) = bill.unread()
    assert "thief" not in told.text


def test_a_registered_address_without_its_secret_is_asked_first(started: Started) -> None:
    town, bill, joao, _letters = started
    bill.write(town.play, "game 1\nf2 f4 g3")
    proof = town.next_letter(bill)
    assert [] == joao.unread()
    bill.reply(proof, "confirm")
    town.next_letter(bill)
    assert "f2 f4 g3" in town.next_letter(joao).text


def test_an_early_resignation_is_asked_once_and_confirmed_by_reply(started: Started) -> None:
    town, bill, joao, letters = started
    bill.reply(letters[BILL], "resign")
    question = town.next_letter(bill)
    assert [] == joao.unread()
    bill.reply(question, "confirm")
    assert "Bill resigned" in town.next_letter(joao).text


def test_two_who_answer_each_other_by_machine_stop_after_one_mail(started: Started) -> None:
    town, bill, _joao, letters = started
    bill.send(letters[BILL].raw, letters[BILL].header("Reply-To"))
    town.quiet()
    assert [] == bill.unread()


def test_a_mail_with_nothing_in_it_for_us_is_answered_with_what_was_read_and_help(started: Started) -> None:
    town, bill, joao, letters = started
    bill.reply(letters[BILL], "I shall think about it.\nPerhaps tomorrow.")
    answer = town.next_letter(bill)
    assert "I shall think about it." in answer.text
    assert FINAL_BOARD.splitlines()[-1] not in answer.text
    assert [] == joao.unread()
