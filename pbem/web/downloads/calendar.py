"""`/calendar/<token>.ics`: a player's deadlines for calendar programs. The token alone proves who asks."""

from hashlib import sha256

from flask import Response, request

from pbem.actions.reminders import calendar_feed
from pbem.web.blueprints import Pages
from pbem.web.responses import application, raise_not_found

pages = Pages("feeds", __name__, robots=["/calendar/"])


@pages.get("/calendar/<token>.ics")
def calendar(token: str) -> Response:
    found = calendar_feed(application(), token)
    if found is None:
        raise_not_found(
            "This calendar is not one of ours, or not any more. An answer with `set` brings its address."
        )
    answer = Response(found, content_type="text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = 'inline; filename="turns.ics"'
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Robots-Tag"] = "noindex, nofollow"
    answer.set_etag(sha256(found).hexdigest()[:20])
    return answer.make_conditional(request)  # type: ignore[return-value]
