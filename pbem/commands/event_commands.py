"""The commands `join`, `leave`, `table` and `events`. Each kind of event answers them in its own way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from pbem.commands import club_members, ladders, leagues, matches
from pbem.commands.club_leagues import club_leagues_of
from pbem.commands.context import Context, Request, handles
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league, match
from pbem.core.events.event import LIVE, Event
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules
from pbem.core.players import Player
from pbem.store import clubs as club_rows
from pbem.store import events
from pbem.store.engine import Connection
from rules.contract import Rules


class Leave(Protocol):
    """Take a player out of a locked event. `state` is theirs in it."""

    def __call__(
        self, ctx: Context, event: Event, player: Player, state: str, *, sure: bool
    ) -> list[Letter]: ...


@dataclass(frozen=True)
class EventKind:
    """The answers of a kind of event. `join` takes the rules of its game."""

    join: Callable[[Context, Player, Rules], list[Letter]]
    leave: Leave
    show: Callable[[Context, Player, Event], Letter]


@handles("join")
def _join(request: Request) -> list[Letter]:
    ctx, player, args = request.ctx, request.player, request.args
    if args["number"]:
        return _join_numbered(ctx, player, int(args["number"]), args["club"])
    _check_names_game(ctx, args["game"], "join")
    if found := matches.match_by_club(ctx, args["game"], (league.OPEN,), "join match {number} {club}"):
        return matches.join_match(ctx, player, found.id, args["game"])
    rules = find_rules(args["game"], ctx.app.offered)
    return KINDS[args["kind"] or league.LEAGUE].join(ctx, player, rules)


def _join_numbered(ctx: Context, player: Player, number: int, club: str) -> list[Letter]:
    """Enter a player in the match, the league or the ladder of this number."""
    event = events.find_event(ctx.db, number)
    if event is not None and event.kind == ladder.LADDER and event.rules in ctx.app.games_by_key:
        return ladders.join_numbered(ctx, player, event)
    if event is None or event.kind != league.LEAGUE or event.rules not in ctx.app.games_by_key:
        return matches.join_match(ctx, player, number, club)
    return leagues.join_season(ctx, player, event)


@handles("leave")
def _leave(request: Request) -> list[Letter]:
    if request.args["in_club"]:
        name, sure = request.args["club"], bool(request.args["yes"])
        return club_members.leave_by_name(request.ctx, request.player, name, sure=sure)
    event, state = _find_entered(request)
    if event.kind == ladder.LADDER and not (request.args["game"] or request.args["number"]):
        raise Refusal(f"To leave the {event.title}, write `leave {event.called}`.")
    leave, sure = KINDS[event.kind].leave, bool(request.args["yes"])
    return leave(request.ctx, event, request.player, state, sure=sure)


def _find_entered(request: Request) -> tuple[Event, str]:
    """The event that a player leaves, locked, and their state in it."""
    ctx, word, kind, number = request.ctx, *(request.args[each] for each in ("game", "kind", "number"))
    word, kind = ("", word) if word in KINDS else (word, kind)
    key = find_rules(word, ctx.app.offered).key if word else ""
    there = (league.ENTERED, league.ASKED, league.CONFIRMED, league.STANDBY, league.PLAYING)
    found = []
    for mine in events.entrants_of_player(ctx.db, request.player.id):
        event = events.lock_event(ctx.db, mine.event)
        wanted = event is not None and key in ("", event.rules) and kind in ("", event.kind)
        wanted = wanted and (not number or int(number) == mine.event)
        if event is not None and mine.state in there and wanted:
            found.append((event, mine.state))
    if not found:
        what = kind or ("match or league" if number else "league or ladder")
        raise Refusal(f"You are in no such {what}, so there is nothing to leave.")
    if key and kind:  # the words that name the one open to all, where there is a club's besides
        found = [each for each in found if each[0].club_id is None] or found
    if len(found) > 1:
        ways = " or ".join(f"`leave {event.called}`" for event, _ in found)
        raise Refusal(f"You are in several. Write {ways}.")
    return found[0]


@handles("table")
def _table(request: Request) -> list[Letter]:
    ctx, number = request.ctx, request.args["number"]
    event = _numbered_event(ctx, int(number)) if number else _named_event(request)
    return [KINDS[event.kind].show(ctx, request.player, event)]


def _check_names_game(ctx: Context, word: str, verb: str) -> None:
    """Refuse the kind of an event in the place of a game."""
    if word in KINDS:
        named = f"{word} 3" if word == match.MATCH else f"{next(iter(ctx.app.offered))} {word}"
        raise Refusal(f"Write which {word}, such as `{verb} {named}`. `events` lists those there are.")


def _numbered_event(ctx: Context, number: int) -> Event:
    event = events.find_event(ctx.db, number)
    if event is None or event.state in (league.NEW, league.VOID) or event.rules not in ctx.app.games_by_key:
        raise Refusal(f"There is no event {number}. `events` lists those there are.")
    return event


def _named_event(request: Request) -> Event:
    """Return the event that a club's or game's name means for `table`."""
    ctx, word = request.ctx, request.args["game"]
    _check_names_game(ctx, word, "table")
    if found := matches.match_by_club(ctx, word, LIVE, "table {number}"):
        return found
    rules = find_rules(word, ctx.app.offered)
    if request.args["kind"] != ladder.LADDER and (own := club_leagues_of(ctx, request.player, rules.key)):
        return own[0]
    event = _shown_event(ctx.db, rules.key, request.args["kind"])
    if event is None:
        raise Refusal(
            f"There is no league or ladder of {rules.name} yet. `ladder {rules.key}` begins the ladder."
        )
    return event


def _shown_event(db: Connection, rules: str, kind: str) -> Event | None:
    """Return a game's league or ladder. Without a word for either it is the league, if there is one."""
    season = None if kind == ladder.LADDER else events.newest_league(db, rules)
    return season or (None if kind == league.LEAGUE else events.find_ladder(db, rules))


