"""Ladders: entering, leaving, challenges and answers, and the worker's step."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any

from pbem.actions.challenges import (
    GameTerms,
    begin_game,
    check_in_vain,
    check_limits,
    check_not_barred,
    check_own_limits,
    count_games,
    has_enough_rated,
    terms_of_event,
)
from pbem.actions.context import Context, Disposition, Request, handles, plain_refusal, refused_letter
from pbem.core.clock.intervals import moment_after
from pbem.core.clock.vacation import vacation_at
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league
from pbem.core.events.event import Event
from pbem.core.events.ladder import (
    Ladder,
    LadderChallenge,
    LadderLine,
    LadderResult,
    Pairing,
    check_challenge,
)
from pbem.core.events.table import FORFEIT_LOSS
from pbem.core.letters.letter import Letter, to_player
from pbem.core.letters.start import league_letters
from pbem.core.lobby.challenges import check_can_challenge, find_rules, too_many_games_sentence
from pbem.core.players import Player
from pbem.core.ratings.results import rating_text
from pbem.mail.outbound.times import day
from pbem.store import event_entries, events, ladders, limits, players, rating_queries, vacations
from pbem.store.engine import Connection
from pbem.store.locks import advisory_lock
from pbem.store.outages import outages_since
from pbem.store.players import Confirmation
from rules.contract import Rules, option_words

PURPOSE = "ladder"
"""The question: do you play the challenge?"""
SHOWN_RESULTS = 10
CLOSED = "This challenge is closed: it was answered, or its time is over."


def load_ladder(db: Connection, event: Event, now: datetime) -> Ladder:
    """A ladder as letters and pages show it."""
    order, pairings = ladders.order_of(db, event.id), ladders.pairings_of(db, event.id)
    results = ladders.results_of(db, event.id)[: -SHOWN_RESULTS - 1 : -1]
    met = [*((each.lower, each.upper) for each in pairings), *((each.lower, each.upper) for each in results)]
    ids = {*order, *chain.from_iterable(met)}
    names = {id: player.name for id, player in players.players_by_ids(db, ids).items()}
    rated = rating_queries.standings_of_players(db, order)
    ratings = {id: rating_text(found, now) for (id, key), found in rated.items() if key == event.rules}
    lines = (LadderLine(n, id, names[id], ratings.get(id, "")) for n, id in enumerate(order, 1))
    waiting = (
        Pairing(each.n, names[each.lower], names[each.upper], each.at, each.until, each.game)
        for each in pairings
    )
    return Ladder(
        event.id, event.title, event.rules, tuple(lines), tuple(waiting), tuple(_name_players(results, names))
    )


def _name_players(results: Sequence[LadderResult[int]], names: dict[int, str]) -> list[LadderResult[str]]:
    return [
        LadderResult(each.at, each.n, names[each.upper], names[each.lower], each.score, each.game)
        for each in results
    ]


def ladder_letter(ctx: Context, player: Player, event: Event, stage: str = "shown", **facts: Any) -> Letter:
    """Make a letter that shows a ladder. `stage` is entered, challenged, left or shown."""
    shown = load_ladder(ctx.db, event, ctx.now)
    free, why = _free_above(ctx, event, shown, player) if player.name in shown.order else ([], "")
    known: dict[str, Any] = {"title": event.title, "shown": shown, "me": player.name, "why": why, "other": ""}
    return to_player("ladder", player, stage=stage, free=[each.name for each in free], **known | facts)


def told_letter(player: Player, stage: str, event: Event, **facts: Any) -> Letter:
    """Make a letter about a challenge without a game. `stage` is no, silence, off or out."""
    known = {"event": event, "title": event.title, "problem": "", **facts}
    return to_player("laddertold", player, stage=stage, **known)


@handles("ladder")
def _ladder(request: Request) -> list[Letter]:
    rules = find_rules(request.args["game"], request.ctx.app.offered)
    check_not_barred(request.player)
    event = _locked_ladder(request.ctx, rules)
    if request.args["answer"]:
        return _answer_named(request, event)
    shown = load_ladder(request.ctx.db, event, request.ctx.now)
    if request.player.name not in shown.order:
        if request.args["player"]:
            raise Refusal(
                f"You are not on the {event.title} yet. `ladder {rules.key}` takes you onto it; then you can "
                "challenge who is above you."
            )
        return _enter(request.ctx, request.player, event)
    if shown.place_of(request.player.name) == 1 and not request.args["player"]:
        return [ladder_letter(request.ctx, request.player, event)]
    return _challenge(request.ctx, request.player, event, shown, request.args["player"])


def join_ladder(ctx: Context, player: Player, rules: Rules) -> list[Letter]:
    """Enter a player at the bottom. A player on the ladder gets the ladder shown."""
    check_not_barred(player)
    event = _locked_ladder(ctx, rules)
    if events.entrant_of(ctx.db, event.id, player.id) is not None:
        return [ladder_letter(ctx, player, event)]
    return _enter(ctx, player, event)


def _locked_ladder(ctx: Context, rules: Rules) -> Event:
    """Return a game's ladder, locked. The first who asks begins it."""
    advisory_lock(ctx.db, f"ladder of {rules.key}")
    found = events.find_ladder(ctx.db, rules.key)
    id = event_entries.add_ladder(ctx.db, rules.key, ctx.now) if found is None else found.id
    event = events.lock_event(ctx.db, id)
    assert event is not None
    return event


