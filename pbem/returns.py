"""Bounces, refusals of our relay, and players reachable again.

`pbem.core.returns` decides about points; here they are looked up, stored and told. Only a letter's own bounce
address identifies it, and only its recipient gets the points.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.core import returns
from pbem.core.inbound import Inbound
from pbem.core.letters import Letter, to_player
from pbem.core.people import Player
from pbem.desk import Confirming, Desk, Disposition, Leaving, Person, Who
from pbem.mail.addressing import BadAddress
from pbem.mail.bounces import read_bounce
from pbem.office import Office
from pbem.store import bounces, challenges, games, people, post
from pbem.store.delivery import Due
from pbem.store.engine import Connection
from pbem.store.games import Running
from pbem.store.post import Kept

log = logging.getLogger("pbem.post")


# A bounce.


def take_back(office: Office, db: Connection, kept: Kept, inbound: Inbound, now: datetime) -> Disposition:
    """File a machine's mail; where it says that a letter of ours came back, with what follows."""
    filing = Disposition(inbound.kind, inbound.reason)
    for letter in _letters_of(office, db, kept.recipient):
        if not returns.still_counts(letter.sent_at, now):
            return replace(filing, detail=f"{inbound.reason}; o{letter.id} is too old to count")
        points, status = returns.points_of(read_bounce(kept.raw), letter.recipient)
        if points:
            told = came_back(office, db, letter.id, letter.recipient, points, status, now)
            detail = f"{inbound.reason}; o{letter.id} came back ({_shown(points, status)})"
            return replace(filing, detail=detail, letters=told)
    return filing


def _letters_of(office: Office, db: Connection, recipient: str) -> list[bounces.Letter]:
    """The letters of a bounce address, none for any other address."""
    try:
        address = office.addressing.read(recipient)
    except BadAddress:
        return []
    if address.mailbox != "bounce":
        return []
    local, _, _host = recipient.strip("<> ").rpartition("@")
    return bounces.letters_from(db, f"{local.lower()}@{office.addressing.host}")


def _shown(points: int, status: str) -> str:
    return f"{'hard' if points == returns.HARD else 'soft'}{f', {status}' if status else ''}"


def came_back(
    office: Office, db: Connection, letter: int, address: str, points: int, status: str, now: datetime
) -> tuple[Letter, ...]:
    """Record a bounce. Returns letters to opponents if it suspends the address."""
    people.one_at_a_time(db, address)
    if not bounces.keep(db, letter, address, points, status, now):
        return ()
    if not returns.is_too_much(bounces.points(db, address, now - returns.WINDOW)):
        return ()
    number = bounces.suspend(db, address, now)
    player = people.by_id(db, number) if number is not None else None
    if player is None:
        return ()
    log.warning("letters to player %d come back and are held from now on", player.id)
    return () if player.reachable else _tell_opponents(office, db, player, now)


def refused(office: Office, db: Connection, letter: Due, answer: str, now: datetime) -> tuple[Letter, ...]:
    """Record a refusal by our relay like a bounce."""
    points = returns.points_of_answer(answer)
    if not points:
        return ()
    return came_back(office, db, letter.id, letter.recipient, points, answer[:60], now)


def _tell_opponents(office: Office, db: Connection, player: Player, now: datetime) -> tuple[Letter, ...]:
    """One letter for each opponent, with all games against them."""
    across: dict[str, list[Running]] = {}
    for game in games.running(db, office.shelf, player):
        across.setdefault(game.opponent, []).append(replace(game, opponent=player.name))
    found = ((people.by_name(db, name), running) for name, running in across.items())
    return tuple(
        to_player("unreachable", opponent, name=player.name, running=_seen_by_the_other(running))
        for opponent, running in found
        if opponent is not None and _not_told_today(db, player, opponent, now)
    )


def _not_told_today(db: Connection, player: Player, opponent: Player, now: datetime) -> bool:
    """True once a day per opponent. Players could otherwise cause such letters by bounces of their own."""
    return post.first_time(db, "unreachable", f"{player.id} to {opponent.id}", now)


def _seen_by_the_other(running: Sequence[Running]) -> list[Running]:
    return [replace(game, your_turn=not game.your_turn) for game in running]


# A player who writes again.


@dataclass(frozen=True)
class Lifted:
    """A player whose letters were held since `since` and are released."""

    player: Player
    since: datetime | None


def lift(desk: Desk, who: Who) -> tuple[Who, Lifted | None]:
    """Lift the suspension of a proven player. Returns the sender, updated, as in the games here."""
    player = _proven(desk, who)
    if player is None or not player.suspended:
        return who, None
    since = bounces.lift(desk.db, player)
    again = replace(player, suspended=frozenset())
    for number, game in desk.games.items():
        first, second = (again if seated.id == again.id else seated for seated in game.seats)
        desk.games[number] = replace(game, seats=(first, second))
    if isinstance(who, Person | Leaving):
        who = replace(who, player=again)
    return who, Lifted(again, since)


def greet(desk: Desk, lifted: Lifted) -> Letter:
    """The letter that says so, with the open challenges."""
    player = lifted.player
    waiting = challenges.waiting(desk.db, desk.office.shelf, player, desk.now)
    to_you = [challenge for challenge in waiting if challenge.challenged.id == player.id]
    return to_player("reachable", player, since=lifted.since, to_you=to_you)


def _proven(desk: Desk, who: Who) -> Player | None:
    """The player if certainly the writer, else None."""
    if isinstance(who, Person | Leaving):
        return who.player
    return people.by_address(desk.db, who.confirmation.address) if isinstance(who, Confirming) else None


def release(db: Connection, filing: Disposition, now: datetime) -> None:
    """Let go what was held for the player who has just been told so."""
    for letter in filing.letters:
        if letter.kind == "reachable" and letter.player is not None:
            bounces.release(db, letter.player, now)
