"""`/games/42/since/17`: 204 as long as a page is current; with 200 the page is asked for anew.

Such a poll reads few rows. Only a player's presence in a game with another person is written, once a minute.
No token stands in the address.
"""

from flask import Response

from pbem.duties.live import note_presence
from pbem.store import live, news
from pbem.web.blueprints import Pages
from pbem.web.home import home_tag
from pbem.web.pages.events import EVENT_PATH
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import NO_STORE, application, raise_not_found
from pbem.web.viewer import viewer

pages = Pages(
    "news",
    __name__,
    robots=["/since", "/games/*/since", "/events/*/since"],
    rates={"of_game": "poll", "of_own_game": "poll", "of_event": "poll", "of_viewer": "poll"},
)
SINCE = "since/<int(max=999999999999):entries>"


@pages.get(f"{GAME_PATH}/{SINCE}")
def of_game(id: int, entries: int) -> Response:
    with application().store.read() as db:
        found = news.entries_of_game(db, id)
    return _answer(raise_not_found(f"There is no game {id} here.") if found is None else found, entries)


@pages.get(f"{GAME_PATH}/{SINCE}/<status>")
def of_own_game(id: int, entries: int, status: str) -> Response:
    """The same for one of two people who play: `status` is how it was with live play."""
    app, player = application(), viewer()
    with app.store.read() as db:
        found = live.live_news(db, id) or raise_not_found(f"There is no game {id} here.")
    seat, now = found.seat_of(player), ""
    if found.play is not None and seat is not None:
        now = note_presence(app, id, seat, found.play).status(seat, app.now())
    return _answer(f"{found.entries}/{now}", f"{entries}/{status}")


@pages.get(f"{EVENT_PATH}/{SINCE}")
def of_event(id: int, entries: int) -> Response:
    with application().store.read() as db:
        found = news.entries_of_event(db, id)
    return _answer(raise_not_found(f"There is no event {id} here.") if found is None else found, entries)


@pages.get("/since/<tag>")
def of_viewer(tag: str) -> Response:
    """Compare what the viewer's home page shows of their games."""
    with application().store.read() as db:
        return _answer(home_tag(db), tag)


def _answer(now: int | str, then: int | str) -> Response:
    answer = Response(status=204 if now == then else 200, mimetype="text/plain")
    answer.headers["Cache-Control"] = NO_STORE
    return answer
