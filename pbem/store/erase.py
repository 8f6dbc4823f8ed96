"""Erases a player: their row stays without a name, personal data goes.

Games need the row. Vacations and zones stay too, because game clocks depend on them. Letters and mails keep
their rows, so that a repeated mail is still recognised, but neither names nor text.
"""

from sqlalchemy import Connection, and_, delete, func, literal, or_, select, update

from pbem.core.game.journal import COMMENT, RULING_WORDS
from pbem.core.play.director import director_name
from pbem.core.players import FORGOTTEN_PREFIX, Player
from pbem.store import players as player_rows
from pbem.store import sessions
from pbem.store.bounces import DROPPED
from pbem.store.retention import FINAL_STATES, NO_BYTES
from pbem.store.tables import (
    addresses,
    blocks,
    bounces,
    bundles,
    challenges,
    confirmations,
    games,
    has_seat,
    journal,
    limits,
    messages_in,
    moderation,
    notes,
    outbox,
    players,
    reminders,
    watches,
)
from pbem.store.tables.bots import hints, moments
from pbem.store.tables.clubs import club_removals
from pbem.store.tables.events import event_journal
from pbem.store.tables.finding import invitations, seek_letters, watched_leagues, watched_players
from pbem.store.tables.learning import (
    daily_puzzles,
    guesses,
    lesson_tries,
    paper_readers,
    puzzle_tries,
)

DIRECTOR_ACT = "director"
"""The kind of a journal entry that says why a director acted in an event."""


_OF_ONE = (
    *(notes, limits, watches, reminders, bundles, hints, moments, puzzle_tries, daily_puzzles, lesson_tries),
    *(paper_readers, guesses, watched_leagues, seek_letters, invitations, club_removals),
)
"""Tables whose rows are one player's alone."""


def erase_player(db: Connection, player: Player, mail: int | None) -> None:
    """Erase a player without running games, as `mail` asked."""
    name = _anonymous_name(db, player)
    known = {*player.addresses, player.address.lower()}
    asked = _questions(db, player, known)
    _letters(db, player, known, asked)
    _mails(db, player, known, mail)
    db.execute(update(challenges).where(challenges.c.from_id == player.id).values(comment=""))
    for table in _OF_ONE:
        db.execute(delete(table).where(table.c.player_id == player.id))
    watched = or_(watched_players.c.player_id == player.id, watched_players.c.watched_id == player.id)
    db.execute(delete(watched_players).where(watched))
    db.execute(delete(watches).where(watches.c.by_player == player.id))
    db.execute(delete(blocks).where(or_(blocks.c.player_id == player.id, blocks.c.blocked_id == player.id)))
    sessions.end_all_sessions(db, player)
    # the operator's acts stay, without reasons, names or the player's reports
    acts = update(moderation).where(moderation.c.player_id == player.id)
    db.execute(acts.values(reason="", data={}))
    db.execute(acts.where(moderation.c.kind == "report").values(by=""))
    db.execute(update(moderation).where(moderation.c.by == director_name(player)).values(by="director"))
    _director_acts(db, player)
    db.execute(delete(addresses).where(addresses.c.player_id == player.id))
    rename_in_games(db, player, name)
    values = {
        "name": name,
        "name_key": name.lower(),
        "address": "",
        "stopped": [],
        "wishes": {},
        "barred": "",
        "director": False,
    }
    change = update(players).where(players.c.id == player.id)
    db.execute(change.values(**values, digest_at=None, epoch=players.c.epoch + 1))


def _anonymous_name(db: Connection, player: Player) -> str:
    """Return an unused anonymous name; old registrations may look like one."""
    name, tail = f"{FORGOTTEN_PREFIX}{player.id}", 0
    while player_rows.player_by_name(db, name) is not None:
        tail += 1
        name = f"{FORGOTTEN_PREFIX}{player.id}_{tail}"
    return name


def _letters(db: Connection, player: Player, known: set[str], asked: set[str]) -> None:
    to = func.lower(outbox.c.recipient)
    never_answered = and_(outbox.c.kind == "newaddress", to.in_(asked))
    his = or_(outbox.c.player_id == player.id, to.in_(known), never_answered)
    numbers = select(outbox.c.id).where(his)
    db.execute(delete(bounces).where(or_(bounces.c.outbox_id.in_(numbers), bounces.c.address.in_(known))))
    waiting = update(outbox).where(his, outbox.c.state.not_in(FINAL_STATES))
    db.execute(waiting.values(state=DROPPED, next_at=None))
    key = literal("forgotten:").concat(outbox.c.id)
    db.execute(update(outbox).where(his).values(raw=NO_BYTES, recipient="", detail="", key=key))


def _mails(db: Connection, player: Player, known: set[str], mail: int | None) -> None:
    """Clear the player's mails, also unhandled ones, which would find no player."""
    by_him = or_(messages_in.c.player_id == player.id, func.lower(messages_in.c.sender).in_(known))
    unseen = by_him, messages_in.c.state.in_(("new", "shunted")), messages_in.c.id != mail
    over = {"state": "refused", "next_at": None, "filed_at": messages_in.c.received_at}
    db.execute(update(messages_in).where(*unseen).values(over))
    empty = {"raw": NO_BYTES, "sender": "", "recipient": "", "detail": "", "player_id": None, "whose": None}
    db.execute(update(messages_in).where(or_(by_him, messages_in.c.id == mail)).values(empty))


def _director_acts(db: Connection, player: Player) -> None:
    """Blank reasons and a director's name in the acts about events."""
    by = director_name(player)
    for row in db.execute(select(event_journal).where(event_journal.c.kind == DIRECTOR_ACT)).all():
        blank = {"reason": ""} if player.id in row.data.get("players", ()) else {}
        blank |= {"by": "director"} if row.data.get("by") == by else {}
        if blank:
            here = (event_journal.c.event_id == row.event_id, event_journal.c.n == row.n)
            db.execute(update(event_journal).where(*here).values(data={**row.data, **blank}))


def _questions(db: Connection, player: Player, known: set[str]) -> set[str]:
    """Delete confirmations, also for the player's new addresses; returns those addresses."""
    db.execute(delete(confirmations).where(func.lower(confirmations.c.address).in_(known)))
    asked = select(confirmations).where(confirmations.c.purpose == "newaddress")
    his = [row for row in db.execute(asked) if row.data.get("player") == player.id]
    db.execute(delete(confirmations).where(confirmations.c.id.in_([row.id for row in his])))
    return {row.address for row in his}


def rename_in_games(db: Connection, player: Player, name: str) -> None:
    """Replace a player's name in results and journals, but not in the player's own row."""
    begins = func.substr(games.c.reason, 1, len(player.name) + 1) == f"{player.name} "
    renamed = literal(name).concat(func.substr(games.c.reason, len(player.name) + 1))
    db.execute(update(games).where(has_seat(player.id), begins).values(reason=renamed))
    for row in db.execute(select(journal).where(journal.c.kind.in_((*RULING_WORDS, COMMENT)))).all():
        called = (("player", "name"), ("was", "old"), ("director", "by"))
        new = {word: name for number, word in called if row.data.get(number) == player.id}
        if new:
            here = (journal.c.game_id == row.game_id, journal.c.n == row.n)
            db.execute(update(journal).where(*here).values(data={**row.data, **new}))
        if new and row.kind == COMMENT:  # no seat of a writer shows that the page has changed
            db.execute(update(games).where(games.c.id == row.game_id).values(revised=games.c.revised + 1))
