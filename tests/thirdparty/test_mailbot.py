"""`docs/build/mailbot.py`: a player in forty lines, by mail alone."""

from __future__ import annotations

import mailbox
import runpy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.app import App
from tests.apps import BILL, JOAO, begin, letters, load, mail

BOT = Path(__file__).parents[2] / "docs" / "build" / "mailbot.py"


def test_it_has_forty_lines() -> None:
    assert len(BOT.read_text().splitlines()) <= 40


def test_two_of_them_play_a_game_to_its_end(app: App, tmp_path: Path) -> None:
    begin(app, "none")
    bot, told = runpy.run_path(str(BOT)), {BILL: 0, JOAO: 0}
    boxes = {who: mailbox.Maildir(tmp_path / who) for who in told}
    for _ in range(60):
        for who, box in boxes.items():
            new = letters(app, who)[told[who] :]
            told[who] += len(new)
            for letter in new:
                box.add(letter.raw)

            def send(sent: EmailMessage, who: str = who) -> None:
                assert "done" == mail(app, who, bytes(sent), sent["To"])

            bot["play"](tmp_path / who, who, send)
            assert not len(box)
        if load(app).state.ending is not None:
            break
    assert load(app).state.ending is not None


@pytest.mark.parametrize("body", ["Hello!", 'Joao has resigned, such as "k3".'])
def test_it_answers_no_other_letter(body: str, tmp_path: Path) -> None:
    bot, box = runpy.run_path(str(BOT)), mailbox.Maildir(tmp_path / "box")
    letter = EmailMessage()
    letter["Subject"], letter["Reply-To"] = "Bipod #42", "play@example.org"
    letter.set_content(body)
    box.add(letter.as_bytes())
    bot["play"](tmp_path / "box", "ada@example.org", pytest.fail)
    assert not len(box)
