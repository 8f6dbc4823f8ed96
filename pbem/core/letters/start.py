"""The first letters of a game, one to each player."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.game.game import Game
from pbem.core.game.journal import SEATS
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game
from rules.contract import RulesError, Seat, option_words


def start_letters(
    game: Game, site: str, challenge: object, accepted_by: Seat, comment: str, *, often: bool = False
) -> list[Letter]:
    """The first letter of a game to each seat. `comment` holds the words of the player who accepted."""
    letters = []
    for seat in SEATS:
        mine = seat == accepted_by
        facts = {"challenge": challenge, "mine": mine, "comment": comment, "often": often}
        unplayed = _move_in_words(game, comment) if mine else ""
        letter = about_game("start", view(game, seat, site), **facts, unplayed=unplayed)
        letters.append(replace(letter, needed=mine))
    return letters


def league_letters(
    game: Game, site: str, league: Mapping[str, object], *, often: bool = False
) -> list[Letter]:
    """Return the first letters of a league's or ladder's game. `league` has its `title`."""
    same = {"rules": game.rules, "options": game.options, "rated": game.rated, "comment": "", "up_to": 0}
    terms = {**same, "option_words": option_words(game.options)}
    facts = {"challenge": terms, "mine": False, "comment": "", "often": often, "unplayed": ""}
    return [about_game("start", view(game, seat, site), **facts, league=league) for seat in SEATS]


def _move_in_words(game: Game, comment: str) -> str:
    line = comment.partition("\n")[0].strip()
    try:
        game.state.position.read(line)
    except RulesError:
        return ""
    return line
