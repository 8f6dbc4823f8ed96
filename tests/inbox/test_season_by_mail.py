"""A whole season by mail, in which mails are lost and come twice, and players take days off or leave."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.duties.game_clock import check_due_games
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.mailbox import new_mail
from pbem.store import events, players
from pbem.worker.events import check_events
from tests.amount import amount
from tests.apps import DAY, Clock, example, flat, letters, load, mail, no_days_off
from tests.inbox.seasons import (
    RULES,
    a_league,
    address_of,
    all_games,
    current,
    going,
    name_of,
    rows_follow_from_the_journal,
)
from tests.inbox.test_seasons import independent_table, states

LOST, DOUBLED = 0.1, 0.2
"""The shares of mails that never come, and of those that come twice."""


@dataclass
class Post:
    """A bad post between players and the server. Each player has one address here for all their mails."""

    app: App
    chance: random.Random
    done: int = 0
    doubled: int = 0
    lost: int = 0
    left: set[int] = field(default_factory=set)

    def write(self, number: int, words: str, game: int = 0) -> bool:
        """Send words about a game, or about none; False if they are lost on the way."""
        with self.app.store.read() as db:
            player = players.player_by_name(db, name_of(number))
        assert player is not None
        today = days_since_1970(self.app.now())
        to = self.app.addressing.reply(Token("player", (player.id, 0, player.epoch, today)))
        raw = new_mail(player.address, to, f"game {game}\n{words}" if game else words)
        if self.chance.random() < LOST:
            self.lost += 1
            return False
        first = mail(self.app, player.address, raw, to)
        self.done += first == "done"
        if self.chance.random() < DOUBLED:
            self.doubled += 1
            mail(self.app, player.address, raw, to)
        return True


def numbers_of(app: App, ids: list[int]) -> dict[int, int]:
    """The numbers in the players' names, by their ids."""
    with app.store.read() as db:
        known = players.players_by_ids(db, ids)
    return {id: int(player.name.removeprefix("P")) for id, player in known.items()}


def _play(app: App, clock: Clock, post: Post, event: int, by_id: dict[int, int]) -> None:
    """Play day by day until the season is over; some players never answer from some day on."""
    chance, silent = post.chance, set[int]()
    no_days_off(app, *by_id)
    for day in range(80):
        clock.now += DAY
        check_due_games(app)
        check_events(app)
        found = current_or_over(app, event)
        if found.state == league.OVER and found.next_at is None:
            return
        for game in [each for n in range(1, found.divisions + 1) for each in going(app, event, n)]:
            mover = (game.first, game.second)[load(app, game.game or 0).state.to_play]
            if mover not in silent:
                _turn(app, post, game, mover, by_id)
        playing = [id for id, state in states(app, event).items() if state == league.PLAYING]
        if chance.random() < 0.3:
            post.write(by_id[chance.choice(playing)], "vacation 3 days")
        if found.state == league.RUNNING and day % 10 == 1:
            silent.add(chance.choice(playing))
        if found.state == league.RUNNING and day % 4 == 2:
            leaver = chance.choice(playing)
            if post.write(by_id[leaver], f"leave {RULES} league yes"):
                post.left.add(leaver)
    raise AssertionError("the season has no end")


def _turn(app: App, post: Post, game: league.EventGame, mover: int, by_id: dict[int, int]) -> None:
    """Have a player give a game up, make a move, agree on a draw, or wait a day."""
    number, what = game.game or 0, post.chance.random()
    if what < 0.15:
        post.write(by_id[mover], "resign yes", number)
    elif what < 0.2:
        post.write(by_id[mover], "draw", number)
        post.write(by_id[game.second if mover == game.first else game.first], "accept draw", number)
    elif what < 0.8:
        post.write(by_id[mover], example(load(app, number)), number)


def current_or_over(app: App, event: int) -> Event:
    with app.store.read() as db:
        found = events.find_event(db, event)
    assert found is not None
    return found


def _check_forfeits(app: App, event: int, post: Post) -> None:
    """Whoever has left, or lost three games on time, is out; others forfeit the games they never began."""
    missed = dict.fromkeys(states(app, event), 0)
    forfeits = set()
    for game in all_games(app, event):
        ending = load(app, game.game).state.ending if game.game else None
        how = "" if ending is None else ending.how
        if how == "timeout" and ending is not None:
            missed[game.second if ending.winner == 0 else game.first] += 1
        if game.score in ("+", "-"):
            loser = game.second if game.score == "+" else game.first
            missed[loser] += how == "void"
            forfeits |= set() if how == "void" else {loser}
    out = {id for id, count in missed.items() if count >= 3} | post.left
    assert out == {id for id, state in states(app, event).items() if state == league.LEFT}
    assert forfeits <= out


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_season_by_a_bad_post_ends_with_an_independent_table(app: App, clock: Clock) -> None:
    chance = random.Random(15)
    post, number = Post(app, chance), amount(12, 40)
    a_league(app, clock, 0, size=amount(6, 10), at_once=4, days=60, pace="3d/move")
    with app.store.write() as db:
        ids = [players.add_player(db, name_of(n), address_of(n), app.now()).id for n in range(1, number + 1)]
    by_id = numbers_of(app, ids)
    joined = {id for id in ids if post.write(by_id[id], f"join {RULES} league")}
    event = current(app).id
    assert joined == {id for id, state in states(app, event).items() if state == league.ENTERED}
    clock.now += 8 * DAY
    check_events(app)
    confirmed = {id for id in sorted(joined) if post.write(by_id[id], f"join {RULES} league")}
    clock.now += 7 * DAY
    check_events(app)
    seated = {id for id, state in states(app, event).items() if state == league.PLAYING}
    assert confirmed == seated and 4 <= len(seated) < number
    _play(app, clock, post, event, by_id)
    assert post.lost and post.doubled and post.left and post.done > 3 * number
    _check_forfeits(app, event, post)
    with app.store.read() as db:
        tables = events.final_tables(db, event)
    assert tables == [independent_table(app, event, n) for n in range(1, len(tables) + 1)]
    assert rows_follow_from_the_journal(app, event)
    left = {id for id, state in states(app, event).items() if state == league.LEFT}
    for id in sorted(seated - left):
        told = [flat(each.text) for each in letters(app, address_of(by_id[id]))]
        assert 1 == sum("won division" in text or "has won the league" in text for text in told)
