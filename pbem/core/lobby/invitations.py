"""Invitations of friends: by a code that is forwarded, or by one letter to an address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pbem.core.errors import Refusal
from pbem.core.parsing import arguments
from pbem.core.parsing.reply_text import first_lines
from pbem.core.players import Player, same_address
from rules.contract import Rules

INVITATION_DAYS = 30
ADDRESSES_A_DAY = 5
"""Maximum addresses that one player invites in a day."""
MAX_FRIENDS = 9
"""Maximum friends of one invitation by code."""
MAX_OPEN_CODES = 20
"""Maximum open invitations by code of one player."""
USUAL_GAME = ("begird", "islands=9")
"""A small board, one stone a move, and no capitals."""
_NEVER = re.compile(
    r"\W*(?:please )?(?:never(?: again| write(?: to me)?(?: again)?)?|stop|unsubscribe|remove me)\W*",
    re.IGNORECASE,
)

Closed = Literal["", "gone", "late", "own", "in", "used"]
"""A code for the reason why an invitation takes nobody in."""


@dataclass(frozen=True)
class Invitation:
    """An invitation on `terms`, which are a challenge's arguments; `seed` deals the board shown.

    Terms have the number of a `club` too, into which it leads, and then perhaps no game. `joined` in them
    are the numbers of the friends who are in the club by it.
    """

    id: int
    inviter: Player
    terms: Mapping[str, Any]
    seed: int
    friends: int
    created_at: datetime
    expires_at: datetime

    @property
    def club(self) -> int:
        """The number of the club into which it leads, or 0."""
        return int(self.terms.get("club", 0))

    @property
    def has_game(self) -> bool:
        return bool(self.terms["game"])


def usual_terms(offered: Mapping[str, Rules]) -> Mapping[str, Any]:
    """Return the terms of `invite` without a game: an easy one, or the first on offer. Raises Refusal."""
    if not offered:
        raise Refusal("There is no game on offer here.")
    key, option = USUAL_GAME
    words = f"{key} {option}" if key in offered else next(iter(offered))
    found = arguments.invite(words)
    assert found is not None
    return found


def why_closed(
    invitation: Invitation | None, now: datetime, joined: Mapping[int, int], friend: Player | None
) -> Closed:
    """Return a code for the reason why nobody can join now. `joined`: the games of friends by player."""
    if invitation is None or invitation.inviter.gone or invitation.inviter.barred:
        return "gone"
    if friend is not None and friend.id == invitation.inviter.id:
        return "own"
    if friend is not None and friend.id in joined:
        return "in"
    if now > invitation.expires_at:
        return "late"
    return "used" if len(joined) >= invitation.friends else ""


def closed_sentence(closed: Closed, invitation: Invitation | None, game: int = 0) -> str:
    """Return the sentence on a closed invitation for whoever answers it; `game` is the game they have."""
    if invitation is None or closed == "gone":
        return "The invitation that you answered is not open any more."
    name = invitation.inviter.name
    match closed:
        case "own":
            return "This is your own invitation. Forward its letter to your friend, who answers it."
        case "in":
            if not game:
                return "You have joined before; `club` lists your clubs."
            return f"You have joined before; it is game {game}. `show {game}` brings its board."
        case "late":
            return (
                f"The invitation of {name} was good for {INVITATION_DAYS} days, which are over. Ask {name} "
                "for a new one."
            )
    taken = "somebody" if invitation.friends == 1 else f"{invitation.friends} friends"
    return f"The invitation of {name} has been taken by {taken} before you. Ask {name} for another."


def mailbox_of(address: str) -> str:
    """Return the mailbox behind an address: `Anna+games@example.com` is Anna's."""
    local, _, host = same_address(address).lower().rpartition("@")
    local = local.partition("+")[0] or local
    return f"{local.replace('.', '') if host in ('gmail.com', 'googlemail.com') else local}@{host}"


def says_never(words: str) -> bool:
    """True if the words ask that nothing is written to their writer again."""
    return _NEVER.fullmatch(words.strip().partition("\n")[0]) is not None


_PROPOSED = re.compile(
    r"(?:(?:shall we|let'?s|want to|wanna|fancy|how about|care for) )?(?:challenge |play |invite )?"
    r"(?:(?:a )?(?:game|round) of )?(.+?)[ ?!.]*",
    re.IGNORECASE,
)


def proposed_game(words: str) -> str:
    """Return the terms of a game that a mail's first line proposes, as `bipod?` does, or ""."""
    lines = first_lines(words, 2)
    if len(lines) > 1 and lines[0].strip().endswith(","):  # Hi Anna,
        lines = lines[1:]
    found = _PROPOSED.fullmatch(lines[0].strip()) if lines else None
    known = arguments.invite(found[1]) if found is not None else None
    return found[1] if found is not None and known and known["game"] and not known["address"] else ""


_ADDRESS = re.compile(r"[^\s<>,;:\"()]{1,250}@[^\s<>,;:\"()@]{1,250}")
"""All that may be an address, also in a display name, so that nobody is hidden there."""


def other_recipients(to: str, sender: Player | None, host: str) -> list[str]:
    """Return the addresses in To and Cc that are neither the sender's nor of this server."""
    found, ours = map(same_address, _ADDRESS.findall(to)), f"@{host.lower()}"
    own = sender.addresses if sender else frozenset()
    return list(dict.fromkeys(each for each in found if not each.endswith(ours) and each not in own))
