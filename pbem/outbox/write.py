"""Step 8: letters as finished bytes, with Message-ID, thread and reply address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256

from pbem.app import App
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.clock.intervals import Intervals
from pbem.core.events import ladder, league, match
from pbem.core.events.event import EventPlace
from pbem.core.events.league import division_table
from pbem.core.events.season import sign_of
from pbem.core.game.view import View
from pbem.core.letters.facts import LadderChange, MatchChange, TableChange
from pbem.core.letters.letter import Letter, about_game
from pbem.core.parsing.inbound import Mail
from pbem.core.play.live import LivePlay, waits, with_all_since
from pbem.core.players import RETURNED, Player, same_address
from pbem.core.ratings.results import GameRating, rating_text, unrated_reason
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.outbound.message import LetterHeaders, write
from pbem.outbox.bounces import returned_at
from pbem.outbox.unsubscribe import unsubscribe_links
from pbem.store import (
    bounces,
    engine,
    events,
    guesses,
    hints,
    inbox,
    ladders,
    live,
    matches,
    outages,
    outbox,
    players,
    rating_queries,
    restores,
)
from pbem.store.outbox import GameLetter, OutboundLetter


def queue_letters(
    app: App,
    db: engine.Connection,
    letters: Sequence[Letter],
    now: datetime,
    *,
    kept: inbox.StoredMail | None = None,
    inbound: Mail | None = None,
    about: str = "",
) -> list[OutboundLetter]:
    """Write letters and queue them, without those stopped by their readers or told after live play.

    `kept` and `inbound` are the mail that they come of; `about` names another cause.
    """
    cause = kept.key if kept else about
    alone = any(letter.view is None for letter in letters)  # letters of games are counted by game
    number = 1 + outbox.letters_of_mail(db, kept.id) if kept and alone else 1
    writer = _Writer(app, db, now, kept, inbound, cause, number, restores.restore_epoch(db))
    writer.read_about(letters)
    for letter in letters:
        if not letter.wanted or (letter.player is not None and letter.player.bot):
            continue
        if letter.player is None and _is_paused(app, db, letter.address, now):
            continue
        play = writer.plays.get(letter.game_id or 0)
        if play is not None and waits(letter):
            continue
        letter = with_all_since(letter, play) if play is not None else letter
        rated = _with_ratings(letter, writer.standings(letter), db, now)
        told = _with_guesses(db, _with_hints(db, rated))
        told = replace(told, player=_with_return(db, told.player, now))
        writer.add(writer.with_receipt(writer.with_table(writer.with_place(told))))
    outbox.put_in_outbox(db, writer.queued, now)
    return writer.queued


def _with_return(db: engine.Connection, player: Player | None, now: datetime) -> Player | None:
    """Forget that a letter to the player came back, once a later one has arrived."""
    if player is None or player.returned_at is None or returned_at(db, player, now) is not None:
        return player
    players.set_preference(db, player, RETURNED, "")
    more = {**player.preferences.more, RETURNED: ""}
    return replace(player, preferences=replace(player.preferences, more=more))


def _is_paused(app: App, db: engine.Connection, address: str, now: datetime) -> bool:
    """True if a letter to this stranger bounced lately; never for the operator, who hears of all trouble."""
    operator = same_address(app.config.operator or "")
    came_back = bounces.bounce_points(db, address, now - STRANGER_PAUSE)
    return bool(came_back) and same_address(address) != operator


@dataclass
class _Writer:
    """Writes the letters of one cause, the first with `number`. `epoch` is that of the last restore."""

    app: App
    db: engine.Connection
    now: datetime
    kept: inbox.StoredMail | None
    inbound: Mail | None
    cause: str
    number: int
    epoch: int
    queued: list[OutboundLetter] = field(default_factory=list)
    threads: dict[int, list[GameLetter]] = field(default_factory=dict)
    places: dict[int, EventPlace] = field(default_factory=dict)
    stands: dict[tuple[int, str], GameRating] = field(default_factory=dict)
    plays: dict[int, LivePlay] = field(default_factory=dict)

    def read_about(self, letters: Sequence[Letter]) -> None:
        """Read once for all letters: games' earlier letters, events, live play, ratings."""
        if numbers := {letter.game_id for letter in letters if letter.game_id is not None}:
            self.threads = outbox.letters_of_games(self.db, numbers)
            self.places = events.places_of_games(self.db, numbers)
            self.plays = live.agreed_plays(self.db, numbers)
        if rated := {player.id for letter in letters for player in _rated_pair(letter)[1]}:
            self.stands = rating_queries.standings_of_players(self.db, rated)

    def standings(self, letter: Letter) -> dict[int, GameRating] | None:
        """The ratings of the letter's pair; None where there is no pair."""
        rules, pair = _rated_pair(letter)
        found = {
            player.id: self.stands[player.id, rules] for player in pair if (player.id, rules) in self.stands
        }
        return found if pair else None

    def with_place(self, letter: Letter) -> Letter:
        """Add to a game's letter the event that the game belongs to."""
        if letter.game_id is None:
            return letter
        place = self.places.get(letter.game_id)
        return replace(letter, place_in_event=place) if place is not None and place.is_shown else letter

    def with_table(self, letter: Letter) -> Letter:
        """Add to a result's letter what the game did to a table."""
        place = self.places.get(letter.game_id) if letter.kind == "result" and letter.game_id else None
        return letter if place is None else _with_table(self.db, letter, place)

    def with_receipt(self, letter: Letter) -> Letter:
        """Have a letter about a bot's answer tell the reader's own move, if a receipt of it waits."""
        view = letter.view
        if letter.kind not in ("turn", "result") or view is None or view.seat is None:
            return letter
        if not view.opponent.bot:
            return letter
        joined = outbox.drop_waiting_receipt(self.db, view.game.id, view.reader.id)
        return letter.telling(joined=joined) if letter.kind == "turn" else letter

    def add(self, letter: Letter) -> None:
        app, player_id = self.app, letter.player.id if letter.player else None
        entry = letter.view.entry if letter.view else None
        before = self._sent_in_game(letter, player_id)
        number = self.number + len(self.queued)
        if letter.view is not None:
            same = [sent for sent in before if (sent.kind, sent.entry) == (letter.kind, entry)]
            number = 1 + len(same) + _number_offset(letter.view, self.now)
        message_id, key = self._unused_name(letter, number)
        sealed = f"{self.epoch}:{key}" if self.epoch else key
        headers = self._headers(letter, message_id, before)
        self.queued.append(
            OutboundLetter(
                key=key,
                kind=letter.kind,
                player_id=player_id,
                game_id=letter.game_id,
                entry=entry,
                mail_id=self.kept.id if self.kept else None,
                envelope_from=app.addressing.return_path(
                    int.from_bytes(sha256(sealed.encode()).digest()[:6], "big")
                ),
                recipient=letter.address,
                message_id=message_id,
                raw=app.signed(write(letter, headers, app.site), self.now),
                held=_is_held(letter, self.inbound),
                next_at=self.now + letter.waits if letter.waits else None,
            )
        )
        if letter.view is not None:
            id = letter.view.game.id
            sent = GameLetter(id, player_id, letter.kind, entry, message_id, key, self.now)
            self.threads[id].append(sent)

    def _sent_in_game(self, letter: Letter, player_id: int | None) -> list[GameLetter]:
        sent_in_game = self.threads[letter.game_id] if letter.game_id is not None else ()
        return [sent for sent in sent_in_game if sent.player_id == player_id]

    def _unused_name(self, letter: Letter, number: int) -> tuple[str, str]:
        """Return the first unused Message-ID and key, as one thing may be told twice, a year apart."""
        while True:
            id, key = self._message_id(letter, number), letter_key(letter, self.cause, number)
            if not self._is_known(letter, id, key):
                return id, key
            number += 1

    def _is_known(self, letter: Letter, id: str, key: str) -> bool:
        """True if there was such a letter before. A game's letter is looked up in that game alone."""
        if letter.game_id is not None:
            return any(id == sent.message_id or key == sent.key for sent in self.threads[letter.game_id])
        taken = any(id == other.message_id for other in self.queued)
        return taken or outbox.is_letter_known(self.db, id, key)

    def _message_id(self, letter: Letter, number: int) -> str:
        """`<g42.e31.s1.turn.1@host>`, or `<m17.welcome.1@host>` without a game; `.r2` after a restore."""
        cause, view = self.cause, letter.view
        if view is not None:
            who = f"s{view.seat}" if view.seat is not None else f"p{view.reader.id}"
            cause = f"g{view.game.id}.e{view.entry}.{who}"
        restored = f".r{self.epoch}" if self.epoch else ""
        return f"<{cause}.{letter.kind}.{number}{restored}@{self.app.config.host}>"

    def _headers(self, letter: Letter, message_id: str, before: Sequence[GameLetter]) -> LetterHeaders:
        """Return headers with References to the first and last two letters of this game to this player."""
        ids = [sent.message_id for sent in before]
        references = tuple(dict.fromkeys((*ids[:1], *ids[-2:])))
        answered = letter.thread[-1] if letter.thread else _answered_id(letter, self.inbound)
        references = references or letter.thread[:-1]
        unsubscribe_mail, unsubscribe_web = unsubscribe_links(self.app, letter)
        return LetterHeaders(
            message_id=message_id,
            references=(*references, answered) if answered else references,
            in_reply_to=answered or (references[-1] if references else ""),
            reply_to=_reply_address(self.app, letter, self.now, self.epoch),
            unsubscribe_mail=unsubscribe_mail,
            unsubscribe_web=unsubscribe_web,
            date=self.now,
            outages_to_tell=_outages_to_tell(self.db, letter, before),
            game_address=_game_address(self.app, letter, self.now, self.epoch),
        )


