"""The Saturday paper: made once a week, and sent to its readers.

The issue of a week is a row, made once the week has ended; its readers are rows with the moment when theirs
is due, moved in the transaction that queues the letter. So a killed process doubles and loses none.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from pbem.app import App
from pbem.core import paper
from pbem.core.clock.dates import zone_of
from pbem.core.events.event import EventPlace
from pbem.core.exercises.lesson import find_lesson
from pbem.core.exercises.puzzle import ShownPuzzle
from pbem.core.game.game import Game
from pbem.core.letters.letter import to_player
from pbem.core.paper import Issue, Leaders, Mover, ShownLeaders, ShownPaper, Week
from pbem.core.players import Player
from pbem.duties.leagues import leading_players
from pbem.duties.puzzles import load_shown, next_morning
from pbem.outbox import drain, write
from pbem.store import events, games, outbox, papers, players, puzzles
from pbem.store.engine import Connection
from rules.contract import Rules

log = logging.getLogger("pbem.paper")

KIND = CATEGORY = "paper"
ON = "on"
SATURDAY = 5


def schedule_paper(db: Connection, player: Player, value: str, now: datetime) -> None:
    """Have the player's next paper due, or none."""
    papers.READERS.set_due(db, player.id, next_saturday(player, now) if value == ON else None)


def next_saturday(player: Player, now: datetime) -> datetime:
    """Return the player's next Saturday morning, at their quiet hours' end."""
    due, zone = next_morning(player, now), zone_of(player.preferences.zone)
    while due.astimezone(zone).weekday() != SATURDAY:
        due = next_morning(player, due + timedelta(minutes=1))
    return due


def make_issue(app: App, week: Week) -> None:
    """Make a past week's issue, unless there is one."""
    with app.store.read() as db:
        if papers.is_made(db, week):
            return
        issue = _gather(app, db, week, list(app.games_by_key))
    with app.store.write() as db:
        papers.store_issue(db, week, issue, app.now())
        app.step("paper made")
    if issue.data:
        log.info("paper of week %s made", week)


def _gather(app: App, db: Connection, week: Week, keys: list[str]) -> Issue:
    ended = papers.ended_games(db, keys, week)
    values = papers.values_of(db, ended)
    best = paper.choose_game(ended, values)
    game = None if best is None else games.load_game(db, app.games_by_key, best.id)
    lead = None if game is None else paper.lead_of(game, values.get(game.id, ()))
    steps = papers.rating_steps_of(db, keys, week)
    newcomers = papers.first_finished(db, keys, week)
    issue = Issue(
        lead,
        paper.choose_movers(steps),
        paper.choose_upset(steps),
        paper.choose_puzzle(papers.puzzles_of_week(db, keys, week), lead),
        tuple(newcomers[: paper.NEWCOMERS]),
        max(0, len(newcomers) - paper.NEWCOMERS),
    )
    if papers.is_of_first_weeks(db, week):
        shipped = puzzles.laboratory_puzzle_ids(db, list(app.offered))
        lesson = paper.choose_lesson(week, app.offered.values())
        issue = replace(issue, lesson=lesson, puzzle=issue.puzzle or paper.choose_of_week(week, shipped))
    return replace(issue, leagues=_leaders(db, keys)) if issue.data else issue


def _leaders(db: Connection, keys: list[str]) -> tuple[Leaders, ...]:
    """Return the leaders of each running league's first division with results."""
    found = (leading_players(db, each) for each in events.running_leagues(db, keys))
    return tuple(leaders for leaders in found if leaders is not None)


def load_paper(app: App, db: Connection, week: Week) -> ShownPaper | None:
    """Return a week's paper with names and boards, None if not made."""
    issue = papers.find_issue(db, week)
    return None if issue is None else show_issue(app, db, week, issue)


def show_issue(app: App, db: Connection, week: Week, issue: Issue) -> ShownPaper:
    """Return the issue with what may be shown now. Nobody erased or barred is in it, and no reopened game."""
    ids = {*(each.player for each in issue.movers), *(each.player for each in issue.newcomers)}
    ids |= {player for each in issue.leagues for player in each.players}
    known = {id: each for id, each in players.players_by_ids(db, ids).items() if _is_named(each)}
    newcomers = (
        paper.ShownNewcomer(known[each.player], each.game)
        for each in issue.newcomers
        if each.player in known and games.end_of_game(db, each.game) is not None
    )
    return ShownPaper(
        week,
        _show_lead(app, db, issue.lead),
        _show_movers(app, issue, known),
        _show_upset(app, db, issue.upset),
        _show_puzzle(app, db, issue.puzzle),
        tuple(newcomers),
        issue.more,
        tuple(_show_leaders(db, issue, known)),
        find_lesson(app.offered.get(issue.lesson[0]), issue.lesson[1]) if issue.lesson else None,
    )


