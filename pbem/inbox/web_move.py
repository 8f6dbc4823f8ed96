"""An order composed on a web page and sent as mail.

The link in a letter carries the letter's reply token, and allows plies alone. All other orders need a player
who is signed in. Opening a page changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.journal import ROLLBACK, TAKEBACK
from pbem.core.game.state import Ply
from pbem.core.lobby.limits import MAX_WORDS
from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.line import first_conditional_command, read_line
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.play.preview import Composition, are_orders_alone, preview_move, words_as_sent
from pbem.core.players import Player
from pbem.duties.outages import credit_outage
from pbem.inbox.process import process, wait_until_filed
from pbem.inbox.receive import receive
from pbem.inbox.sender import player_who_left, why_void
from pbem.mail.addresses import BadAddress, Token
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from pbem.mail.person.compose import MailDraft, make_form_mail, parse_form_mail
from pbem.store import engine, games, inbox, restores
from rules.contract import Seat

A_MOVE = frozenset({"move"})
NOT_OURS = (
    "This link is not one of ours, or not any more. The newest letter about the game has one that works."
)
EXPIRED = (
    "This link no longer works: it is too old, or all reply addresses of its player have been renewed. "
    "The newest letter about the game has one that works; `show` in a mail brings one."
)
REPLACED = "Somebody else plays in this seat now, by the director's decision, so this link plays no more."
UNFINISHED = "The move is not finished yet. {hint}"
UNSENDABLE = (
    "These words cannot be sent with a move: a line of them reads like an order, a quotation or a signature. "
    "Please say it in other words, or in a mail of its own."
)
TOO_MUCH = f"Please keep your words to the other player under {MAX_WORDS:,} characters, or write a mail."


class InvalidLink(Exception):
    """A link that can compose nothing; `str()` says why. `game` is the game in question, if any."""

    def __init__(self, sentence: str, game: Game | None = None) -> None:
        super().__init__(sentence)
        self.game = game


@dataclass(frozen=True)
class ComposeLink:
    """The contents of a link: a player's seat, as of one letter."""

    game: Game
    seat: Seat
    since: int
    address: str
    """The address for a mail with the ply."""
    composition: Composition

    @property
    def player(self) -> Player:
        return self.game.seats[self.seat]

    @property
    def subject(self) -> str:
        return f"Re: {self.game.title}"

    def draft(self, body: str) -> MailDraft:
        return MailDraft(self.player.address, self.address, self.subject, body)


def read_compose_link(app: App, db: engine.Connection, game_id: int, sealed: str) -> ComposeLink:
    try:
        token = app.addressing.read_token(sealed)
    except BadAddress:
        raise InvalidLink(NOT_OURS) from None
    game = games.load_game(db, app.games_by_key, game_id)
    if game is None or token.use != "game" or token.numbers[0] != game_id:
        raise InvalidLink(NOT_OURS)
    if player_who_left(game, token) is not None:
        raise InvalidLink(REPLACED, game)
    if why_void(db, game, token, app.now()):
        raise InvalidLink(EXPIRED, game)
    _, number, entry, _ = token.numbers
    seat: Seat = 1 if number else 0
    composition = Composition(game.as_seen_by(seat), seat, entry, app.config.host, app.now())
    return ComposeLink(game, seat, entry, app.addressing.reply_to(sealed), composition)


def seal(app: App, db: engine.Connection, game: Game, player: Player) -> str:
    """Return the token that a letter to this player would carry now."""
    numbers = (game.id, game.seat_of(player) or 0, len(game.open_entries), player.epoch)
    return app.addressing.sign_token(Token("game", numbers, restores.restore_epoch(db)))


def seal_after(app: App, db: engine.Connection, game: Game, player: Player, plies: int) -> str | None:
    """Return the token of a letter that knew so many plies; None if the game never had them."""
    seat = game.seat_of(player) or 0
    seen = game.as_seen_by(seat).state
    if plies > len(seen.plies):
        return None
    back = [entry.n for entry in game.open_entries if entry.kind in (TAKEBACK, ROLLBACK)]
    last = max([seen.plies[plies - 1].entry if plies else 1, *back])
    known = sum(entry.n <= last for entry in game.open_entries)
    numbers = (game.id, seat, known, player.epoch)
    return app.addressing.sign_token(Token("game", numbers, restores.restore_epoch(db)))


