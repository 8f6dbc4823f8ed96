"""Static files, with addresses that change with their contents, so that browsers may keep them for good."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from flask import Response, request

from pbem.web.blueprints import Pages
from pbem.web.responses import CACHE_FOREVER, CACHE_REVALIDATE, raise_not_found


def static_blueprint(folders: Sequence[Path]) -> tuple[Pages, Mapping[str, str]]:
    """A blueprint that serves these folders' static files, read once, and their addresses by name.

    Earlier folders win.
    """
    paths = {path.name: path for folder in reversed(folders) for path in (folder / "static").glob("*.*")}
    bodies = {name: path.read_bytes() for name, path in paths.items()}
    marks = {name: sha256(body).hexdigest()[:12] for name, body in bodies.items()}
    dates = {name: datetime.fromtimestamp(path.stat().st_mtime, UTC) for name, path in paths.items()}
    pages = Pages("static", __name__, rates={"static": "none"})

    @pages.get("/static/<name>")
    def static(name: str) -> Response:
        if name not in bodies:
            raise_not_found(f"There is no file {name} here.")
        type = "text/javascript" if name.endswith(".js") else guess_type(name)[0]  # not so on every system
        answer = Response(bodies[name], mimetype=type or "application/octet-stream")
        answer.set_etag(marks[name])
        answer.last_modified = dates[name]
        current = request.args.get("v") == marks[name]
        answer.headers["Cache-Control"] = CACHE_FOREVER if current else CACHE_REVALIDATE
        return answer.make_conditional(request)  # type: ignore[return-value]

    return pages, {name: f"/static/{name}?v={mark}" for name, mark in marks.items()}
