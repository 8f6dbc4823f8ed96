"""The postcard as PNG, the picture that other sites show with a link."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from tests.amount import some
from tests.web.downloads.test_pictures import GAMES, passed_on
from tests.web.gallery import stored
from tests.web.library import a_short_game, add, begin

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("key", some(GAMES, 2))
def test_the_postcard_in_dots_is_1200_by_630(app: App, client: FlaskClient, key: str) -> None:
    stored(app, key)
    answer = client.get("/games/1/postcard.png")
    assert "image/png" == answer.content_type
    assert PNG == answer.data[:8]
    assert (1200, 630) == tuple(int.from_bytes(answer.data[at : at + 4], "big") for at in (16, 20))
    assert len(answer.data) < 300_000


def test_a_page_promises_its_postcard_to_those_who_show_its_link(app: App, client: FlaskClient) -> None:
    a_short_game(app)
    told = passed_on(client, "/games/1/2")
    assert told["og:image"].startswith("https://pbem.example.org/games/1/postcard.png?v=")
    assert ("1200", "630") == (told["og:image:width"], told["og:image:height"])
    assert "summary_large_image" == told["twitter:card"]
    assert "/games/1/postcard.png" in client.get("/games/1").text


def test_a_postcard_is_another_once_the_game_has_gone_on(app: App, client: FlaskClient) -> None:
    game = begin(app)
    before = client.get("/games/1/postcard.png")
    add(app, game, "resign", 0, {})
    after = client.get("/games/1/postcard.png", headers={"If-None-Match": before.headers["ETag"]})
    assert 200 == after.status_code
    assert before.data != after.data


@pytest.mark.parametrize(
    ("page", "key"), [("/", "bipod"), ("/rules/bipod", "bipod"), ("/rules/begird", "begird")]
)
def test_the_front_page_and_rules_have_a_picture_of_a_game(client: FlaskClient, page: str, key: str) -> None:
    told = passed_on(client, page)
    assert f"https://pbem.example.org/rules/{key}.png" == told["og:image"]
    assert f"https://pbem.example.org{page}" == told["og:url"]
    answer = client.get(f"/rules/{key}.png")
    assert ("image/png", PNG) == (answer.content_type, answer.data[:8])
    assert (
        304 == client.get(f"/rules/{key}.png", headers={"If-None-Match": answer.headers["ETag"]}).status_code
    )


def test_a_game_that_is_not_played_here_has_no_picture(client: FlaskClient) -> None:
    assert 404 == client.get("/rules/chess.png").status_code