def order_of_move(link: ComposeLink, move: str, *, sure: bool) -> tuple[str, str, str]:
    """Return a move's line of a mail, its problem, and why it loses at once.

    Each text is "" if there is none. A move that loses at once has a line only if the player is `sure`.
    """
    drawn = preview_move(link.composition, move)
    if drawn.problem or not drawn.complete:
        return "", drawn.problem or UNFINISHED.format(hint=drawn.draft.hint), ""
    if drawn.gives_up:
        return (f"{move} yes" if sure else ""), "", drawn.gives_up
    return move, "", ""


def compose_body(
    ticket: ComposeLink, lines: Sequence[str], words: str, host: str, verbs: frozenset[str] = A_MOVE
) -> str | None:
    """Return the mail with these orders and words. None means that it would be read as anything else."""
    top, said = "\n".join(lines), words_as_sent(words)
    ways = [f"{top}\n\n{said}".lstrip(), f"{top}\n\nsay {said}".lstrip()] if said else [top]
    reader, own = ticket.composition.game.state.position.read, ticket.game.id
    if first_conditional_command(said.split("\n"), reader) is not None:
        return None  # a plan, which the other player is not to see
    readers = {own: reader}.get
    for body in ways:
        inbound = parse_form_mail(ticket.draft(body), host)
        orders = read_orders(inbound.words, marked=inbound.marked, reader=reader, reader_of=readers, own=own)
        if are_orders_alone(orders, lines, verbs, said, own):
            return body
    return None


def submit(app: App, ticket: ComposeLink, body: str, number: str) -> int:
    """Store the mail and handle it at once, unless another process does.

    Returns its number, the same one if the same form comes again.
    """
    draft = ticket.draft(body)
    raw, same = _write_mail(app, draft, number)
    kept = _known_by(app, same)
    if kept is None:
        (key,) = receive(app, raw, draft.sender, [draft.to])
        kept = _known_by(app, same) or int(key.removeprefix("m"))  # another process may have been faster
    credit_outage(app)
    process(app, kept)
    wait_until_filed(app, kept)
    app.wake()
    return kept


def is_sent(app: App, ticket: ComposeLink, body: str, number: str) -> bool:
    """True if this mail has been sent under this number before."""
    return _known_by(app, _write_mail(app, ticket.draft(body), number)[1]) is not None


def _write_mail(app: App, draft: MailDraft, number: str) -> tuple[bytes, str]:
    """Return the mail's bytes, and the key by which a second one is found."""
    raw = make_form_mail(draft, number, app.config.host, app.addressing.keys, app.clock())
    (same,) = dedupe_keys(raw, [draft.to])
    return raw, same


def _known_by(app: App, dedupe: str) -> int | None:
    with app.store.read() as db:
        return inbox.mail_id_by_dedupe(db, dedupe)


def words_of(kept: inbox.StoredMail) -> str:
    """Return the player's own words of a mail from a page."""
    return parse_mail(kept.raw, Envelope(kept.sender, kept.recipient)).words.strip()


def is_order(words: str) -> bool:
    """True if a mail begins with an order, not with a ply."""
    first = words.partition("\n")[0]
    return first.lower().startswith("if ") or read_line(first, None) is not None


def mail_sent_by_link(db: engine.Connection, ticket: ComposeLink, number: int) -> inbox.StoredMail | None:
    kept = inbox.mail_by_id(db, number)
    return kept if kept is not None and kept.recipient.lower() == ticket.address.lower() else None


def ply_of_mail(ticket: ComposeLink, kept: inbox.StoredMail) -> Ply | None:
    """Return the ply of a mail: the first one after its link."""
    game, until = ticket.composition.game, kept.filed_at or kept.received_at
    later = {entry.n: entry for entry in game.open_entries[ticket.since :]}
    own = (ply for ply in game.state.plies if ply.seat == ticket.seat and ply.entry in later)
    return next((ply for ply in own if later[ply.entry].effective_time <= until), None)
