"""Live play, begun and ended many times in many games with bad luck, beside the same games by mail alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from threading import Barrier

import pytest

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.game.game import Game
from pbem.core.play.live import LivePlay
from pbem.core.players import Player
from pbem.duties import game_clock, live
from pbem.inbox import web_move
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import live as live_rows
from tests.amount import amount
from tests.apps import BILL, JOAO, Town, example, letters, load, no_days_off, reply

GAMES, ROUNDS = amount(2, 5), amount(4, 10)


class Cut(Exception):
    pass


def by_page(app: App, game: Game, move: str) -> None:
    """The player to move sends it on the game's page; a form whose answer was lost is sent again."""
    who = game.seats[game.state.to_play or 0]
    with app.store.read() as db:
        link = web_move.read_compose_link(app, db, game.id, web_move.seal(app, db, game, who))
    body = web_move.compose_body(link, [move], "", app.config.host)
    assert body is not None
    assert web_move.submit(app, link, body, "1") == web_move.submit(app, link, body, "1")


def newest(app: App, game: int, who: str) -> ReceivedLetter | None:
    found = (each for each in reversed(letters(app, who)) if each.header("X-PBEM-Game") == str(game))
    return next(found, None)


def by_mail(app: App, game: Game, move: str) -> None:
    """The player to move answers the newest letter; the first one of a game has none yet."""
    who = game.seats[game.state.to_play or 0].address
    letter = newest(app, game.id, who)
    if letter is None:
        by_page(app, game, move)
    else:
        assert "done" == reply(app, who, letter, move)


def both(app: App, rng: Random, numbers: tuple[int, int], moves: str) -> None:
    """Make the same move in both games, in the second by mail."""
    lively, plain = (load(app, number) for number in numbers)
    move = example(lively)
    (by_page if moves == "page" or rng.random() < 0.2 else by_mail)(app, lively, move)
    by_mail(app, plain, move)


def live_letters(app: App, game: int) -> list[int]:
    """The number of letters about live play of a game that each has had."""
    mine = [each.header("Message-ID") for who in (BILL, JOAO) for each in letters(app, who)]
    mine = [each for each in mine if each.startswith(f"<g{game}.")]
    return [sum(f".s{seat}.live." in each for each in mine) for seat in (0, 1)]


def look(app: App, game: int) -> None:
    """Both have the page of the game open."""
    for player in load(app, game).seats:
        with app.store.read() as db:
            news = live_rows.live_news(db, game)
        assert news is not None
        seat = news.seat_of(player)
        assert seat is not None
        live.note_presence(app, game, seat, news.play or LivePlay())


def press(app: App, rng: Random, game: int) -> None:
    """Both want to play on, in any order; a click may come twice, or before somebody has left."""
    seats = list(load(app, game).seats)
    rng.shuffle(seats)
    for player in seats:
        for _ in range(rng.choice((1, 1, 2))):
            live.play_on(app, game, player)


def end(app: App, rng: Random, game: int, town: Town) -> None:
    """One of them ends it, or both leave. A process may die between the last move and the letters."""

    def dies(step: str) -> None:
        if step == "live":
            raise Cut

    if rng.random() < 0.3:
        live.stop(app, game, rng.choice(load(app, game).seats))
    town.pass_by(minutes=rng.choice((6, 70)))
    if rng.random() < 0.3:
        live.end_due(replace(app, step=dies))
    live.end_due(app)


@pytest.mark.each_database
@pytest.mark.parametrize("seed", range(amount(1, 20)))
def test_games_switched_to_and_fro_are_as_by_mail_alone(town: Town, seed: int) -> None:
    app, rng, pace = town.app, Random(seed), read_pace("3d/move")
    no_days_off(app, *(each.id for each in town.players.values()))
    pairs = []
    for number in range(GAMES):
        setup = {"seed": number, "time_control": pace}
        pairs.append((town.game(BILL, JOAO, "bipod", **setup).id, town.game(BILL, JOAO, "bipod", **setup).id))
    for _ in range(ROUNDS):
        for numbers in pairs:
            if load(app, numbers[0]).state.ending is None:
                _round(town, rng, numbers)
    for lively, plain in pairs:
        assert load(app, plain).journal == load(app, lively).journal
        assert load(app, plain).deadline == load(app, lively).deadline


def _round(town: Town, rng: Random, numbers: tuple[int, int]) -> None:
    """Play a few moves at once, then go on by mail."""
    app, game = town.app, numbers[0]
    before = live_letters(app, game)
    look(app, game)
    press(app, rng, game)
    with app.store.read() as db:
        on = live_rows.live_play(db, game).is_on(app.now())
    made = 0
    for _ in range(rng.randrange(4)):
        if load(app, game).state.ending is None:
            town.pass_by(seconds=rng.randrange(100))
            both(app, rng, numbers, "page")
            made += 1
    end(app, rng, game, town)
    game_clock.check_due_games(app)
    now = load(app, game)
    assert now.state.flagged is None
    after = live_letters(app, game)
    if now.state.ending is not None:
        assert before == after
        return
    assert [count + bool(on and made) for count in before] == after
    if made:
        letter = newest(app, game, now.seats[now.state.to_play or 0].address)
        assert letter is not None and str(len(now.state.plies)) == letter.header("X-PBEM-Ply")
    both(app, rng, numbers, "mail")


@pytest.mark.each_database
def test_a_move_at_the_moment_of_the_end_is_told_once(town: Town) -> None:
    app, number = town.app, town.game(BILL, JOAO).id
    for _ in range(4):
        game = load(app, number)
        for player in game.seats:
            live.play_on(app, number, player)
        town.pass_by(minutes=1)
        mover = game.state.to_play or 0
        waiting = game.seats[1 - mover]
        before, together = len(letters(app, waiting.address)), Barrier(2)

        def ends(together: Barrier = together, who: Player = waiting) -> None:
            together.wait()
            live.stop(app, number, who)

        with ThreadPoolExecutor(1) as other:
            ended = other.submit(ends)
            together.wait()
            by_page(app, game, example(game))
            ended.result()
        assert before + 1 == len(letters(app, waiting.address))
        letter = newest(app, number, waiting.address)
        assert letter is not None and str(len(game.state.plies) + 1) == letter.header("X-PBEM-Ply")
