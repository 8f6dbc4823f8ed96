"""Conditional moves by mail, and their secrecy, from listener to outbox."""

from __future__ import annotations

import logging
import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.web import create_app
from tests.apps import BILL, JOAO, Clock, a_game, last_words, letters, register, reply, sound, writes

SECRETS = ("C3", "A5", "B4")
"""Cells in the conditional moves and in no real move."""

MARKED = re.compile(r'name="mark" value="[^"]*"')
"""CSRF marks, which differ for every reader."""
IDS = re.compile(rb"(?m)^(In-Reply-To|References): .*|=_[0-9a-f]{24}")
"""Message-IDs of the mail answered, and those made from them."""


def moves(app: App) -> list[str]:
    return [f"{ply.move} auto" if ply.auto else ply.move for ply in sound(app).state.plies]


def test_a_plan_is_followed_and_each_gets_what_concerns_him(app: App) -> None:
    bills, joaos = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2\nif g3 then h4 if j4 then k5\n\nYour turn!")
    joaos = letters(app, JOAO)[-1]
    before = len(letters(app, BILL)), len(letters(app, JOAO))
    assert "done" == reply(app, JOAO, joaos, "g3")
    assert ["f2", "g3", "h4 auto"] == moves(app)
    assert before == (len(letters(app, BILL)), len(letters(app, JOAO)) - 1)
    assert "Then came move 3, h4 by Bill, automatically." in last_words(app, JOAO)
    assert "done" == writes(app, JOAO, "m3")
    told = last_words(app, BILL)
    assert "move 2: g3, Joao move 3: h4, Bill, automatically move 4: m3, Joao" in told
    assert "Your plan says nothing of move 4, m3, so it has ended." in told


def test_a_draw_agreed_to_by_a_plan_is_told_its_owner_as_that(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2\nif draw then accept")
    writes(app, JOAO, "draw")
    assert "The game is drawn, Bill. Draw agreed, as you had planned." in last_words(app, BILL)
    assert "The game is drawn, Joao. Draw agreed. " in last_words(app, JOAO)
    assert "Draw agreed, as you had planned.</p>" in letters(app, BILL)[-1].html
    assert "Draw agreed.</p>" in letters(app, JOAO)[-1].html


def test_the_same_mail_twice_plans_and_plays_once(app: App) -> None:
    bills, _ = a_game(app)
    raw = reply_mail(bills, BILL, "f2\nif g3 then h4")
    for again in (raw, raw, raw.replace(b"Message-ID: <", b"Message-ID: <x")):
        receive(app, again, BILL, [bills.header("Reply-To")])
        work_through(app)
    assert ["start", "ply", "plan"] == [entry.kind for entry in sound(app).journal]
    assert "already recorded" in letters(app, BILL)[-1].text
    writes(app, JOAO, "g3")
    receive(app, raw.replace(b"Message-ID: <", b"Message-ID: <y"), BILL, [bills.header("Reply-To")])
    work_through(app)
    assert ["f2", "g3", "h4 auto"] == moves(app)
    assert "already recorded" in letters(app, BILL)[-1].text


def test_a_plan_that_cannot_be_kept_takes_its_move_with_it(app: App) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, "f2\nif g3 then h9")
    assert [] == moves(app)
    assert 'In "if g3 then h9" of your plan, h9' in last_words(app, BILL)


