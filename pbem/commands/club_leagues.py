"""The command `league`: an organiser makes a league of their club, and starts it. Ladders of clubs too."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pbem.commands.context import Context, Request, handles
from pbem.commands.event_director import EventAct
from pbem.commands.own_clubs import check_clubs_are_on, named_players, own_club
from pbem.core.clock.time_control import USUAL
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league
from pbem.core.events.divisions import MAX_SIZE
from pbem.core.events.event import LIVE, Event
from pbem.core.events.league import Settings
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.challenges import CONFIRM_DAYS, find_rules
from pbem.core.lobby.clubs import Club
from pbem.core.play.director import director_name
from pbem.core.players import Player
from pbem.duties.new_games import told_terms
from pbem.duties.permissions import check_not_barred
from pbem.mail.outbound.times import day
from pbem.store import clubs, event_entries, events, limits
from rules.contract import BadOption, Rules
from rules.notation import join_words

WEEK = timedelta(days=7)
MADE_A_WEEK = 5
"""Events that a club may make within a week, since each asks its members by letter."""
DOUBLE_DAYS = 180


@handles("league")
def _league(request: Request) -> list[Letter]:
    check_clubs_are_on(request.ctx)
    check_not_barred(request.player)
    return {"new": _new, "start": _start}[request.args["act"]](request)


def _new(request: Request) -> list[Letter]:
    """Make a league, of which the worker asks the players at once."""
    ctx, player, args = request.ctx, request.player, request.args
    rules = find_rules(args["game"], ctx.app.offered)
    club = own_club(ctx, player, args["club"], f"league new {rules.key} in")
    settings = terms_of_club(rules, args, club=club.name, double=args["double"])
    seasons = events.leagues_of_clubs(ctx.db, rules.key, [club.id])
    if live := next((each for each in seasons if each.state in LIVE), None):
        raise Refusal(f"The {live.title} is open or runs already.")
    asked = _asked(ctx, club, player, args["players"])
    count_made(ctx, club)
    last = next(iter(seasons), None)
    season, previous = (last.season + 1, last.id) if last else (1, None)
    id = event_entries.add_event(ctx.db, rules.key, season, settings, ctx.now, previous, club.id)
    EventAct(ctx.db, ctx.now, "", director_name(player)).note(id, "new")
    starts = ctx.now + timedelta(days=CONFIRM_DAYS)
    event_entries.append(ctx.db, id, "open", ctx.now, starts=starts, next=ctx.now)
    event_entries.append(ctx.db, id, "join", ctx.now, players=[player.id], state=league.CONFIRMED)
    event_entries.append(
        ctx.db, id, "join", ctx.now, players=[each.id for each in asked], state=league.ENTERED
    )
    return [_letter(ctx, player, "made", id, [each.name for each in asked])]


def make_ladder(request: Request) -> Event:
    """Make the ladder of a game in a club that the writer organises. Raises Refusal."""
    check_clubs_are_on(request.ctx)
    ctx, args = request.ctx, request.args
    rules = find_rules(args["game"], ctx.app.offered)
    club = own_club(ctx, request.player, args["club"], f"ladder new {rules.key} in")
    settings = terms_of_club(rules, args, club=club.name)
    there = clubs.events_of_club(ctx.db, club.id, [rules.key])
    if found := next((each for each in there if each.kind == ladder.LADDER), None):
        raise Refusal(f"There is the {found.title} already: `ladder {found.word}` enters it.")
    count_made(ctx, club)
    id = event_entries.add_ladder(ctx.db, rules.key, ctx.now, settings, club.id)
    EventAct(ctx.db, ctx.now, "", director_name(request.player)).note(id, "new")
    made = events.lock_event(ctx.db, id)
    assert made is not None
    return made


def count_made(ctx: Context, club: Club) -> None:
    if limits.count_attempt(ctx.db, f"club league {club.id}", ctx.now, WEEK) > MADE_A_WEEK:
        raise Refusal(
            f"{club.name} has made {MADE_A_WEEK} leagues, ladders and matches within a week; wait a little."
        )


def terms_of_club(rules: Rules, args: Mapping[str, Any], **of_club: Any) -> Settings:
    """Return the terms of a club's event as they were written. Raises Refusal."""
    try:
        rules.complete_for(args["game"], args["options"])
    except BadOption as wrong:
        raise Refusal(str(wrong)) from None
    days = DOUBLE_DAYS if of_club.get("double") else Settings.days
    more: dict[str, Any] = {"rated": args["rated"], **of_club}
    return Settings(args["options"], args["pace"] or USUAL, days, MAX_SIZE, **more)


def _asked(ctx: Context, club: Club, player: Player, names: list[str]) -> list[Player]:
    """Return those whom the league asks: the named ones, or all members, without its organiser."""
    there = {each.player: each.name for each in clubs.members_of(ctx.db, club.id)}
    asked = named_players(ctx, names or list(there.values()))
    if strangers := [each.name for each in asked if each.id not in there]:
        who = join_words(strangers)
        raise Refusal(
            f"{who} {'is' if len(strangers) == 1 else 'are'} not in {club.name}, so nobody was asked."
        )
    asked = [each for each in asked if each.id != player.id and not each.barred]
    if len(asked) + 1 < league.MIN_ENTRANTS:
        raise Refusal(
            f"A league has at least {league.MIN_ENTRANTS} players, and this one would have {len(asked) + 1}. "
            "`club invite` and a player's name brings somebody into the club."
        )
    return asked


def _start(request: Request) -> list[Letter]:
    """Start a league with those who have said yes."""
    ctx, player, args = request.ctx, request.player, request.args
    rules = find_rules(args["game"], ctx.app.offered)
    club = own_club(ctx, player, args["club"], f"league start {rules.key} in")
    seasons = events.leagues_of_clubs(ctx.db, rules.key, [club.id])
    open_one = next((each for each in seasons if each.state == league.OPEN), None)
    event = open_one and events.lock_event(ctx.db, open_one.id)
    if event is None or event.state != league.OPEN:
        raise Refusal(f"No league of {rules.name} waits to start in {club.name}.")
    ready = events.count_players(ctx.db, event.id, league.CONFIRMED)
    if ready < league.MIN_ENTRANTS:
        raise Refusal(
            f"{ready} {'player has' if ready == 1 else 'players have'} said yes, and a league has at least "
            f"{league.MIN_ENTRANTS}. It starts when all have answered, on {day(event.starts)} at the latest."
        )
    if not event.asked:
        raise Refusal("The letters that ask the players are still being written; try again in a few minutes.")
    EventAct(ctx.db, ctx.now, "", director_name(player)).note(event.id, "start", next=ctx.now)
    return [_letter(ctx, player, "started", event.id, [])]


def _letter(ctx: Context, player: Player, stage: str, id: int, asked: list[str]) -> Letter:
    event = events.find_event(ctx.db, id)
    assert event is not None
    facts = {"event": event, "asked": asked, **told_terms(ctx.app, event)}
    return to_player("clubleague", player, stage=stage, title=event.title, **facts)


def club_leagues_of(ctx: Context, player: Player, rules: str) -> list[Event]:
    """Return the open and running leagues of a game in the clubs that a player is in."""
    mine = [each.id for each in clubs.clubs_of_player(ctx.db, player.id)]
    found = events.leagues_of_clubs(ctx.db, rules, mine) if mine else []
    return [each for each in found if each.state in LIVE]
