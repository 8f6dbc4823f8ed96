"""Sets up templates and static files: folders, filters and global names."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader, StrictUndefined

from pbem import __version__
from pbem.app import App
from pbem.config.load import SettingsError
from pbem.core.events.table import points_phrase
from pbem.core.game.clock_display import describe_duration, describe_time_used
from pbem.core.game.fingerprint import iso
from pbem.core.players import shown_name, usual_bot
from pbem.core.preferences.letter_kinds import CATEGORY_SENTENCES
from pbem.core.ratings.results import rating_text
from pbem.keys.record_keys import record_signer
from pbem.mail.outbound.times import time
from pbem.resources import find_template, rules_in_words
from pbem.web import filters
from pbem.web.blueprints import Pages, menu
from pbem.web.responses import (
    CACHE_FOREVER,
    CACHE_REVALIDATE,
    application,
    mail_link,
    raise_not_found,
    version_query,
)
from pbem.web.security import csrf_field
from pbem.web.viewer import letters_came_back, session, viewer
from rules import RULES, record
from rules.contract import FAMILIES, SEAT_NAMES, Rules, option_words
from rules.notation import join_words

CODE_FOLDERS = (Path(record.__file__).parent, Path(__file__).parent, Path(__file__).parents[1] / "core")

FILTERS = {
    "ago": filters.ago,
    "board": filters.board,
    "called": shown_name,
    "coded": filters.refusal_to_html,
    "day": filters.day_element,
    "ended": filters.outcome_suffix,
    "fine": filters.is_fine,
    "headings": filters.headings,
    "iso": iso,
    "lasting": describe_duration,
    "used": describe_time_used,
    "masked": filters.mask_hosts,
    "options": option_words,
    "points": points_phrase,
    "rating": filters.rating_element,
    "spoken": filters.words_to_html,
    "time": time,
    "tagged": filters.format_tag,
    "when": filters.time_element,
}


def make_build_id(folders: Sequence[Path], app: App, programs: tuple[Path, ...] = CODE_FOLDERS) -> str:
    """Return ten digits that change with program, templates and shown settings."""
    config, address = app.config, app.addressing.plain()
    told = (__version__, config.host, config.site, config.development, address)
    try:
        record_key = record_signer(config).mark
    except (SettingsError, OSError):
        record_key = ""  # who asks for a record gets the error
    games = ((rules.key, rules.version, rules.complete({})) for rules in app.offered.values())
    facts = (*told, _code_digest(programs), record_key, *games)
    digest = sha256("\n".join(map(str, facts)).encode())
    for folder in folders:
        digest.update(_read_folder(folder)[0])
    return digest.hexdigest()[:10]


def newest_file_date(folders: Sequence[Path]) -> datetime:
    newest = max((_read_folder(folder)[1] for folder in folders), default=0)
    return datetime.fromtimestamp(int(newest), UTC)


def _read_folder(folder: Path) -> tuple[bytes, float]:
    """Return a digest of a template folder, and its newest file's time in seconds since 1970."""
    files = sorted(folder.rglob("*.*"))
    digest = sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).digest()
    return digest, max((path.stat().st_mtime for path in files), default=0)


@cache
def _code_digest(places: tuple[Path, ...]) -> str:
    """Digest of the code that makes pages. The code may change while the templates stay the same."""
    files = (path for place in places for path in sorted(place.rglob("*.py")))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def static_blueprint(folders: Sequence[Path]) -> tuple[Pages, Mapping[str, str]]:
    """Serve these folders' static files, read once; earlier folders win. Return their addresses by name too.

    An address changes with the file, so that browsers may keep it for good.
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


def setup_templates(flask_app: Flask, folders: Sequence[Path], static_urls: Mapping[str, str]) -> None:
    """Set up the app's templates. Pages lie in `web/`, the prose of rules in `rules/<key>.html`."""
    our_files = FileSystemLoader([place for folder in folders for place in (folder / "web", folder)])
    flask_app.jinja_loader = ChoiceLoader([our_files, FunctionLoader(_text_of_game)])
    flask_app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    flask_app.jinja_env.filters |= FILTERS
    flask_app.jinja_env.globals |= {
        "categories": CATEGORY_SENTENCES,
        "epoch": datetime(1970, 1, 1, tzinfo=UTC),
        "linked": filters.url_with_query,
        "listed": join_words,
        "mailto": filters.mailto,
        "menu": lambda name: menu(flask_app.blueprints.values(), name),
        "pin_of": lambda game: version_query(game.id, game),
        "version_of": version_query,
        "plural": filters.number_with_noun,
        "position": filters.position,
        "refusal": filters.explain_refusal,
        "reached": cache(lambda path: flask_app.url_map.bind("").test(path, "GET")),
        "seat_names": SEAT_NAMES,
        "write": mail_link,
        "static": static_urls.__getitem__,
        "rules_text": lambda rules: rules_in_words(rules, application().config.templates),
    }
    flask_app.context_processor(_page_context)


def _text_of_game(name: str) -> str | None:
    """The page or emblem that a game of another package brings itself."""
    folder, _, key = name.removesuffix(".html").removesuffix(".svg").partition("/")
    attribute = {"rules": "page", "emblems": "emblem"}.get(folder, "")
    return getattr(RULES.get(key), attribute, None) or None


def _page_context() -> dict[str, Any]:
    app = application()
    now = app.now()
    first = next(iter(app.offered.values()), None)
    return {
        "house": app.config,
        "offered": app.offered,
        "now": now,
        "rating": lambda career: rating_text(career.standing, now),
        "viewer": viewer(),
        "letters_came_back": letters_came_back,
        "form_mark": lambda: csrf_field(session()),
        "play_address": app.addressing.plain(),
        "families": by_family(app.offered.values()),
        "first_game": first,
        "usual_bot": usual_bot(app.config.bots),
        "example": example_game(first.key if first else "", app.config.templates),
    }


def by_family(games: Iterable[Rules]) -> list[tuple[str, list[Rules]]]:
    """Return the headings of the families that have games here, each with its games in their order."""
    games = list(games)
    found = [
        (heading, [rules for rules in games if rules.family == family])
        for family, heading in FAMILIES.items()
    ]
    return [(heading, members) for heading, members in found if members]


@cache
def example_game(key: str, templates: Path | None) -> record.Replay | None:
    """Return the example game that comes with the rules, replayed to its end, or None."""
    try:
        text = find_template(f"rules/{key}.game", templates).read_text(encoding="utf-8")
    except FileNotFoundError:
        text = RULES[key].example if key in RULES else ""
    return record.replay(record.read(text)) if text else None
