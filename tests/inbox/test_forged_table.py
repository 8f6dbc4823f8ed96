"""The whole table of commands, sent in a player's name by somebody who has one of their letters."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.core.parsing.commands import ROWS, WORDS
from pbem.core.parsing.line import Command
from pbem.core.parsing.reach import Reach
from pbem.core.play.unproven import OPEN, ROW_OF, reach_of
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store.tables import metadata
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    SERVER,
    ask,
    last_letter,
    letters,
    mail,
    proven,
    register,
    reply,
    writes,
)

LINES = """\
resign yes|draw|annul|accept|decline|undo|pause 10 days|give 2d|claim win|plans|show|moves|hint|notes|watch 3
unwatch 3|mute 1|unmute 1|guess f2|export|rating|standings|puzzle|learn bipod|games|rules bipod|help|boards
digest 7|play bipod|challenge Anna bipod\n\nFool!|invite bipod|pair Anna bipod|rematch|seek bipod\n\nFools!
seeks|take 1|withdraw 1|events|join bipod league|leave club yes|table bipod|ladder bipod Anna no
club say\n\nFools!|club set closed|club invite Anna|league new bipod|limit bipod 1|block Joao|unblock Anna
report\n\nThey cheat.|direct extend 1 2d\n\nBecause.|vacation 5 days|back|remind off|set quiet 0-23
set zone Tokyo|stop all|start all|register Fool|confirm|address|forget me
f2|say Boo!|note x y|if any then f4|show 2|try f2
invite eva@example.com bipod|challenge eva@example.com bipod|address drop bill@example.org
club organiser Joao|match new bipod against Monday Club|suggest|simul bipod for Anna
""".replace("\n\n", "\0").replace("\n", "|").replace("\0", "\n\n").strip("|").split("|")  # fmt: skip
"""At least one line for each word of a command."""
PASSING = {"messages_in", "outbox", "confirmations", "attempts", "counters", "nonces", "signins"}
"""Tables that any mail changes: what came, what is answered, and what is counted."""


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER}


@pytest.fixture
def bills(app: App) -> Mapping[str, ReceivedLetter]:
    """Letters of Bill, who plays games 1 and 2, watches game 3, has a club, and was asked into another."""
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(app, who, name)
    found = {"welcome": last_letter(app, BILL)}
    for who, other in ((JOAO, BILL), (JOAO, BILL), (JOAO, ANNA)):
        name = "Bill" if other == BILL else "Anna"
        writes(app, who, f"challenge {name} bipod first none")
        writes(app, other, "accept")
    found["game"] = next(each for each in letters(app, BILL) if "#1" in each.header("Subject"))
    reply(app, BILL, found["welcome"], "watch 3")
    found["watched"] = last_letter(app, BILL)
    assert "is made" in ask(app, BILL, "club new Tuesday Evening")
    reply(app, BILL, found["welcome"], "block Anna")
    reply(app, BILL, found["welcome"], "unblock Anna")
    ask(app, JOAO, "club new Other People")
    writes(app, JOAO, "club invite Bill")
    found["question"] = last_letter(app, BILL)
    reply(app, BILL, found["question"], "yes")
    writes(app, ANNA, "challenge Bill bagel")
    found["challenge"] = last_letter(app, BILL)
    return found


def kept(app: App) -> dict[str, list[tuple[object, ...]]]:
    """All rows but those that any mail adds."""
    with app.store.read() as db:
        return {
            name: [tuple(row) for row in db.execute(select(table).order_by(*table.primary_key.columns))]
            for name, table in metadata.tables.items()
            if name not in PASSING
        }


def reach_of_line(line: str) -> Reach | None:
    """The reach of a line's command; None for a move and for words."""
    word, _, rest = line.partition("\n")[0].partition(" ")
    if word not in WORDS:
        return None
    args = WORDS[word](rest)
    assert args is not None, line
    return reach_of(Command(word, line.partition("\n")[0], args))


def without_proof(app: App, letter: ReceivedLetter, words: str) -> None:
    to = letter.header("Reply-To")
    raw = new_mail(BILL, to, words)
    mail(app, BILL, b"X-Program: none\r\nReceived: from somewhere by nowhere; never\r\n" + raw, to)


def test_each_word_of_a_command_is_tried() -> None:
    words = {line.partition("\n")[0].partition(" ")[0] for line in LINES}
    assert set() == set(WORDS) - words - set(ROW_OF)
    assert set(ROWS) >= words - {"f2", "if", "say", "note", "try"}


@pytest.mark.parametrize("about", ["welcome", "watched", "question"])
def test_a_letter_about_no_game_of_theirs_changes_nothing_beyond_its_reach(
    app: App, bills: Mapping[str, ReceivedLetter], about: str
) -> None:
    before = kept(app)
    for line in LINES:
        guesses = about == "watched" and line == "f2"
        if reach_of_line(line) not in OPEN and not guesses:
            without_proof(app, bills[about], line)
            assert before == kept(app), line


def test_a_letter_of_one_game_changes_nothing_but_that_game(
    app: App, bills: Mapping[str, ReceivedLetter]
) -> None:
    before = kept(app)
    for line in LINES:
        reach = reach_of_line(line)
        if reach not in OPEN:
            words = f"game 2\n{line.replace(' 1', ' 2')}" if reach in (Reach.GAME, None) else line
            without_proof(app, bills["game"], words)
            assert before == kept(app), line


@pytest.mark.parametrize("about", ["welcome", "game", "watched", "challenge", "question"])
def test_a_failed_proof_changes_nothing_at_all(
    app: App, bills: Mapping[str, ReceivedLetter], about: str
) -> None:
    before, to = kept(app), bills[about].header("Reply-To")
    for line in LINES:
        raw = proven(new_mail(BILL, to, line), BILL, app.clock()).replace(b"dmarc=pass", b"dmarc=fail")
        mail(app, BILL, raw, to)
        assert before == kept(app), line
