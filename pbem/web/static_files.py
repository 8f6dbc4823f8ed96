"""Static files, with addresses that change with their contents, so that browsers may keep them for good."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from flask import Response, request, send_file

from pbem.web.blueprints import Pages
from pbem.web.responses import CACHE_FOREVER, CACHE_REVALIDATE, raise_not_found

JAVASCRIPT = {".js": "text/javascript"}
"""Types that some systems spell otherwise."""


def static_blueprint(folders: Sequence[Path]) -> tuple[Pages, Mapping[str, str]]:
    """A blueprint that serves the static files of these folders, and their addresses by name.

    Earlier folders win.
    """
    files = {path.name: path for folder in reversed(folders) for path in (folder / "static").glob("*.*")}
    marks = {name: sha256(path.read_bytes()).hexdigest()[:12] for name, path in files.items()}
    pages = Pages("static", __name__, rates={"static": "none"})

    @pages.get("/static/<name>")
    def static(name: str) -> Response:
        path = files.get(name) or raise_not_found(f"There is no file {name} here.")
        answer = send_file(path, JAVASCRIPT.get(path.suffix), etag=marks[name])
        current = request.args.get("v") == marks[name]
        answer.headers["Cache-Control"] = CACHE_FOREVER if current else CACHE_REVALIDATE
        return answer

    return pages, {name: f"/static/{name}?v={mark}" for name, mark in marks.items()}