def _with_ratings(
    letter: Letter, stand: Mapping[int, GameRating] | None, db: engine.Connection, now: datetime
) -> Letter:
    if stand is None:
        return letter
    letter = replace(letter, ratings={id: rating_text(standing, now) for id, standing in stand.items()})
    if letter.kind != "result" or letter.view is None:
        return letter
    changed = rating_queries.rating_changes_of(db, letter.view.game.id)
    return letter.telling(rating_changes=changed, unrated="" if changed else unrated_reason(letter.view.game))


def _with_hints(db: engine.Connection, letter: Letter) -> Letter:
    """Add to a letter about a game's end each player's hints."""
    if letter.kind != "result" or letter.view is None or letter.view.game.rated:
        return letter
    plies = hints.hints_of_game(db, letter.view.game.id)
    told = [(player.name, plies[player.id]) for player in letter.view.game.seats if player.id in plies]
    return letter.telling(hinted=told)


def _with_guesses(db: engine.Connection, letter: Letter) -> Letter:
    """Add to a result's letter how many guesses were right."""
    if letter.kind != "result" or letter.game_id is None:
        return letter
    right, compared = guesses.count_guesses(db, letter.game_id)
    return letter.telling(right_guesses=right, guesses=compared)


def _with_table(db: engine.Connection, letter: Letter, place: EventPlace) -> Letter:
    """Add to a result's letter what it changes in its event."""
    if letter.player is None:
        return letter
    return _TABLES[place.event.kind](db, letter, place, letter.player)


