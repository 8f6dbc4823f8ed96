"""`/games/42/proof`: every move of the loser is answered, to the end."""

from __future__ import annotations

from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.records.proof_walk import walk_proof
from tests.web.filled import proved_game
from tests.web.library import the_seeds_game


def test_every_line_of_the_page_ends_with_the_winner(app: App, client: FlaskClient) -> None:
    game = proved_game(app)
    id = game.id
    lines: list[tuple[str, ...]] = [()]
    ends = 0
    while lines:
        tried = lines.pop()
        walk = walk_proof(game, tried)
        assert walk is not None
        if walk.position.outcome:
            ends += 1
            assert 0 == walk.position.outcome.winner
        lines += [(*tried, text) for text in walk.choices[:2]]
    assert ends > 3
    page = client.get(f"/games/{id}/proof").text
    assert "The proof that Bill won" in page
    walk = walk_proof(game, [])
    assert walk is not None
    for text in walk.choices:
        assert f'href="?m={text}"' in page
    assert 404 == client.get(f"/games/{id}/proof?m=z9").status_code


def test_a_game_without_a_proof_has_no_such_page(app: App, client: FlaskClient) -> None:
    id = the_seeds_game(app).id
    assert 404 == client.get(f"/games/{id}/proof").status_code