def _enter(ctx: Context, player: Player, event: Event) -> list[Letter]:
    left = ladders.last_left(ctx.db, event.id, player.id)
    if left is not None and ctx.now < left + ladder.AWAY_TIME:
        raise Refusal(f"You left the {event.title} within a day; wait until tomorrow to enter it again.")
    event_entries.append(ctx.db, event.id, "join", ctx.now, players=[player.id], state=league.PLAYING)
    return [ladder_letter(ctx, player, event, "entered")]


def leave_by_mail(ctx: Context, event: Event, player: Player, state: str, *, sure: bool) -> list[Letter]:
    """Take a player off a locked ladder; returns all letters about it."""
    told = leave_ladder(ctx.db, event, player, ctx.now)
    return [ladder_letter(ctx, player, event, "left"), *told]


def leave_ladder(db: Connection, event: Event, player: Player, now: datetime) -> list[Letter]:
    """Take a player off a locked ladder; returns letters to open opponents."""
    mine = [each for each in ladders.pairings_of(db, event.id) if player.id in (each.lower, each.upper)]
    event_entries.append(db, event.id, "leave", now, player=player.id, off=[each.n for each in mine])
    others = {each.n: each.upper if each.lower == player.id else each.lower for each in mine}
    known = players.players_by_ids(db, others.values())
    return [
        told_letter(known[others[each.n]], "off", event, other=player.name, left=True, game=each.game)
        for each in mine
    ]


def leave_all_ladders(ctx: Context, player: Player) -> list[Letter]:
    """Take a player who is forgotten off all ladders."""
    letters = []
    for mine in events.entrants_of_player(ctx.db, player.id):
        event = events.lock_event(ctx.db, mine.event)
        if event is not None and event.kind == ladder.LADDER:
            letters += leave_ladder(ctx.db, event, player, ctx.now)
    return letters


# Challenges.


def _challenge(ctx: Context, player: Player, event: Event, shown: Ladder, named: str) -> list[Letter]:
    """Challenge the named player, or the highest whom the ladder allows."""
    other = _named_above(ctx, player, event, shown, named) if named else _highest(ctx, player, event, shown)
    if (room := count_games(ctx, player)).full:
        raise Refusal(too_many_games_sentence(room))
    check_in_vain(ctx, player, other)
    pair = {"player": player.id, "upper": other.id}
    n = event_entries.append(ctx.db, event.id, "challenge", ctx.now, **pair)
    pairing = Pairing(n, player.id, other.id, ctx.now, ctx.now + ladder.ANSWER_TIME)
    facts = {"until": pairing.until, "other": other.name}
    return [
        _question(ctx, event, other, player, pairing, shown),
        ladder_letter(ctx, player, event, "challenged", **facts),
    ]


def _question(
    ctx: Context, event: Event, other: Player, player: Player, pairing: Pairing[int], shown: Ladder
) -> Letter:
    terms, often = _terms(ctx, event, (other, player))
    facts: dict[str, Any] = {
        "title": event.title,
        "other": player.name,
        "place": shown.place_of(other.name),
        "theirs": shown.place_of(player.name),
        "until": pairing.until,
        "terms": terms,
        "often": often,
        "options": option_words(terms.options),
    }
    letter = to_player("ladderask", other, **facts)
    return replace(letter, reply=ctx.ask(PURPOSE, other.address, {"event": event.id, "n": pairing.n}))


def _terms(ctx: Context, event: Event, pair: tuple[Player, Player]) -> tuple[GameTerms, bool]:
    """Return the terms of a game of two. True if they have had enough rated games, so it is unrated."""
    terms = terms_of_event(ctx.app, event)
    often = terms.rated and has_enough_rated(ctx, terms.rules, pair)
    return replace(terms, rated=terms.rated and not often), often