def _with_division(db: engine.Connection, letter: Letter, place: EventPlace, player: Player) -> Letter:
    event, division = place.event, place.division
    seats, games = (
        events.division_players(db, event.id, division),
        events.division_games(db, event.id, division),
    )
    rows = division_table(seats, games)
    mine = next(((n, row.points) for n, row in enumerate(rows, 1) if row.player == player.id), None)
    if mine is None:
        return letter
    signs = (sign_of(each, player.id) for each in games if each.game == letter.game_id)
    forfeit = next((sign for sign in signs if sign in "+-"), "")
    at, points = mine
    return letter.telling(table=TableChange(place.title, at, len(rows), points, forfeit))


def _with_ladder(db: engine.Connection, letter: Letter, place: EventPlace, player: Player) -> Letter:
    """Add to a result's letter the player's place in the ladder before and after the game."""
    event = place.event
    order, before = (ladders.order_of(db, event.id, without) for without in (None, letter.game_id))
    counts = any(each.game == letter.game_id for each in ladders.results_of(db, event.id))
    if player.id not in order or not counts:
        return letter
    now, was = order.index(player.id) + 1, before.index(player.id) + 1
    return letter.telling(ladder=LadderChange(event.title, now, was, len(order)))


def _with_match(db: engine.Connection, letter: Letter, place: EventPlace, player: Player) -> Letter:
    """Add to a result's letter which club of the match gained the point, and the match's score."""
    event = place.event
    shown = matches.load_match(db, event)
    cells = shown.boards[place.division - 1].cells
    sign = next((cell.sign for cell in cells if cell.game == letter.game_id), "")
    gain = shown.clubs[sign in "0-"] if sign in "10+-" and sign else ""
    change = MatchChange(event.title, gain, sign == "½", shown.score, shown.games_left)
    return letter.telling(match=change)


