"""The commands `rating` and `standings`."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.which_game import number_meant
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.ratings.results import rating_text
from pbem.store import players, rating_queries
from pbem.store.rating_queries import Career
from rules.contract import Rules

PLACES_SHOWN = 20
"""Places shown in a letter."""


def _rating(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    """Answer `rating` and `rating Joao`: a player's results in each game."""
    name = command.args["name"]
    player = players.player_by_name(ctx.db, name) if name else sender.player
    if player is None:
        raise Refusal(challenges.unknown_player_sentence(name, players.names_like(ctx.db, name)))
    games_by_key = ctx.app.games_by_key
    found = rating_queries.careers(ctx.db, [player.id])[player.id]
    careers = [
        (games_by_key[c.rules].name, c, _career_rating_text(ctx, c)) for c in found if c.rules in games_by_key
    ]
    return [
        to_player(
            "rating",
            sender.player,
            name=player.name,
            mine=player.id == sender.player.id,
            since=player.created_at,
            provisional=any(rating.endswith("?") for _, _, rating in careers),
            careers=careers,
            in_time=rating_queries.share_in_time(found),
        )
    ]


def _standings(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    """Answer `standings bipod`, or `standings` about a game."""
    rules = _rules_in_question(ctx, sender, block, command.args["game"])
    best = rating_queries.best_rated(ctx.db, rules.key, ctx.now, PLACES_SHOWN)
    careers = rating_queries.careers(ctx.db, [sender.player.id])[sender.player.id]
    mine = next((career for career in careers if career.rules == rules.key and career.rated), None)
    figures = rating_queries.game_statistics(ctx.db, rules.key)
    return [
        to_player(
            "standings",
            sender.player,
            rules=rules,
            best=[(place, career, _career_rating_text(ctx, career)) for place, career in enumerate(best, 1)],
            mine=_career_rating_text(ctx, mine) if mine else "",
            place=rating_queries.rank(ctx.db, mine, ctx.now) if mine else None,
            games=figures.games,
            first=figures.first,
        )
    ]


def _rules_in_question(ctx: Context, sender: KnownPlayer, block: GameBlock, word: str) -> Rules:
    if word:
        return challenges.find_rules(word, ctx.app.offered)
    number = number_meant(sender, block)
    game = ctx.game(number) if number is not None else None
    if game is None:
        first = next(iter(ctx.app.offered), "bipod")
        raise Refusal(f"`standings` needs the name of a game, as in `standings {first}`.")
    return game.rules


def _career_rating_text(ctx: Context, career: Career) -> str:
    return rating_text(career.standing, ctx.now) if career.rated else "none"


COMMANDS: Mapping[str, Handler] = {
    "rating": _rating,
    "standings": _standings,
}
