"""Step 8: letters as finished bytes, with Message-ID, thread and reply address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256

from pbem.app import App
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.clock.intervals import Intervals
from pbem.core.letters.letter import Letter
from pbem.core.parsing.inbound import Inbound
from pbem.core.players import Player, same_address
from pbem.core.ratings.results import rating_text, unrated_reason
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.outbound.message import LetterHeaders, write
from pbem.outbox.unsubscribe import unsubscribe_links
from pbem.store import bounces, outages, outbox, rating_queries, restores
from pbem.store.engine import Connection
from pbem.store.inbox import StoredMail
from pbem.store.outbox import GameLetter, OutboundLetter


@dataclass(frozen=True)
class _Thread:
    sent: list[GameLetter]

    def number(self, letter: Letter) -> int:
        player_id = letter.player.id if letter.player else None
        entry = letter.view.entry if letter.view else None
        return 1 + sum(
            sent.player_id == player_id and sent.kind == letter.kind and sent.entry == entry
            for sent in self.sent
        )

    def references(self, player_id: int | None) -> tuple[str, ...]:
        """The root and last two letters of this game to this player."""
        mine = [sent.message_id for sent in self.sent if sent.player_id == player_id]
        return tuple(dict.fromkeys((*mine[:1], *mine[-2:])))

    def last(self, player_id: int | None) -> datetime | None:
        return max((sent.created_at for sent in self.sent if sent.player_id == player_id), default=None)


@dataclass(frozen=True)
class _Name:
    """A letter's unique name: cause, number, epoch of the last restore."""

    cause: str
    number: int
    epoch: int

    def message_id(self, app: App, letter: Letter) -> str:
        """`<g42.e31.s1.turn.1@host>`, or `<m17.welcome.1@host>` without a game.

        After a restore from a backup `.r` and its epoch stand before the `@`: names without them were used
        before.
        """
        cause = self.cause
        if letter.view is not None:
            who = f"s{letter.view.seat}" if letter.view.seat is not None else f"p{letter.view.reader.id}"
            cause = f"g{letter.view.id}.e{letter.view.entry}.{who}"
        restored = f".r{self.epoch}" if self.epoch else ""
        return f"<{cause}.{letter.kind}.{self.number}{restored}@{app.config.host}>"

    def key(self, letter: Letter) -> str:
        return letter_key(letter, self.cause, self.number)


def _unused_name(
    app: App, db: Connection, letter: Letter, name: _Name, queued: Sequence[OutboundLetter]
) -> _Name:
    """The name, or the next unused one. The same thing may be told twice, a year apart."""
    while True:
        id, key = name.message_id(app, letter), name.key(letter)
        if not any(id == other.message_id for other in queued) and not outbox.is_letter_known(db, id, key):
            return name
        name = replace(name, number=name.number + 1)


def queue_letters(
    app: App,
    db: Connection,
    letters: Sequence[Letter],
    now: datetime,
    *,
    kept: StoredMail | None = None,
    inbound: Inbound | None = None,
    about: str = "",
) -> list[OutboundLetter]:
    """Write letters and put them into the outbox, those left out that are stopped.

    Nothing goes to a stranger's address that bounced within a day.

    `kept` and `inbound` are the mail that the letters come of; `about` names another cause.
    """
    threads: dict[int, _Thread] = {}
    queued: list[OutboundLetter] = []
    before = outbox.letters_of_mail(db, kept.id) if kept else 0
    epoch = restores.restore_epoch(db)
    for letter in letters:
        if not letter.wanted:
            continue
        if letter.player is None and bounces.bounce_points(db, letter.address, now - STRANGER_PAUSE):
            continue
        cause = kept.key if kept else about
        if letter.game_id is not None and letter.game_id not in threads:
            threads[letter.game_id] = _Thread(outbox.letters_of_game(db, letter.game_id))
        letter = _with_ratings(db, letter, now)
        thread = threads.get(letter.game_id) if letter.game_id is not None else None
        number = before + len(queued) + 1
        if thread is not None and letter.view is not None:
            number = thread.number(letter) + _number_offset(letter, now)
        name = _unused_name(app, db, letter, _Name(cause, number, epoch), queued)
        stood = _outages_to_tell(db, letter, thread)
        finished = _finish_letter(app, letter, name, thread, now, kept, inbound, stood)
        if thread is not None:
            thread.sent.append(
                GameLetter(finished.player_id, finished.kind, finished.entry, finished.message_id, now)
            )
        queued.append(finished)
    outbox.put_in_outbox(db, queued, now)
    return queued


