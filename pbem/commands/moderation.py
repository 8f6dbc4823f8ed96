"""Moderation: hidden words, barred and renamed players, the command `report`.

All of it is logged and reversible.

Hidden words stay in the journal, marked. A barred player finishes running games, and begins none. By `report`
a player shows words of a game to the operator; the other player is not told.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pbem.app import App
from pbem.commands import bars, context
from pbem.commands.forget import close_challenges
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play.director import clean_reason, words_said
from pbem.core.players import Player, name_problem
from pbem.duties.clubs import rest_office
from pbem.outbox.write import queue_letters
from pbem.store import engine, games, locks, moderation, players
from pbem.store.moderation import ModerationAct

log = logging.getLogger("pbem.moderation")

MAX_REPORTS = 5
MAX_SHOWN = 5
"""Maximum number of the others' newest words in a report."""


@dataclass(frozen=True)
class Operator:
    name: str
    reason: str


Done = tuple[str, list[Letter]]
"""What was done, in a sentence, and the letters about it."""


def carry_out(app: App, by: Operator, act: Callable[..., Done], *about: Any, **named: Any) -> str:
    """Do an act in its own transaction; returns a sentence about it. Raises Refusal."""
    with app.store.write() as db:
        said, letters = act(app, db, by, *about, **named)
        queue_letters(app, db, letters, app.now(), about=f"moderation{app.rng.getrandbits(64):x}")
    app.wake()
    return said


def hide_words(
    app: App, db: engine.Connection, by: Operator, id: int, entry: int, *, undo: bool = False
) -> Done:
    """Hide an entry's words, or show them again. Raises Refusal."""
    reason = clean_reason(by.reason)
    game = games.load_game(db, app.games_by_key, id, lock=True)
    if game is None:
        raise Refusal(f"There is no game {id}.")
    words = moderation.words_of_entry(db, id, entry)
    if words is None or not words[0]:
        raise Refusal(f"Nobody said anything in entry {entry} of game {id}.")
    if words[1] != undo:
        raise Refusal(f"Entry {entry} of game {id} is {'not hidden' if undo else 'hidden already'}.")
    moderation.set_hidden(db, id, entry, not undo)
    moderation.drop_chat_letters(db, id, sum(each.n <= entry for each in game.open_entries))
    written_by = game.author_of(game.journal[entry - 1])
    author = players.player_by_id(db, written_by[0]) if written_by else None
    assert author is not None
    act = ModerationAct("show" if undo else "hide", app.now(), by.name, reason, author.id, id, entry)
    _log_act(db, act)
    said = f"What {author.name} said in entry {entry} of game {id} is {'shown again' if undo else 'hidden'}."
    return said, [to_player("moderated", author, act=act, game=game.title, old="")]


def bar_player(app: App, db: engine.Connection, by: Operator, name: str, *, undo: bool = False) -> Done:
    """Bar a player, or take that back. Raises Refusal."""
    reason = clean_reason(by.reason)
    player = _player_called(db, name)
    if bool(player.barred) != undo:
        raise Refusal(f"{player.name} is {'not barred' if undo else 'barred already'}.")
    locks.advisory_lock(db, f"challenges of {player.id}")
    moderation.bar_player(db, player, "" if undo else reason)
    if undo:
        bars.lift_bar(app, db, player)
    else:
        bars.keep_bar(app, db, player, app.now())
    others = [] if undo else close_challenges(db, app.games_by_key, player, app.now())
    others += [] if undo else rest_office(db, player)
    act = ModerationAct("unbar" if undo else "bar", app.now(), by.name, reason, player.id)
    _log_act(db, act)
    letters = [*others, to_player("moderated", player, act=act, game="", old="")]
    return f"{player.name} is {'not barred any more' if undo else 'barred'}.", letters


def rename_player(app: App, db: engine.Connection, by: Operator, name: str, new: str | None) -> Done:
    """Rename a player; without a name, restore the previous one. Raises Refusal."""
    reason = clean_reason(by.reason)
    player = _player_called(db, name)
    given = moderation.latest_acts(db, 1, player, "rename") if not new else []
    if not (new or given):
        raise Refusal(f"{player.name} was not renamed, so there is nothing to undo.")
    new = new or str(given[0].data["old"])
    if problem := name_problem(new, KEYWORDS):
        raise Refusal(problem)
    holder = players.player_by_name(db, new)
    if holder is not None and (holder.id != player.id or new == player.name):
        who = "The player" if holder.id == player.id else "Somebody"
        raise Refusal(f"{who} is called {new} already.")
    locks.lock_running_games(db, player.id)
    moderation.rename_player(db, player, new)
    names = {"old": player.name, "new": new}
    act = ModerationAct("rename", app.now(), by.name, reason, player.id, data=names)
    _log_act(db, act)
    told = to_player("moderated", _player_called(db, new), act=act, game="", old=player.name)
    return f"{player.name} is called {new} now.", [told]


def name_director(app: App, db: engine.Connection, by: Operator, name: str, *, undo: bool = False) -> Done:
    """Make a player a director, or take that back. Raises Refusal."""
    reason = clean_reason(by.reason)
    player = _player_called(db, name)
    if player.bot:
        raise Refusal(f"{player.name} is a computer, and reads no mail.")
    if player.director != undo:
        raise Refusal(f"{player.name} is {'no director' if undo else 'a director already'}.")
    moderation.set_director(db, player, not undo)
    act = ModerationAct("undirect" if undo else "direct", app.now(), by.name, reason, player.id)
    _log_act(db, act)
    said = f"{player.name} is {'no director any more' if undo else 'a director now'}."
    return said, [to_player("moderated", player, act=act, game="", old="")]


def _player_called(db: engine.Connection, name: str) -> Player:
    found = players.player_by_name(db, name)
    if found is None or found.gone:
        raise Refusal(f"Nobody here is called {name}.")
    return found


def _log_act(db: engine.Connection, act: ModerationAct) -> None:
    moderation.add_act(db, act)
    line = "%(kind)s by %(by)s: player %(player_id)s, game %(game_id)s, entry %(entry)s: %(reason)s"
    engine.log_at_commit(db, log, line, vars(act))


@context.handles("report")
def _report(request: context.Request) -> list[Letter]:
    ctx, reporter, text = request.ctx, request.player, request.args["number"]
    number = int(text) if text else request.number
    if number is None:
        raise Refusal("Which game is it? Answer a letter of that game, or write its number: `report 42`.")
    game = ctx.existing_game(number)
    done = moderation.latest_acts(ctx.db, MAX_REPORTS, reporter, "report")
    if len(done) == MAX_REPORTS and done[-1].at > ctx.now - context.DAY:
        raise Refusal(
            f"You have sent {MAX_REPORTS} reports within a day; please write to postmaster@{ctx.site} now."
        )
    why = "\n".join(first_lines(request.block.comment, 40))
    act = moderation.ModerationAct("report", ctx.now, reporter.name, why, reporter.id, game.id)
    moderation.add_act(ctx.db, act)
    log.warning("player %d reports words in game %d: pbem moderation", reporter.id, game.id)
    answer = request.answer("reported", game=game.title, why=why)
    operator = ctx.app.config.operator
    if operator is None:
        return answer
    own = (reporter.id, reporter.name)
    said = [(entry.n, name, text) for entry, name, text in words_said(game) if game.author_of(entry) != own]
    facts = {"reporter": reporter.name, "game": game, "said": said[-MAX_SHOWN:], "why": why}
    return [*answer, Letter("report", operator, None, facts=facts)]
