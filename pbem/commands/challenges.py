"""The commands about challenges, `withdraw`, and the start of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.commands.context import Context, Request, handlers, handles
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.state import offers_to
from pbem.core.letters.letter import Letter, to_player
from pbem.core.letters.start import start_letters
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import limits as lobby_limits
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.parsing.arguments import BOTH_SEATS
from pbem.core.parsing.line import first_conditional_command
from pbem.core.players import Player, bot_level, bot_name
from pbem.duties.new_games import begin_game
from pbem.duties.permissions import (
    check_in_vain,
    check_limits,
    check_not_barred,
    check_room,
    count_games,
    has_enough_rated,
)
from pbem.store import bots, challenges, games, limits, locks, players
from rules import find
from rules.contract import Rules, Seat

MAX_CHALLENGES, CHALLENGES_TO_ONE = 20, 3
"""Maximum open challenges of one player, in all and to one other."""
PLANNED_TOO_SOON = (
    "There is a line of a plan among your words, and nobody else is to see it, so nothing was done; a plan "
    "can be made once the game has begun, in answer to any of its letters."
)


@handles("pair")
@handles("challenge")
def _challenge(request: Request) -> list[Letter]:
    if request.args.get("address"):
        return handlers()["invite"](request)
    ctx, player, words = request.ctx, request.player, request.block.comment
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    args = request.args
    if (level := bot_level(args["player"], ctx.app.config.bots)) is not None:
        if args["seats"] == BOTH_SEATS:
            raise Refusal(
                f"A pair of games needs two people. `challenge bot {args['game']}` begins one game."
            )
        return challenge_bot(ctx, player, args, level)
    found = players.player_by_name(ctx.db, args["player"])
    if found is None and find(args["player"]) is not None:  # `challenge bagel Joao`
        args = {**args, "player": args["game"], "game": args["player"]}
        found = players.player_by_name(ctx.db, args["player"])
    name = args["player"]
    names = [] if found else players.names_like(ctx.db, name)
    challenged = lobby_challenges.check_can_challenge(player, found, name, names)
    return _propose(ctx, wish_for(ctx, player, args, challenged), words)


def challenge_bot(
    ctx: Context, player: Player, args: Mapping[str, Any], level: int, seed: int | None = None
) -> list[Letter]:
    """Start a game against a bot, which accepts at once."""
    if level not in ctx.app.config.bots:
        raise Refusal(lobby_challenges.no_bot_sentence(bot_name(level), ctx.app.config.bots))
    check_not_barred(player)
    lobby_challenges.find_rules(args["game"], ctx.app.offered)
    running = bots.count_running(ctx.db, player)
    room = lobby_challenges.GameCount(running, 0, lobby_challenges.MAX_BOT_GAMES)
    if room.full:
        raise Refusal(lobby_challenges.too_many_bot_games_sentence(running))
    terms = lobby_challenges.terms_with_bot(args)
    seek = lobby_challenges.seek_for(player, terms, ctx.app.offered, room, ctx.now, 1)
    bot = bots.find_bot(ctx.db, level, ctx.now)
    wish = challenges.add_challenge(ctx.db, Challenge(**vars(seek), challenged=bot))
    return start_game(ctx, wish, bot, "", seed)


def wish_for(ctx: Context, player: Player, args: Mapping[str, Any], challenged: Player) -> Challenge:
    """The challenge for the arguments of a command, not yet numbered."""
    room, days = count_games(ctx.app, ctx.db, player), lobby_challenges.CHALLENGE_DAYS
    seek = lobby_challenges.seek_for(player, args, ctx.app.offered, room, ctx.now, days)
    return Challenge(**vars(seek), challenged=challenged)


@dataclass(frozen=True)
class Proposal:
    """A challenge that can be made. `often`: unrated, since the two have had enough rated games."""

    wish: Challenge
    often: bool


def check_proposal(ctx: Context, wish: Challenge, words: str, more: int = 0) -> Proposal:
    """Raise Refusal if a challenge with `words`, and so many `more` besides, cannot be made."""
    wish, often = _unrate_often(ctx, wish)
    _check_new_challenge(ctx, wish, more)
    check_limits(ctx.db, wish.challenger, wish.challenged, wish.rules)
    check_words(words, wish.rules, wish.options)
    return Proposal(wish, often)


def _propose(ctx: Context, wish: Challenge, words: str) -> list[Letter]:
    """Keep a challenge; returns the letters to both, the other's with `words`."""
    proposal = check_proposal(ctx, wish, words)
    kept, often = challenges.add_challenge(ctx.db, proposal.wish), proposal.often
    return [
        to_player("challenge", kept.challenged, about=kept.id, challenge=kept, comment=words, often=often),
        to_player("offered", kept.challenger, challenge=kept, often=often),
    ]


