"""Ladders: entering, leaving, challenges and answers."""

from dataclasses import replace
from typing import Any

from pbem.commands.club_leagues import make_ladder
from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal, refused_letter
from pbem.core.clock.vacation import vacation_at
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league
from pbem.core.events.event import Event
from pbem.core.events.ladder import Ladder, LadderChallenge, Pairing, check_challenge
from pbem.core.letters.letter import Letter, to_player
from pbem.core.letters.start import league_letters
from pbem.core.lobby.challenges import check_can_challenge, find_rules, too_many_games_sentence
from pbem.core.players import Player, has_program
from pbem.duties.ladders import cancel_challenge, cannot_meet, forfeit_place, leave_ladder, load_ladder
from pbem.duties.new_games import GameTerms, begin_game, terms_of_event
from pbem.duties.permissions import (
    check_in_vain,
    check_limits,
    check_not_barred,
    check_own_limits,
    count_games,
    has_enough_rated,
)
from pbem.mail.outbound.times import day
from pbem.store import clubs, event_entries, events, ladders, limits, players, vacations
from pbem.store.locks import advisory_lock
from pbem.store.players import Confirmation
from rules.contract import Rules, option_words

PURPOSE = "ladder"
"""The question: do you play the challenge?"""
CLOSED = "This challenge is closed: it was answered, or its time is over."


def ladder_letter(ctx: Context, player: Player, event: Event, stage: str = "shown", **facts: Any) -> Letter:
    """Make a letter that shows a ladder. `stage` is made, entered, challenged, left or shown."""
    shown = load_ladder(ctx.db, event, ctx.now)
    free, why = _free_above(ctx, event, shown, player) if player.name in shown.order else ([], "")
    known: dict[str, Any] = {"title": event.title, "shown": shown, "me": player.name, "why": why, "other": ""}
    return to_player("ladder", player, stage=stage, free=[each.name for each in free], **known | facts)


@handles("ladder")
def _ladder(request: Request) -> list[Letter]:
    check_not_barred(request.player)
    if request.args["act"] == "new":
        return _make(request)
    event = _ladder_meant(request)
    if request.args["answer"]:
        return _answer_named(request, event)
    shown = load_ladder(request.ctx.db, event, request.ctx.now)
    if request.player.name not in shown.order:
        if request.args["player"]:
            raise Refusal(
                f"You are not on the {event.title} yet. `ladder {event.word}` takes you onto it; then you "
                "can challenge who is above you."
            )
        return _enter(request.ctx, request.player, event)
    if shown.place_of(request.player.name) == 1 and not request.args["player"]:
        return [ladder_letter(request.ctx, request.player, event)]
    return _challenge(request.ctx, request.player, event, shown, request.args["player"])


def _make(request: Request) -> list[Letter]:
    """Make a ladder of a club, with its organiser on it."""
    ctx, player = request.ctx, request.player
    event = make_ladder(request)
    event_entries.append(ctx.db, event.id, "join", ctx.now, players=[player.id], state=league.PLAYING)
    return [ladder_letter(ctx, player, event, "made")]


def _ladder_meant(request: Request) -> Event:
    """Return the game's ladder, or the one with a number, locked. Raises Refusal."""
    ctx, number = request.ctx, request.args["number"]
    if not number:
        return _locked_ladder(ctx, find_rules(request.args["game"], ctx.app.offered))
    event = events.lock_event(ctx.db, int(number))
    if event is None or event.kind != ladder.LADDER or event.rules not in ctx.app.games_by_key:
        raise Refusal(f"There is no ladder {number}. `events` lists those there are.")
    _check_member(ctx, event, request.player)
    return event


def _check_member(ctx: Context, event: Event, player: Player) -> None:
    if event.club_id is not None and not clubs.is_member(ctx.db, event.club_id, player.id):
        club = event.settings.club
        raise Refusal(f"The {event.title} is for its members; `club join {club}` asks to become one.")


def join_numbered(ctx: Context, player: Player, event: Event) -> list[Letter]:
    """Enter a player at the bottom of a ladder that was named by its number."""
    check_not_barred(player)
    events.lock_event(ctx.db, event.id)
    _check_member(ctx, event, player)
    if events.entrant_of(ctx.db, event.id, player.id) is not None:
        return [ladder_letter(ctx, player, event)]
    return _enter(ctx, player, event)


def join_ladder(ctx: Context, player: Player, rules: Rules) -> list[Letter]:
    """Enter a player at the bottom. A player on the ladder gets the ladder shown."""
    check_not_barred(player)
    return join_numbered(ctx, player, _locked_ladder(ctx, rules))


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
    if (room := count_games(ctx.app, ctx.db, player)).full:
        raise Refusal(too_many_games_sentence(room))
    check_in_vain(ctx.db, player, other, ctx.now)
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
    terms = replace(terms, rated=terms.rated and not has_program(pair))
    often = terms.rated and has_enough_rated(ctx.db, terms.rules, pair, ctx.now)
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
        check_limits(ctx.db, player, other, ctx.app.games_by_key[event.rules])
    except Refusal as refusal:
        return str(refusal)
    away = vacation_at(vacations.vacations_of_players(ctx.db, [other.id])[other.id], ctx.now)
    return f"{other.name} is on vacation until {day(away.ends)}." if away else ""


# Answers.


def answer_challenge(ctx: Context, question: Confirmation, owner: Player, *, yes: bool) -> MailOutcome:
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
        return MailOutcome("refused", str(refusal), (letter,), owner)
    return MailOutcome("done", "accepted" if yes else "declined", tuple(told), owner)


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
    if cannot_meet(ctx.db, lower, upper):
        return cancel_challenge(ctx.db, event, pairing, lower, upper, ctx.now)
    if yes and not limits.blocked(ctx.db, upper, lower):
        return _accept(ctx, event, pairing, lower, upper)
    return forfeit_place(ctx.db, event, pairing, lower, upper, ctx.now, "no")


def _accept(ctx: Context, event: Event, pairing: Pairing[int], lower: Player, upper: Player) -> list[Letter]:
    """Begin the game, or close a challenge whose challenger has no room."""
    for each in sorted((lower, upper), key=lambda player: player.id):
        advisory_lock(ctx.db, f"games of {each.id}")
    rules = ctx.app.games_by_key[event.rules]
    if problem := _no_room(ctx, upper, rules):
        waits = f"You can still accept until {day(pairing.until)}; without an answer you lose the place."
        raise Refusal(f"{problem} {waits}")
    if problem := _no_room(ctx, lower, rules):
        return cancel_challenge(ctx.db, event, pairing, lower, upper, ctx.now, problem)
    return _begin(ctx, event, lower, upper)


def _no_room(ctx: Context, player: Player, rules: Rules) -> str:
    """The sentence on why a player can begin no game, or ""."""
    if (room := count_games(ctx.app, ctx.db, player)).full:
        return too_many_games_sentence(room)
    try:
        check_own_limits(ctx.db, player, rules)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _begin(ctx: Context, event: Event, lower: Player, upper: Player) -> list[Letter]:
    terms, often = _terms(ctx, event, (upper, lower))
    game = begin_game(ctx.app, ctx.db, terms, (upper, lower), ctx.now)
    event_entries.append(ctx.db, event.id, "begin", ctx.now, games=[(upper.id, lower.id, game.id)])
    told = league_letters(game, ctx.site, event.title, often=often, on_ladder=True)
    return [replace(letter, needed=letter.player == upper) for letter in told]
