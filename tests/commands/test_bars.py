"""A bar holds everywhere, also after `forget me`; of a forgotten player no reason is kept."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.commands.bars import KEPT
from pbem.commands.moderation import Operator, bar_player, carry_out, name_director
from pbem.store import tables
from pbem.store.bars import bars
from pbem.store.tables.columns import metadata
from pbem.worker.events import check_events
from tests.apps import (
    ANNA,
    BILL,
    Clock,
    ask,
    begin,
    last_letter,
    last_words,
    player,
    register,
    reply,
    writes,
)
from tests.inbox.seasons import (
    a_league,
    address_of,
    all_games,
    begun,
    current,
    finish,
    going,
    name_of,
    rows_follow_from_the_journal,
)

WHY = "He wrote obscenities"
BY = Operator("ops", WHY)


def forget(app: App, who: str) -> None:
    writes(app, who, "forget me")
    assert "done" == writes(app, who, "yes")


def kept_digests(app: App) -> list[str]:
    with app.store.read() as db:
        return list(db.scalars(select(bars.c.digest)))


def test_a_bar_outlives_forget_me_for_the_same_address(app: App) -> None:
    register(app, BILL, "Bill")
    carry_out(app, BY, bar_player, "Bill")
    forget(app, BILL)
    register(app, BILL, "William")
    assert KEPT == player(app, "William").barred
    assert f"barred you: {KEPT}" in ask(app, BILL, "seek bipod")
    carry_out(app, BY, bar_player, "William", undo=True)
    forget(app, BILL)
    register(app, BILL, "Will")
    assert "" == player(app, "Will").barred


def test_who_adds_a_barred_address_is_barred(app: App) -> None:
    register(app, BILL, "Bill")
    carry_out(app, BY, bar_player, "Bill")
    forget(app, BILL)
    register(app, ANNA, "Anna")
    writes(app, ANNA, f"address add {BILL}")
    writes(app, ANNA, "confirm")
    writes(app, BILL, "confirm")
    assert KEPT == player(app, "Anna").barred


def test_neither_the_reason_nor_the_address_of_who_was_barred_is_kept(app: App) -> None:
    register(app, BILL, "Bill")
    carry_out(app, BY, bar_player, "Bill")
    forget(app, BILL)
    assert 1 == len(kept_digests(app))
    with app.store.write() as db:
        db.execute(tables.outbox.delete())
        found = [str(row) for table in metadata.sorted_tables for row in db.execute(select(table))]
    assert [] == [line for line in found if WHY in line or BILL in line]


def test_a_barred_directors_office_rests(app: App) -> None:
    begin(app)
    register(app, ANNA, "Anna")
    carry_out(app, BY, name_director, "Anna")
    writes(app, ANNA, "direct extend 1 2d\n\nThe mail was late")
    asked = last_words(app, ANNA)
    carry_out(app, BY, bar_player, "Anna")
    assert "done" != writes(app, ANNA, "yes"), asked
    assert "has barred you" in ask(app, ANNA, "direct extend 1 2d\n\nThe mail was late")
    carry_out(app, BY, bar_player, "Anna", undo=True)
    assert player(app, "Anna").director


@pytest.mark.each_database
def test_no_league_game_begins_with_a_barred_player(app: App, clock: Clock) -> None:
    ids = begun(app, clock, 5, at_once=1)
    event = current(app)
    carry_out(app, BY, bar_player, name_of(1))
    old = [game.game for game in all_games(app, event.id) if game.game and game.has(ids[0])]
    for _ in range(10):
        for game in going(app, event.id, 1):
            if game.game not in old:
                finish(app, game.game or 0, 0)
        check_events(app)
    mine = [game for game in all_games(app, event.id) if game.has(ids[0])]
    assert old == [game.game for game in mine if game.game], "those that run go on, and no others begin"
    assert all(game.score == ("-" if game.first == ids[0] else "+") for game in mine if not game.game)
    others = [game for game in all_games(app, event.id) if not game.has(ids[0])]
    assert all(game.game for game in others), "nobody else waits for them"
    assert rows_follow_from_the_journal(app, event.id)


@pytest.mark.each_database
def test_a_barred_player_confirms_no_season(app: App, clock: Clock) -> None:
    a_league(app, clock, 4)
    clock.pass_by(days=8)
    check_events(app)
    asked = last_letter(app, address_of(1))
    carry_out(app, BY, bar_player, name_of(1))
    assert "refused" == reply(app, address_of(1), asked, "yes")
    assert "has barred you" in last_words(app, address_of(1))
