"""Watching one game, a player's games, or a league by mail."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.commands import context
from pbem.core.errors import Refusal
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules, unknown_player_sentence
from pbem.core.players import Player
from pbem.duties import boards, watch_leagues
from pbem.duties.paper import next_saturday
from pbem.duties.watch import reply_of_watcher, watch_games_of
from pbem.store import engine, events, game_lists, game_search, limits, players, watched_leagues, watches
from rules import find
from rules.contract import Rules
from rules.notation import join_words

MAX_WATCHED = 20
MAX_NAMED = 5
"""Running games that the answer to `watch bipod` names."""
MAX_PLAYERS = 5
"""Players whose games one can watch; their games do not count among `MAX_WATCHED`."""


@context.handles("watch")
def _watch(request: context.Request) -> list[Letter]:
    ctx, player, number = request.ctx, request.player, _number(request)
    if request.args["name"]:
        return _watch_player(request)
    if request.args["game"]:
        return _list(request, whose=_watch_league(request), weekly=True)
    if number is None:
        return _list(request)
    game = ctx.existing_game(number)
    if game.seat_of(player) is not None:
        raise Refusal(f"You play in game {number} yourself, so you get its letters anyway.")
    if game.state.ending is not None:
        site = ctx.app.config.site
        raise Refusal(f"Game {number} is over; you can replay it at {site}/games/{number}")
    asked = watches.watched_by_player(ctx.db, player, asked=True)
    if number not in asked:
        if len(asked) >= MAX_WATCHED:
            raise Refusal(f"You watch {MAX_WATCHED} games, as many as one can; `unwatch` one of them first.")
        if number in watches.watched_by_player(ctx.db, player):
            watches.keep_watch(ctx.db, player, number, None)
        else:
            watches.add_watch(ctx.db, player, number, len(game.state.plies), ctx.now)
    seen = view_for_reader(game, player, ctx.site)
    reply = reply_of_watcher(seen)
    told = _list(request, boards=[seen], invites=reply.use == "watch")
    return [replace(letter, reply=reply) for letter in told]


def _watch_player(request: context.Request) -> list[Letter]:
    _refuse_game_as_name(request)
    ctx, player, other = request.ctx, request.player, named_player(request)
    _check_can_watch(ctx, player, other)
    watched = watches.players_watched_by(ctx.db, player)
    if other not in watched:
        if len(watched) >= MAX_PLAYERS:
            names = join_words([each.name for each in watched], "and")
            raise Refusal(
                f"You watch the games of {names}, as many players as one can; `unwatch` one of them first."
            )
        watches.watch_player(ctx.db, player, other, ctx.now)
        watch_games_of(ctx.db, player, other, ctx.now)
    return _list(request, whose=other.name)


def _refuse_game_as_name(request: context.Request) -> None:
    """Raise Refusal for `watch bipod`, with the games of Bipod that can be watched."""
    ctx, rules = request.ctx, find(request.args["name"])
    if rules is None or players.player_by_name(ctx.db, request.args["name"]) is not None:
        return
    query = game_search.GameQuery(rules=rules.key, state="running")
    found = game_lists.page_of_games(ctx.db, ctx.app.games_by_key, query, most=MAX_NAMED).games
    ways = [f"`watch {game.id}`" for game in found if request.player.id not in game.ids]
    one = (
        f"For one game of {rules.name} that runs now, write {join_words(ways, 'or')}. "
        if ways
        else (f"No game of {rules.name} that you could watch runs just now. ")
    )
    raise Refusal(f"{one}For the week's results of its league, write `watch {rules.key} league`.")


def _check_can_watch(ctx: context.Context, player: Player, other: Player) -> None:
    if other.id == player.id:
        raise Refusal("That is your own name; the letters of your games come to you anyway.")
    if other.bot:
        raise Refusal(f"{other.name} plays too many games; `watch` and a number watches one of them.")
    if other.name in limits.limits_of_player(ctx.db, player).blocked_names:
        raise Refusal(f"You have blocked {other.name}; `unblock {other.name}` ends that.")
    if other.id in limits.blocked_player_ids(ctx.db, player):
        raise Refusal(
            f"All games of {other.name} cannot be watched at present; `watch` and a number watches one game."
        )


def named_player(request: context.Request) -> Player:
    db, name = request.ctx.db, request.args["name"]
    other = players.player_by_name(db, name)
    if other is None or other.gone:
        raise Refusal(unknown_player_sentence(name, players.names_like(db, name)))
    return other


@context.handles("unwatch")
def _unwatch(request: context.Request) -> list[Letter]:
    db, player, number = request.ctx.db, request.player, _number(request)
    if request.args["name"]:
        return _unwatch_player(request, named_player(request))
    if request.args["game"]:
        return _list(request, ended=_unwatch_league(request))
    watched, names = watches.watched_by_player(db, player, asked=True), watches.players_watched_by(db, player)
    if number is None and len(watched) + len(names) == 1:
        if names:
            return _unwatch_player(request, names[0])
        number = watched[0]
    if number is None:
        leagues = watched_leagues.leagues_watched_by(db, player)
        mine = (*watched, *(other.name for other in names), *(f"{key} league" for key in leagues))
        counted = ((len(watched), "game"), (len(names), "player"), (len(leagues), "league"))
        raise Refusal(_several_sentence(counted, mine) if mine else "You watch no game.")
    if number not in watches.watched_by_player(db, player):
        raise Refusal(f"You do not watch game {number}.")
    watches.remove_watch(db, player.id, number)
    return _list(request, ended=number)


def _several_sentence(counted: Sequence[tuple[int, str]], names: Sequence[object]) -> str:
    told = [f"{number} {noun}{'s' * (number > 1)}" for number, noun in counted if number]
    ways = [f"`unwatch {name}`" for name in names]
    return f"You watch {join_words(told, 'and')}; write {join_words(ways, 'or')}."


def _unwatch_player(request: context.Request, other: Player) -> list[Letter]:
    db, player = request.ctx.db, request.player
    watched = watches.players_watched_by(db, player)
    if other not in watched:
        raise Refusal(f"You do not watch the games of {other.name}.")
    end_watch_of_player(db, player, other)
    return _list(request, ended=other.name)


def end_watch_of_player(db: engine.Connection, player: Player, other: Player) -> None:
    """Stop watching a player's games, except games against another player who is watched."""
    by_id = {each.id: each for each in watches.players_watched_by(db, player) if each.id != other.id}
    watched = watches.watched_by_player(db, player)
    asked = watches.watched_by_player(db, player, asked=True)
    for game, _, *seats in watches.running_games_of(db, other.id):
        still = next((id for id in seats if id in by_id), None)
        if still is not None and game in watched and game not in asked:
            watches.keep_watch(db, player, game, still)
    watches.unwatch_player(db, player.id, other.id)


