"""Step 8: a letter -> finished bytes of RFC 5322, lines ended by CRLF. Pure: the same in, the same out.

The marker line is the first of both parts. A mail program that puts an answer above the letter has the
player's own words above the marker, whether or not it marks what it quotes, and the board, the moves
and the examples below it; were the marker lower, they would stand above it where no quote marks do.

The headers are what `email` would write under `policy.SMTP.clone(max_line_length=998)` (a test holds
that), made by hand in a tenth of the time; its usual 78 columns make encoded words of long ids.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path

from pbem.core.clock.intervals import Intervals
from pbem.core.game.letter_kinds import KINDS
from pbem.core.game.view import View
from pbem.core.letters.letter import Attachment, Letter
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.outbound import calendar
from pbem.mail.outbound.render import sheet
from rules.contract import SEAT_NAMES

MAX_VALUE = 900
"""Characters of a header's value; a line has at most 998 (RFC 5322 2.1.1)."""
MAX_LINE = 990

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_ID = re.compile(r"<[!-;=?-~]{1,248}>")


@dataclass(frozen=True)
class Site:
    """The site that writes: mail host, web address without a final slash, templates.

    `templates` is the operator's own folder, searched before ours.
    """

    host: str
    site: str
    delimiter: str = "+"
    templates: Path | None = None


@dataclass(frozen=True)
class LetterHeaders:
    """All headers of one letter that its words do not fix; ids have their angle brackets.

    `reply_to` is the whole address with its token; `unsubscribe_mail` (an address) and
    `unsubscribe_web` are "" for letters that cannot be stopped; `date` is aware. `outages_to_tell` is when
    this
    server stood still since the last letter of the game.
    """

    message_id: str
    references: tuple[str, ...]
    in_reply_to: str
    reply_to: str
    unsubscribe_mail: str
    unsubscribe_web: str
    date: datetime
    outages_to_tell: Intervals = ()


def write(letter: Letter, headers: LetterHeaders, site: Site) -> bytes:
    """The letter as it is sent: plain text, HTML, or both as alternatives, as its reader wants it."""
    said = sheet(
        letter,
        host=site.host,
        site=site.site,
        reply_to=headers.reply_to,
        now=headers.date,
        stood=headers.outages_to_tell,
        own=site.templates,
    )
    wanted = letter.player.preferences.format if letter.player else "both"
    lines = [f"{name}: {value}" for name, value in _headers(letter, headers, site, said.subject) if value]
    head = "\r\n".join([*lines, "MIME-Version: 1.0", ""]).encode("utf-8", "replace")
    parts = {"text": ("plain", said.text.encode("utf-8", "replace")), "html": ("html", _ascii(said.html))}
    seed = sha256(headers.message_id.encode()).hexdigest()
    if wanted in parts:
        body = _part(*parts[wanted])
    else:
        body = _together("alternative", seed[:24], [_part(*part) for part in parts.values()])
    more = [*map(_file, letter.attached), *_dates(letter, site)]
    return head + (_together("mixed", seed[24:48], [body, *more]) if more else body)


def _dates(letter: Letter, site: Site) -> list[bytes]:
    """The deadlines that a letter brings for a calendar, as a part; none where it brings none.

    The type says the same METHOD as the calendar, or programs offer to answer it (RFC 5546, RFC 6047 2.4).
    """
    turns = letter.facts.get("turns")
    dates = calendar.ics_part(turns, site.host, site.site, f"play@{site.host}") if turns else b""
    if not dates:
        return []
    part = (
        b"Content-Type: text/calendar; method=%s; charset=utf-8; name=turns.ics\r\n"
        b"Content-Disposition: attachment; filename=turns.ics\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n%s"
    ) % (calendar.PUBLISH.encode(), encodebytes(dates).replace(b"\n", b"\r\n"))
    return [part]


# -------------------------------------------------------------------------------------- headers


def _headers(letter: Letter, headers: LetterHeaders, site: Site, subject: str) -> Iterator[tuple[str, str]]:
    """All headers in order; those with an empty value are left out."""
    view = letter.view
    yield "From", _sender(view, site)
    yield "To", _recipient(letter)
    yield "Reply-To", _plain(headers.reply_to)
    yield "Subject", _unstructured(subject)
    yield "Date", format_datetime(headers.date)
    yield "Message-ID", _ids([headers.message_id])
    yield "In-Reply-To", _ids([headers.in_reply_to])
    yield "References", _ids(headers.references)
    yield "Auto-Submitted", "auto-replied" if _is_answer(letter, headers, site) else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, site.host
    if view is not None:
        yield "List-Id", f"<g{view.id}.games.{site.host}>"
    yield from _unsubscribing(headers)
    if view is not None:
        yield "X-PBEM-Game", str(view.id)
        yield "X-PBEM-Ply", str(view.position.ply)
        yield "X-PBEM-Turn", "over" if view.state.to_play is None else SEAT_NAMES[view.state.to_play]
        yield "X-PBEM-Deadline", f"{view.deadline:%Y-%m-%dT%H:%M:%SZ}" if view.deadline else ""
        yield "X-PBEM-Fingerprint", view.fingerprint


