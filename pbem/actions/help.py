"""Answer `help`, `rules` and `games`."""

from __future__ import annotations

from pbem.actions.context import Desk, Person
from pbem.actions.which_game import number_meant
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import Block
from pbem.resources import rules_in_words
from pbem.store import challenges, games, seeks


def _games(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    shelf, player = desk.app.shelf, person.player
    waiting = challenges.waiting(desk.db, shelf, player, desk.now)
    return [
        to_player(
            "games",
            player,
            running=games.running(desk.db, shelf, player),
            to_you=[challenge for challenge in waiting if challenge.challenged.id == player.id],
            from_you=[challenge for challenge in waiting if challenge.challenger.id == player.id],
            sought=seeks.mine(desk.db, shelf, player, desk.now),
        )
    ]


def _rules(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    word = command.args["game"]
    number = number_meant(person, block)
    game = desk.game(number) if number is not None else None
    offered = list(desk.app.offered.values())
    if not word and game is None:
        return [to_player("rules", person.player, rules=None, text="", offered=offered)]
    wanted = (
        lobby_challenges.find_rules(word, desk.app.offered) if word else game.rules if game else offered[0]
    )
    text = rules_in_words(wanted, desk.app.settings.templates)
    return [to_player("rules", person.player, rules=wanted, text=text, offered=offered)]


def _help(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    offered = list(desk.app.offered.values())
    return [to_player("help", person.player, topic=command.args["topic"], offered=offered)]