@handles("rematch")
def _rematch(request: Request) -> list[Letter]:
    """Challenge the other player of an ended game again, or accept theirs."""
    ctx, player, words = request.ctx, request.player, request.block.comment
    game, seat = _ended_game(request)
    for each in sorted(game.seats, key=lambda seated: seated.id):
        locks.advisory_lock(ctx.db, f"challenges of {each.id}")
    other = game.seats[1 - seat]
    if other.bot:
        return challenge_bot(ctx, player, lobby_challenges.terms_of_rematch(game, seat), other.bot)
    challenged = lobby_challenges.check_can_challenge(player, other, other.name, [])
    wish = wish_for(ctx, player, lobby_challenges.terms_of_rematch(game, seat), challenged)
    wishes = (wish, _unrate_often(ctx, wish)[0])
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, player, ctx.now, lock=True)
    for theirs in waiting:
        if any(lobby_challenges.is_same_game(theirs, each) for each in wishes):
            return start_game(ctx, theirs, player, words)
    return _propose(ctx, wish, words)


def _ended_game(request: Request) -> tuple[Game, Seat]:
    number = request.args["number"]
    own = request.ctx.own_game(int(number), request.player) if number else request.own
    if own is None:
        raise Refusal(
            "This is about no game. Answer the last letter of the game that you want to play again."
        )
    if own[0].state.ending is None:
        raise Refusal(f"Game {own[0].id} is not over yet. Ask again when it is.")
    return own


def could_challenge(ctx: Context, player: Player, other: Player, rules: Rules) -> bool:
    """True if `challenge`, the other's name and the game would ask the other now."""
    args = {"game": rules.key, "options": {}, "pace": "", "rated": True, "seats": "random"}
    try:
        _check_new_challenge(ctx, wish_for(ctx, player, args, other), 0)
        check_limits(ctx.db, player, other, rules)
    except Refusal:
        return False
    return True


def _unrate_often(ctx: Context, wish: Challenge) -> tuple[Challenge, bool]:
    """Return the challenge, unrated if the two have had enough rated games. Then the second value is True."""
    often = wish.rated and has_enough_rated(ctx.db, wish.rules, wish.pair, ctx.now)
    return replace(wish, rated=wish.rated and not often), often


def _check_new_challenge(ctx: Context, wish: Challenge, more: int) -> None:
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
    if len(mine) + more >= MAX_CHALLENGES:
        raise Refusal(
            f"{MAX_CHALLENGES} challenges of yours wait already; more can go when some are answered."
        )
    check_in_vain(ctx.db, wish.challenger, wish.challenged, ctx.now)


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
    if wanted and challenges.is_open_seek(ctx.db, wanted, ctx.now):
        raise Refusal(f"{wanted} is a seek; `take {wanted}` takes it.")
    to_me = any(each.challenged.id == player.id for each in waiting)
    if not (number or to_me) and (game := _game_with_offer(ctx, player)):
        raise Refusal(
            f"No challenge waits for you. Something is on offer in game {game}: to answer that, write "
            f"`game {game}` on a line and `{command.verb}` on the line below it."
        )
    return lobby_challenges.choose_challenge(player, waiting, wanted, about, command.verb)


def _game_with_offer(ctx: Context, player: Player) -> int | None:
    for listed in games.running_of_player(ctx.db, ctx.app.games_by_key, player):
        game = games.load_game(ctx.db, ctx.app.games_by_key, listed.id)
        seat = game.seat_of(player) if game is not None else None
        if game is not None and seat is not None and offers_to(game.state, seat):
            return listed.id
    return None


