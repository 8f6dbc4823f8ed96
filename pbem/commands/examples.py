"""Examples for one reader: their own names, numbers, moves and days."""

from collections.abc import Iterable
from datetime import timedelta

from pbem.commands.context import Context
from pbem.core.clock import vacation
from pbem.core.clock.dates import hour_on_day, zone_of
from pbem.core.game.examples import examples_of_game
from pbem.core.letters.muted import muted_games
from pbem.core.players import Player, bot_name
from pbem.duties.strength import seeks_near
from pbem.store import challenges, games, limits, players, vacations, watches
from rules.contract import other

AHEAD = timedelta(days=14)


def examples_for(ctx: Context, player: Player, number: int | None = None) -> dict[str, str]:
    """Return the facts for the examples of help and hints, by the names of `pbem.core.game.examples`.

    `number` is the game that is written about. Facts that do not exist for the reader are left out.
    """
    lobby = {**_of_the_lobby(ctx, player), **days_off(ctx, player)}
    found = ctx.own_game(number, player)
    if found is None:
        return lobby
    game, seat = found
    facts = examples_of_game(game.as_seen_by(seat), seat)
    offered = {"offered": ""} if "offer" in facts or "challenge" in lobby else {}
    return {**lobby, **facts, **offered, "name": game.seats[other(seat)].name}


def running_game(ctx: Context, player: Player) -> int | None:
    """Return a running game of a player, if possible one in which it is their turn."""
    listed = games.running_of_player(ctx.db, ctx.app.games_by_key, player)
    return listed[0].id if listed else None


def _of_the_lobby(ctx: Context, player: Player) -> dict[str, str]:
    known = ctx.app.games_by_key
    seeks = seeks_near(ctx.db, challenges.open_seeks(ctx.db, known, ctx.now), player, ctx.now)
    mine = challenges.own_seeks(ctx.db, known, player, ctx.now)
    waiting = challenges.open_challenges(ctx.db, known, player, ctx.now)
    numbers: dict[str, Iterable[object]] = {
        "challenge": [each.id for each in waiting if each.challenged.id == player.id],
        "own": [each.id for each in (*waiting, *mine) if each.seeker.id == player.id],
        "seek": [each.id for each in seeks if each.seeker.id != player.id],
        "other": [games.another_running(ctx.db, player)],
        "watched": watches.watched_by_player(ctx.db, player),
        "watched_name": [other.name for other in watches.players_watched_by(ctx.db, player)],
        "muted": sorted(muted_games(player)),
        "blocked": limits.limits_of_player(ctx.db, player).blocked_names,
    }
    first = {name: next(iter(found), None) for name, found in numbers.items()}
    return {
        "web": ctx.site,
        "game": next(iter(ctx.app.offered), "bipod"),
        "games": ", ".join(ctx.app.offered),
        "name": _another_name(ctx, player),
        **{name: str(one) for name, one in first.items() if one is not None},
        **({"offered": ""} if first["challenge"] is not None else {}),
        **({"bot": bot_name(min(levels))} if (levels := ctx.app.config.bots) else {}),
    }


def days_off(ctx: Context, player: Player) -> dict[str, str]:
    """Return a vacation now, one in two weeks, and any planned one, as a player would write them."""
    taken, joined = vacations.vacations_of_players(ctx.db, [player.id])[player.id], player.created_at
    zone = zone_of(player.preferences.zone)
    first = ctx.now.astimezone(zone).date() + AHEAD
    now = vacation.days_to_take(joined, taken, ctx.at, ctx.at)
    later = vacation.days_to_take(joined, taken, ctx.at, hour_on_day(first, 0, zone))
    possible = {
        "days": str(now) if now else None,
        "dates": f"{first:%-d %b} to {first + timedelta(days=later - 1):%-d %b}" if later > 1 else None,
        "away": "" if vacation.vacation_at(taken, ctx.at) else None,
        "planned": "" if any(block.begins > ctx.at for block in taken) else None,
    }
    return {name: text for name, text in possible.items() if text is not None}


def _another_name(ctx: Context, player: Player) -> str:
    """Return another player's name, or some name if there is none."""
    there = players.players_by_name_order(ctx.db, "", "", 5)
    apart = {player.id, *limits.blocked_player_ids(ctx.db, player)}
    others = [each for each in there if each.id not in apart and not (each.gone or each.barred)]
    return next((each.name for each in others if not each.bot), "Ana" if player.name == "Joao" else "Joao")
