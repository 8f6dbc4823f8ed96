"""The commands `challenge`, `accept` and `decline`."""

from dataclasses import replace

from pbem.actions.context import DAY, Context, Handlers, Request
from pbem.actions.start_game import check_limits, check_words, count_games, start_game
from pbem.core.errors import Refusal
from pbem.core.game.state import offers_to
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.challenges import Challenge, choose_challenge, propose_challenge
from pbem.core.players import Player
from pbem.store import challenges, games, limits, locks, players, seeks

MAX_CHALLENGES, CHALLENGES_TO_ONE = 20, 3
"""Maximum open challenges of one player, in all and to one other."""
MAX_IN_VAIN, IN_VAIN_TO_ONE = 40, 6
"""Maximum challenges without a game in a day. Two numbers: in all, and to one other. Withdrawn ones count."""


def _challenge(request: Request) -> list[Letter]:
    ctx, player, words = request.ctx, request.player, request.block.comment
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    name = request.args["player"]
    challenged = players.player_by_name(ctx.db, name)
    names = [] if challenged else players.names_like(ctx.db, name)
    room = count_games(ctx, player)
    wish = propose_challenge(player, challenged, request.args, ctx.app.offered, room, names, ctx.now)
    _check_new_challenge(ctx, wish)
    check_limits(ctx, wish.challenger, wish.challenged, wish.rules)
    check_words(words, wish.rules, wish.options)
    kept = challenges.add_challenge(ctx.db, wish)
    return [
        to_player("challenge", kept.challenged, about=kept.id, challenge=kept, comment=words),
        to_player("offered", kept.challenger, challenge=kept),
    ]


def _check_new_challenge(ctx: Context, wish: Challenge) -> None:
    """Raise Refusal for a challenge that already waits, or for too many. The mail may have come twice."""
    open_ones = challenges.open_challenges(ctx.db, ctx.app.games_by_key, wish.challenger, ctx.now)
    for waiting in open_ones:
        same = (waiting.challenger.id, waiting.challenged.id, waiting.rules.key, waiting.options)
        if same == (wish.challenger.id, wish.challenged.id, wish.rules.key, wish.options):
            raise Refusal(
                f"Your challenge {waiting.id} to {wish.challenged.name} for the same game waits already; "
                f"`withdraw {waiting.id}` takes it back."
            )
    mine = [waiting for waiting in open_ones if waiting.challenger.id == wish.challenger.id]
    if sum(waiting.challenged.id == wish.challenged.id for waiting in mine) >= CHALLENGES_TO_ONE:
        raise Refusal(f"{CHALLENGES_TO_ONE} challenges of yours to {wish.challenged.name} wait already.")
    if len(mine) >= MAX_CHALLENGES:
        raise Refusal(
            f"{MAX_CHALLENGES} challenges of yours wait already; more can go when some are answered."
        )
    every, to_one = challenges.count_unsuccessful(ctx.db, wish, ctx.now - DAY)
    if to_one >= IN_VAIN_TO_ONE:
        name = wish.challenged.name
        raise Refusal(f"{to_one} challenges of yours went to {name} within a day; wait until tomorrow.")
    if every >= MAX_IN_VAIN:
        raise Refusal(f"{every} challenges of yours went out within a day; wait until tomorrow.")


def _choose(request: Request) -> Challenge:
    ctx, player, command = request.ctx, request.player, request.command
    if command.args["offer"] not in ("", "challenge"):
        raise Refusal(
            f'No game is named, so answer the letter of the game with "{command.text}", or write its number '
            "on the line above."
        )
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, player, ctx.now, lock=True)
    wanted, about = command.args["number"], request.sender.about
    number = wanted or about
    if ctx.when.again and not number:  # the mail cannot answer what came after it
        waiting = [challenge for challenge in waiting if challenge.created_at <= ctx.at]
    settled = challenges.find_challenge(ctx.db, ctx.app.games_by_key, number) if number else None
    if settled is not None and settled[1] == "accepted" and player in settled[0].pair:
        raise Refusal(f"Challenge {number} was accepted before; it is game {settled[2]}.")
    if wanted and seeks.is_open_seek(ctx.db, wanted, ctx.now):
        raise Refusal(f"{wanted} is a seek; `take {wanted}` takes it.")
    to_me = any(each.challenged.id == player.id for each in waiting)
    if not (number or to_me) and (game := _game_with_offer(ctx, player)):
        raise Refusal(
            f"No challenge waits for you. Something is on offer in game {game}: to answer that, write "
            f"`game {game}` on a line and `{command.verb}` on the line below it."
        )
    return choose_challenge(player, waiting, wanted, about, command.verb)


def _game_with_offer(ctx: Context, player: Player) -> int | None:
    for listed in games.running_of_player(ctx.db, ctx.app.games_by_key, player):
        game = games.load_game(ctx.db, ctx.app.games_by_key, listed.id)
        seat = game.seat_of(player) if game is not None else None
        if game is not None and seat is not None and offers_to(game.state, seat):
            return listed.id
    return None


def _accept(request: Request) -> list[Letter]:
    return start_game(request.ctx, _choose(request), request.player, request.block.comment)


def _decline(request: Request) -> list[Letter]:
    db, challenge, words = request.ctx.db, _choose(request), request.block.comment
    check_words(words, challenge.rules, challenge.options)
    challenges.close_challenge(db, challenge.id, "declined")
    words = "" if limits.blocked(db, *challenge.pair) else words
    mine = to_player("declined", challenge.challenged, challenge=challenge, mine=True, comment="")
    theirs = to_player("declined", challenge.challenger, challenge=challenge, mine=False, comment=words)
    return [theirs, replace(mine, needed=True)]


COMMANDS: Handlers = {"challenge": _challenge, "accept": _accept, "decline": _decline}
