"""On the web: a hint by a button, the chances of a finished game, and moments as boards to answer on."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from time import sleep

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.bots import analysis, hints, jobs
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fold import fold
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, moments
from pbem.web import create_app
from pbem.web.pages import hints as hint_page
from rules import RULES
from tests.apps import add_game, load, player
from tests.web.library import the_seeds_game
from tests.web.markup import read
from tests.web.signing_in import get, letters, send, sign_in


@pytest.fixture
def joao(app: App) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, "Joao")
    return client


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_SECONDS", 0.02)
    monkeypatch.setattr(analysis, "GAME_SECONDS", 0.2)
    monkeypatch.setattr(analysis, "MOMENT_SECONDS", 0.02)
    monkeypatch.setattr(hint_page, "PATIENCE_SECONDS", 0.0)


def begin(app: App, *, rated: bool) -> None:
    """Game 1, Joao to move."""
    rules, seats = RULES["bounders"], (player(app, "Joao"), player(app, "Bill"))
    options = rules.complete({"size": "3"})
    with app.store.write() as db:
        game = add_game(db, rules, options, 0, seats, rated, app.now(), read_pace("none"), False)
        game = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(game), [opening_entry(game)])


class TestHint:
    def test_the_page_shows_the_hint_to_its_player_alone(self, app: App, joao: FlaskClient) -> None:
        begin(app, rated=False)
        sent = len(letters(app, "joao@example.org"))
        assert "Give me a hint" in get(joao, "/games/1").text
        assert 303 == send(joao, "/games/1/hint", page="/games/1").status_code
        assert "Your hint is being worked out." in get(joao, "/games/1").text
        assert jobs.do_one(app)
        page = get(joao, "/games/1")
        assert "<strong>Hint:</strong> <code>" in page.text
        assert [] == read(page.text).all_problems()
        assert sent == len(letters(app, "joao@example.org"))
        stranger = get(create_app(app).test_client(), "/games/1").text
        assert "<strong>Hint:</strong>" not in stranger
        assert "<dt>Hints</dt><dd>Joao before move 1</dd>" in stranger

    def test_the_form_waits_a_moment_for_it(
        self, app: App, joao: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(hint_page, "PATIENCE_SECONDS", 10.0)
        begin(app, rated=False)

        def later() -> None:
            while not jobs.do_one(app):
                sleep(0.02)

        bot = Thread(target=later)
        bot.start()
        send(joao, "/games/1/hint", page="/games/1")
        bot.join()
        assert "<strong>Hint:</strong>" in get(joao, "/games/1").text

    def test_there_is_no_button_in_a_rated_game_and_no_hint(self, app: App, joao: FlaskClient) -> None:
        begin(app, rated=True)
        assert "Give me a hint" not in get(joao, "/games/1").text
        answer = send(joao, "/games/1/hint", page="/games/1")
        assert 422 == answer.status_code
        assert "hints are for unrated games only" in answer.text
        assert not jobs.do_one(app)

    def test_nobody_asks_in_a_game_of_others(self, app: App, joao: FlaskClient) -> None:
        begin(app, rated=False)
        anna = create_app(app).test_client()
        sign_in(app, anna, "Anna")
        assert 404 == send(anna, "/games/1/hint", page="/settings").status_code


class TestFinishedGame:
    @pytest.fixture
    def over(self, app: App) -> Iterator[App]:
        the_seeds_game(app)
        yield app

    def evaluate(self, app: App) -> None:
        since = load(app).state.ending
        assert since is not None
        analysis.queue_analyses(app, since.at)
        while jobs.do_one(app):
            pass

    def test_pages_and_api_show_the_chances_once_they_are_known(self, over: App) -> None:
        client = create_app(over).test_client()
        before = get(client, "/games/1")
        assert 'class="chances"' not in before.text
        assert None is get(client, "/api/games/1").json["evaluation"]  # type: ignore[index]
        self.evaluate(over)
        seen = {"If-None-Match": before.headers["ETag"]}
        after = client.get("/games/1", base_url="https://pbem.example.org", headers=seen)
        assert 200 == after.status_code
        assert 1 == after.text.count('<svg class="chances"')
        assert after.text.count("'s chances") <= 3
        assert [] == read(after.text).all_problems()
        values = get(client, "/api/games/1").json["evaluation"]  # type: ignore[index]
        assert len(load(over).state.plies) + 1 == len(values)

    def test_moments_are_answered_on_their_boards(self, over: App, joao: FlaskClient) -> None:
        assert 404 == get(joao, "/games/1/moments").status_code
        self._ask(over)
        first = get(joao, "/games/1/moments").headers["Location"]
        assert first.endswith("/games/1/moments/1")
        page = get(joao, first)
        assert "What would you have played?" in page.text
        assert [] == read(page.text).all_problems()
        move = page.text.split('href="?move=')[1].split('"')[0].replace("%20", " ")
        assert 422 == send(joao, first, page=first, move="zz9", do="send").status_code
        assert "What the bot says" not in get(joao, first).text
        assert 303 == send(joao, first, page=first, move=move, do="send").status_code
        told = get(joao, first).text
        assert f"You would play <code>{move}</code>." in told
        assert "The bot gives you" in told or "This is proved" in told
        assert get(joao, "/games/1/moments").headers["Location"].endswith("/moments/2")

    def test_they_are_their_player_s_alone(self, over: App, joao: FlaskClient) -> None:
        self._ask(over)
        anna = create_app(over).test_client()
        assert 404 == get(anna, "/games/1/moments/1").status_code
        sign_in(over, anna, "Anna")
        assert 404 == get(anna, "/games/1/moments/1").status_code
        assert "Three moments of this game" not in get(anna, "/games/1").text
        assert "Three moments of this game" in get(joao, "/games/1").text

    def _ask(self, app: App) -> None:
        """Store the moments of Joao, as they are on the next morning."""
        game = load(app)
        own = [ply.n for ply in game.state.plies if ply.seat == 1][1:4]
        kept = [analysis.judge_ply(game, n) for n in own]
        with app.store.write() as db:
            moments.add_moments(db, player(app, "Joao"), 1, kept, app.now())
