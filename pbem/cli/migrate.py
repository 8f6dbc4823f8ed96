"""`pbem migrate`, `restored`, `rebuild-ratings`, and the game check of `pbem check`."""

from typing import Any

import click

from pbem.app import App
from pbem.cli.common import command, exit_unless_migrated, open_or_exit
from pbem.core.game import journal
from pbem.core.game.fold import fold, state_after
from pbem.core.game.game import Game
from pbem.duties.outages import record_restore
from pbem.store import games, ratings
from pbem.store.revisions import newest_revision, revision_of
from rules.contract import SEAT_NAMES, RulesError


@command("migrate")
def migrate_command() -> None:
    """Bring the database to this version's shape, where it has another.

    Example:  PBEM_DATABASE=postgresql://pbem@localhost/pbem pbem migrate
    """
    with open_or_exit(migrated=False, makes=True) as app:
        before = revision_of(app.store)
        migrate_store(app)
        after = revision_of(app.store)
    click.echo(
        f"The database is at {after}."
        if before == after
        else f"The database went from {before or 'nothing'} to {after}."
    )


@command("restored")
def restored_command() -> None:
    """Record that another program has brought the database back. Do this before anything runs on it again.

    `pbem restore` does this by itself. Letters of the hours that were lost are known from then on: an answer
    to one gets the board of now, and no new letter bears a Message-ID that one of them had. Clocks get the
    time since then back.

    Example:  pbem restored
    """
    with open_or_exit() as app, app.store.write() as db:
        epoch = record_restore(db, app.now())
    click.echo(f"Letters bear the epoch {epoch} from now on; answers to lost ones get the board of now.")


@command("rebuild-ratings")
def rebuild_ratings_command() -> None:
    """Rebuild all ratings and figures from games.

    They are kept up to date as games end, so this changes nothing but after rows were mended by hand, or
    where another version rates otherwise. It is one transaction: until it is done the old numbers are
    seen, and on SQLite no mail is handled meanwhile.

    Example:  pbem rebuild-ratings
    """
    with open_or_exit() as app, app.store.write() as db:
        ended, rated = ratings.rebuild_ratings(db)
    click.echo(f"Ratings are made again. Games that have ended: {ended:,}; rated: {rated:,}.")


def migrate_store(app: App) -> None:
    """Run every missing migration, or fail with what to do."""
    if revision_of(app.store) == newest_revision():
        return
    from pbem.store.migrate import WrongVersion, migrate  # Alembic takes 8 MiB

    try:
        migrate(app.store)
    except WrongVersion:
        exit_unless_migrated(app)


def check_game(game: Game, stored: dict[str, Any]) -> list[str]:
    """A game's faults: illegal plies, rows that differ from the journal."""
    if [entry.n for entry in game.journal] != list(range(1, len(game.journal) + 1)):
        return [f"game {game.id}: its journal has a gap"]
    try:
        _play_through(game)
    except RulesError as error:
        return [f"game {game.id}: {error}"]
    if not game.journal:
        return [f"game {game.id}: its journal is empty"]
    truth = games.row_summary(fold(game), game.open_entries)
    return _wrong_seats(game) + [
        f"game {game.id}: {name} is stored as {stored[name]}, the journal says {value}"
        for name, value in truth.items()
        if stored[name] != value
    ]


def _wrong_seats(game: Game) -> list[str]:
    put = {entry.seat: entry.data["player"] for entry in game.journal if entry.kind == journal.REPLACE}
    return [
        f"game {game.id}: player {game.seats[seat].id} is stored as {SEAT_NAMES[seat]}, "
        f"the journal says {put[seat]}"
        for seat in journal.SEATS
        if put.get(seat, game.seats[seat].id) != game.seats[seat].id
    ]


def _play_through(game: Game) -> None:
    """Fold the journal with every entry checked. Raises RulesError with the first fault."""
    state = fold(game, upto=0)
    for entry in game.journal:
        if entry.kind in (journal.PLY, journal.RESIGN, journal.TAKEBACK) and state.ending is not None:
            raise RulesError(f"entry {entry.n} is a {entry.kind} after the end")
        if entry.kind == journal.TAKEBACK and entry.data["to"] not in [ply.entry for ply in state.plies]:
            raise RulesError(f"entry {entry.n} takes back what is no ply, or was taken back before")
        if entry.kind == journal.ROLLBACK and entry.data["entry"] >= entry.n:
            raise RulesError(f"entry {entry.n} goes back to what comes after it")
        if entry.kind == journal.PLY:
            if entry.seat != state.to_play:
                raise RulesError(f"entry {entry.n} is a ply of the seat whose turn it is not")
            state.position.play(state.position.read(entry.data["move"]))
        state = state_after(game, state, entry)
