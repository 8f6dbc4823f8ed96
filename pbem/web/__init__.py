"""The web app: public pages, and the mailroom in development mode. No page needs a script.

A page shows no HTML that came by mail; only the mailroom shows HTML, of our own letters, in a sandbox.
"""

import logging

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, InternalServerError, ServiceUnavailable

from pbem.app import App
from pbem.config.logs import trouble
from pbem.resources import folders
from pbem.store.engine import is_unavailable
from pbem.web import problems, security
from pbem.web.blueprints import all_pages
from pbem.web.cache import Cache
from pbem.web.measure import measure
from pbem.web.responses import private_response
from pbem.web.templating import make_build_id, newest_file_date, setup_templates, static_blueprint
from pbem.web.viewer import viewer

log = logging.getLogger("pbem.web")

FORM_BYTES = 300_000
"""Largest form in bytes: a mail of 256 KiB, and some more."""


def create_app(app: App) -> Flask:
    """Make the Flask app; add the mailroom in development mode alone."""
    flask_app = Flask(__name__, static_folder=None, template_folder=None)
    flask_app.config["MAX_CONTENT_LENGTH"] = FORM_BYTES
    flask_app.json.sort_keys = False  # type: ignore[attr-defined]
    places = folders(app.config.templates)
    statics, static_urls = static_blueprint(places)
    flask_app.extensions["pbem"] = app
    flask_app.extensions["build"] = make_build_id(places, app)
    flask_app.extensions["built_at"] = newest_file_date(places)
    flask_app.extensions["cache"] = Cache()
    setup_templates(flask_app, places, static_urls)
    measure(flask_app)
    security.protect(flask_app, app)
    flask_app.before_request(_know_viewer)
    flask_app.after_request(problems.add_cors_headers)
    for pages in (statics, *all_pages()):
        if app.config.development or not pages.development:
            flask_app.register_blueprint(pages)
    flask_app.register_error_handler(HTTPException, _answer_http_error)
    flask_app.register_error_handler(Exception, _answer_failure)
    return flask_app


def _know_viewer() -> None:
    """Find out who is signed in before a page is made. A signed-in player's page is never cached."""
    if request.blueprint != "static":
        viewer()


def _answer_http_error(error: HTTPException) -> Response:
    """Answer HTTP errors: people get a page, programs get JSON."""
    if error.response is not None:
        return error.response  # type: ignore[return-value]
    if problems.is_api_request():
        answer = problems.problem(error.code or 500, error.description or "")
    else:
        answer = private_response("error.html", error.code or 500, error=error)
    answer.headers.update((name, text) for name, text in error.get_headers() if name != "Content-Type")
    return answer


def _answer_failure(error: Exception) -> Response:
    """Answer a failure without a word on what failed. The log names no path, as it may hold a token."""
    if is_unavailable(error):
        silent = "%s: the database does not answer (%s)"
        log.warning(silent, request.endpoint, type(error).__name__, extra=trouble("database", error))
        return _answer_http_error(ServiceUnavailable(retry_after=10))
    log.error(
        "a page failed: %s",
        request.endpoint,
        exc_info=error,
        extra=trouble(f"page {request.endpoint}", error),
    )
    return _answer_http_error(InternalServerError())
