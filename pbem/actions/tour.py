"""The tour of a year: the points of all players of leagues."""

from collections.abc import Sequence

from pbem.actions.context import Request, handles
from pbem.core.errors import Refusal
from pbem.core.events.tour import Place
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.store import players, tour
from pbem.store.engine import Connection

FIRST_YEAR, LAST_YEAR = 2000, 9998
SHOWN = 20
"""Rows in a letter."""


def name_rows(db: Connection, shown: Sequence[Place[int]]) -> list[Place[Player]]:
    """The same rows with their players."""
    known = players.players_by_ids(db, [row.player for row in shown])
    return [Place(row.place, known[row.player], row.points) for row in shown]


@handles("tour")
def _tour(request: Request) -> list[Letter]:
    ctx = request.ctx
    year = int(request.args["year"] or ctx.now.year)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Refusal(f"There is no tour of {year}.")
    rows = name_rows(ctx.db, tour.places(ctx.db, year, SHOWN))
    mine = tour.place_of(ctx.db, year, request.player.id)
    return request.answer("tour", year=year, rows=rows, all=tour.count_players(ctx.db, year), mine=mine)
