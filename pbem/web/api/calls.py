"""The calls of the API, one row each: routes, description and page are made from the rows."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Response, jsonify

from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.parsing.line import MAX_MOVE
from pbem.core.players import Player
from pbem.core.records.record import game_data, ply_data
from pbem.resources import rules_in_words
from pbem.store import challenges, game_lists, players, puzzles, rating_queries, vacations
from pbem.store.engine import Connection
from pbem.store.rating_queries import Career
from pbem.web.api import shapes
from pbem.web.api.openapi import Call, description
from pbem.web.api.schema import Param, Schema, number, words
from pbem.web.pages.games import evaluation_of, game_response, replay_or_404
from pbem.web.pages.players import coming_vacation, player_or_404, table_row
from pbem.web.pages.puzzles import judge_or_404, puzzle_or_404, shown_or_404
from pbem.web.responses import (
    Validator,
    application,
    public_response,
    raise_not_found,
    rules_of,
    version_query,
)
from pbem.web.search_form import CHOICES, FIELDS, read_search
from rules import find

DEFAULT_PAGE_SIZE, MOST, BEST, UNSURE = 20, 100, 3, 20

# Parameters.


def _text_schema(field: str) -> Schema:
    most = FIELDS[field]
    help = f"at most {most} characters, none of them a control character"
    return {"type": "string", "maxLength": most, "pattern": r"^[^\x00-\x1f\x7f]*$", "description": help}


NAME = r"[A-Za-z][A-Za-z0-9_-]{1,19}"
NAME_SCHEMA: Schema = {"type": "string", "pattern": f"^{NAME}$", "description": "a player's name"}
DATE: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}(-[0-9]{1,2}(-[0-9]{1,2})?)?$",
    "description": "a day, a month or a year, as in 2026-03-31, 2026-03, 2026",
}
ID, N = number(least=1, most=999_999_999_999), number(most=99_999)

PATH_PARAMETERS: Mapping[str, Param] = {
    "id": Param("id", "The number of a game.", ID, 42),
    "n": Param("n", "After which ply; 0 is before the first.", N, 3),
    "game": Param("game", "The key of a game.", {"type": "string"}, "bipod"),
    "puzzle": Param("puzzle", "The number of a puzzle.", ID, 12),
    "player": Param(
        "player",
        "A player's name, or number: names may go, numbers stay.",
        {"type": "string", "pattern": f"^({NAME}|[1-9][0-9]{{0,11}})$", "description": "a name or a number"},
        "Bill",
    ),
}

OF_GAME = Param("game", "The name or key of a game.", _text_schema("game"), "bipod")
AFTER_ID = Param("after", "The number after which the list goes on.", ID, 41)
PAGE_SIZE_PARAMETER = Param(
    "most",
    f"How many there are on a page, {DEFAULT_PAGE_SIZE} if nothing is said.",
    number(least=1, most=MOST),
    DEFAULT_PAGE_SIZE,
)

STATES, DATED, ORDER = (words(*CHOICES[field][0]) for field in ("state", "dated", "order"))
SEARCH = (
    OF_GAME,
    Param("player", "One player, or two as in Bill against Joao.", _text_schema("player"), "Bill"),
    Param("state", "How they stand; won and lost are those of the player.", STATES, "finished"),
    Param("ended_by", "How they ended.", words(*CHOICES["ended_by"][0]), "resignation"),
    Param("options", "Options, as in size=5 rows=6.", _text_schema("options"), "size=5"),
    Param("dated", "Whether from and to are of their begin or their end.", DATED, "ended"),
    Param("from", "From this day, month or year on.", DATE, "2026-03"),
    Param("to", "Until this day, month or year, itself included.", DATE, "2026"),
    Param("shortest", "At least so many plies.", N, 10),
    Param("longest", "At most so many plies.", N, 400),
    Param("order", "Those begun last first, ended last first, or the longest first.", ORDER, "ended"),
)
"""The fields of the search at `/games`."""

# Answers.


def _data_response(data: Mapping[str, Any]) -> Response:
    """Data as JSON, with links to the next and previous page (RFC 8288)."""
    answer = jsonify(data)
    found = [f'<{data[rel]}>; rel="{rel}"' for rel in ("next", "prev") if data.get(rel)]
    if found:
        answer.headers["Link"] = ", ".join(found)
    return answer


def _json(data: Mapping[str, Any], changed_at: datetime | None = None) -> Response:
    return public_response(lambda: _data_response(data), changed_at=changed_at)


def _page(path: str, query: Mapping[str, Any], most: int, default: int = DEFAULT_PAGE_SIZE) -> str:
    wanted = {name: value for name, value in query.items() if value}
    return shapes.url(f"{path}?{urlencode(wanted | ({} if most == default else {'most': most}))}")


def _games(
    before: int | None = None, after: int | None = None, most: int = DEFAULT_PAGE_SIZE, **fields: Any
) -> Response:
    app, games_by_key = application(), application().games_by_key
    with app.store.read() as db:
        asked = read_search(db, games_by_key, {name: str(value) for name, value in fields.items()})
        if asked.problem:
            raise_not_found(asked.problem)
        page = game_lists.page_of_games(db, games_by_key, asked.wanted, before=before, after=after, most=most)
        counts = game_lists.count_wanted(db, games_by_key, asked.wanted, page)
        changed_at = game_lists.last_change_at(db)
    found = {
        "games": [shapes.listed_game(game) for game in page.games],
        "count": asdict(counts),
        "next": page.older and _page("games", {**asked.here, "before": page.older}, most),
        "prev": page.newer and _page("games", {**asked.here, "after": page.newer}, most),
    }
    return _json(found, changed_at)


def _game(id: int) -> Response:
    def make(game: Game, _pin: str) -> Response:
        with application().store.read() as db:
            found = evaluation_of(db, game)
        data = {**game_data(game, application().config.host), **shapes.whole_game(game)}
        return jsonify({**data, "evaluation": found["values"] if found else None})

    return game_response(id, "api", make, timed=True, judged=True)


def _plies(id: int, after: int = 0, most: int = MOST) -> Response:
    def make(game: Game, _pin: str) -> Response:
        last, end = len(game.state.plies), after + most
        next = _page(f"games/{id}/plies", {"after": end}, most, MOST) if end < last else None
        found = [ply_data(ply) for ply in game.state.plies[after:end]]
        return _data_response({"game": id, "last": last, "plies": found, "next": next})

    return game_response(id, f"api.plies.{after}.{most}", make)


def _position(id: int, n: int) -> Response:
    def make(game: Game, pin: str) -> Response:
        return jsonify(_board(game, n, pin))

    return game_response(id, f"api.{n}", make)


def _board(game: Game, n: int, pin: str) -> dict[str, Any]:
    svg = shapes.page(f"games/{game.id}/{n}.svg{pin}")
    return {**shapes.position(replay_or_404(game, n)), "svg": svg}


def _players(name: str = "", after: str = "", most: int = DEFAULT_PAGE_SIZE) -> Response:
    with application().store.read() as db:
        found = players.players_by_name_order(db, name, after, most + 1)
        whole = _whole_players(db, found[:most])
        changed_at = rating_queries.last_result_at(db)
    rest = {"name": name, "after": found[most - 1].name} if len(found) > most else None
    return _json({"players": whole, "next": rest and _page("players", rest, most)}, changed_at)


def _whole_players(db: Connection, found: list[Player]) -> list[dict[str, Any]]:
    ids = [who.id for who in found]
    careers, taken = rating_queries.careers(db, ids), vacations.vacations_of_players(db, ids)
    whole = []
    for who in found:
        known = [career for career in careers[who.id] if career.rules in application().games_by_key]
        turns, away = rating_queries.share_in_time(known), coming_vacation(taken[who.id])
        more = {
            "vacation": away and {"begins": iso(away.begins), "ends": iso(away.ends)},
            "turns": {"with_clock": turns.whole, "in_time": turns.part},
            "results": [shapes.result(career) for career in known],
        }
        whole.append(shapes.whole_player(who) | more)
    return whole


def _find_player(db: Connection, player: str) -> Player:
    if not player.isdigit():
        return player_or_404(db, player)
    return players.player_by_id(db, int(player)) or raise_not_found(f"There is no player {player}.")


def _player(player: str) -> Response:
    with application().store.read() as db:
        who = _find_player(db, player)
        (found,) = _whole_players(db, [who])
        changed_at = rating_queries.last_result_at(db) or who.created_at
    return _json(found, changed_at)


def _ratings(player: str, game: str) -> Response:
    game = rules_of(game).key
    with application().store.read() as db:
        who = _find_player(db, player)
        points = rating_queries.rating_curve(db, who.id, game)
    found = {
        "player": shapes.player_link((who.id, who.name)),
        "game": game,
        "points": [shapes.rating_point(point) for point in points],
    }
    return _json(found, points[-1].at if points else None)


def _all_standings() -> Response:
    now = application().now()
    with application().store.read() as db:
        found = [
            {
                "game": key,
                "finished": rating_queries.game_statistics(db, key).games,
                "best": _places(rating_queries.best_rated(db, key, now, BEST), 1),
                "url": shapes.url(f"standings/{key}"),
            }
            for key in application().offered
        ]
        changed_at = rating_queries.last_result_at(db)
    return _json({"standings": found}, changed_at)


def _standings(game: str, below: str = "", most: int = DEFAULT_PAGE_SIZE) -> Response:
    key, now = rules_of(game).key, application().now()
    with application().store.read() as db:
        above = table_row(db, key, _find_player(db, below)) if below else None
        found = rating_queries.best_rated(db, key, now, most + 1, above)
        start = rating_queries.place_below(db, above, now) if above else 1
        unsure = [] if above else rating_queries.provisional_rated(db, key, now, UNSURE)
        changed_at = rating_queries.last_result_at(db, key)
    more = len(found) > most
    table = {
        "game": key,
        "ranked": _places(found[:most], start),
        "provisional": _places(unsure, None),
        "next": _page(f"standings/{key}", {"below": found[most - 1].name}, most) if more else None,
    }
    return _json(table, changed_at)


def _places(careers: Iterable[Career], start: int | None) -> list[dict[str, Any]]:
    """Rows of a table with places from `start` on, None without places."""
    return [
        {"place": None if start is None else start + n, **shapes.place(career)}
        for n, career in enumerate(careers)
    ]


def _figures(game: str) -> Response:
    key = rules_of(game).key
    with application().store.read() as db:
        counted, changed_at = rating_queries.game_statistics(db, key), rating_queries.last_result_at(db, key)
    return _json({"game": key, **shapes.figures(counted)}, changed_at)


def _seeks(game: str = "", after: int = 0, most: int = DEFAULT_PAGE_SIZE) -> Response:
    app, known = application(), find(game)
    key = known.key if known else ""
    if game and key not in app.games_by_key:
        raise_not_found(f"No game is called {game} here.")
    with app.store.read() as db:
        found = challenges.open_seeks(db, app.games_by_key, app.now(), rules=key, after=after, most=most + 1)
    next = _page("seeks", {"game": key, "after": found[most - 1].id}, most) if len(found) > most else None
    data = {"seeks": [shapes.seek(seek) for seek in found[:most]], "next": next}
    return _json(data, max((seek.created_at for seek in found), default=None))


def _puzzles(game: str = "", before: int | None = None, most: int = DEFAULT_PAGE_SIZE) -> Response:
    known = find(game)
    if game and (known is None or known.key not in application().games_by_key):
        raise_not_found(f"No game is called {game} here.")
    keys = [known.key] if known else list(application().games_by_key)
    with application().store.read() as db:
        found = puzzles.newest_puzzles(db, keys, most + 1, before)
    rest = {"game": known.key if known else "", "before": found[most - 1].id} if len(found) > most else None
    data = {
        "puzzles": [shapes.puzzle(each) for each in found[:most]],
        "next": rest and _page("puzzles", rest, most),
    }
    return _json(data, max((each.created_at for each in found if each.created_at), default=None))


def _puzzle(puzzle: int, move: str = "") -> Response:
    with application().store.read() as db:
        found = puzzle_or_404(db, puzzle)
        shown, fresh = shown_or_404(db, found), game_lists.freshness(db, found.game_id)
    pin = version_query(found.game_id, fresh) if fresh else ""
    told = judge_or_404(shown, move) if move else None
    data = {
        **shapes.whole_puzzle(found),
        "position": _board(shown.game, found.ply, pin),
        "verdict": told and shapes.verdict((found, told)),
    }
    return _json(data, found.created_at)


def _all_rules() -> Response:
    return _json({"rules": [shapes.rules(rules) for rules in application().offered.values()]})


def _rules(game: str) -> Response:
    found = rules_of(game)
    return _json({**shapes.rules(found), "text": rules_in_words(found, application().config.templates)})


def _openapi() -> Response:
    app = application()
    made = description(CALLS, PATH_PARAMETERS, list(app.offered), app.config)
    return public_response(lambda: jsonify(made), Validator("openapi"))


BEFORE = Param("before", "Games after this one in the list: as `next` has it.", ID, 42)
AFTER = Param("after", "Games before this one, as `prev` has it; `before` counts for nothing then.", ID, 42)
AFTER_PLY = Param("after", "Plies after this one.", N, 10)
BEFORE_PUZZLE = Param("before", "Puzzles before this one, as `next` has it.", ID, 12)
TRIED = Param(
    "move",
    "A move, to be judged; 404 if it is not legal there.",
    {
        "type": "string",
        "maxLength": MAX_MOVE,
        "pattern": r"^[^\x00-\x1f\x7f]*$",
        "description": f"at most {MAX_MOVE} characters, none of them a control character",
    },
    "d4",
)
LONG = replace(PAGE_SIZE_PARAMETER, help=f"How many there are on a page, {MOST} if nothing is said.")
BELOW = Param("below", "Places below this player, as `next` has it.", NAME_SCHEMA, "Bill")
BEGINS = Param(
    "name", "How their names begin.", {**NAME_SCHEMA, "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,19}$"}, "Bi"
)
AFTER_NAME = Param("after", "Names after this one.", NAME_SCHEMA, "Bill")

CALLS: tuple[Call, ...] = (
    Call("/api/games", _games, "Games", "Games, running and finished",
         "The same search as at /games. A page may be short, or empty, and still have a next one.",
         (*SEARCH, BEFORE, AFTER, PAGE_SIZE_PARAMETER)),
    Call("/api/games/{id}", _game, "Game", "A game",
         "Its plies and what was said with them, its clocks, its outcome, the board as it stands."),
    Call("/api/games/{id}/plies", _plies, "Plies", "The plies of a game",
         "With `after` only what is new. `last` falls where plies are taken back.", (AFTER_PLY, LONG)),
    Call("/api/games/{id}/positions/{n}", _position, "Position", "The board after a ply",
         "As text, as lists of stones and as data; with the cells that could be played."),
    Call("/api/players", _players, "Players", "Players by name", "With their ratings and results.",
         (BEGINS, AFTER_NAME, PAGE_SIZE_PARAMETER)),
    Call("/api/players/{player}", _player, "WholePlayer", "A player",
         "Ratings and results by game, how many turns were in time, days off."),
    Call("/api/players/{player}/ratings/{game}", _ratings, "Ratings", "A player's rating over time",
         "After each of the newest 300 rated games."),
    Call("/api/standings", _all_standings, "AllStandings", "The best of each game", "Three of each."),
    Call("/api/standings/{game}", _standings, "Standings", "The rating table of a game",
         "Those whose rating is sure; on the first page also the best of the others.",
         (BELOW, PAGE_SIZE_PARAMETER)),
    Call("/api/standings/{game}/figures", _figures, "Figures", "Figures of a game",
         "Results, lengths, months and openings of its finished games."),
    Call("/api/seeks", _seeks, "Seeks", "Who waits for a game",
         "The oldest first, with the mail that takes one.", (OF_GAME, AFTER_ID, PAGE_SIZE_PARAMETER)),
    Call("/api/puzzles", _puzzles, "Puzzles", "Puzzles",
         "The newest first: positions of finished games with one winning move. None has its answer.",
         (OF_GAME, BEFORE_PUZZLE, PAGE_SIZE_PARAMETER)),
    Call("/api/puzzles/{puzzle}", _puzzle, "WholePuzzle", "A puzzle",
         "Its board; with `move` also whether that wins. Nothing is stored or counted.", (TRIED,)),
    Call("/api/rules", _all_rules, "AllRules", "The games on offer",
         "With their options, and what these may be."),
    Call("/api/rules/{game}", _rules, "Rules", "A game on offer", "The same, and its rules in plain words."),
    Call("/api/openapi.json", _openapi, "Description", "This description", "OpenAPI 3.1."),
)  # fmt: skip
