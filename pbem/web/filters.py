"""Template filters: dates, players' words, boards, mail links. Pure functions."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape

from pbem.core.ratings.results import GameRating, rating_text
from pbem.core.redact import mask_hosts
from pbem.mail.outbound.times import MONTHS, day, time
from rules.contract import Position, Rules, RulesError, replay
from rules.picture import Picture
from rules.svg import svg


def time_element(moment: datetime, *, short: bool = False) -> Markup:
    """A `time` element, `20 June 2004, 07:04` or `20 Jun 07:04`, UTC."""
    brief = f"{moment.day} {MONTHS[moment.month - 1][:3]} {moment:%H:%M}"
    return _time_tag(moment, brief if short else f"{day(moment)}, {moment:%H:%M}")


_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) ')
FINE_FROM = 500
"""The width of a drawing, in its own units, from which cells are under 24 pixels on a telephone."""
HEADING = re.compile(r'<h2 id="([\w-]+)">(.*?)</h2>')
NEAR = timedelta(days=30)
"""Times nearer than this are told by their distance, others by their day."""
UNITS = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))


def ago(moment: datetime, now: datetime) -> Markup:
    """Show `3 hours ago`, `in 20 minutes` or `20 June 2004`, never a unit too many. The title is the time."""
    distance = abs(now - moment)
    if distance >= NEAR:
        return _time_tag(moment, day(moment))
    told = (number_with_noun(distance // unit, name) for name, unit in UNITS if distance >= unit)
    if moment > now:
        return _time_tag(moment, f"in {next(told, 'a minute')}")
    words = f"{found} ago" if (found := next(told, "")) else "just now"
    return _time_tag(moment, words)


def _time_tag(moment: datetime, words: str) -> Markup:
    machine, whole = f"{moment:%Y-%m-%dT%H:%M:%SZ}", time(moment)
    return Markup(f'<time datetime="{machine}" title="{whole}">{words}</time>')  # no text from outside  # noqa: S704


def rating_element(standing: GameRating | None, now: datetime) -> Markup:
    """Show a rating beside a name. A question mark explains that it is provisional."""
    if standing is None:
        return Markup("")
    told = rating_text(standing, now)
    why = ' title="provisional: few rated games, or none for long"' if told.endswith("?") else ""
    return Markup(f' <span class="rating"{why}>{told}</span>')  # noqa: S704


def day_element(moment: datetime) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(f"{moment:%Y-%m-%d}", day(moment))


def format_tag(tag: str) -> str:
    """The value of a record's tag; a date as pages show it."""
    try:
        return time_element(datetime.strptime(tag, "%Y-%m-%dT%H:%M:%S%z").astimezone(UTC))
    except (ValueError, OverflowError):
        return mask_hosts(tag)


def words_to_html(words: str) -> Markup:
    """A player's words as paragraphs, all markup in them escaped."""
    paragraphs = re.split(r"\n\s*\n", mask_hosts(words).strip())
    return Markup("").join(
        Markup("<p>{}</p>").format(Markup("<br>").join(escape(line) for line in part.splitlines()))
        for part in paragraphs
    )


def headings(page: str) -> list[tuple[str, Markup]]:
    """Return ids and texts of a page's headings, for its contents."""
    return [(id, Markup(text)) for id, text in HEADING.findall(page)]  # noqa: S704


def refusal_to_html(sentence: str) -> Markup:
    parts = sentence.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)
    )


def board(picture: Picture, *, coordinates: bool = True, legal: bool = False) -> Markup:
    return Markup(svg(picture, coordinates=coordinates, legal=legal))  # noqa: S704


def position(rules: Rules, options: Mapping[str, str], moves: str) -> Position:
    """The position after plies separated by `|`, for examples in rules pages."""
    return replay(rules.start(options), [text.strip() for text in moves.split("|") if text.strip()])


def explain_refusal(position: Position, text: str) -> str:
    """The rules' refusal of `text`; raises ValueError if it is legal."""
    try:
        position.play(position.read(text))
    except RulesError as error:
        return str(error)
    raise ValueError(f"{text} is legal here, so it is no example of what is refused")


def outcome_suffix(reason: str) -> str:
    """Return the words after `Joao won`, such as ` as Light: 36 points to 8` or `: Bill resigned`."""
    side, wins, why = reason.partition(" wins: ")
    return f" as {side}: {why}" if wins and side.isalpha() else f": {reason}"


def mailto(address: str, *, subject: str = "", body: str = "") -> str:
    """A `mailto:` link (RFC 6068): `%20` for blanks, CRLF between lines."""
    fields = {"subject": subject, "body": body.replace("\r\n", "\n").replace("\n", "\r\n")}
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items() if value)
    return f"mailto:{quote(address, safe='@+')}" + (f"?{query}" if query else "")


def url_with_query(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def number_with_noun(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 ply`, `2 plies`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def is_fine(svg: str) -> bool:
    """True if a drawing's cells are too small for fingers on telephones."""
    found = _VIEW_BOX.search(svg)
    return found is not None and float(found[1]) > FINE_FROM
