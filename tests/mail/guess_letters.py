"""Sample letters about guesses at the moves of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.commands.guesses import Sealed
from pbem.core.exercises.guesses import Guess
from pbem.core.game.game import Game
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter, about_game
from pbem.core.players import Player
from pbem.duties.watch import reply_of_watcher
from tests.people import HOST


def letters_of_guesses(game: Game, reader: Player) -> Iterator[tuple[str, Letter]]:
    """Guesses of somebody who watches a game."""
    seen = view_for_reader(game, reader, HOST)
    made, ply = game.state.plies, len(game.state.plies) + 1
    plain = {"kept": "", "problem": "", "unsent": False, "waiting": [], "watching": True, "sealed": None}
    cases = {
        "guessed": {"sealed": Sealed(ply, "k3", "")},
        "guessed-anew": {"sealed": Sealed(ply, "k3 o", "k3"), "unsent": True, "waiting": [7, 9]},
        "guessed-unwatched": {"sealed": Sealed(ply, "k3", ""), "watching": False, "waiting": [7]},
        "guessed-none": {"sealed": Sealed(ply, "", "k3")},
        "guessed-refused": {"problem": "f2 is taken (a block, move 1).", "kept": "k3"},
    }
    for name, facts in cases.items():
        yield name, replace(about_game("guessed", seen, **plain | facts), reply=reply_of_watcher(seen))
    told = {
        each.n: Guess(game.id, each.n, each.move if right else "k3", right)
        for each, right in zip(made[-2:], (True, False), strict=True)
    }
    told_letter = about_game("watched", seen, new=made[-2:], guesses=told, invites=True)
    yield "watched-guessed", replace(told_letter, reply=reply_of_watcher(seen))
