"""A ladder for tests: its players, who write mails, and their games."""

from __future__ import annotations

from pbem.app import App
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.ladder import Ladder
from pbem.duties.ladders import load_ladder
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.mailbox import new_mail
from pbem.store import event_entries, events, players
from tests.apps import last_words, mail, writes
from tests.inbox.seasons import RULES, address_of, name_of


def a_ladder(app: App, number: int, *more: int) -> list[int]:
    """A ladder of so many new players, in the order of their names, then of `more`; returns their numbers."""
    now = app.now()
    with app.store.write() as db:
        ids = [players.add_player(db, name_of(n), address_of(n), now).id for n in range(1, number + 1)]
        event = event_entries.add_ladder(db, RULES, now)
        for id in (*ids, *more):
            event_entries.append(db, event, "join", now, players=[id], state=league.PLAYING)
    return ids


def current(app: App) -> Event:
    with app.store.read() as db:
        found = events.find_ladder(db, RULES)
    assert found is not None
    return found


def shown(app: App) -> Ladder:
    with app.store.read() as db:
        return load_ladder(db, current(app), app.now())


def order(app: App) -> str:
    """The order of the players, by the numbers of their names."""
    return " ".join(name.removeprefix("P").lstrip("0") for name in shown(app).order)


def says(app: App, number: int, words: str) -> str:
    """Have a player write to their own address here; returns the words of their newest letter."""
    with app.store.read() as db:
        player = players.player_by_name(db, name_of(number))
    assert player is not None
    token = Token("player", (player.id, 0, player.epoch, days_since_1970(app.now())))
    to = app.addressing.reply(token)
    mail(app, player.address, new_mail(player.address, to, words), to)
    return last_words(app, player.address)


def challenge(app: App, lower: int, upper: int) -> None:
    told = says(app, lower, f"ladder bipod {name_of(upper)}")
    assert f"you have challenged {name_of(upper)} on the Bipod ladder" in told, told


def play(app: App, lower: int, upper: int) -> int:
    """Challenge and accept by mail; returns the game's number."""
    challenge(app, lower, upper)
    assert "done" == writes(app, address_of(upper), "yes")
    pair = (name_of(lower), name_of(upper))
    (found,) = [each.game for each in shown(app).waiting if (each.lower, each.upper) == pair]
    assert found is not None
    return found