def _finish_letter(
    app: App,
    letter: Letter,
    name: _Name,
    thread: _Thread | None,
    now: datetime,
    kept: StoredMail | None,
    inbound: Inbound | None,
    stood: Intervals,
) -> OutboundLetter:
    player_id = letter.player.id if letter.player else None
    entry = letter.view.entry if letter.view else None
    references: tuple[str, ...] = ()
    if thread is not None and entry is not None:
        references = thread.references(player_id)
    answered = _answered_id(letter, inbound)
    unsubscribe_mail, unsubscribe_web = unsubscribe_links(app, letter)
    headers = LetterHeaders(
        message_id=name.message_id(app, letter),
        references=(*references, answered) if answered else references,
        in_reply_to=answered or (references[-1] if references else ""),
        reply_to=reply_address(app, letter, now, name.epoch),
        unsubscribe_mail=unsubscribe_mail,
        unsubscribe_web=unsubscribe_web,
        date=now,
        outages_to_tell=stood,
    )
    key = name.key(letter)
    sealed = f"{name.epoch}:{key}" if name.epoch else key
    return OutboundLetter(
        key=key,
        kind=letter.kind,
        player_id=player_id,
        game_id=letter.game_id,
        entry=entry,
        mail_id=kept.id if kept else None,
        envelope_from=app.addressing.return_path(int.from_bytes(sha256(sealed.encode()).digest()[:6], "big")),
        recipient=letter.address,
        message_id=headers.message_id,
        raw=app.signed(write(letter, headers, app.site), now),
        held=_is_held(letter, inbound),
    )


def _with_ratings(db: Connection, letter: Letter, now: datetime) -> Letter:
    rules, pair = _rated_pair(letter)
    if not pair:
        return letter
    stand = rating_queries.standings_of(db, rules, (pair[0].id, pair[1].id))
    told: dict[str, object] = {"ratings": {id: rating_text(standing, now) for id, standing in stand.items()}}
    if letter.kind == "result" and letter.game_id is not None:
        changed = told["rating_changes"] = rating_queries.rating_changes_of(db, letter.game_id)
        if letter.view is not None and not changed:
            told["unrated"] = unrated_reason(letter.view.game)
    return replace(letter, facts={**told, **letter.facts})


def _rated_pair(letter: Letter) -> tuple[str, tuple[Player, ...]]:
    """A rated game's key and players, or those of a challenge."""
    if letter.view is not None:
        game = letter.view.game
        return (game.rules.key, game.seats) if game.rated else ("", ())
    wish = letter.facts.get("challenge")
    return (wish.rules.key, (wish.challenger, wish.challenged)) if wish and wish.rated else ("", ())


LETTER_MEMORY = timedelta(days=100)
"""The time after a game's end while its letters are stored. So their number is known."""


def _number_offset(letter: Letter, now: datetime) -> int:
    """The offset of a letter's number after old letters may be purged.

    It grows by the day. Many mail programs discard a reused Message-ID as a copy.
    """
    ending = letter.view.ending if letter.view else None
    past = now - ending.at if ending is not None else timedelta()
    return 1000 * past.days if past > LETTER_MEMORY else 0


def _outages_to_tell(db: Connection, letter: Letter, thread: _Thread | None) -> Intervals:
    """Outages that this game's letters have not told the player yet."""
    if letter.view is None or letter.player is None or thread is None or not letter.view.game.stops.both:
        return ()
    if letter.view.game.time_control.bank is None:
        return ()
    since = thread.last(letter.player.id)
    return outages.outages_since(db, since) if since is not None else ()


def _is_held(letter: Letter, inbound: Inbound | None) -> bool:
    """True if bounces hold letters to this address. Answers to a mail from it go out."""
    if letter.player is None or same_address(letter.address) not in letter.player.suspended:
        return False
    return inbound is None or same_address(inbound.sender) != same_address(letter.address)


def _answered_id(letter: Letter, inbound: Inbound | None) -> str:
    """The Message-ID of the answered mail, or "".

    A letter to an unconfirmed address repeats nothing of its mail, not even that.
    """
    if inbound is None or letter.player is None:
        return ""
    return inbound.message_id if same_address(inbound.sender) in letter.player.addresses else ""


def letter_key(letter: Letter, cause: str, number: int) -> str:
    """A letter's identity: kind, game, entry (or cause), recipient, number."""
    place = f"g{letter.game_id}:e{letter.view.entry}" if letter.view else cause
    return f"{letter.kind}:{place}:{letter.address}:{number}"


def reply_address(app: App, letter: Letter, now: datetime, restored: int = 0) -> str:
    reply, epoch = letter.reply, letter.player.epoch if letter.player else 0
    match reply.use:
        case "game":
            token = Token("game", (reply.id, reply.seat, reply.entry, epoch))
        case "player":
            token = Token("player", (reply.id, reply.about, epoch, days_since_1970(now)))
        case "bundle":
            assert letter.player is not None
            token = Token("bundle", (letter.player.id, reply.id, epoch, days_since_1970(now)))
        case "confirm":
            token = Token("confirm", (reply.id,))
        case _:
            return app.addressing.plain()
    return app.addressing.reply(replace(token, restored=restored))
