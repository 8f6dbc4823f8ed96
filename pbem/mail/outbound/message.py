"""Step 8: a letter -> finished bytes of RFC 5322. Lines end with CRLF. Pure: the same in, the same out.

Both parts begin with one sentence, which lists of mails show, and the marker line: a player's answer then
stands above it, and the board, the moves and the examples below, whether or not the mail program marks what
it quotes.

The headers are what `email` would write under `policy.SMTP.clone(max_line_length=998)` (a test holds
that), made by hand in a tenth of the time; its usual 78 columns make encoded words of long ids.
"""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.header import Header
from email.utils import format_datetime
from hashlib import sha256

from pbem.core.letters.letter import Letter
from pbem.core.preferences.letter_kinds import KINDS
from pbem.core.redact import without_secrets
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.outbound import calendar
from pbem.mail.outbound.png import render_png
from pbem.mail.outbound.render import LetterHeaders, Site, render_letter
from pbem.mail.outbound.sender_name import sender_name
from rules.contract import SEAT_NAMES

MAX_VALUE = 900
"""Characters of a header's value; a line has at most 998 (RFC 5322 2.1.1)."""
MAX_LINE = 990
BOARD_WIDTH = 640
"""Pixels of a board that is a picture, which is shown as wide as the letter."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_ID = re.compile(r"<[!-;=?-~]{1,248}>")


def write(letter: Letter, headers: LetterHeaders, site: Site) -> bytes:
    """Return the letter as it is sent: text alone, or text and HTML, as its reader wants."""
    subject, text, html, pictures = render_letter(letter, headers, site)
    wanted = letter.player.preferences.format if letter.player else "both"
    lines = [f"{name}: {value}" for name, value in _headers(letter, headers, site, subject) if value]
    head = "\r\n".join([*lines, "MIME-Version: 1.0", ""]).encode("utf-8", "replace")
    parts = [_part("plain", text.encode("utf-8", "replace"))]
    seed = sha256(headers.message_id.encode()).hexdigest()
    if wanted != "text":
        words = _part("html", html.encode("ascii", "xmlcharrefreplace"))
        drawn = [_picture(id, svg) for id, svg in pictures.items()]
        parts.append(_multipart('related; type="text/html"', seed[48:], [words, *drawn]) if drawn else words)
    body = parts[0] if len(parts) == 1 else _multipart("alternative", seed[:24], parts)
    files = list(_files(letter, site))
    return head + (_multipart("mixed", seed[24:48], [body, *files]) if files else body)


def _headers(letter: Letter, headers: LetterHeaders, site: Site, subject: str) -> Iterator[tuple[str, str]]:
    view = letter.view
    yield "From", f"{_phrase(sender_name(letter, site.host, headers.date))} <play@{site.host}>"
    address = _plain(letter.address).strip("<> ")
    yield "To", f"{_phrase(letter.player.name)} <{address}>" if letter.player else address
    yield "Reply-To", _plain(headers.reply_to)
    yield "Subject", _unstructured(subject)
    yield "Date", format_datetime(headers.date)
    yield "Message-ID", _ids([headers.message_id])
    yield "In-Reply-To", _ids([headers.in_reply_to])
    yield "References", _ids(headers.references)
    to_mail = headers.in_reply_to and not headers.in_reply_to.endswith(f"@{site.host}>")
    yield "Auto-Submitted", "auto-replied" if KINDS[letter.kind].answers or to_mail else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, site.host
    if view is not None:
        yield "List-Id", f"<g{view.game.id}.games.{site.host}>"
    mail, web = _plain(headers.unsubscribe_mail), _plain(headers.unsubscribe_web)
    stops = (web, mail and f"mailto:{mail}?subject=unsubscribe")  # RFC 2369 3.2
    yield "List-Unsubscribe", ", ".join(f"<{address}>" for address in stops if address)
    yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click" * web.startswith("https://")  # RFC 8058
    if view is not None:
        yield "X-PBEM-Game", str(view.game.id)
        yield "X-PBEM-Ply", str(view.state.position.ply)
        yield "X-PBEM-Turn", "over" if view.state.to_play is None else SEAT_NAMES[view.state.to_play]
        yield "X-PBEM-Deadline", f"{view.deadline:%Y-%m-%dT%H:%M:%SZ}" if view.deadline else ""
        yield "X-PBEM-Fingerprint", view.fingerprint


def _phrase(name: str) -> str:
    """Return a display name, quoted (RFC 5322 3.2.5) or encoded (RFC 2047)."""
    plain = _plain(name)
    return '"' + re.sub(r'(["\\])', r"\\\1", plain) + '"' if plain.isascii() else _unstructured(name)


def _plain(text: str) -> str:
    """Return text for a header, on one line, without control characters or direction marks."""
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_VALUE]


def _unstructured(text: str) -> str:
    """Return a header value for any text: ASCII as it is, anything else as encoded words (RFC 2047)."""
    plain = _plain(text)
    return plain if plain.isascii() else Header(plain, "utf-8", MAX_VALUE).encode(linesep="\r\n")


def _ids(ids: Sequence[str]) -> str:
    """Return valid ids, and only the last ones if a line cannot hold all."""
    kept = [id for id in ids if _ID.fullmatch(id)]
    while sum(len(id) + 1 for id in kept) > MAX_VALUE:
        del kept[0]
    return " ".join(kept)


def _part(subtype: str, content: bytes) -> bytes:
    """Return one part in 7 bits, or else quoted-printable. Both get through every host unharmed."""
    body, encoding = content.replace(b"\n", b"\r\n"), "7bit"
    if not content.isascii() or _has_long_line(content):
        body, encoding = b2a_qp(body, istext=True), "quoted-printable"
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + body


def _has_long_line(content: bytes) -> bool:
    """True if a line is longer than MAX_LINE. Looks at a few line ends alone."""
    start = 0
    while len(content) - start > MAX_LINE:
        end = content.rfind(b"\n", start, start + MAX_LINE + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _multipart(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one (RFC 2046 5.1)."""
    line = f"=_{boundary}".encode()
    opened = b"".join(b"--%s\r\n%s\r\n" % (line, part) for part in parts)
    head = b'Content-Type: multipart/%s; boundary="%s"\r\n\r\n' % (kind.encode(), line)
    return head + opened + b"--%s--\r\n" % line