def _is_named(player: Player) -> bool:
    return not (player.gone or player.barred)


def _load(app: App, db: Connection, id: int) -> Game | None:
    """A finished game of players who may be named; None for others."""
    game = games.load_game(db, app.games_by_key, id)
    if game is None or game.state.ending is None or game.state.ending.how == "void":
        return None
    return game if all(map(_is_named, game.seats)) else None


def _show_lead(app: App, db: Connection, lead: paper.Lead | None) -> paper.ShownLead | None:
    game = None if lead is None else _load(app, db, lead.game)
    if lead is None or game is None or lead.ply > len(game.state.plies):
        return None
    return paper.ShownLead(lead, game)


def _show_movers(
    app: App, issue: Issue, known: dict[int, Player]
) -> tuple[tuple[Rules, tuple[tuple[Mover, Player], ...]], ...]:
    """The movers by game, in the games' order."""
    by_game = {
        key: tuple(
            (each, known[each.player]) for each in issue.movers if each.rules == key and each.player in known
        )
        for key in app.games_by_key
    }
    return tuple((app.games_by_key[key], some) for key, some in by_game.items() if some)


def _show_leaders(db: Connection, issue: Issue, known: dict[int, Player]) -> Iterator[ShownLeaders]:
    for each in issue.leagues:
        event = events.find_event(db, each.event)
        named = tuple(known[player] for player in each.players if player in known)
        if event is not None and named:
            yield ShownLeaders(each, EventPlace(event, 1).title, named)


def _show_upset(app: App, db: Connection, upset: paper.Upset | None) -> paper.ShownUpset | None:
    game = None if upset is None else _load(app, db, upset.game)
    if upset is None or game is None or game.state.ending is None or game.state.ending.winner is None:
        return None
    winner, loser = game.seats[game.state.ending.winner], game.seats[1 - game.state.ending.winner]
    is_same = (winner.id, loser.id) == (upset.winner, upset.loser)
    return paper.ShownUpset(upset, game, winner, loser) if is_same else None


def _show_puzzle(app: App, db: Connection, id: int) -> ShownPuzzle | None:
    shown = load_shown(app, db, puzzles.puzzle_by_id(db, id)) if id else None
    return shown if shown is not None and all(map(_is_named, shown.game.seats)) else None


def send_papers(app: App, until: Callable[[], bool] = drain.never_stop) -> int:
    """Make the due issue and queue it; returns the number of letters.

    Any number of processes may run this. The paper is read once for all readers of a round, who wait for it.
    """
    now, shown = app.now(), None
    week = paper.last_week(now)
    with drain.log_failure(log, "the paper of week %s failed; it is tried again at the next round", week):
        make_issue(app, week)
        with app.store.read() as db:
            shown = load_paper(app, db, week) if papers.is_due(db, now) else None
    if shown is None:
        return 0
    news = shown

    def take(db: Connection, tried: Collection[int]) -> tuple[int, datetime] | None:
        return papers.READERS.take(db, now, tried)

    return drain.drain_rows(app, "paper", take, partial(_send, news=news), until)


def _send(app: App, db: Connection, player_id: int, _due: datetime, *, news: ShownPaper) -> int:
    player, now = players.player_by_id(db, player_id), app.now()
    if player is None or player.preferences.more.get(CATEGORY) != ON:
        papers.READERS.set_due(db, player_id, None)
        return 0
    papers.READERS.set_due(db, player_id, next_saturday(player, now))
    if not news.has_news or CATEGORY in player.stopped or not player.reachable:
        return 0
    letter, cause = to_player(KIND, player, paper=news), f"p{player.id}.{news.week}"
    if outbox.has_key(db, write.letter_key(letter, cause, 1)):
        return 0
    return len(write.queue_letters(app, db, [letter], now, about=cause))
