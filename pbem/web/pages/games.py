"""Public pages: the front page, games, one game, seeks, and rules."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from flask import Response, jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue

from pbem.core.exercises.analysis import ANALYSIS, analysis_key, key_of_ended, largest_swings
from pbem.core.game.clock_display import clock_display, times_used
from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.game import Game
from pbem.core.lobby.challenges import Seek
from pbem.core.ratings.results import GameRating, is_short, rating_text
from pbem.core.records.record import game_data, record_of
from pbem.duties.strength import too_far_sentence
from pbem.keys.record_keys import record_signer
from pbem.store import (
    bot_jobs,
    challenges,
    events,
    game_lists,
    games,
    guesses,
    hints,
    puzzles,
    rating_queries,
    watches,
)
from pbem.store.engine import Connection
from pbem.store.game_lists import GameCounts, GamesPage, GameVersion
from pbem.store.moments import moments_of_game
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.evaluation_chart import evaluation_chart
from pbem.web.filters import NEAR
from pbem.web.home import home_tag, load_home
from pbem.web.own_game import own_facts
from pbem.web.replay import ReplayedGame, collect_remarks, outcome, page_of_remarks, replay
from pbem.web.responses import (
    Validator,
    application,
    key_of,
    parse_number,
    public_page,
    public_response,
    raise_not_found,
    rules_of,
    svg_response,
    version_query,
)
from pbem.web.search_form import read_search
from pbem.web.viewer import is_again, open_proposals, viewer
from rules import find, record
from rules.svg import svg

pages = Pages(
    "archive",
    __name__,
    nav=[MenuLink("/games", "Games", 10), MenuLink("/seeks", "Seeks", 40), MenuLink("/rules", "Rules", 50)],
    sitemap=["/", "/games", "/seeks", "/rules", "/rules/{game}"],
    rates={"all_games": "search"},
)

GAME_PATH = "/games/<int(max=999999999999):id>"
PLY_PATH = f"{GAME_PATH}/<int(max=99999):n>"
PAGE_SIZE = 20
A_DAY = timedelta(days=1)
RUNNING, RESULTS, WAITING = 6, 3, 3


@pages.get("/")
def front() -> Response:
    now, known, player = application().now(), application().games_by_key, viewer()
    with application().store.read() as db:
        facts: dict[str, Any] = {
            "counts": game_lists.count_wanted(db, known),
            "running": game_lists.newest_running(db, known, RUNNING),
            "results": game_lists.newest_results(db, known, RESULTS),
            "seeks": challenges.count_open_seeks(db, now),
            "home": load_home(db, player) if player else None,
            "proposals": open_proposals(db),
            "tag": home_tag(db),
            "waiting": challenges.open_seeks(db, known, now, most=WAITING),
        }
        facts["standings"] = _seekers(db, facts["waiting"])
        facts["far"] = _too_far(db, facts["waiting"])
        changed_at = game_lists.last_change_at(db)
    return public_page("front.html", changed_at, **facts)


@pages.get("/games")
def all_games() -> Response:
    """Return the page of games asked for, or none if unclear."""
    before, after = (request.args.get(name, type=parse_number) for name in ("before", "after"))
    known = application().games_by_key
    with application().store.read() as db:
        search = read_search(db, known, request.args)
        page, counts = GamesPage((), None, None), GameCounts(0, 0)
        if not search.problem:
            wanted = search.wanted
            page = game_lists.page_of_games(db, known, wanted, before=before, after=after, most=PAGE_SIZE)
            counts = game_lists.count_wanted(db, known, wanted, page)
        changed_at = game_lists.last_change_at(db)
    return public_page("games.html", changed_at, search=search, page=page, counts=counts, most=PAGE_SIZE)


@pages.get(GAME_PATH)
def game(id: int) -> Response:
    return game_response(id, "page", partial(_game_page, None), timed=True, dated=True, judged=True)


@pages.get(PLY_PATH)
def ply(id: int, n: int) -> Response:
    return game_response(id, f"page.{n}", partial(_game_page, n), timed=True, dated=True, judged=True)


@pages.get(f"{GAME_PATH}/card")
def card(id: int) -> Response:
    """A card of A6 to print, for those who play by post."""

    def write(game: Game, _pin: str) -> str:
        return render_template("card.html", replay=replay_or_404(game, None))

    return game_response(id, "card", write)


@pages.get(f"{GAME_PATH}/words")
def words(id: int) -> Response:
    first = request.args.get("from", 0, type=parse_number)

    def write(game: Game, _pin: str) -> str:
        return render_template("words.html", game=game, page=page_of_remarks(collect_remarks(game), first))

    return game_response(id, f"words.{first}", write)


@pages.get(f"{PLY_PATH}.svg", defaults={"coordinates": True})
@pages.get(f"{PLY_PATH}-small.svg", defaults={"coordinates": False})
def drawing(id: int, n: int, coordinates: bool) -> Response:
    def draw(game: Game, _pin: str) -> Response:
        picture = replay_or_404(game, n).shown.picture
        return svg_response(svg(picture, coordinates=coordinates, standalone=True).encode())

    return game_response(id, f"svg.{n}.{coordinates}", draw, is_file=True)


@pages.get(f"{GAME_PATH}.game")
def as_record(id: int) -> Response:
    config, signer = application().config, record_signer(application().config)

    def write(game: Game, _pin: str) -> Response:
        text = record.write(record_of(game, config.host, signer.sign))
        answer = Response(text, mimetype="text/plain")
        answer.headers["Content-Disposition"] = f'attachment; filename="{game.rules.key}-{id}.game"'
        return answer

    return game_response(id, f"record.{signer.mark}", write, is_file=True)


@pages.get(f"{GAME_PATH}.json")
def as_data(id: int) -> Response:
    host = application().config.host
    return game_response(id, "json", lambda game, _: jsonify(game_data(game, host)), is_file=True)


def game_response(
    id: int,
    what: str,
    make: Callable[[Game, str], str | Response],
    *,
    timed: bool = False,
    dated: bool = False,
    judged: bool = False,
    is_file: bool = False,
) -> Response:
    """Answer with a version of a finished game, or 304.

    A file is kept for good if the address names its version. No page is: a director may open a finished game
    again, and a name may be erased. `timed`: the page shows clocks and vacations, so that it is valid for an
    hour at most if the game has a clock. `dated`: it shows ratings and how long ago things were, so that its
    date does not tell whether it has changed. `judged`: it has the evaluation, the puzzles or
    the guesses of a finished game, which may change after the end.
    """
    with application().store.read() as db:
        fresh = game_lists.freshness(db, id) or raise_not_found(f"There is no game {id} here.")
        pin = version_query(id, fresh)
        tag, changed_at = f"{id}.{fresh.tag}.{what}", fresh.changed_at
        if dated:
            tag = ".".join([tag, *_shown_beside(db, id, fresh)])
        if judged and fresh.ended:
            tag = f"{tag}.{int(_is_evaluated(db, id))}.{len(puzzles.plies_of_game(db, id))}"
            tag = ".".join([tag, *map(str, guesses.count_guesses(db, id))])
        if timed and fresh.ticks:
            hour = application().now().replace(minute=0, second=0)
            until = "" if fresh.deadline is None else f"{fresh.deadline.timestamp():.0f}"
            tag, changed_at = f"{tag}.{until}.{hour.timestamp():.0f}", max(changed_at, hour)
        for_good = is_file and pin == f"?v={request.args.get('v')}"
        by_date = fresh.ended and not (fresh.gone or dated or judged)
        validator = Validator(tag, changed_at, by_date, for_good)

        def answer() -> str | Response:
            found = games.load_game(db, application().games_by_key, id)
            sentence = f"Game {id} is of a kind that is not played here any more."
            return make(found or raise_not_found(sentence), pin)

        return public_response(answer, validator)


def _shown_beside(db: Connection, game: int, fresh: GameVersion) -> list[str]:
    """Return the numbers of watchers and hints, and the ratings. A recent game has its minute or hour too."""
    now = application().now()
    standings = rating_queries.standings_of(db, fresh.rules, fresh.ids)
    shown = [f"{id}={rating_text(standing, now)}" for id, standing in sorted(standings.items())]
    numbers = [str(watches.count_watchers(db, game)), str(hints.count_in_game(db, game))]
    return [*numbers, *shown, *_time_shown(now, fresh)]


def _time_shown(now: datetime, fresh: GameVersion) -> list[str]:
    """Return the minute or hour for which a page with relative times is valid; [] if it shows dates.

    The minute counts if a time shown is less than a day away, the hour if less than 30 days.
    """
    moments = [fresh.changed_at] if fresh.deadline is None else [fresh.changed_at, fresh.deadline]
    distance = min(abs(now - moment) for moment in moments)
    return [f"{now:%m%d%H%M}" if distance < A_DAY else f"{now:%m%d%H}"] if distance < NEAR else []


def _is_evaluated(db: Connection, game: int) -> bool:
    ended_at = games.end_of_game(db, game)
    return ended_at is not None and bool(bot_jobs.find_result(db, ANALYSIS, key_of_ended(game, ended_at)))


def _game_page(n: int | None, game: Game, pin: str) -> str:
    return render_template("game.html", **game_facts(n, game, pin))


def game_facts(n: int | None, game: Game, pin: str = "") -> dict[str, Any]:
    """Return what a game's page after ply `n` shows, or after the last."""
    with application().store.read() as db:
        standings = rating_queries.standings_of(db, game.rules.key, (game.seats[0].id, game.seats[1].id))
        changes = rating_queries.rating_changes_of(db, game.id)
        watchers, player = watches.count_watchers(db, game.id), viewer()
        watching = player is not None and game.id in watches.watched_by_player(db, player)
        again = [each for each in open_proposals(db) if is_again(each, game)] if game.state.ending else []
        hinted, evaluation = hints.hints_of_game(db, game.id), evaluation_of(db, game)
        moments = player is not None and moments_of_game(db, player, game.id) is not None
        place = events.shown_place(db, game.id)
        found_puzzles = puzzles.plies_of_game(db, game.id) if game.state.ending else []
        right_guesses, compared = guesses.count_guesses(db, game.id) if game.state.ending else (0, 0)
    found = replay_or_404(game, n)
    return {
        "standings": standings,
        "changes": changes,
        "watchers": watchers,
        "watching": watching,
        "again": again,
        "hinted": hinted,
        "right_guesses": right_guesses,
        "guesses": compared,
        "evaluation": evaluation,
        "chart": evaluation_chart(game, evaluation["values"], found.n) if evaluation else "",
        "moments": moments,
        "puzzles": found_puzzles,
        "place": place,
        "replay": found,
        "pin": pin,
        "permalink": n is not None,
        "clocks": clock_display(game, application().now()),
        "outcome": outcome(game),
        "fingerprint": fingerprint(game, game.state.plies, application().config.host),
        "short": game.state.ending is not None and is_short(game.state),
        "used": times_used(game),
        "problem": "",
        "typed": "",
        **(own_facts(game) if n is None else {"own": None, "hint": None, "live": None}),
    }


