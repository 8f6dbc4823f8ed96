"""Stop letters of a category by the address or page in each letter."""

from __future__ import annotations

from pbem.app import Office
from pbem.core.letters.letter import CATEGORIES, KINDS, Letter
from pbem.core.players import Player
from pbem.mail.addresses import Token
from pbem.store import players


def _unsubscribe(office: Office, letter: Letter) -> tuple[str, str]:
    """The address and the page that unsubscribe, or ("", "")."""
    category = KINDS[letter.kind].stop
    if not category or letter.player is None:
        return "", ""
    reply = office.addressing.reply(_stopping(letter.player, category))
    return reply, stopping_page(office, letter.player, category)


def _stopping(player: Player, category: str) -> Token:
    return Token("unsubscribe", (player.id, CATEGORIES.index(category), player.epoch))


def stopping_page(office: Office, player: Player, category: str) -> str:
    """The page on which a player stops and starts a category."""
    return f"{office.settings.site}/unsubscribe/{office.addressing.seal(_stopping(player, category))}"


def stoppable(office: Office, sealed: str) -> tuple[Player, str] | None:
    """The player and category of an unsubscribe token, None if void; raises BadAddress."""
    token = office.addressing.open(sealed)
    if token.use != "unsubscribe":
        return None
    player_id, category, epoch = token.numbers
    with office.store.read() as db:
        player = players.by_id(db, player_id)
    if player is None or player.epoch != epoch or category >= len(CATEGORIES):
        return None
    return player, CATEGORIES[category]


def stop_letters(office: Office, player: Player, category: str, *, stop: bool = True) -> None:
    """Stop letters of a category to a player, or start them again."""
    with office.store.write() as db:
        players.stop(db, player, category, stop=stop)
