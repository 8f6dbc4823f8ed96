"""Pages of players and standings, with ratings, reliability and statistics."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from flask import Response, request

from pbem.core.clock.vacation import Vacation
from pbem.core.lobby.challenges import unknown_player_sentence
from pbem.core.players import Player
from pbem.core.ratings import statistics as counted
from pbem.store import events, game_lists, limits, players, rating_queries, vacations, watches
from pbem.store.engine import Connection
from pbem.store.game_search import GameQuery
from pbem.store.rating_queries import Career, GameStatistics, Point
from pbem.web import charts
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.charts import Bar, CurvePoint
from pbem.web.responses import application, key_of, parse_number, public_page, raise_not_found, rules_of
from pbem.web.viewer import is_between, open_proposals, viewer
from rules.contract import Rules

pages = Pages(
    "players",
    __name__,
    nav=[MenuLink("/players", "Players", 20), MenuLink("/standings", "Standings", 30)],
    sitemap=["/players", "/standings", "/standings/{game}"],
)

PAGE_SIZE, NAMES, RANKED, UNSURE = 20, 40, 50, 20


@pages.get("/players")
def all_players() -> Response:
    asked = request.args.get("name", "").strip()[:20]
    after = request.args.get("after", "").strip()[:20]
    key = key_of(request.args.get("game", "").strip()[:40])
    with application().store.read() as db:
        found = players.players_by_name_order(db, asked, after, NAMES + 1, key)
        careers = rating_queries.careers(db, [who.id for who in found[:NAMES]])
        changed_at = rating_queries.last_result_at(db)
    return public_page(
        "players.html",
        changed_at,
        asked=asked,
        game=key,
        after=after,
        found=found[:NAMES],
        more=found[NAMES - 1].name if len(found) > NAMES else "",
        careers=careers,
    )


@pages.get("/players/<name>")
def player(name: str) -> Response:
    before, known = request.args.get("before", type=parse_number), application().games_by_key
    with application().store.read() as db:
        who = player_or_404(db, name[:20])
        finished, unfinished = (
            GameQuery(player=who.id, order="ended"),
            GameQuery(player=who.id, state="running"),
        )
        ended = game_lists.page_of_games(db, known, finished, before=before, most=PAGE_SIZE)
        careers = rating_queries.careers(db, [who.id])[who.id]
        running = game_lists.page_of_games(db, known, unfinished, most=PAGE_SIZE).games
        away = coming_vacation(vacations.vacations_of_players(db, [who.id])[who.id])
        watching, player = _is_watched(db, who), viewer()
        blocked = player is not None and limits.has_blocked(db, player, who)
        proposals = [each for each in open_proposals(db) if is_between(each, who)]
        places = [each for each in events.places_of_player(db, who.id) if each.event.rules in known]
        curves = [(career, _rating_curve(db, career)) for career in careers if career.rules in known]
    return public_page(
        "player.html",
        max((game.changed_at for game in (*running, *ended.games)), default=who.created_at),
        who=who,
        careers=curves,
        on_time=rating_queries.share_in_time(careers),
        running=running,
        ended=ended.games,
        older=ended.older,
        before=before,
        away=away,
        places=places,
        watching=watching,
        blocked=blocked,
        proposals=proposals,
        shelf=known,
    )


def _is_watched(db: Connection, who: Player) -> bool:
    """True if the viewer watches all games of a player."""
    found = viewer()
    return found is not None and any(each.id == who.id for each in watches.players_watched_by(db, found))


def player_or_404(db: Connection, name: str) -> Player:
    found = players.player_by_name(db, name)
    return found or raise_not_found(unknown_player_sentence(name, players.names_like(db, name)))


def coming_vacation(taken: Iterable[Vacation]) -> Vacation | None:
    """The current vacation among these, or else the next one."""
    return next((each for each in taken if each.ends > application().now()), None)


def _rating_curve(db: Connection, career: Career) -> tuple[list[Point], Any]:
    points = rating_queries.rating_curve(db, career.player, career.rules) if career.rated else []
    if len(points) < 2:  # one point is no curve; the table shows it
        return points, None
    spots = [CurvePoint(point.at, point.rating.value, 2 * point.rating.deviation) for point in points]
    name = application().games_by_key[career.rules].name
    title = f"{career.name}’s rating in {name}"
    return points[-PAGE_SIZE:], charts.curve_chart(f"curve-{career.rules}", title, spots)


@pages.get("/standings")
def all_standings() -> Response:
    now = application().now()
    with application().store.read() as db:
        found = [
            (
                rules,
                rating_queries.game_statistics(db, rules.key),
                rating_queries.best_rated(db, rules.key, now, 3),
            )
            for rules in application().offered.values()
        ]
        changed_at = rating_queries.last_result_at(db)
    return public_page("all_standings.html", changed_at, found=found)


@pages.get("/standings/<key>")
def standing(key: str) -> Response:
    rules, now, below = rules_of(key), application().now(), request.args.get("below", "").strip()[:20]
    with application().store.read() as db:
        start = table_row(db, key, player_or_404(db, below)) if below else None
        ranked = rating_queries.best_rated(db, key, now, RANKED + 1, start)
        figures = rating_queries.game_statistics(db, key)
        facts: dict[str, Any] = {
            "ranked": ranked[:RANKED],
            "start": rating_queries.place_below(db, start, now) if start else 1,
            "below": ranked[RANKED - 1].name if len(ranked) > RANKED else "",
            "bots": [] if start else rating_queries.bot_careers(db, key),
            "unsure": [] if start else rating_queries.provisional_rated(db, key, now, UNSURE),
        }
        changed_at = rating_queries.last_result_at(db, key)
    charts = _draw_charts(rules, figures, now)
    return public_page("standings.html", changed_at, rules=rules, figures=figures, **facts, **charts)


def table_row(db: Connection, key: str, who: Player) -> Career:
    """Return the player's row in a game's table. The page shows the rows below it."""
    found = (career for career in rating_queries.careers(db, [who.id])[who.id] if career.rules == key)
    return next(found, None) or raise_not_found(f"{who.name} has no place in this table.")


def _draw_charts(rules: Rules, figures: GameStatistics, now: datetime) -> dict[str, Any]:
    if not figures.games:
        return {}
    lengths = [Bar(bin.label, bin.n) for bin in counted.bins(figures.lengths)]
    months = counted.months(figures.months, f"{now:%Y-%m}")
    active = [Bar(month[2:], n) for month, n in months]
    return {
        "first_picture": charts.share_chart("first", f"How often first wins in {rules.name}", figures.first),
        "bin_rows": lengths,
        "median": counted.median(figures.lengths),
        "lengths_picture": charts.bar_chart("lengths", f"Moves of finished games of {rules.name}", lengths),
        "months": months,
        "months_picture": charts.bar_chart("months", f"Games of {rules.name} finished by month", active)
        if any(n for _, n in months)
        else None,
    }