def evaluation_of(db: Connection, game: Game) -> dict[str, Any] | None:
    """Return a finished game's chances and largest swings, None before the game is evaluated."""
    found = bot_jobs.find_result(db, ANALYSIS, analysis_key(game)) if game.state.ending else None
    if not found or len(found["values"]) != len(game.state.plies) + 1:
        return None
    return {"values": found["values"], "swings": largest_swings(game.state.plies, found["values"])}


def replay_or_404(game: Game, n: int | None) -> ReplayedGame:
    found = replay(game, n)
    return found or raise_not_found(
        f"Game {game.id} has no move {n} yet: the last one so far is move {len(game.state.plies)}."
    )


@pages.get("/seeks")
def all_seeks() -> Response:
    """Open seeks, of the game in the query if it names one."""
    key = key_of(request.args.get("game", "").strip()[:40])
    with application().store.read() as db:
        waiting = challenges.open_seeks(db, application().games_by_key, application().now(), rules=key)
        standings, far = _seekers(db, waiting), _too_far(db, waiting)
    newest = max((seek.created_at for seek in waiting), default=None)
    return public_page("seeks.html", newest, waiting=waiting, standings=standings, far=far, asked=key)


def _too_far(db: Connection, waiting: Iterable[Seek]) -> dict[int, str]:
    """Return why the viewer's strength does not fit, by seek."""
    player, now = viewer(), application().now()
    others = [seek for seek in waiting if player and seek.seeker.id != player.id]
    found = {seek.id: too_far_sentence(db, seek, player, now) for seek in others}
    return {id: sentence for id, sentence in found.items() if sentence}


def _seekers(db: Connection, waiting: Iterable[Seek]) -> dict[tuple[int, str], GameRating]:
    return rating_queries.standings_of_players(db, [seek.seeker.id for seek in waiting])


@pages.get("/rules")
def all_rules() -> Response:
    return public_page("all_rules.html", validator=Validator("rules"))


@pages.get("/rules/<key>")
def rules(key: str) -> ResponseReturnValue:
    called = find(key)
    if called is not None and called.key != key:
        return redirect(f"/rules/{called.key}#{key.lower()}", 301)
    found = rules_of(key)
    standard = found.complete({})
    return public_page("rules.html", validator=Validator(f"rules.{key}"), rules=found, standard=standard)
