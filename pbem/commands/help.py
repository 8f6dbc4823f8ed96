"""Answers commands that only show or greet: help, rules, games, notes, register."""

from pbem.commands import context, which_game
from pbem.commands.examples import examples_for, running_game
from pbem.core.errors import Refusal
from pbem.core.game.examples import USUAL
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.challenges import find_rules
from pbem.core.play.notes import newest_notes, notes_by_game
from pbem.core.players import Player
from pbem.resources import rules_in_words
from pbem.store import challenges, games, notes


@context.handles("games")
def _games(request: context.Request) -> list[Letter]:
    ctx, player, known = request.ctx, request.player, request.ctx.app.games_by_key
    waiting = challenges.open_challenges(ctx.db, known, player, ctx.now)
    return request.answer(
        "games",
        running=games.running_of_player(ctx.db, known, player),
        to_you=[challenge for challenge in waiting if challenge.challenged.id == player.id],
        from_you=[challenge for challenge in waiting if challenge.challenger.id == player.id],
        sought=challenges.own_seeks(ctx.db, known, player, ctx.now),
    )


@context.handles("rules")
def _rules(request: context.Request) -> list[Letter]:
    app, word = request.ctx.app, request.args["game"]
    offered = list(app.offered.values())
    game = request.ctx.game(request.number)
    rules = find_rules(word, app.offered) if word else game.rules if game else None
    text = rules_in_words(rules, app.config.templates) if rules else ""
    return request.answer("rules", rules=rules, text=text, offered=offered)


@context.handles("help")
def _help(request: context.Request) -> list[Letter]:
    offered = list(request.ctx.app.offered.values())
    number = request.number or running_game(request.ctx, request.player)
    examples = {**USUAL, **examples_for(request.ctx, request.player, number)}
    return request.answer("help", topic=request.args["topic"], offered=offered, examples=examples)


@context.handles("notes")
def _notes(request: context.Request) -> list[Letter]:
    number = which_game.number_to_look_at(request)
    found = notes.notes_of_player(request.ctx.db, request.player, None if number is None else [number])
    shown = newest_notes(found)
    return request.answer("notes", game=number, noted=notes_by_game(shown), more=len(found) - len(shown))


@context.handles("register")
def _register(request: context.Request) -> list[Letter]:
    return [welcome(request.ctx, request.player, again=True)]


def welcome(ctx: context.Context, player: Player, *, again: bool) -> Letter:
    offered, bot = list(ctx.app.offered.values()), bool(ctx.app.config.bots)
    return to_player("welcome", player, name=player.name, again=again, offered=offered, bot=bot, more=False)


@context.handles("confirm")
def _confirm(request: context.Request) -> list[Letter]:
    raise Refusal("There is nothing to confirm here; answer the letter that asked you to.")
