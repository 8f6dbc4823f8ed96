"""Stop letters of a category by the address or page in each."""

from pbem.app import App
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import CATEGORIES, KINDS
from pbem.mail.addresses import Token
from pbem.store import invitations, players


def unsubscribe_links(app: App, letter: Letter) -> tuple[str, str]:
    if invited := letter.told.get("never"):
        sealed = app.addressing.sign_token(Token("never", (invited,)))
        return app.addressing.reply_to(sealed), _page(app, sealed)
    category = KINDS[letter.kind].stop
    if not category or letter.player is None:
        return "", ""
    sealed = app.addressing.sign_token(_token(letter.player, category))
    return app.addressing.reply_to(sealed), _page(app, sealed)


def _token(player: Player, category: str) -> Token:
    return Token("unsubscribe", (player.id, CATEGORIES.index(category), player.epoch))


def unsubscribe_page(app: App, player: Player, category: str) -> str:
    return _page(app, app.addressing.sign_token(_token(player, category)))


def _page(app: App, sealed: str) -> str:
    return f"{app.config.site}/unsubscribe/{sealed}"


def unsubscribe_target(app: App, sealed: str) -> tuple[Player, str] | None:
    token = app.addressing.read_token(sealed)
    if token.use != "unsubscribe":
        return None
    player_id, category, epoch = token.numbers
    with app.store.read() as db:
        player = players.player_by_id(db, player_id)
    if player is None or player.epoch != epoch or category >= len(CATEGORIES):
        return None
    return player, CATEGORIES[category]


def invited_address(app: App, sealed: str) -> tuple[int, bool] | None:
    """Return the number of an invited address, and True if it wants no letter. Raises BadAddress."""
    token = app.addressing.read_token(sealed)
    if token.use != "never":
        return None
    with app.store.read() as db:
        never = invitations.is_never(db, token.numbers[0])
    return None if never is None else (token.numbers[0], never)


def stop_invitations(app: App, invited: int) -> None:
    with app.store.write() as db:
        invitations.never_again(db, invited)


def stop_letters(app: App, player: Player, category: str, *, stop: bool = True) -> None:
    with app.store.write() as db:
        players.set_category_stopped(db, player, category, stop=stop)
