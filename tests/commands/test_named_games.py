"""Games called by a word for some of their options: `y` is Begird with three islands."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.lobby.newcomers import canonical_order
from pbem.core.parsing.line import read_line
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import challenges
from rules import RULES
from tests.apps import BILL, JOAO, last_words, letters, register, reply


@pytest.fixture
def app(app: App) -> App:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        register(app, who, name)
    return app


def welcome(app: App) -> ReceivedLetter:
    return next(letter for letter in letters(app, BILL) if "Welcome" in letter.header("Subject"))


def ask(app: App, words: str) -> str:
    reply(app, BILL, welcome(app), words)
    return last_words(app, BILL)


def seeks(app: App):
    with app.store.read() as db:
        return challenges.open_seeks(db, app.games_by_key, app.now())


@pytest.mark.parametrize("order", ["challenge Joao y", "challenge y Joao", "Challenge Joao Y side=7"])
def test_a_challenge_to_y_proposes_begird_with_three_islands(app: App, order: str):
    ask(app, order)
    with app.store.read() as db:
        (challenge,) = challenges.find_challenge(db, app.games_by_key, 1)[:1]
    assert "begird" == challenge.rules.key
    assert {"islands": 3, "side": 7 if "side" in order else 10} == dict(challenge.options)
    assert challenge.rated


@pytest.mark.parametrize("order", ["play y", "seek y", "seek Y"])
def test_a_seek_of_y_is_one_of_begird_with_three_islands(app: App, order: str):
    ask(app, order)
    (seek,) = seeks(app)
    assert ("begird", {"islands": 3, "side": 10}) == (seek.rules.key, dict(seek.options))


def test_y_with_another_number_of_islands_is_refused(app: App):
    assert "islands=9 cannot be: y is Begird with islands=3." in " ".join(
        ask(app, "play y islands=9").split()
    )
    assert [] == seeks(app)


@pytest.mark.parametrize(("order", "found"), [("rules y", "The board"), ("standings y", "Begird")])
def test_y_asks_about_begird(app: App, order: str, found: str):
    assert found.lower() in ask(app, order).lower()
    assert "begird" in last_words(app, BILL).lower()


def test_a_larger_bagel_is_begun_unrated_also_with_its_layout_written_out(app: App):
    layout = "/".join(
        ("bgcrb", "gcrbgc", "rbgcrbg", "crbgcrbg", "crbgcrbg", "crbgcrbg", "crbgcrb", "gcrbgc", "rbgcr")
    )
    ask(app, f"seek bagel size=5 layout={layout}")
    (seek,) = seeks(app)
    assert {"size": 5, "layout": layout.replace("/", "")} == dict(seek.options)
    assert not seek.rated


@pytest.mark.parametrize(
    ("order", "kept"),
    [
        ("play y", "play begird islands=3"),
        ("challenge Joao Y side=7", "challenge Joao begird islands=3 side=7"),
        ("play y islands=9", ""),
    ],
)
def test_an_order_for_y_is_kept_for_a_newcomer_with_its_islands(order: str, kept: str):
    (command,) = read_line(order, None).commands
    assert kept == canonical_order(command, RULES)


@pytest.mark.parametrize("prose", ["rules a", "play x", "challenge Joao z"])
def test_another_letter_alone_names_no_game(prose: str):
    line = read_line(prose, None)
    assert line is None or not line.commands
