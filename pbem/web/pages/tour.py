"""`/tour`: the tour of this year, `/tour/2026` that of a year."""

from flask import Response

from pbem.actions.tour import FIRST_YEAR, LAST_YEAR, name_rows
from pbem.store import tour
from pbem.web.blueprints import Pages
from pbem.web.responses import application, public_page, raise_not_found
from pbem.web.viewer import viewer

pages = Pages("tour", __name__, sitemap=["/tour"])

SHOWN = 50


@pages.get("/tour")
@pages.get(f"/tour/<int(fixed_digits=4, min={FIRST_YEAR}, max={LAST_YEAR}):year>")
def show(year: int = 0) -> Response:
    app = application()
    year = year or app.now().year
    with app.store.read() as db:
        years = tour.tour_years(db)
        if year not in (*years, app.now().year):
            raise_not_found(f"No league began in {year}.")
        rows, every = name_rows(db, tour.places(db, year, SHOWN)), tour.count_players(db, year)
        player = viewer()
        mine = tour.place_of(db, year, player.id) if player else None
    others = [each for each in reversed(years) if each != year]
    return public_page("tour.html", year=year, rows=rows, all=every, mine=mine, years=others)
