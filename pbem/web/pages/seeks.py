"""The public page of seeks, with the mails that take them."""

from flask import Response, request

from pbem.store import challenges
from pbem.web.blueprints import Link, Pages
from pbem.web.responses import application, public_page

pages = Pages("seeks", __name__, nav=[Link("/seeks", "Seeks", 40)], sitemap=["/seeks"])


@pages.get("/seeks")
def all_seeks() -> Response:
    """Open seeks, of the game in the query if it names one."""
    key = request.args.get("game", "").strip()[:40]
    with application().store.read() as db:
        waiting = challenges.open_seeks(db, application().games_by_key, application().now(), rules=key)
    newest = max((seek.created_at for seek in waiting), default=None)
    return public_page("seeks.html", newest, waiting=waiting, asked=key)
