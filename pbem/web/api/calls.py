"""The calls of the API, one row each. Routes, descriptions and the page are made from them."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from flask import Response, jsonify

from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.players import Player
from pbem.core.records.record import game_data, ply_data
from pbem.resources import rules_in_words
from pbem.store import challenges, events, game_lists, players, puzzles, rating_queries, vacations
from pbem.store.engine import Connection
from pbem.store.rating_queries import Career
from pbem.web.api import shapes
from pbem.web.api.answers import data_response, json_response, page_address, page_data
from pbem.web.api.event_calls import EVENT_CALLS
from pbem.web.api.move_calls import MOVE_CALLS
from pbem.web.api.openapi import Call, description
from pbem.web.api.parameters import (
    AFTER,
    AFTER_ID,
    AFTER_NAME,
    AFTER_PLY,
    BEFORE,
    BEFORE_PUZZLE,
    BEGINS,
    BELOW,
    DEFAULT_PAGE_SIZE,
    LONG,
    MAX_PAGE_SIZE,
    OF_GAME,
    PAGE_SIZE_PARAMETER,
    PATH_PARAMETERS,
    SEARCH,
    TRIED,
)
from pbem.web.pages.games import evaluation_of, game_response, replay_or_404
from pbem.web.pages.players import coming_vacation, player_or_404, table_row
from pbem.web.pages.puzzles import judge_or_404, puzzle_or_404, shown_or_404
from pbem.web.responses import (
    Validator,
    application,
    key_of,
    public_response,
    raise_not_found,
    rules_of,
    version_query,
)
from pbem.web.search_form import read_search

BEST, UNSURE = 3, 20


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
        "next": page.older and page_address("games", {**asked.here, "before": page.older}, most),
        "prev": page.newer and page_address("games", {**asked.here, "after": page.newer}, most),
    }
    return json_response(found, changed_at)


def _game(id: int) -> Response:
    def make(game: Game, _pin: str) -> Response:
        with application().store.read() as db:
            found, place = evaluation_of(db, game), events.shown_place(db, game.id)
        data = {**game_data(game, application().config.host), **shapes.whole_game(game)}
        data |= {"evaluation": found["values"] if found else None}
        return jsonify({**data, "event": place and shapes.place_in_event(place)})

    return game_response(id, "api", make, timed=True, judged=True)


def _plies(id: int, after: int = 0, most: int = MAX_PAGE_SIZE) -> Response:
    def make(game: Game, _pin: str) -> Response:
        last, end = len(game.state.plies), after + most
        next = page_address(f"games/{id}/plies", {"after": end}, most, MAX_PAGE_SIZE) if end < last else None
        found = [ply_data(ply) for ply in game.state.plies[after:end]]
        return data_response({"game": id, "last": last, "plies": found, "next": next})

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
    return json_response({"players": whole, "next": rest and page_address("players", rest, most)}, changed_at)


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
    return json_response(found, changed_at)


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
    return json_response(found, points[-1].at if points else None)


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
    return json_response({"standings": found}, changed_at)


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
        "next": page_address(f"standings/{key}", {"below": found[most - 1].name}, most) if more else None,
    }
    return json_response(table, changed_at)


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
    return json_response({"game": key, **shapes.figures(counted)}, changed_at)


def _seeks(game: str = "", after: int = 0, most: int = DEFAULT_PAGE_SIZE) -> Response:
    app, key = application(), key_of(game)
    with app.store.read() as db:
        found = challenges.open_seeks(db, app.games_by_key, app.now(), rules=key, after=after, most=most + 1)
    page = page_data("seeks", shapes.seek, found, most, lambda last: {"game": key, "after": last.id})
    return json_response(page, max((seek.created_at for seek in found), default=None))


def _puzzles(game: str = "", before: int | None = None, most: int = DEFAULT_PAGE_SIZE) -> Response:
    key = key_of(game)
    keys = [key] if key else list(application().games_by_key)
    with application().store.read() as db:
        found = puzzles.newest_puzzles(db, keys, most + 1, before)
    page = page_data("puzzles", shapes.puzzle, found, most, lambda last: {"game": key, "before": last.id})
    return json_response(page, max((each.created_at for each in found if each.created_at), default=None))


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
    return json_response(data, found.created_at)


def _all_rules() -> Response:
    return json_response({"rules": [shapes.rules(rules) for rules in application().offered.values()]})


def _rules(game: str) -> Response:
    found = rules_of(game)
    return json_response(
        {**shapes.rules(found), "text": rules_in_words(found, application().config.templates)}
    )


def _openapi() -> Response:
    app = application()
    made = description(CALLS, PATH_PARAMETERS, list(app.offered), app.config)
    return public_response(lambda: jsonify(made), Validator("openapi"))


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
    *MOVE_CALLS,
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
    *EVENT_CALLS,
    Call("/api/rules", _all_rules, "AllRules", "The games on offer",
         "With their options, and what these may be."),
    Call("/api/rules/{game}", _rules, "Rules", "A game on offer", "The same, and its rules in plain words."),
    Call("/api/openapi.json", _openapi, "Description", "This description", "OpenAPI 3.1."),
)  # fmt: skip
