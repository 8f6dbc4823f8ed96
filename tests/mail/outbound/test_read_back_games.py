"""No letter of any game reads as a command after any conversion.

Conversions of HTML and line wrapping are both tried. `test_read_back.py` has Bipod's letters. Here are
all games, and the players speak each game's own moves.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from random import Random

import pytest

from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.facts import RefusalFacts, TurnFacts
from pbem.core.letters.letter import Letter, about_game
from pbem.core.parsing.line import MoveReader
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import MARKER, split_words
from pbem.core.play.show import show_letter
from pbem.mail.inbound.html_to_text import html_to_text
from rules import RULES
from rules.contract import NoMove, RulesError
from tests.amount import amount, some
from tests.mail.letters import SAMPLES, part_of_letter, write_sample
from tests.mail.outbound.test_read_back import assert_no_orders
from tests.mail.sample_values import ONLOOKER
from tests.people import HOST, NOON, a_game, command

each_game = pytest.mark.parametrize("key", sorted(RULES))


def played(key: str, plies: int, rng: Random) -> Game:
    """Play a game in which both say moves and other commands."""
    game = a_game(key=key)
    for _ in range(plies):
        position = fold(game).position
        if position.outcome:
            break
        move = str(position.sample(rng))
        words = "\n".join(rng.sample([move, move.lower(), "resign", f"1. {move}", "game 7", "Well!"], 3))
        data = {"move": move, "comment": words}
        game = game.with_entries([Entry(len(game.journal) + 1, NOON, PLY, position.to_play, data)])
    return game


def letters(game: Game, rng: Random) -> Iterator[Letter]:
    """Return a game's letters, with its own moves among the quoted words."""
    move = str(game.state.position.sample(rng)) if not game.state.position.outcome else "resign"
    for seat in (0, 1):
        mine = view(game, seat, HOST)
        yield about_game("turn", mine, TurnFacts(1, 1))
        yield about_game("chat", mine, words=f"{move}\nresign\n\n{move}")
        yield about_game("refused", mine, RefusalFacts([f"{move}: no, {move}.", move], [move]))
        yield about_game("refused", mine, RefusalFacts(["No."], found=[move, f"move {move}"]))
        yield show_letter(mine, command("show", "show", ply=None))
        yield show_letter(mine, command("moves", "moves"))
        yield show_letter(mine, command("try", f"try {move} then {move}", moves=[move, move]))
    yield show_letter(view_for_reader(game, ONLOOKER, HOST), command("show", "show", ply=0))


@cache
def all_letters() -> list[tuple[bytes, MoveReader]]:
    """Return letters of every game, all samples, and their move readers."""
    found = []
    for number, key in enumerate(sorted(RULES)):
        rng = Random(number)
        game = played(key, 9, rng)
        found += [(write_sample(letter), game.state.position.read) for letter in letters(game, rng)]
    start = RULES["bipod"].start()
    for letter in SAMPLES.values():
        found.append((write_sample(letter), (letter.view.state.position if letter.view else start).read))
    return found


def some_letters(part: int) -> list[tuple[bytes, MoveReader]]:
    """All letters, or in a short run a quarter of them; four parts in a row have them all."""
    step = amount(8, 1)
    return all_letters()[part % step :: step]


@each_game
def test_no_letter_of_a_game_reads_as_an_order(key: str):
    rng = Random(key)
    for plies in (1, 15):
        game = played(key, plies, rng)
        for letter in [*letters(game, rng)][:: amount(3, 1)]:
            assert_no_orders(write_sample(letter), game.state.position.read)


def orders_in(text: str, reader: MoveReader) -> list[str]:
    """Return the commands read from a text, by the most generous reading."""
    words, *_ = split_words(normalise(text))
    orders = read_orders(words, marked=True, reader=reader, reader_of=lambda _game: reader)
    assert orders.blocks or orders.empty
    return [command.text for block in orders.blocks for command in block.commands] + [
        "say" for block in orders.blocks if block.said
    ]


# ------------------------------------------------------------------- what programs make of our HTML


def _no_tags(html: str, between: str) -> str:
    """Return the text between the tags, with source line ends as spaces."""
    shown = " ".join(re.sub(r"(?s)<(head|title).*?</\1>", "", html).split())
    return unescape(re.sub(r"<[^>]+>", between, shown))


