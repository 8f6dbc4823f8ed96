"""The first letters of a game, one to each player."""

from dataclasses import replace

from pbem.core.game.game import Game
from pbem.core.game.journal import SEATS
from pbem.core.game.view import view
from pbem.core.letters.facts import StartFacts
from pbem.core.letters.letter import Letter, about_game
from pbem.core.players import has_program
from rules.contract import RulesError, Seat, option_words


def start_letters(
    game: Game, site: str, challenge: object, accepted_by: Seat, comment: str, *, often: bool = False
) -> list[Letter]:
    """The first letter of a game to each seat. `comment` holds the words of the player who accepted."""
    letters = []
    for seat in SEATS:
        mine = seat == accepted_by
        unplayed = _move_in_words(game, comment) if mine else ""
        facts = StartFacts(challenge, mine, comment, often, unplayed)
        letter = about_game("start", view(game, seat, site), facts)
        letters.append(replace(letter, needed=mine))
    return letters


def league_letters(
    game: Game, site: str, event: str, *, often: bool = False, on_ladder: bool = False
) -> list[Letter]:
    """Return the first letters of a game of the league, match or ladder with the title `event`."""
    same = {"rules": game.rules, "options": game.options, "rated": game.rated, "comment": "", "up_to": 0}
    with_program = has_program(game.seats)
    terms = {**same, "option_words": option_words(game.options), "with_program": with_program}
    facts = StartFacts(terms, often=often, event=event, on_ladder=on_ladder)
    return [about_game("start", view(game, seat, site), facts) for seat in SEATS]


def _move_in_words(game: Game, comment: str) -> str:
    line = comment.partition("\n")[0].strip()
    try:
        game.state.position.read(line)
    except RulesError:
        return ""
    return line
