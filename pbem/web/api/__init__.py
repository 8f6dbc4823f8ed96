"""`/api`: public data and moves as JSON, an OpenAPI description, and a page.

A parameter that does not fit its description is refused: a program would go on with the wrong games.
"""

from collections.abc import Callable

from flask import Response, request
from flask.typing import ResponseReturnValue

from pbem.store import events, game_lists, papers, players, puzzles
from pbem.web.api.calls import CALLS
from pbem.web.api.openapi import Call
from pbem.web.api.parameters import PATH_PARAMETERS
from pbem.web.api.schema import InvalidParameter
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.problems import problem
from pbem.web.responses import application, public_page, raise_not_found
from pbem.web.security import READ_RATES

pages = Pages(
    "api",
    __name__,
    nav=[MenuLink("/api", "API", 30, "foot"), MenuLink("/api/openapi.json", "OpenAPI", 40, "foot")],
    sitemap=["/api"],
    robots=["/api/"],
    rates={"games": "search"},
)


def _view(call: Call) -> Callable[..., ResponseReturnValue]:
    def answer(**texts: str) -> ResponseReturnValue:
        try:
            path = {name: PATH_PARAMETERS[name].read(text) for name, text in texts.items()}
        except InvalidParameter as error:
            raise_not_found(str(error))
        return call.make(**path, **call.read_query(request.args.to_dict(flat=False)))

    return answer


for _row in CALLS:
    pages.add_url_rule(_row.rule, _row.name, _view(_row), methods=[_row.method])


@pages.errorhandler(InvalidParameter)
def unfit(error: InvalidParameter) -> ResponseReturnValue:
    return problem(400, str(error), parameter=error.name)


@pages.get("/api")
def index() -> Response:
    with application().store.read() as db:
        first = players.players_by_name_order(db, "", "", 1)
        newest = game_lists.newest_game_id(db) or 42
        found = puzzles.newest_puzzles(db, list(application().games_by_key), 1, None)
        told, seasons = papers.newest_issues(db, 1), events.list_events(db, 1)
        matches, ladders = events.list_matches(db, 1), events.list_ladders(db)
    game, player = next(iter(application().offered), "bipod"), first[0].name if first else "Bill"
    facts = {"id": newest, "n": 0, "player": player, "game": game}
    facts |= {"puzzle": found[0].id if found else None, "week": told[0].week if told else None}
    facts |= {"event": seasons[0].id if seasons else None}
    facts |= {"match": matches[0].id if matches else None, "ladder": ladders[0].rules if ladders else None}
    known = {name for name, value in facts.items() if value is not None}
    shown = [call for call in CALLS if set(call.places) <= known and not call.body]
    examples = {call.path: call.path.format_map(facts) for call in shown}
    return public_page("api.html", calls=CALLS, places=PATH_PARAMETERS, reads=READ_RATES, examples=examples)