def _named_above(ctx: Context, player: Player, event: Event, shown: Ladder, named: str) -> Player:
    found = players.player_by_name(ctx.db, named)
    names = [] if found else players.names_like(ctx.db, named)
    other = check_can_challenge(player, found, named, names)
    if problem := _problem(ctx, event, shown, player, other):
        free = " or ".join(each.name for each in _free_above(ctx, event, shown, player)[0])
        raise Refusal(problem + (f" Now you can challenge {free}." if free else ""))
    return other


def _highest(ctx: Context, player: Player, event: Event, shown: Ladder) -> Player:
    free, why = _free_above(ctx, event, shown, player)
    if free:
        return free[0]
    raise Refusal(f"You can challenge nobody on the {event.title} now. {why}")


def _free_above(ctx: Context, event: Event, shown: Ladder, player: Player) -> tuple[list[Player], str]:
    """Return whom the player can challenge now, highest first. If it is nobody, the text says why."""
    above = shown.above(player.name)
    known = players.players_by_ids(ctx.db, [line.player for line in above])
    looked = [(known[each.player], _problem(ctx, event, shown, player, known[each.player])) for each in above]
    free = [other for other, problem in looked if not problem]
    return free, "" if free else " ".join(dict.fromkeys(problem for _, problem in looked))


def _problem(ctx: Context, event: Event, shown: Ladder, player: Player, other: Player) -> str:
    """The sentence on why a challenge is not possible, or ""."""
    try:
        check_challenge(shown.order, LadderChallenge(player.name, other.name), shown.open_challenges)
        check_limits(ctx, player, other, ctx.app.games_by_key[event.rules])
    except Refusal as refusal:
        return str(refusal)
    away = vacation_at(vacations.vacations_of_players(ctx.db, [other.id])[other.id], ctx.now)
    return f"{other.name} is on vacation until {day(away.ends)}." if away else ""


# Answers.


def answer_challenge(ctx: Context, question: Confirmation, owner: Player, *, yes: bool) -> Disposition:
    """Begin the game of a challenge, or give the challenger the place."""
    event = events.lock_event(ctx.db, question.data["event"])
    waiting = ladders.waiting_pairings(ctx.db, question.data["event"])
    pairing = next((each for each in waiting if each.n == question.data["n"]), None)
    if event is None or pairing is None:
        return plain_refusal(owner, CLOSED)
    lower = players.players_by_ids(ctx.db, [pairing.lower])[pairing.lower]
    try:
        told = _answer(ctx, event, pairing, lower, owner, yes=yes)
    except Refusal as refusal:
        asked = ctx.ask(PURPOSE, owner.address, question.data)
        letter = replace(refused_letter(owner, [str(refusal)]), reply=asked)
        return Disposition("refused", str(refusal), (letter,), owner)
    return Disposition("done", "accepted" if yes else "declined", tuple(told), owner)


def _answer_named(request: Request, event: Event) -> list[Letter]:
    """Answer a challenge without the letter that asks: `ladder bipod Joao yes`."""
    ctx, named = request.ctx, request.args["player"]
    waiting = [each for each in ladders.waiting_pairings(ctx.db, event.id) if each.upper == request.player.id]
    known = players.players_by_ids(ctx.db, [each.lower for each in waiting])
    for pairing in waiting:
        lower = known[pairing.lower]
        if lower.name.lower() == named.lower():
            return _answer(
                ctx, event, pairing, lower, request.player, yes=request.args["answer"].lower() == "yes"
            )
    names = [lower.name for lower in known.values()]
    there = f" These wait for your answer: {', '.join(names)}." if names else ""
    raise Refusal(f"No challenge of {named} on the {event.title} waits for your answer.{there}")


def _answer(
    ctx: Context, event: Event, pairing: Pairing[int], lower: Player, upper: Player, *, yes: bool
) -> list[Letter]:
    """Letters about an answer. Raises Refusal for a yes of whoever has no room: the challenge still waits."""
    if _cannot_meet(ctx, lower, upper):
        return _cancel(ctx, event, pairing, lower, upper)
    if yes and not limits.blocked(ctx.db, upper, lower):
        return _accept(ctx, event, pairing, lower, upper)
    return _forfeit(ctx, event, pairing, lower, upper, "no")


