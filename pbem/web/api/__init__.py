"""`/api`: public data as JSON, its OpenAPI description, and its page.

A parameter that does not fit its description is refused: a program would go on with the wrong games.
"""

from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from pbem.store import game_lists, rating_queries
from pbem.web.api.calls import CALLS, PATH_PARAMETERS
from pbem.web.api.table import PATH_PARAMETER, Call, InvalidParameter
from pbem.web.blueprints import Link, Pages
from pbem.web.problems import problem
from pbem.web.responses import application, public_response, raise_not_found
from pbem.web.security import READ_RATES

pages = Pages(
    "api",
    __name__,
    nav=[Link("/api", "API", 30, "foot"), Link("/api/openapi.json", "OpenAPI", 40, "foot")],
    sitemap=["/api"],
    robots=["/api/"],
    rates={"games": "search"},
)


def _view(call: Call) -> Callable[..., Response]:
    def answer(**texts: str) -> Response:
        return call.make(**_read_path(texts), **call.asked(request.args.to_dict(flat=False)))

    return answer


def _read_path(texts: Mapping[str, str]) -> dict[str, Any]:
    """Read the parameters of the path; invalid ones are answered 404."""
    try:
        return {name: PATH_PARAMETERS[name].read(text) for name, text in texts.items()}
    except InvalidParameter as error:
        raise_not_found(str(error))


for _row in CALLS:
    pages.add_url_rule(_row.rule, _row.name, _view(_row), methods=["GET"])


@pages.errorhandler(InvalidParameter)
def unfit(error: InvalidParameter) -> ResponseReturnValue:
    return problem(400, str(error), parameter=error.name)


@pages.get("/api")
def index() -> Response:
    """The API's page for people, with an example for every call."""
    with application().store.read() as db:
        first = rating_queries.players_by_name_order(db, "", "", 1)
        facts = {
            "id": game_lists.newest_game_id(db) or 42,
            "n": 0,
            "player": first[0].name if first else "Bill",
        }
    facts["game"] = next(iter(application().offered), "bipod")
    examples = {
        call.path: PATH_PARAMETER.sub(lambda found: str(facts[found[1]]), call.path) for call in CALLS
    }
    shown = {"calls": CALLS, "places": PATH_PARAMETERS, "reads": READ_RATES, "examples": examples}
    return public_response(lambda: render_template("api.html", **shown))
