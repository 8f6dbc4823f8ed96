"""The command `match`: an organiser asks another club for a match, and starts it. Members join by mail."""

from datetime import timedelta
from typing import Any

from pbem.commands.club_leagues import count_made, terms_of_club
from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal
from pbem.commands.event_director import EventAct
from pbem.commands.matches import match_letter
from pbem.commands.own_clubs import (
    MATCHED,
    ask_organisers,
    check_clubs_are_on,
    club_letter,
    named_club,
    own_club,
)
from pbem.core.errors import Refusal
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import Settings
from pbem.core.events.match import MATCH
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.challenges import CONFIRM_DAYS, find_rules
from pbem.core.lobby.clubs import Club
from pbem.core.play.director import director_name
from pbem.core.players import Player
from pbem.duties.clubs import check_organises, directs
from pbem.duties.new_games import told_terms
from pbem.duties.permissions import check_not_barred
from pbem.store import clubs, event_entries, events, matches, players
from pbem.store.players import Confirmation


@handles("match")
def _match(request: Request) -> list[Letter]:
    check_clubs_are_on(request.ctx)
    check_not_barred(request.player)
    return {"new": _new, "start": _start}[request.args["act"]](request)


def _new(request: Request) -> list[Letter]:
    """Ask the organisers of the other club; nothing is made before one of them says yes."""
    ctx, player, args = request.ctx, request.player, request.args
    rules = find_rules(args["game"], ctx.app.offered)
    other = named_club(ctx, args["other"], lock=False)
    own = own_club(ctx, player, args["club"], f"match new {rules.key} against {other.name} in")
    if own.id == other.id:
        raise Refusal(f"A match is of two clubs. Write another one than {other.name} behind `against`.")
    _check_none_waits(ctx, own, other, rules.key)
    settings = terms_of_club(rules, args, clubs=(own.name, other.name))
    count_made(ctx, own)
    data = {"club": other.id, "by": player.id, "own": own.id, "rules": rules.key, "settings": settings.data}
    told = told_terms(ctx.app, Event(0, rules.key, 0, settings, None))
    asked, letters = ask_organisers(ctx, MATCHED, other, player, data, own=own, **told)
    if not asked:
        raise Refusal(f"Nobody organises {other.name} now who could answer.")
    names = [each.name for each in asked]
    return [club_letter(ctx, player, "matched", own, others=names, rival=other), *letters]


def _check_none_waits(ctx: Context, own: Club, other: Club, rules: str) -> None:
    if live := clubs.matches_between(ctx.db, (own.id, other.id), rules):
        raise Refusal(f"The {live[0].title} is open or runs already: `table {live[0].id}` shows it.")


def confirm_match(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Make the match that another club's organiser has asked for. Raises Refusal."""
    check_clubs_are_on(ctx)
    data = question.data
    first, second = (clubs.lock_club(ctx.db, each) for each in sorted((data["club"], data["own"])))
    asker = players.player_by_id(ctx.db, data["by"])
    if first is None or second is None or asker is None or data["rules"] not in ctx.app.offered:
        return plain_refusal(owner, "This match cannot be made any more: a club, or its game, is gone.")
    other, own = (first, second) if first.id == data["club"] else (second, first)
    check_organises(ctx.db, owner, other)
    if asker.barred or not clubs.is_member(ctx.db, own.id, asker.id, organiser=True):
        return plain_refusal(owner, f"{asker.name} does not organise {own.name} any more.")
    _check_none_waits(ctx, own, other, data["rules"])
    starts = ctx.now + timedelta(days=CONFIRM_DAYS)
    terms = (data["rules"], Settings(**data["settings"]), starts)
    id = event_entries.add_match(ctx.db, *terms, ctx.now, (own.id, other.id))
    EventAct(ctx.db, ctx.now, "", director_name(asker)).note(id, MATCH)
    event = events.find_event(ctx.db, id)
    assert event is not None
    return MailOutcome("done", "made a match of clubs", tuple(_ask_members(ctx, event, (own, other))), owner)


def _ask_members(ctx: Context, event: Event, both: tuple[Club, Club]) -> list[Letter]:
    """Make the letter that asks a member to play, to each of both clubs but the barred."""
    club_of = {each.player: club for club in reversed(both) for each in clubs.members_of(ctx.db, club.id)}
    known = players.players_by_ids(ctx.db, list(club_of)).values()
    facts: dict[str, Any] = {"event": event, "title": event.title, **told_terms(ctx.app, event)}
    letters = []
    for member in known:
        club = club_of[member.id]
        other = both[1] if club == both[0] else both[0]
        directing = directs(ctx.db, member, event)
        if not (member.barred or member.gone):
            told = to_player("clubmatch", member, club=club, other=other, directs=directing, **facts)
            letters.append(told)
    return letters


def _start(request: Request) -> list[Letter]:
    """Start a match with those who have joined."""
    ctx, player, number = request.ctx, request.player, int(request.args["number"])
    event = events.lock_event(ctx.db, number)
    if event is None or event.kind != MATCH or not event.club_ids:
        raise Refusal(f"No match of two clubs has number {number}. `events` lists those there are.")
    if not directs(ctx.db, player, event):
        raise Refusal(f"Only an organiser of {' or '.join(event.settings.clubs)} starts it.")
    if event.state != league.OPEN:
        raise Refusal(f"The {event.title} has begun already.")
    ready = {each.club for each in matches.members_of(ctx.db, event.id)}
    if missing := [name for n, name in enumerate(event.settings.clubs, 1) if n not in ready]:
        raise Refusal(f"Nobody plays for {missing[0]} yet. A member joins with `join match {event.id}`.")
    EventAct(ctx.db, ctx.now, "", director_name(player)).note(event.id, "start", next=ctx.now)
    return [match_letter(ctx, player, event, "started")]