def _files(letter: Letter, site: Site) -> Iterator[bytes]:
    """The attachments, in base64 so that no host changes them.

    A calendar's type says the same METHOD as the calendar, or programs offer to answer it (RFC 6047 2.4).
    """
    for file in letter.attached:
        name, content = f'"{file.name}"', file.text.encode("utf-8", "replace")
        yield _attachment(f"{file.type}; charset=utf-8; name={name}", name, content)
    turns = letter.told.get("turns")
    dates = calendar.ics_part(turns, site.host, site.site) if turns else b""
    if dates:
        kind = f"text/calendar; method={calendar.PUBLISH}; charset=utf-8; name=turns.ics"
        yield _attachment(kind, "turns.ics", dates)


def _picture(id: str, drawn: str) -> bytes:
    head = (
        "Content-Type: image/png\r\n"
        "Content-Disposition: inline; filename=board.png\r\n"
        f"Content-ID: <{id}>\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode() + encodebytes(render_png(drawn, BOARD_WIDTH)).replace(b"\n", b"\r\n")


def _attachment(content_type: str, name: str, content: bytes) -> bytes:
    head = (
        f"Content-Type: {content_type}\r\n"
        f"Content-Disposition: attachment; filename={name}\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    return head.encode() + encodebytes(content).replace(b"\n", b"\r\n")


def blank_secrets(raw: bytes) -> bytes:
    """Remove reply addresses, links and other credentials. A part without any keeps its bytes."""
    mail = message_from_bytes(raw)
    for name, value in list(mail.items()):
        mail.replace_header(name, without_secrets(str(value)))
    for part in mail.walk():
        content = part.get_payload(decode=True) if part.get_content_maintype() == "text" else None
        text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
        kept = without_secrets(text)
        if kept != text:
            del part["Content-Transfer-Encoding"]
            part["Content-Transfer-Encoding"] = "8bit"
            part.set_payload(kept.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape"))
    return mail.as_bytes()
