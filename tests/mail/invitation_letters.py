"""Sample letters about the invitation of a friend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.letters.start import start_letters
from pbem.core.lobby.challenges import Seek
from pbem.core.lobby.invitations import Invitation
from tests.mail.club_letters import CLUB
from tests.mail.sample_values import ASKED, BIPOD, OFFERED, a_challenge, a_seek
from tests.people import BILL, HOST, JOAO, NOON, a_game

FRIEND = "anna@example.com"


def _asks(seek: Seek, name: str = "Anna", *, cold: bool = False, unclear: bool = False) -> Letter:
    facts = {"inviter": "Bill", "seek": seek, "name": name, "cold": cold, "unclear": unclear}
    facts |= {"first_board": BIPOD.begin(seek.options, 1), "never": 0 if not name else 12, "club": None}
    owner = None if name else JOAO
    return Letter("invitation", owner.address if owner else FRIEND, owner, ASKED, facts=facts)


def _into_a_club(seek: Seek, kept: Invitation) -> Iterator[tuple[str, Letter]]:
    """Invitations into a club, alone and with a game."""
    for name, terms in (("club", None), ("club-game", seek)):
        facts = {"invitation": replace(kept, friends=5), "seek": terms, "club": CLUB}
        yield f"invite-{name}", Letter("invite", BILL.address, BILL, ReplyTo("invite", 5), facts=facts)
        yield f"invited-{name}", to_player("invited", BILL, address=FRIEND, seek=terms, club=CLUB)
        cold = _asks(seek, cold=True).telling(seek=terms, club=CLUB)
        yield f"invitation-{name}", cold if terms else cold.telling(first_board=None)


def letters_of_invitations() -> Iterator[tuple[str, Letter]]:
    seek = a_seek(seats="second")
    until = NOON + timedelta(days=30)
    kept = Invitation(5, BILL, {}, 1, 1, NOON, until)
    for name, friends, terms in (("invite", 1, seek), ("invite-five", 5, replace(seek, seats="random"))):
        facts = {"invitation": replace(kept, friends=friends), "seek": terms, "club": None}
        yield name, Letter("invite", BILL.address, BILL, ReplyTo("invite", 5), facts=facts)
    yield "invited", to_player("invited", BILL, address=FRIEND, seek=seek, club=None)
    yield "invitation", _asks(seek, cold=True)
    yield "invitation-lot", _asks(replace(seek, seats="random"), cold=True)
    yield "invitation-code", _asks(seek)
    yield "invitation-unclear", _asks(seek, unclear=True)
    yield "invitation-player", _asks(seek, "")
    yield from _into_a_club(seek, kept)
    facts = {"problem": "", "refusal": "The invitation that you answered is not open any more.", "asked": ""}
    facts |= {"name": "Anna", "orders": [], "waiting": [], "guessed": True, "left_out": False}
    facts |= {"offered": OFFERED, "begins": True, "seen_move": "", "first_board": None}
    yield "newcomer-refusal", Letter("newcomer", FRIEND, None, ASKED, facts=facts)
    board = BIPOD.begin(BIPOD.complete({}), 1)
    yield "confirm-refusal", Letter("confirm", FRIEND, None, ASKED, facts=facts | {"first_board": board})
    joined = start_letters(a_game(), HOST, a_challenge(invitation=5), 1, "")
    yield from zip(("start-invited", "start-inviter"), reversed(joined), strict=True)
