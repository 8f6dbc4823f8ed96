"""Static files, read once, with addresses that change with their contents.

Browsers may keep them for good.
"""

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request

from pbem.web.responses import CACHE_FOREVER, CACHE_REVALIDATE, raise_not_found

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}


@dataclass(frozen=True)
class StaticFile:
    name: str
    body: bytes
    type: str
    mark: str
    """The first digits of its SHA-256."""
    made_at: datetime

    @property
    def url(self) -> str:
        return f"/static/{self.name}?v={self.mark}"


def read_statics(folders: Sequence[Path]) -> Mapping[str, StaticFile]:
    """All static files by name; earlier folders win."""
    found: dict[str, StaticFile] = {}
    for folder in reversed(folders):
        for path in sorted((folder / "static").glob("*.*")):
            found[path.name] = _read(path)
    return found


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    made_at = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    return StaticFile(path.name, body, type, sha256(body).hexdigest()[:12], made_at)


def static_blueprint(files: Mapping[str, StaticFile]) -> Blueprint:
    pages = Blueprint("static", __name__)

    @pages.get("/static/<name>")
    def static(name: str) -> Response:
        file = files.get(name) or raise_not_found(f"There is no file {name} here.")
        answer = Response(file.body, content_type=_with_charset(file.type))
        answer.set_etag(file.mark)
        current = request.args.get("v") == file.mark
        answer.headers["Cache-Control"] = CACHE_FOREVER if current else CACHE_REVALIDATE
        answer.last_modified = file.made_at
        answer.make_conditional(request)
        return answer

    return pages


def _with_charset(type: str) -> str:
    return f"{type}; charset=utf-8" if type.startswith("text/") else type
