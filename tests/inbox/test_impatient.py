"""Sentences that impatient people write, through the real inbox: `impatient.toml` has them all."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from operator import itemgetter
from pathlib import Path

import pytest

from pbem.app import App
from pbem.core.game.journal import LAPSE
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import games, players
from tests.amount import some
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    ask,
    begin,
    flat,
    last_letter,
    letters,
    load,
    mail,
    register,
    reply,
    writes,
)

CASES = tomllib.loads(Path(__file__).with_name("impatient.toml").read_text())
SAID = [(situation, *case) for situation, cases in CASES.items() for case in cases]
LANGUAGES, SENTENCES = 8, 100


def _begun(app: App, plies: int, *more: tuple[str, str]) -> None:
    begin(app, plies=plies)
    for who, words in more:
        writes(app, who, words)


def _people(app: App) -> None:
    register(app, JOAO, "Joao")
    register(app, BILL, "Bill")


def _challenged(app: App) -> None:
    _people(app)
    writes(app, JOAO, "challenge Bill bipod")


def _offered_long_ago(app: App) -> None:
    begin(app, "none", 2)
    writes(app, JOAO, "draw")
    assert isinstance(app.clock, Clock)
    app.clock.pass_by(days=15)


def _unproven(app: App) -> None:
    begin(app)
    mail(app, BILL, new_mail(BILL, PLAY, "f2", "Bipod #1"))


SITUATIONS: Mapping[str, Callable[[App], object]] = {
    "stranger": lambda app: None,
    "asked to confirm a name": lambda app: mail(app, BILL, new_mail(BILL, PLAY, "register Bill")),
    "asked for a name": lambda app: mail(app, BILL, new_mail(BILL, PLAY, "hello")),
    "registered, without a game": _people,
    "own turn": lambda app: a_game(app, "7d/move"),
    "other's turn": lambda app: _begun(app, 1),
    "asked about resigning": lambda app: _begun(app, 0, (BILL, "resign")),
    "challenge waiting": _challenged,
    "draw offered": lambda app: _begun(app, 2, (JOAO, "draw")),
    "undo asked": lambda app: _begun(app, 2, (JOAO, "undo")),
    "pause asked": lambda app: _begun(app, 2, (JOAO, "pause 5 days")),
    "asked about forgetting": lambda app: _begun(app, 0, (BILL, "forget me")),
    "asked about a new address": lambda app: _begun(app, 0, (BILL, f"address add {ANNA}")),
    "asked whether a mail was theirs": _unproven,
    "shown words to send": lambda app: _begun(app, 0, (BILL, "Good luck!")),
    "draw lapsed": _offered_long_ago,
    "game over": lambda app: _begun(app, 2, (JOAO, "resign yes")),
}


def kind_of(letter: ReceivedLetter) -> str:
    found = re.search(r"\.([a-z]+)\.\d+@", letter.header("Message-ID"))
    assert found
    return found[1]


def as_written(app: App, words: str) -> tuple[bytes, str]:
    """The mail and its address: an answer to the newest letter, or a new one."""
    subject, body = "", words
    if words.startswith("Subject: "):
        subject, _, body = words.removeprefix("Subject: ").partition("\n")
    old = letters(app, BILL)
    raw, to = new_mail(BILL, PLAY, body), PLAY
    if old:
        raw, to = reply_mail(old[-1], BILL, body), old[-1].header("Reply-To")
    if subject:
        head = re.compile(rb"^Subject: .*(\r?\n[ \t].*)*$", re.MULTILINE)
        raw = head.sub(f"Subject: {subject}".encode(), raw, count=1)
    return raw, to


def world(app: App) -> object:
    """What a mail may change: names, and what players did in games."""
    with app.store.read() as db:
        names = [each.name for each in players.list_players(db)]
        known = [games.load_game(db, app.games_by_key, number) for number in (1, 2)]
    ours = [[entry for entry in game.journal if entry.kind != LAPSE] for game in known if game]
    return names, ours, [game.pending for game in known if game]


@pytest.mark.parametrize(
    ("situation", "language", "words", "outcome"),
    some(SAID, 20, itemgetter(0), itemgetter(1), itemgetter(0, 3)),
)
def test_an_impatient_sentence_is_played_asked_about_or_hinted(
    app: App, situation: str, language: str, words: str, outcome: str
) -> None:
    SITUATIONS[situation](app)
    before, known = world(app), {letter.raw for letter in letters(app, BILL)}
    raw, to = as_written(app, words)
    state = mail(app, BILL, raw, to)
    told = [letter for letter in letters(app, BILL) if letter.raw not in known]
    verb, _, what = outcome.partition(" ")
    shown = [(kind_of(letter), flat(letter.text)) for letter in told]
    if verb == "played":
        assert what in [ply.move for ply in load(app).state.plies], shown
    elif verb == "done":
        assert what in [kind_of(letter) for letter in told], shown
        assert "done" == state, shown
    else:
        assert before == world(app)
        assert (verb != "nothing") == bool(told), shown
    if verb == "asked":
        assert what == kind_of(told[-1]), shown
    if verb == "write":
        assert any(f"{left}{what}{right}" in flat(told[-1].text) for left, right in ('""', "“”")), shown
        assert "done" == reply(app, BILL, told[-1], what), flat(last_letter(app, BILL).text)[:300]


def test_an_answer_to_a_challenge_gets_no_second_thing_to_write(app: App) -> None:
    _people(app)
    assert "A game:" in ask(app, BILL, "hm")
    writes(app, JOAO, "challenge Bill bipod")
    assert "A game:" not in ask(app, BILL, "leider keine Zeit")


def test_there_are_a_hundred_sentences_in_eight_languages() -> None:
    assert SENTENCES <= len({(situation, words) for situation, _, words, _ in SAID})
    assert LANGUAGES <= len({language for _, language, _, _ in SAID})


def test_no_sentence_is_refused_without_a_next_step() -> None:
    silent = [(situation, words) for situation, _, words, outcome in SAID if outcome == "nothing"]
    for situation, words in silent:  # a robot, or a no where nothing was begun
        assert words.startswith("Subject: ") or situation in ("asked for a name", "asked to confirm a name")