def _sender(view: View | None, site: Site) -> str:
    """`"Bipod #42" <play@host>`, or `"Games at host" <play@host>` for letters of the lobby."""
    name = f"{view.rules.name} #{view.id}" if view else f"Games at {site.host}"
    return f"{_phrase(name)} <play@{site.host}>"


def _recipient(letter: Letter) -> str:
    address = _plain(letter.address).strip("<> ")
    return f"{_phrase(letter.player.name)} <{address}>" if letter.player else address


def _phrase(name: str) -> str:
    """A display name: in quotes, or as encoded words where it is not ASCII (RFC 5322 3.2.5, RFC 2047 5)."""
    plain = _plain(name)
    if not plain.isascii():
        return _encoded(plain)
    return '"' + re.sub(r'(["\\])', r"\\\1", plain) + '"'


def _is_answer(letter: Letter, headers: LetterHeaders, site: Site) -> bool:
    """True if the letter answers a mail, by its kind or by the Message-ID it replies to."""
    own = headers.in_reply_to.endswith(f"@{site.host}>")
    return KINDS[letter.kind].answers or bool(headers.in_reply_to and not own)


def _unsubscribing(headers: LetterHeaders) -> Iterator[tuple[str, str]]:
    """RFC 2369 3.2, and RFC 8058, which asks for https."""
    mail = (
        f"<mailto:{_plain(headers.unsubscribe_mail)}?subject=unsubscribe>" if headers.unsubscribe_mail else ""
    )
    web = f"<{_plain(headers.unsubscribe_web)}>" if headers.unsubscribe_web else ""
    yield "List-Unsubscribe", ", ".join(filter(None, (web, mail)))
    if headers.unsubscribe_web.startswith("https://"):
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _plain(text: str) -> str:
    """Text for a header: on one line, without controls or turns of direction."""
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_VALUE]


def _unstructured(text: str) -> str:
    """A value that may hold any sign: ASCII as it is, else encoded words (RFC 2047)."""
    plain = _plain(text)
    return plain if plain.isascii() else _encoded(plain)


def _encoded(text: str) -> str:
    return Header(text, "utf-8", MAX_VALUE).encode(linesep="\r\n")


def _ids(ids: Sequence[str]) -> str:
    """Ids that are ids, the last ones where they are too many for a line."""
    kept: list[str] = []
    room = MAX_VALUE
    for one in reversed([id for id in ids if _ID.fullmatch(id)]):
        room -= len(one) + 1
        if room < 0:
            break
        kept.append(one)
    return " ".join(reversed(kept))


# ----------------------------------------------------------------------------------------- parts


def _ascii(html: str) -> bytes:
    """HTML in 7 bits: what is beyond them as character references."""
    return html.encode("ascii", "xmlcharrefreplace")


def _part(subtype: str, content: bytes) -> bytes:
    """One part, in 7 bits where it fits, else quoted-printable: both get through every host unharmed."""
    body = content.replace(b"\n", b"\r\n")
    encoding = b"7bit"
    if not content.isascii() or max(map(len, body.split(b"\r\n"))) > MAX_LINE:
        body, encoding = b2a_qp(body, istext=True), b"quoted-printable"
    return b"Content-Type: text/%s; charset=utf-8\r\nContent-Transfer-Encoding: %s\r\n\r\n%s" % (
        subtype.encode(),
        encoding,
        body,
    )


def _together(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one (RFC 2046 5.1)."""
    line = f"=_{boundary}".encode()
    opened = b"".join(b"--%s\r\n%s\r\n" % (line, part) for part in parts)
    head = b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (kind.encode(), line)
    return head + opened + b"--%s--\r\n" % line


def _file(file: Attachment) -> bytes:
    """An attachment, byte for byte: what is to be read by programs goes through no host's hands."""
    head = (
        f'Content-Type: {file.type}; charset=utf-8; name="{file.name}"\r\n'
        f'Content-Disposition: attachment; filename="{file.name}"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode() + encodebytes(file.text.encode("utf-8", "replace")).replace(b"\n", b"\r\n")