def _number(request: context.Request) -> int | None:
    text = request.args["number"]
    return int(text) if text else request.block.game


def _list(request: context.Request, **changed: Any) -> list[Letter]:
    ctx, player = request.ctx, request.player
    numbers = watches.watched_by_player(ctx.db, player)
    watched = list(boards.views_of(ctx.app, ctx.db, player, numbers, ctx.games))
    names = [other.name for other in watches.players_watched_by(ctx.db, player)]
    keys = watched_leagues.leagues_watched_by(ctx.db, player)
    leagues = [ctx.app.games_by_key[key].name for key in keys if key in ctx.app.games_by_key]
    facts = {
        "boards": [],
        "ended": None,
        "whose": "",
        "weekly": False,
        "names": names,
        "leagues": leagues,
        "invites": False,
    }
    facts |= changed
    return request.answer("watching", watched=watched, stopped="watched" in player.stopped, **facts)


def _watch_league(request: context.Request) -> str:
    """Watch the league that a player names; returns its name."""
    ctx, player = request.ctx, request.player
    rules = _rules_named(request)
    if events.newest_league(ctx.db, rules.key) is None:
        raise Refusal(f"There has been no league of {rules.name} yet. `events` lists what there is.")
    watched_leagues.watch_league(ctx.db, player, rules.key, ctx.now, next_saturday(player, ctx.now))
    players.set_category_stopped(ctx.db, player, watch_leagues.CATEGORY, stop=False)
    return f"the {rules.name} league"


def _unwatch_league(request: context.Request) -> str:
    """End to watch a league; returns its name."""
    rules = _rules_named(request)
    if not watched_leagues.unwatch_league(request.ctx.db, request.player.id, rules.key):
        raise Refusal(f"You do not watch the {rules.name} league.")
    return f"the {rules.name} league"


def _rules_named(request: context.Request) -> Rules:
    return find_rules(request.args["game"], request.ctx.app.offered)