@handles("accept")
def _accept(request: Request) -> list[Letter]:
    return start_game(request.ctx, _choose(request), request.player, request.block.comment)


@handles("decline")
def _decline(request: Request) -> list[Letter]:
    db, challenge, words = request.ctx.db, _choose(request), request.block.comment
    check_words(words, challenge.rules, challenge.options)
    challenges.close_challenge(db, challenge.id, "declined")
    words = "" if limits.blocked(db, *challenge.pair) else words
    mine = to_player("declined", challenge.challenged, challenge=challenge, mine=True, comment="")
    if challenge.invitation:  # the challenger does not know whom they asked
        return [replace(mine, needed=True)]
    theirs = to_player("declined", challenge.challenger, challenge=challenge, mine=False, comment=words)
    return [theirs, replace(mine, needed=True)]


@handles("withdraw")
def _withdraw(request: Request) -> list[Letter]:
    db, now, player, known = request.ctx.db, request.ctx.now, request.player, request.ctx.app.games_by_key
    check_not_barred(player)
    locks.advisory_lock(db, f"challenges of {player.id}")
    wishes = challenges.open_challenges(db, known, player, now, lock=True)
    mine: dict[int, Seek] = {seek.id: seek for seek in challenges.own_seeks(db, known, player, now)}
    mine |= {wish.id: wish for wish in wishes if wish.challenger.id == player.id}
    wish = lobby_challenges.choose_withdrawal(mine, request.args["number"], request.sender.about)
    if not isinstance(wish, Challenge) and challenges.lock_seek(db, known, wish.id)[1] != "open":
        raise Refusal(f"Seek {wish.id} has just been taken.")
    challenges.close_challenge(db, wish.id, "withdrawn")
    letters = [replace(letter, needed=True) for letter in request.answer("withdrawn", wish=wish, mine=True)]
    if isinstance(wish, Challenge):
        letters.append(to_player("withdrawn", wish.challenged, wish=wish, mine=False))
    return letters


def check_words(words: str, rules: Rules, options: Mapping[str, Any]) -> None:
    lobby_limits.refuse_too_long(words)
    if words and first_conditional_command(words.split("\n"), rules.begin(options, 0).read) is not None:
        raise Refusal(PLANNED_TOO_SOON)


def start_game(
    ctx: Context, challenge: Challenge, player: Player, comment: str, seed: int | None = None
) -> list[Letter]:
    """Start the game that `player` accepts; returns both first letters. The other's has `comment`."""
    for seated in sorted(challenge.pair, key=lambda seated: seated.id):
        locks.advisory_lock(ctx.db, f"games of {seated.id}")
    check_words(comment, challenge.rules, challenge.options)
    with_bot = any(each.bot for each in challenge.pair)
    twice = challenge.seats == BOTH_SEATS
    if not with_bot:
        check_room(ctx.app, ctx.db, challenge, player, more=int(twice))
    seats = lobby_challenges.seats_for(challenge, ctx.app.rng)
    challenge, often = (challenge, False) if with_bot else _unrate_often(ctx, challenge)
    begun = begin_game(ctx.app, ctx.db, challenge, seats, ctx.now, seed)
    if challenge.up_to:
        challenges.take_standing_seek(ctx.db, challenge, begun.id, ctx.now)
        challenge = replace(challenge, running=challenge.running + 1)
    else:
        challenges.close_challenge(ctx.db, challenge.id, "accepted", begun.id)
    letters = _first_letters(ctx, begun, challenge, player, comment, often=often)
    if not twice:
        return letters
    second, often = _unrate_often(ctx, challenge)
    other = begin_game(ctx.app, ctx.db, second, (seats[1], seats[0]), ctx.now)
    return [*letters, *_first_letters(ctx, other, second, player, "", often=often)]


def _first_letters(
    ctx: Context, begun: Game, challenge: Challenge, player: Player, comment: str, *, often: bool
) -> list[Letter]:
    seat = begun.seat_of(player)
    assert seat is not None
    return start_letters(begun, ctx.site, challenge, seat, comment, often=often)