@handles("events")
def _events(request: Request) -> list[Letter]:
    ctx = request.ctx
    keys = ctx.app.games_by_key
    mine = {each.event: each.state for each in events.entrants_of_player(ctx.db, request.player.id)}
    known = events.live_events(ctx.db, league.LEAGUE, keys)
    for club in club_rows.clubs_of_player(ctx.db, request.player.id):
        known += [each for each in club_rows.events_of_club(ctx.db, club.id, keys) if each.state in LIVE]
    known = list({each.id: each for each in known}.values())  # a match may be of two clubs of the player's
    of_kind = {kind: [each for each in known if each.kind == kind] for kind in KINDS}
    rows = [(event, event.title, mine.get(event.id, "")) for event in of_kind[league.LEAGUE]]
    running = [event for event in events.list_ladders(ctx.db) if event.rules in keys]
    running += of_kind[ladder.LADDER]
    sizes = [(event, events.count_players(ctx.db, event.id, league.PLAYING)) for event in running]
    shown = [*events.live_events(ctx.db, match.MATCH, keys), *of_kind[match.MATCH]]
    return request.answer("events", rows=rows, ladders=sizes, matches=shown, mine=mine)


def _join_unnamed_match(ctx: Context, player: Player, rules: Rules) -> list[Letter]:
    raise Refusal(f"Write which match, such as `join {match.MATCH} 3`. `events` lists those there are.")


KINDS: Mapping[str, EventKind] = {
    league.LEAGUE: EventKind(leagues.join_league, leagues.leave_season, leagues.table_letter),
    ladder.LADDER: EventKind(ladders.join_ladder, ladders.leave_by_mail, ladders.ladder_letter),
    match.MATCH: EventKind(_join_unnamed_match, matches.leave_match, matches.match_letter),
}