_TABLES = {league.LEAGUE: _with_division, ladder.LADDER: _with_ladder, match.MATCH: _with_match}


def _rated_pair(letter: Letter) -> tuple[str, tuple[Player, ...]]:
    if letter.view is not None:
        game = letter.view.game
        return (game.rules.key, game.seats) if game.rated else ("", ())
    wish = letter.told.get("challenge")
    return (wish.rules.key, (wish.challenger, wish.challenged)) if wish and wish.rated else ("", ())


LETTER_MEMORY = timedelta(days=100)
"""The time after a game's end while its letters are stored, so that their number is known."""


def _number_offset(view: View, now: datetime) -> int:
    """The offset of a letter's number once old ones may be purged. A reused Message-ID looks like a copy."""
    past = now - view.state.ending.at if view.state.ending is not None else timedelta()
    return 1000 * past.days if past > LETTER_MEMORY else 0


def _outages_to_tell(db: engine.Connection, letter: Letter, before: Sequence[GameLetter]) -> Intervals:
    """Outages that this game's letters have not told the player yet."""
    if letter.view is None or letter.player is None or not before:
        return ()
    game = letter.view.game
    if game.time_control.bank is None or not game.stops.both:
        return ()
    return outages.outages_since(db, max(sent.created_at for sent in before))


def _is_held(letter: Letter, inbound: Mail | None) -> bool:
    """True if bounces hold letters to this address. Answers to a mail from it go out."""
    if letter.player is None or same_address(letter.address) not in letter.player.suspended:
        return False
    return inbound is None or same_address(inbound.sender) != same_address(letter.address)


def _answered_id(letter: Letter, inbound: Mail | None) -> str:
    """The Message-ID of the answered mail, or "". Letters to unconfirmed addresses repeat nothing of it."""
    if inbound is None or letter.player is None:
        return ""
    return inbound.message_id if same_address(inbound.sender) in letter.player.addresses else ""


def letter_key(letter: Letter, cause: str, number: int) -> str:
    """A letter's identity: kind, game, entry (or cause), recipient, number."""
    place = f"g{letter.game_id}:e{letter.view.entry}" if letter.view else cause
    return f"{letter.kind}:{place}:{letter.address}:{number}"


def _game_address(app: App, letter: Letter, now: datetime, restored: int) -> str:
    """Return the address for a move in the letter's game, or "". A question has its reply address."""
    if letter.view is None or letter.view.seat is None or letter.reply.use != "confirm":
        return ""
    return _reply_address(app, about_game(letter.kind, letter.view), now, restored)


def _reply_address(app: App, letter: Letter, now: datetime, restored: int) -> str:
    reply, epoch = letter.reply, letter.player.epoch if letter.player else 0
    match reply.use:
        case "game":
            token = Token("game", (reply.id, reply.seat, reply.entry, epoch))
        case "player":
            token = Token("player", (reply.id, reply.about, epoch, days_since_1970(now)))
        case "bundle":
            assert letter.player is not None
            token = Token("bundle", (letter.player.id, reply.id, epoch, days_since_1970(now)))
        case "watch":
            assert letter.player is not None
            seen = (letter.player.id, reply.id, reply.entry, epoch, days_since_1970(now))
            token = Token("watch", seen)
        case "confirm" | "invite":
            token = Token(reply.use, (reply.id,))
        case _:
            return app.addressing.plain()
    return app.addressing.reply(replace(token, restored=restored))
