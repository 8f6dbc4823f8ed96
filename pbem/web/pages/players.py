"""Pages of players and standings, with ratings, reliability and statistics."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from flask import Response, request

from pbem.core.clock.vacation import Vacation
from pbem.core.lobby.challenges import unknown_player_sentence
from pbem.core.players import Player
from pbem.core.ratings import statistics as counted
from pbem.store import events, game_lists, limits, partners, players, rating_queries, vacations, watches
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

PAGE_SIZE, NAMES, LATELY, RANKED, UNSURE = 20, 40, 10, 50, 20
NOT_LONG = timedelta(days=90)


@pages.get("/players")
def all_players() -> Response:
    asked = request.args.get("name", "").strip()[:20]
    after = request.args.get("after", "").strip()[:20]
    key = key_of(request.args.get("game", "").strip()[:40])
    with application().store.read() as db:
        found = players.players_by_name_order(db, asked, after, NAMES + 1, key)
        last = _last_moves(db, key)
        newest = [] if asked or after else sorted(last, key=lambda id: last[id], reverse=True)[:LATELY]
        lately = [who for who in players.players_by_ids(db, newest).values() if not who.gone]
        careers = rating_queries.careers(db, {who.id for who in (*found[:NAMES], *lately)})
        changed_at = rating_queries.last_result_at(db)
    return public_page(
        "players.html",
        changed_at,
        asked=asked,
        game=key,
        after=after,
        found=found[:NAMES],
        last=last,
        lately=sorted(lately, key=lambda who: last[who.id], reverse=True),
        more=found[NAMES - 1].name if len(found) > NAMES else "",
        careers=careers,
    )


def _last_moves(db: Connection, key: str) -> dict[int, datetime]:
    """Return when players last moved in games with people, of all kinds or one, if that is not long ago."""
    now, kinds = application().now(), [key] if key else list(application().games_by_key)
    moves = partners.last_moves(db, kinds, now - NOT_LONG)
    return {id: max(at for (other, _), at in moves.items() if other == id) for id, _ in moves}


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
        first = rating_queries.place_below(db, start, now) if start else 1
        shown, last = ranked[:RANKED], ranked[RANKED - 1] if len(ranked) > RANKED else None
        unsure = _between(rating_queries.provisional_rated(db, key, now, UNSURE), start, last)
        facts: dict[str, Any] = {
            "ranked": bool(shown),
            "rows": sorted([*enumerate(shown, first), *((0, each) for each in unsure)], key=_lowest_last),
            "start": first,
            "below": last.name if last else "",
            "bots": [] if start else rating_queries.bot_careers(db, key),
            "unsure": unsure,
        }
        changed_at = rating_queries.last_result_at(db, key)
    charts = _draw_charts(rules, figures, now)
    return public_page("standings.html", changed_at, rules=rules, figures=figures, **facts, **charts)


def table_row(db: Connection, key: str, who: Player) -> Career:
    """Return the player's row in a game's table. The page shows the rows below it."""
    found = (career for career in rating_queries.careers(db, [who.id])[who.id] if career.rules == key)
    return next(found, None) or raise_not_found(f"{who.name} has no place in this table.")


def _between(found: Iterable[Career], above: Career | None, last: Career | None) -> list[Career]:
    """Return those whose ratings belong on a page of the table, below `above` and not below `last`."""
    top, bottom = (each.standing.rating.value if each else None for each in (above, last))
    values = ((career, career.standing.rating.value) for career in found)
    return [
        one for one, value in values if (top is None or value < top) and (bottom is None or value >= bottom)
    ]


def _lowest_last(row: tuple[int, Career]) -> float:
    """Return the sort key of a place, 0 for a provisional rating, and its player."""
    return -row[1].standing.rating.value


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
