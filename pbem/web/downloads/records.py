"""Downloads of game records, one or many, and the public key."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from flask import Response, jsonify, request

from pbem.core.game.game import Game
from pbem.core.records.gamerecord import gamerecord
from pbem.core.records.record import record_of
from pbem.keys.record_keys import public_keys, record_signer
from pbem.store import game_lists, players
from pbem.web.blueprints import Pages
from pbem.web.cache import cached
from pbem.web.pages.events import EVENT_PATH, event_or_404, file_name
from pbem.web.pages.games import GAME_PATH, game_response
from pbem.web.responses import Validator, application, parse_number, public_response, raise_not_found
from rules import find, record

pages = Pages(
    "records",
    __name__,
    rates=dict.fromkeys(
        ("all_records", "records_of_a_kind", "records_of_a_player", "records_of_an_event"), "large"
    ),
)

MAX_GAMES = 100
"""Games in one file; making it takes about a second."""

TEXT, JSON = "text/plain; charset=utf-8", "application/json"


@pages.get(f"{GAME_PATH}.record.json")
def as_gamerecord(id: int) -> Response:

    def write(game: Game, _pin: str) -> Response:
        if game.state.ending is None:
            raise_not_found(
                f"Game {id} goes on: a game record is made of finished games. Its data: /games/{id}.json"
            )
        return jsonify(gamerecord(game, application().config.host, signer.sign))

    signer = record_signer(application().config)
    return game_response(id, f"record.{signer.mark}.json", write, is_file=True)


@pages.get("/records/key")
def key() -> Response:
    pem = record_signer(application().config).public.pem
    return public_response(lambda: Response(pem, content_type=TEXT))


@pages.get("/records/key.json")
def key_set() -> Response:
    """The public keys as a JSON Web Key Set (RFC 7517 5)."""
    return public_response(lambda: jsonify({"keys": [key.jwk for key in public_keys(application().config)]}))


@pages.get("/records/all.<any(games, json):form>")
def all_records(form: str) -> Response:
    return _records_file("all", form)


@pages.get("/records/<key>.<any(games, json):form>")
def records_of_a_kind(key: str, form: str) -> Response:
    rules = find(key) or raise_not_found(f"No game is called {key} here.")
    return _records_file(rules.key, form, rules=rules.key)


@pages.get("/players/<name>.<any(games, json):form>")
def records_of_a_player(name: str, form: str) -> Response:
    with application().store.read() as db:
        player = players.player_by_name(db, name) or raise_not_found(f"Nobody here is called {name}.")
    return _records_file(player.name, form, player=player.id)


@pages.get(f"{EVENT_PATH}/games.<any(games, json):form>")
def records_of_an_event(id: int, form: str) -> Response:
    with application().store.read() as db:
        event = event_or_404(db, id)
    return _records_file(file_name(event), form, event=id)


def _records_file(name: str, form: str, **of: Any) -> Response:
    """Finished games after the number `after`, in one file."""
    start = request.args.get("after", 0, type=parse_number)
    known, signer = application().games_by_key, record_signer(application().config)
    with application().store.read() as db:
        rows = game_lists.finished_rows(db, known, after=start, most=MAX_GAMES + 1, **of)
        stamps = sha256(" ".join(f"{row.id}:{row.stamp}" for row in rows).encode()).hexdigest()[:20]
        changed_at = max((row.ended_at for row in rows if row.ended_at), default=None)
        validator = Validator(f"{form}.{signer.mark}.{stamps}", changed_at, by_date=False)

        def make() -> Response:
            made = cached(
                validator.tag,
                lambda: _write_records(game_lists.load_finished(db, known, rows[:MAX_GAMES]), form),
            )
            answer = Response(made, content_type=JSON if form == "json" else TEXT)
            answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
            if len(rows) > MAX_GAMES:
                answer.headers["Link"] = f'<{quote(request.path)}?after={rows[MAX_GAMES - 1].id}>; rel="next"'
            return answer

        return public_response(make, validator)


def _write_records(games: Iterable[Game], form: str) -> bytes:
    host, sign = application().config.host, record_signer(application().config).sign
    if form == "games":
        return "\n".join(record.write(record_of(game, host, sign)) for game in games).encode()
    written = (json.dumps(gamerecord(game, host, sign), ensure_ascii=False) for game in games)
    return ("[" + ",\n".join(written) + "]\n").encode()
