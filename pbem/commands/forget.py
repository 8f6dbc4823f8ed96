"""The command `forget me`: a letter confirms it, then one transaction does it."""

from datetime import datetime

from pbem.commands import bars, context, decisions, ladders, matches
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player, same_address
from pbem.duties.clubs import leave_all_clubs
from pbem.store import challenges, erase, games, locks, zones
from pbem.store.engine import Connection
from pbem.store.games import GamesByKey


@context.handles("forget")
def _forget(request: context.Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    running = games.running_of_player(ctx.db, ctx.app.games_by_key, player)
    facts = {"running": running, "played": len(games.list_game_ids(ctx.db, player)) - len(running)}
    question = ctx.ask("forget", same_address(player.address), {})
    return [Letter("forget", player.address, player, question, facts=facts)]


def forget_player(ctx: context.Context, player: Player) -> list[Letter]:
    """Forget a player who has confirmed it. Returns the letters to others, and the last one."""
    locks.lock_running_games(ctx.db, player.id)
    locks.advisory_lock(ctx.db, f"addresses of {player.id}")
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    known, letters = ctx.app.games_by_key, list[Letter]()
    for listed in games.running_of_player(ctx.db, known, player):
        if own := ctx.own_game(listed.id, player):
            letters += decisions.resign(ctx, *own)[1]
    letters += close_challenges(ctx.db, known, player, ctx.now)
    letters += ladders.leave_all_ladders(ctx, player)
    matches.leave_open_matches(ctx, player)
    letters += leave_all_clubs(ctx.db, player, ctx.now)
    if player.barred:
        bars.keep_bar(ctx.app, ctx.db, player, ctx.now)
    zones.keep_zone(ctx.db, player, ctx.now)
    erase.erase_player(ctx.db, player, ctx.when.mail)
    others = [
        letter.telling(forgotten=True) if letter.kind == "result" else letter
        for letter in letters
        if letter.player is not None and letter.player.id != player.id
    ]
    return [*others, Letter("forgotten", player.address, None, facts={"name": player.name})]


def close_challenges(db: Connection, games_by_key: GamesByKey, player: Player, now: datetime) -> list[Letter]:
    """Close the player's challenges and seeks, and tell the others."""
    letters: list[Letter] = []
    for wish in challenges.open_challenges(db, games_by_key, player, now, lock=True):
        mine = wish.challenger.id == player.id
        challenges.close_challenge(db, wish.id, "withdrawn" if mine else "declined")
        if mine:
            letters.append(to_player("withdrawn", wish.challenged, wish=wish, mine=False))
        elif not wish.invitation:
            letters.append(to_player("declined", wish.challenger, challenge=wish, mine=False, comment=""))
    for seek in challenges.own_seeks(db, games_by_key, player, now):
        if challenges.lock_seek(db, games_by_key, seek.id)[1] == "open":
            challenges.close_challenge(db, seek.id, "withdrawn")
    return letters