def test_letters_before_a_plan_can_still_be_answered_after_it(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2")
    joaos = letters(app, JOAO)[-1]
    for words in ("if g3 then h4", "if m3 then h4", "plans", "if clear"):
        assert "done" == writes(app, BILL, words)
    assert "done" == reply(app, JOAO, joaos, "g3")
    assert "done" == writes(app, BILL, "j4")
    assert ["f2", "g3", "j4"] == moves(app)


RULES_PAGES = {"/rules", "/rules/bipod"}
"""Rules pages, dated by the request."""

Pages = dict[str, tuple[str, dict[str, str]]]


def pages_of(flask_app: Flask) -> Pages:
    """Text and headers of every public page about a game or player.

    The mailroom shows all mail, so it is left out. `/status` and `/metrics` count letters.
    """
    urls, client = flask_app.url_map.bind("localhost"), flask_app.test_client()
    known = {"id": 1, "n": 1, "key": "bipod", "game": "bipod", "player": "Bill"}
    pages: Pages = {}
    for rule in flask_app.url_map.iter_rules():
        public = not rule.endpoint.startswith(("mailroom.", "monitoring.", "metrics."))
        if public and "GET" in (rule.methods or ()) and rule.arguments <= set(known):
            path = urls.build(rule.endpoint, {name: known[name] for name in rule.arguments})
            found = client.get(path)
            headers = {name: value for name, value in found.headers if name not in ("Date", "Set-Cookie")}
            told = found.get_data().decode("utf-8", "backslashreplace")  # postcards are binary
            pages[path] = (MARKED.sub("", told), headers)
    assert {
        "/games/1",
        "/games/1.json",
        "/games/1.game",
        "/games/1/1",
        "/games",
        "/api/games/1",
        "/api/games/1/positions/1",
    } <= set(pages)
    return pages


def differing(some: Pages, others: Pages) -> list[tuple[object, object]]:
    """The differences, line by line and header by header."""
    pairs: list[tuple[object, object]] = []
    for path in (some.keys() | others.keys()) - RULES_PAGES:
        (one, head), (other, heading) = some[path], others[path]
        pairs += zip([path, *one.split("\n")], [path, *other.split("\n")], strict=True)
        pairs += zip(
            [(path, name, head[name]) for name in head],
            [(path, name, heading[name]) for name in heading],
            strict=True,
        )
    return [(one, other) for one, other in pairs if one != other]


def test_a_plan_made_after_the_move_changes_nothing_that_anybody_else_can_see(
    app: App, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2")
    flask_app = create_app(app)
    clock.pass_by(hours=5)
    joaos, before = letters(app, JOAO), pages_of(flask_app)
    caplog.set_level(logging.DEBUG)
    mine = letters(app, BILL)[-1]
    assert "done" == reply(app, BILL, mine, "if g3 then C3 if m3 then A5 B4\n\nC3 will surprise him.")
    assert "refused" == reply(app, BILL, mine, "if A5 then A5")
    assert "refused" == reply(app, BILL, mine, "if A5 than B4")
    assert "done" == reply(app, BILL, mine, "plans")
    told = [record.getMessage() for record in caplog.records]
    assert any("refused: a plan that cannot be kept" in text for text in told)
    assert [] == [text for text in told if any(secret in text for secret in SECRETS)]
    assert [] == differing(before, pages_of(flask_app))
    assert [letter.raw for letter in joaos] == [letter.raw for letter in letters(app, JOAO)]


@pytest.mark.slow
def test_until_it_is_followed_the_world_is_the_same_with_a_plan_and_without(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    worlds = []
    for name, plan in (("without", "plans"), ("with", "if any then resign\nif g3 then C3\nif m3 then A5 B4")):
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(migrated_sqlite, folder / "pbem.sqlite")
        environ = {"PBEM_VAR": str(folder), "PBEM_SECRET": "s" * 32}
        environ["PBEM_DATABASE"] = f"sqlite:///{folder / 'pbem.sqlite'}"
        app = replace(open_app(config_from(environ), clock=Clock()), rng=Random(7))
        worlds.append(what_others_see(app, plan))
        app.close()
    assert worlds[0][0] == worlds[1][0]
    assert [] == differing(worlds[0][1], worlds[1][1])


def what_others_see(app: App, plan: str) -> tuple[list[bytes], Pages]:
    """Letters to Joao, and all pages, after conditional moves of Bill's.

    Bill plays and says something; Joao adopts.
    """
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"f2\n{plan}\n\nYour turn!")
    writes(app, BILL, plan)
    writes(app, BILL, "say Are you there?")
    writes(app, JOAO, "adopt\n\nHere I am.")
    assert ["f2", "adopt"] == moves(app)
    sent = [letter.raw.replace(letter.header("Date").encode(), b"") for letter in letters(app, JOAO)]
    return [IDS.sub(b"", raw) for raw in sent], pages_of(create_app(app))


TOO_SOON = "There is a line of a plan among your words, and nobody else is to see it"


def test_a_plan_below_a_challenge_or_its_answer_goes_to_nobody_and_nothing_is_done(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    assert "refused" == reply(app, BILL, welcome, "challenge Joao bipod first\nif any then C3")
    assert TOO_SOON in last_words(app, BILL)
    assert "done" == reply(app, BILL, welcome, "challenge Joao bipod first\nIf you like, we play.")
    challenge = letters(app, JOAO)[-1]
    before = [letter.raw for letter in letters(app, BILL)]
    for word in ("accept", "decline"):
        assert "refused" == reply(app, JOAO, challenge, f"{word}\n\nHello!\nif f2 then C3")
        assert TOO_SOON in last_words(app, JOAO)
    assert before == [letter.raw for letter in letters(app, BILL)]
    assert "done" == reply(app, JOAO, challenge, "accept\n\nIf you play f2, I shall think.")
    assert [] == moves(app)


def test_a_plan_below_a_taken_seek_goes_to_nobody(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "seek bipod first")
    welcome = register(app, JOAO, "Joao")
    assert "refused" == reply(app, JOAO, welcome, "take 1\nif f2 then C3")
    assert TOO_SOON in last_words(app, JOAO)
    assert "done" == reply(app, JOAO, welcome, "take 1")
