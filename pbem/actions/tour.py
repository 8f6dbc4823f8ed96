"""The tour of a year: the points of all who played in its leagues."""

from collections.abc import Iterable

from pbem.actions.context import Request, handles
from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.events.tour import Place, tour_places
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.store import players, tour
from pbem.store.engine import Connection

FIRST_YEAR, LAST_YEAR = 2000, 9998
SHOWN = 20
"""Rows in a letter."""


def tour_rows(app: App, db: Connection, year: int) -> list[Place[int]]:
    """The rows of the tour of a year, most points first; bots have none."""
    return tour_places(tour.tour_points(db, list(app.games_by_key), year))


def name_rows(db: Connection, rows: Iterable[Place[int]]) -> list[Place[Player]]:
    """The same rows with their players."""
    shown = list(rows)
    known = players.players_by_ids(db, [row.player for row in shown])
    return [Place(row.place, known[row.player], row.points) for row in shown]


def own_row(rows: Iterable[Place[int]], player: Player | None) -> Place[int] | None:
    return next((row for row in rows if player is not None and row.player == player.id), None)


@handles("tour")
def _tour(request: Request) -> list[Letter]:
    ctx = request.ctx
    year = int(request.args["year"] or ctx.now.year)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Refusal(f"There is no tour of {year}.")
    rows = tour_rows(ctx.app, ctx.db, year)
    shown, mine = name_rows(ctx.db, rows[:SHOWN]), own_row(rows, request.player)
    return request.answer("tour", year=year, rows=shown, all=len(rows), mine=mine)
