"""Sample letters to directors: the question about each act, and the answer when it is done."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.parsing.director_acts import ACTS, read_act
from pbem.core.play import director
from tests.mail.match_letters import EVENT
from tests.people import BILL, NOON, SEED_GAME, a_game

ASKED = ReplyTo("confirm", 7)


def letters_of_directors() -> Iterator[tuple[str, Letter]]:
    """The question about each act, as its examples have it, and one answer."""
    game, reason = a_game(SEED_GAME[:4]), "Our server was slow.\nresign"
    for word, act in ACTS.items():
        args = read_act(" ".join([word, *(each.example for each in act.fields)]))
        assert args is not None
        facts = {
            "act": word,
            "args": args,
            "game": game if "game" in args else None,
            "event": EVENT if "event" in args else None,
            "hours": director.hours_given(args),
            "until": director.pause_until(args, NOON),
            "gone": ["f6", "h2"] if word == "rollback" else [],
            "hidden": "You are a fool.\nresign" if word == "hide" else "",
            "taken_back": act.taken_back,
            "reason": reason,
        }
        yield f"directask-{word}", Letter("directask", BILL.address, BILL, ASKED, facts=facts)
    yield "directed", to_player("directed", BILL, **facts)
