"""A director's decision about a game with its letters, and `direct`.

A director is a player whom the operator has named, or, in the leagues of a club, its organiser. What they
write is asked about in a letter to their own address, and done when they answer it with yes.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.app import App
from pbem.commands import event_director, moderation
from pbem.commands.context import Context, MailOutcome, Request, handles
from pbem.commands.moderation import Operator
from pbem.core.clock.mail_times import end_seat_stops
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import REPLACE, ROLLBACK, RULING_WORDS, WORD_KEYS, Entry, describe_ruling
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.director_acts import ACTS, MODERATION, WORDED
from pbem.core.play import director
from pbem.core.players import Player
from pbem.duties import game_clock
from pbem.duties.clubs import directs
from pbem.duties.permissions import check_not_barred
from pbem.store import engine, events, games, players, zones
from pbem.store.players import Confirmation

log = logging.getLogger("pbem.director")

PURPOSE = "direct"
MEANWHILE = "Something happened in game {game} meanwhile. Look at it, and write again."
ABOUT = ("player", "first", "second", "other")
"""Words of an act that name whom it is about."""
Decide = Callable[[Game, datetime], Entry]
By = Mapping[str, Any]
"""Who decided, as the entry keeps it: `by`, a name, and `director`, their number if they are a player."""


def advance_game(
    app: App, db: engine.Connection, game: Game, now: datetime, mail: int
) -> tuple[Game, list[Letter]]:
    """Do what comes before a decision: clock events, then the pending move.

    Raises EarlierMailPending while another mail than `mail` may have come before a clock event.
    """
    game, letters = game_clock.advance_clock(app, db, game, now, besides=mail)
    game, made = game_clock.release_pending(app, db, game, now)
    return game, letters + made


def store_decision(
    app: App, db: engine.Connection, game: Game, entry: Entry, by: By
) -> tuple[Game, list[Letter]]:
    """Store an entry with its director; returns the game and the letters."""
    entry = replace(entry, data={**entry.data, **by})
    games.append_entries(db, game, game.with_entries([entry]).state, [entry])
    if entry.kind == REPLACE and entry.seat is not None:
        newcomer = players.player_by_id(db, entry.data["player"])
        assert newcomer is not None
        zones.keep_zone(db, game.seats[entry.seat], entry.at)
        games.reseat(db, game, entry.seat, newcomer)
        games.set_mail_stops(db, game, end_seat_stops(game.stands, entry.seat, entry.at), entry.at)
    after = games.load_game(db, app.games_by_key, game.id, lock=True)
    assert after is not None
    games.reschedule(db, after)
    who = f" by {by['by']}" if by else ""
    line = "game %d, entry %d%s: %s"
    said = describe_ruling(entry) if entry.kind in RULING_WORDS else entry.kind
    engine.log_at_commit(db, log, line, game.id, entry.n, who, said)
    old = game.seats[entry.seat] if entry.kind == REPLACE and entry.seat is not None else None
    return after, director.letters_for_decision(game, after, app.config.host, old)


@handles("direct")
def _direct(request: Request) -> list[Letter]:
    """Try the act, take it back, and ask the director about it."""
    ctx, player, args = request.ctx, request.player, request.args
    words = request.block.comment
    reason = director.clean_message(words) if args["act"] in WORDED else director.clean_reason(words)
    facts = _facts(ctx, player, args)
    with ctx.db.begin_nested() as trial:
        _carry_out(ctx, player, args, reason)
        trial.rollback()
    question = ctx.ask(PURPOSE, player.address, {"args": args, "reason": reason, "entries": facts["entries"]})
    return [replace(to_player("directask", player, **facts, reason=reason), reply=question)]


def confirm_act(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Carry out the act that was asked about. Raises Refusal and EarlierMailPending."""
    args, reason = question.data["args"], question.data["reason"]
    facts = _facts(ctx, owner, args)
    if args["act"] == ROLLBACK and question.data["entries"] != facts["entries"]:
        raise Refusal(MEANWHILE.format(game=args["game"]))
    letters = _carry_out(ctx, owner, args, reason, advance=True, entries=question.data["entries"])
    told = to_player("directed", owner, **facts, reason=reason)
    return MailOutcome("done", f"directed: {args['act']}", (told, *letters), owner)