def _cannot_meet(ctx: Context, lower: Player, upper: Player) -> bool:
    """True if two cannot meet. A later block by the challenged player does not count."""
    if lower.barred or upper.barred:
        return True
    return limits.blocked(ctx.db, lower, upper) and not limits.has_blocked(ctx.db, upper, lower)


def _accept(ctx: Context, event: Event, pairing: Pairing[int], lower: Player, upper: Player) -> list[Letter]:
    """Begin the game, or close a challenge whose challenger has no room."""
    for each in sorted((lower, upper), key=lambda player: player.id):
        advisory_lock(ctx.db, f"games of {each.id}")
    rules = ctx.app.games_by_key[event.rules]
    if problem := _no_room(ctx, upper, rules):
        waits = f"You can still accept until {day(pairing.until)}; without an answer you lose the place."
        raise Refusal(f"{problem} {waits}")
    if problem := _no_room(ctx, lower, rules):
        return _cancel(ctx, event, pairing, lower, upper, problem)
    return _begin(ctx, event, lower, upper)


def _no_room(ctx: Context, player: Player, rules: Rules) -> str:
    """The sentence on why a player can begin no game, or ""."""
    if (room := count_games(ctx, player)).full:
        return too_many_games_sentence(room)
    try:
        check_own_limits(ctx, player, rules)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _begin(ctx: Context, event: Event, lower: Player, upper: Player) -> list[Letter]:
    terms, often = _terms(ctx, event, (upper, lower))
    game = begin_game(ctx, terms, (upper, lower))
    event_entries.append(ctx.db, event.id, "begin", ctx.now, games=[(upper.id, lower.id, game.id)])
    told = league_letters(game, ctx.site, event.title, often=often, on_ladder=True)
    return [replace(letter, needed=letter.player == upper) for letter in told]


def _forfeit(
    ctx: Context, event: Event, pairing: Pairing[int], lower: Player, upper: Player, why: str
) -> list[Letter]:
    """Give the challenger the places; `why` is no or silence. Ratings do not know of it."""
    before = ladders.order_of(ctx.db, event.id)
    pair = {"first": upper.id, "second": lower.id, "n": pairing.n}
    event_entries.append(ctx.db, event.id, "award", ctx.now, **pair, score=FORFEIT_LOSS, why=why)
    order = ladders.order_of(ctx.db, event.id)
    return [
        told_letter(
            player,
            why,
            event,
            other=other.name,
            mine=player is lower,
            place=order.index(player.id) + 1,
            was=before.index(player.id) + 1,
            number=len(order),
        )
        for player, other in ((lower, upper), (upper, lower))
    ]


def _cancel(
    ctx: Context, event: Event, pairing: Pairing[int], lower: Player, upper: Player, problem: str = ""
) -> list[Letter]:
    """Close a challenge of two who cannot meet. Only the challenger hears the sentence `problem`."""
    event_entries.append(ctx.db, event.id, "cancel", ctx.now, n=pairing.n)
    return [
        told_letter(player, "off", event, other=other.name, left=False, game=None, problem=why)
        for player, other, why in ((lower, upper, problem), (upper, lower, ""))
    ]


# The worker's step.


def advance_ladder(ctx: Context, event: Event) -> list[Letter]:
    """Close the oldest unanswered challenge, or let idle players sink. An outage adds time to answer."""
    waiting = ladders.waiting_pairings(ctx.db, event.id)
    late = [each for each in waiting if each.until + ladder.MAIL_TIME <= ctx.now]
    if not late:
        event_entries.append(ctx.db, event.id, "sink", ctx.now, players=_idle(ctx, event))
        return []
    until = moment_after(outages_since(ctx.db, late[0].at), late[0].at, ladder.ANSWER_TIME)
    if until > late[0].until:
        event_entries.append(ctx.db, event.id, "delay", ctx.now, n=late[0].n, until=until)
        return []
    known = players.players_by_ids(ctx.db, (late[0].lower, late[0].upper))
    lower, upper = known[late[0].lower], known[late[0].upper]
    if _cannot_meet(ctx, lower, upper):
        return _cancel(ctx, event, late[0], lower, upper)
    return _forfeit(ctx, event, late[0], lower, upper, "silence")


def _idle(ctx: Context, event: Event) -> list[int]:
    """The players who are idle, and not on vacation."""
    order = ladders.order_of(ctx.db, event.id)
    active = ladders.active_players(ctx.db, event.id, ctx.now - ladder.IDLE_AFTER)
    away = vacations.vacations_of_players(ctx.db, order)
    return [id for id in order if id not in active and vacation_at(away[id], ctx.now) is None]
