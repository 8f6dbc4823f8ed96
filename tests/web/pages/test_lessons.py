"""Lessons on the web: without an account, without scripts, and nothing stored."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.web import create_app
from rules import RULES
from rules.contract import Rules


@pytest.fixture
def client(app: App) -> FlaskClient:
    return create_app(app).test_client()


TAUGHT = [rules for rules in RULES.values() if rules.lessons]
each_taught = pytest.mark.parametrize("rules", TAUGHT, ids=lambda rules: rules.key)


def page(client: FlaskClient, path: str, **query: str) -> str:
    answer = client.get(path, query_string=query)
    assert 200 == answer.status_code
    assert "Set-Cookie" not in answer.headers
    return unescape(answer.text)


@each_taught
def test_each_lesson_is_listed_and_shown(client: FlaskClient, rules: Rules) -> None:
    base = f"/rules/{rules.key}/learn"
    assert f'href="{base}"' in page(client, f"/rules/{rules.key}")
    assert (f'href="{base}"' in page(client, "/rules")) != rules.ask_first
    overview = page(client, base)
    for n, lesson in enumerate(rules.lessons, 1):
        assert f'<a href="{base}/{n}">{lesson.title}</a>' in overview
        shown = page(client, f"{base}/{n}")
        for words in (lesson.title, lesson.teaches, lesson.question):
            assert words in shown
        assert lesson.hint not in shown
        assert all(why not in shown for why in lesson.right.values())


@each_taught
def test_an_answer_says_why_and_leads_on(client: FlaskClient, rules: Rules) -> None:
    base, count = f"/rules/{rules.key}/learn", len(rules.lessons)
    for n, lesson in enumerate(rules.lessons, 1):
        for move, why in lesson.right.items():
            said = page(client, f"{base}/{n}", move=move, do="send")
            assert "<title>Right: " in said
            assert "<h1>Right: " in said
            assert why in said
            assert (f'href="{base}/{n + 1}">Next lesson' in said) == (n < count)
        for move, wrong in lesson.wrong.items():
            said = page(client, f"{base}/{n}", move=move, do="send")
            assert "<title>Not right: " in said
            assert "<h1>Not right: " in said
            assert wrong.why in said
            assert all(why in said for why in lesson.right.values())


def test_a_click_chooses_and_the_form_sends(client: FlaskClient) -> None:
    path = "/rules/bipod/learn/2"
    first = page(client, path)
    assert 'href="?move=k1"' in first
    chosen = page(client, path, move="k1")
    assert f'<form method="get" id="send" action="{path}">' in chosen
    assert '<input id="move" name="move" value="k1"' in chosen
    assert "Right:" not in chosen


def test_a_hint_is_a_sentence_and_a_move(client: FlaskClient) -> None:
    path = "/rules/bipod/learn/2"
    assert f'href="{path}?do=hint"' in page(client, path)
    hint = page(client, path, do="hint")
    assert RULES["bipod"].lessons[1].hint in hint
    assert "A right move is <code>k1</code>." in hint


@pytest.mark.parametrize("move", ["z9", "k1 O", "", "hello there", "x" * 300])
def test_what_is_no_move_is_not_judged(client: FlaskClient, move: str) -> None:
    said = page(client, "/rules/bipod/learn/2", move=move, do="send")
    assert "ight: <code>" not in said
    assert 'id="send"' in said


def test_what_is_no_lesson_is_not_found(client: FlaskClient) -> None:
    for path in (
        "/rules/bipod/learn/0",
        "/rules/bipod/learn/7",
        "/rules/chess/learn",
        "/rules/chess/learn/1",
    ):
        assert 404 == client.get(path).status_code


def test_a_game_without_lessons_has_a_page_that_says_so(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = replace(RULES["bounders"], lessons=())
    monkeypatch.setattr("pbem.web.pages.lessons.rules_of", lambda _key: bare)
    assert "There are no lessons of Bounders yet." in page(client, "/rules/bounders/learn")
    assert 404 == client.get("/rules/bounders/learn/1").status_code
