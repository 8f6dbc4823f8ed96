"""The command `simul`: one player challenges several at the same time."""

from contextlib import suppress
from dataclasses import replace

from pbem.commands.challenges import Proposal, check_proposal, wish_for
from pbem.commands.context import Context, Request, handles
from pbem.commands.own_clubs import check_clubs_are_on, named_players, own_club
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby.challenges import find_rules
from pbem.core.players import Player
from pbem.duties.permissions import check_not_barred, check_own_limits, count_games
from pbem.store import challenges, clubs, locks, players
from rules.contract import Rules

MIN_BOARDS, MAX_BOARDS = 2, 8


@handles("simul")
def _simul(request: Request) -> list[Letter]:
    """Offer a game to each of those named, or of a club's members; where there are more, by lot."""
    ctx, player, args = request.ctx, request.player, request.args
    check_not_barred(player)
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    rules = find_rules(args["game"], ctx.app.offered)
    most = args["most"] or MAX_BOARDS
    if not MIN_BOARDS <= most <= MAX_BOARDS:
        raise Refusal(f"A simul has {MIN_BOARDS} to {MAX_BOARDS} boards.")
    if args["players"]:
        ready = _with_named(request, rules)
    else:
        _check_room(ctx, player, rules, most)
        ready = _with_members(request, rules, most)
    kept = [challenges.add_challenge(ctx.db, each.wish) for each in ready]
    told = [
        to_player(
            "challenge",
            each.challenged,
            about=each.id,
            challenge=each,
            comment=request.block.comment,
            often=proposal.often,
            at_once=len(kept),
        )
        for each, proposal in zip(kept, ready, strict=True)
    ]
    offers = [(each, proposal.often) for each, proposal in zip(kept, ready, strict=True)]
    return [to_player("simul", player, offers=offers), *told]


def _check_room(ctx: Context, player: Player, rules: Rules, boards: int) -> None:
    """Raise Refusal if a player cannot have so many more games."""
    room = count_games(ctx.app, ctx.db, player)
    if replace(room, running=room.running + boards - 1).full:
        raise Refusal(
            f"You have {room.running} games running, so {boards} more are too many. Offer fewer: "
            f"`simul {MIN_BOARDS} {rules.key}`, say."
        )
    check_own_limits(ctx.db, player, rules, boards - 1)


def _with_named(request: Request, rules: Rules) -> list[Proposal]:
    """Check a challenge to each player named; one that cannot be refuses all."""
    ctx, player, args = request.ctx, request.player, request.args
    asked = named_players(ctx, args["players"])
    if not MIN_BOARDS <= len(asked) <= MAX_BOARDS:
        raise Refusal(f"A simul has {MIN_BOARDS} to {MAX_BOARDS} boards, and you name {len(asked)}.")
    if bot := next((each.name for each in asked if each.bot), None):
        raise Refusal(f"{bot} is a computer, and plays in no simul.")
    _check_room(ctx, player, rules, len(asked))
    for each in asked:
        lobby_challenges.check_can_challenge(player, each, each.name, [])
    wishes = [wish_for(ctx, player, args, each) for each in asked]
    return [check_proposal(ctx, each, request.block.comment, n) for n, each in enumerate(wishes)]


def _with_members(request: Request, rules: Rules, most: int) -> list[Proposal]:
    """Check challenges to members drawn by lot, until there are enough; who cannot play is passed over."""
    ctx, player, args = request.ctx, request.player, request.args
    check_clubs_are_on(ctx)
    club = own_club(ctx, player, args["club"], f"simul {most} {args['game']} in", organised=False)
    there = [each.player for each in clubs.members_of(ctx.db, club.id) if each.player != player.id]
    known = players.players_by_ids(ctx.db, there)
    ctx.app.rng.shuffle(there)
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, player, ctx.now)
    asked = [each for each in waiting if each.challenger.id == player.id and each.challenged.id in there]
    if any(each.rules.key == rules.key for each in asked):
        raise Refusal(
            "Challenges of yours to members for this game wait already; nothing was asked a second time. "
            "`games` lists them, `withdraw` and a number takes one back."
        )
    ready: list[Proposal] = []
    for each in [known[id] for id in there if not known[id].gone]:
        if len(ready) < most:
            with suppress(Refusal):
                wish = wish_for(ctx, player, args, each)
                ready.append(check_proposal(ctx, wish, request.block.comment, len(ready)))
    if len(ready) < MIN_BOARDS:
        raise Refusal(
            f"Of {club.name} {len(ready)} can play this with you now, and a simul has {MIN_BOARDS} boards at "
            "least."
        )
    return ready
