"""Answer `help`, `rules` and `games`."""

from pbem.actions.context import Context, KnownPlayer
from pbem.actions.which_game import number_meant
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.resources import rules_in_words
from pbem.store import challenges, games, seeks


def _games(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    games_by_key, player = ctx.app.games_by_key, sender.player
    waiting = challenges.open_challenges(ctx.db, games_by_key, player, ctx.now)
    return [
        to_player(
            "games",
            player,
            running=games.running_of_player(ctx.db, games_by_key, player),
            to_you=[challenge for challenge in waiting if challenge.challenged.id == player.id],
            from_you=[challenge for challenge in waiting if challenge.challenger.id == player.id],
            sought=seeks.own_seeks(ctx.db, games_by_key, player, ctx.now),
        )
    ]


def _rules(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    word = command.args["game"]
    number = number_meant(sender, block)
    game = ctx.game(number) if number is not None else None
    offered = list(ctx.app.offered.values())
    if not word and game is None:
        return [to_player("rules", sender.player, rules=None, text="", offered=offered)]
    wanted = (
        lobby_challenges.find_rules(word, ctx.app.offered) if word else game.rules if game else offered[0]
    )
    text = rules_in_words(wanted, ctx.app.config.templates)
    return [to_player("rules", sender.player, rules=wanted, text=text, offered=offered)]


def _help(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    offered = list(ctx.app.offered.values())
    return [to_player("help", sender.player, topic=command.args["topic"], offered=offered)]