def _facts(ctx: Context, player: Player, args: Mapping[str, str]) -> dict[str, Any]:
    """Facts for both letters about an act. Raises Refusal where the player may not do it."""
    _check_directs(ctx, player, args)
    game = ctx.existing_game(int(args["game"])) if "game" in args else None
    if game is not None and game.seat_of(player) is not None:
        raise Refusal(f"You play in game {game.id}, so somebody else must direct it.")
    if player.name.lower() in [args.get(each, "").lower() for each in ABOUT]:
        raise Refusal("Somebody else must decide about you.")
    plies = game.state.plies[int(args["ply"]) :] if game is not None and "ply" in args else ()
    return {
        "act": args["act"],
        "args": args,
        "event": events.find_event(ctx.db, int(args["event"])) if "event" in args else None,
        "game": game,
        "hours": director.hours_given(args),
        "until": director.pause_until(args, ctx.now),
        "gone": [ply.move for ply in plies],
        "hidden": _hidden_words(game, args),
        "entries": len(game.journal) if game is not None else 0,
        "taken_back": ACTS[args["act"]].taken_back,
    }


def _check_directs(ctx: Context, player: Player, args: Mapping[str, str]) -> None:
    """Raise Refusal where a player may not do this act."""
    event = events.find_event(ctx.db, int(args["event"])) if "event" in args else None
    if args["act"] not in MODERATION and "game" in args:
        place = events.places_of_games(ctx.db, [int(args["game"])]).get(int(args["game"]))
        event = place.event if place is not None else None
    if not directs(ctx.db, player, event):
        check_not_barred(player)
        raise Refusal(
            "`direct` is for the directors of this server, whom its operator names, and for who organises a "
            "club, about the leagues of that club."
        )


def _hidden_words(game: Game | None, args: Mapping[str, str]) -> str:
    """The words that `hide` is about."""
    if game is None or args["act"] != "hide" or int(args["entry"]) not in range(1, len(game.journal) + 1):
        return ""
    data = game.journal[int(args["entry"]) - 1].data
    return "\n".join(str(data[name]) for name in WORD_KEYS if data.get(name))


def _carry_out(
    ctx: Context,
    player: Player,
    args: Mapping[str, str],
    reason: str,
    *,
    advance: bool = False,
    entries: int = 0,
) -> list[Letter]:
    """Store an act; returns its letters. `advance` does first what was due by the clock. Raises Refusal."""
    if args["act"] in MODERATION:
        _, letters = _moderate(ctx, Operator(director.director_name(player), reason), args)
        return letters
    if ACTS[args["act"]].is_of_event:
        return event_director.direct_event(ctx.app, ctx.db, player, args, reason, ctx.now)
    app, db, newcomer = ctx.app, ctx.db, None
    if "player" in args:
        newcomer = players.player_by_name(db, args["player"])
        if newcomer is None or newcomer.gone:
            raise Refusal(f"Nobody here is called {args['player']}.")
    game, before = ctx.existing_game(int(args["game"])), list[Letter]()
    if advance:
        game, before = advance_game(app, db, game, ctx.now, ctx.when.mail or 0)
        if args["act"] == "enter" and entries != len(game.journal):  # it may be the other's turn
            raise Refusal(MEANWHILE.format(game=game.id))
    entry = director.decide_act(game, args, newcomer, reason, ctx.now)
    after, letters = store_decision(app, db, game, entry, {"by": player.name, "director": player.id})
    if advance:
        ctx.games[game.id] = after
    return before + letters


def _moderate(ctx: Context, by: Operator, args: Mapping[str, str]) -> moderation.Done:
    return MODERATIONS[args["act"]](ctx.app, ctx.db, by, args)


def _hide(app: App, db: engine.Connection, by: Operator, args: Mapping[str, str]) -> moderation.Done:
    undo = args["act"] == "show"
    return moderation.hide_words(app, db, by, int(args["game"]), int(args["entry"]), undo=undo)


def _bar(app: App, db: engine.Connection, by: Operator, args: Mapping[str, str]) -> moderation.Done:
    return moderation.bar_player(app, db, by, args["player"], undo=args["act"] == "unbar")


def _rename(app: App, db: engine.Connection, by: Operator, args: Mapping[str, str]) -> moderation.Done:
    return moderation.rename_player(app, db, by, args["player"], args["name"])


MODERATIONS = {"hide": _hide, "show": _hide, "bar": _bar, "unbar": _bar, "rename": _rename}
"""What each act of no game does, by its word in `ACTS`."""