CONVERTERS: dict[str, Callable[[str], str]] = {
    "ours": html_to_text,
    "tags dropped": lambda html: _no_tags(html, ""),
    "tags to spaces": lambda html: _no_tags(html, " "),
    "tags to lines": lambda html: _no_tags(html, "\n"),
    "cells apart by tabs": lambda html: _no_tags(re.sub(r"</t[dh]>\s*", "\t", html), ""),
    "cells on lines": lambda html: _no_tags(re.sub(r"</(t[dh]|tr|p|div|h1)>\s*", "\n", html), ""),
    "cells in columns": lambda html: _no_tags(re.sub(r"</t[dh]>\s*", " | ", html), ""),
    "emphasis in stars": lambda html: _no_tags(re.sub(r"</?(b|strong|h1)\b[^>]*>", "*", html), ""),
    "code in ticks": lambda html: _no_tags(re.sub(r"</?code\b[^>]*>", "`", html), ""),
    "links in brackets": lambda html: _no_tags(re.sub(r'<a [^>]*href="([^"]*)"[^>]*>', r"[\1] ", html), ""),
    "links on lines": lambda html: _no_tags(re.sub(r"</?(a|code|b)\b[^>]*>", "\n", html), ""),
    "styles lost": lambda html: html_to_text(re.sub(r'\s(style|class|title)="[^"]*"', "", html)),
}


FALLEN_APART = ("tags to lines", "links on lines", "cells on lines")
"""Conversions that put each tagged word on its own line. The marker or the quote marks must be left."""


@pytest.mark.parametrize("name", some(CONVERTERS, 6))
def test_no_letter_reads_as_an_order_in_what_a_program_makes_of_its_html(name: str):
    for raw, reader in some_letters([*CONVERTERS].index(name)):
        whole = CONVERTERS[name](part_of_letter(raw, "html"))
        text = whole.replace(MARKER, "")
        assert [] == orders_in(whole, reader)
        assert [] == orders_in(re.sub("(?m)^", "> ", text), reader)
        if name not in FALLEN_APART:
            assert [] == orders_in(text, reader)


# --------------------------------------------------------------------------- what wrapping makes of it


def wrapped(text: str, width: int, *, marked: bool) -> str:
    """Quote each line and cut it at `width`. The first piece or every piece has a quote mark."""
    lines = []
    for line in text.split("\n"):
        pieces = textwrap.wrap(f"> {line}", width, break_long_words=False, break_on_hyphens=False) or ["> "]
        lines += [piece if piece.startswith(">") or not marked else f"> {piece}" for piece in pieces]
    return "\n".join(lines)


@pytest.mark.parametrize("width", range(30, 80, 7))
@pytest.mark.parametrize("with_marker", [True, False], ids=["marker", "no-marker"])
def test_no_letter_reads_as_an_order_wherever_its_quote_is_wrapped(width: int, with_marker: bool):
    for raw, reader in some_letters(width // 7):
        text = part_of_letter(raw, "plain").rstrip()
        shown = text if with_marker else text.replace(MARKER, "").lstrip("\n")
        assert [] == orders_in(wrapped(shown, width, marked=False), reader)
        assert [] == orders_in(wrapped(shown, width, marked=True), reader)


def reading(read: MoveReader, line: str) -> str:
    """Return what a game takes a line for."""
    try:
        return str(read(line))
    except NoMove:
        return "prose"
    except RulesError:
        return "a faulty move"


@each_game
def test_all_positions_on_one_board_read_a_line_alike(key: str) -> None:
    """Letters are checked with one reader for each board, whatever the position."""
    rng = Random(5)
    game = played(key, 8, rng)
    later = game.state.position
    start = RULES[key].begin(dict(later.options), 0)
    moves = [str(start.sample(rng)) for _ in range(20)]
    if not later.outcome:
        moves += [str(later.sample(rng)) for _ in range(20)]
    lines = [line for letter in letters(game, rng) for line in written(letter).splitlines()]
    for line in (*moves, *map(str.upper, moves), *(f"{move}." for move in moves), "f2 f4 g3", *lines):
        assert reading(start.read, line) == reading(later.read, line), line


def written(letter: Letter) -> str:
    return part_of_letter(write_sample(letter), "plain")
