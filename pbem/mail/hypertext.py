"""HTML -> text, for mails that bring no text part: enough to find the words a player typed.

Blocks become lines, what is quoted is prefixed with `>`, the cells of a table row stand on one line (so
a quoted board never falls apart into lone cells), style, script and head are dropped. One pass over the
tags, by a pattern that cannot look past the next `<`, so no text can take long.

Marks by which mail programs tell a quoted letter or a signature, as `_marks` knows them:

    blockquote; class yahoo_quoted; name=quote (GMX, web.de); class gmail_attr    that element
    id divRplyFwdMsg, appendonsend and the like (Outlook), a top border with 3pt padding
                                                                    that element and all that follows
    class gmail_signature, moz-signature; id Signature              a `-- ` line before it

What is struck out (del, s, strike, line-through) or hidden (display:none and the like) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

QUOTE_LEVELS_MOST = 12
TAGS_MOST = 16_000
"""Those of a dozen quoted boards; what stands below is far below anything that a player typed."""
LINES_MOST = 1000
"""More than are read of any text."""
NESTED_ROWS_MOST = 20
NESTED_LISTS_MOST = 20
ATTRIBUTES_MOST = 1000

BREAK, LINE, PARAGRAPH, CELL, QUOTE, UNQUOTE = "\n\x01\x02\x03\x04\x05"
"""Tokens of layout: a line break; the start of a line, a paragraph, a table cell; a quote and its end."""

BLOCKS = dict.fromkeys(
    "address article aside body caption center dd div dl dt fieldset figure footer form header hr li main "
    "nav section tbody tfoot thead tr".split(),
    LINE,
) | dict.fromkeys("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split(), PARAGRAPH)

WORD_LINE = "MsoNormal"
"""Outlook's class for every line that is typed: its paragraphs have no space between."""

_DROPPED = {
    name: re.compile(rf"</{name}(?![a-z])", re.IGNORECASE)
    for name in ("style", "script", "title", "xml", "template", "noscript")
}
_STRUCK = frozenset({"del", "s", "strike"})
_STYLE = re.compile(r"\bstyle\s?=", re.IGNORECASE)
_UNSEEN = re.compile(
    r"""display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0(?![.\d])"""
    r"""|mso-hide\s?:\s?all|opacity\s?:\s?0(?![.\d])"""
    r"""|text-decoration(?:-line)?\s?:[^;"'<>]{0,60}line-through""",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"(?<![\w:=-])hidden(?![\w:-])", re.IGNORECASE)
_VALUES = re.compile(r""""[^"]*+"|'[^']*+'""")
"""Attributes of what is hidden or struck out."""
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Elements that hold nothing, so that they have no end."""
_ENDS_BEFORE = {"p": BLOCKS, "li": {"li", "ul", "ol"}, "td": {"td", "th", "tr"}, "tr": {"tr", "table"}}
"""Elements whose end may be left out, and which tags end them."""

_HEAD_ENDS = re.compile(r"</head|<body", re.IGNORECASE)

_TAG = re.compile(
    r"""<!--|<[!?][^<>]*+>|<(/?)([a-zA-Z][\w:-]{0,30})((?:[^<>"']|"[^"<]*"|'[^'<]*')*+>|[^<>]*+>)"""
)
_START = re.compile(r"""\bstart\s?=\s?["']?(\d{1,4})""", re.IGNORECASE)

_TO_MARK = re.compile(r"quote|gmail_|rply|append|reference-message|border-top|signature|white-space", re.I)
_REST_QUOTED = re.compile(
    r"""\bid\s?=\s?["']?(?:x_)*(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container)"""
    r"""|border-top\s?:\s?solid[^"']{0,200}?padding\s?:\s?3(?:\.0)?pt""",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"""\bclass\s?=\s?["']?[^"'>]{0,200}?\b(?:yahoo_quoted|gmail_attr)\b|\bname\s?=\s?["']?quote\b""",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"""\bclass\s?=\s?["']?[^"'>]{0,200}?\b(?:gmail_signature|moz-signature)(?![\w-])"""
    r"""|\bid\s?=\s?["']?(?:x_)*(?:ms-outlook-mobile-)?signature\b""",
    re.IGNORECASE,
)
_KEEPS_BREAKS = re.compile(r"white-space\s?:\s?(?:pre|break-spaces)", re.IGNORECASE)


def text_of(html: str) -> str:
    """The text of an HTML document, quoted passages prefixed with `>`."""
    return _assembled(_Reading(html).tokens)


class _Reading:
    """One walk over the tags, leaving tokens of text and layout."""

    def __init__(self, html: str) -> None:
        self.tokens: list[str] = []
        self._html = html
        self._in_head = True
        self._blocks = BLOCKS | {"p": LINE} if WORD_LINE in html else BLOCKS
        self._keeping_breaks = 0
        self._rows: list[int] = []
        self._lists: list[int] = []
        self._open: list[tuple[str, str]] = []  # marked elements, and what their ends mean
        at = 0
        for _ in range(TAGS_MOST):
            match = _TAG.search(html, at)
            self._text(html[at : match.start() if match else len(html)])
            if match is None:
                break
            at = self._after(match)
        while self._rows:
            self._end_row()

    def _after(self, match: re.Match[str]) -> int:
        """Read the tag, and where to go on: behind it, or behind all that it drops."""
        closing, name = bool(match[1]), (match[2] or "").lower()
        if match[0] == "<!--":
            end = self._html.find("-->", match.end())
            return end + 3 if end >= 0 else len(self._html)
        if name == "head" and self._in_head:
            self._in_head = False
            found = _HEAD_ENDS.search(self._html, match.end())
            return found.start() if found else match.end()
        if name in _DROPPED and not closing and not match[0].endswith("/>"):
            found = _DROPPED[name].search(self._html, match.end())
            return found.start() if found else len(self._html)
        if name and not closing and _is_unseen(name, match[3][:ATTRIBUTES_MOST]):
            return self._end_of(name, match.end())
        if name:
            self._tag(closing, name, match[3][:ATTRIBUTES_MOST])
        return match.end()

    def _end_of(self, name: str, at: int) -> int:
        """Where an element ends that began before `at`; the end of the document where nothing ends it."""
        inside = 1
        ends = _ENDS_BEFORE.get(name, ())
        for match in _TAG.finditer(self._html, at):
            found = (match[2] or "").lower()
            if found in ends and found != name and not match[1]:
                return match.start()
            if found == name:
                if ends and not match[1]:
                    return match.start()
                inside += -1 if match[1] else 1
            if not inside:
                return match.end()
        return len(self._html)

    def _text(self, raw: str) -> None:
        try:
            text = unescape(raw)
        except ValueError:  # a character number of thousands of digits
            text = raw
        text = text.translate(_NO_TOKENS)
        if self._keeping_breaks:
            self.tokens += _with_breaks(text)
            return
        text = re.sub(r"[ \t\r\n\f]+", " ", text)
        if not self.tokens or self.tokens[-1] in _LAYOUT:
            text = text.lstrip(" ")
        if text:
            self.tokens.append(text)

    def _tag(self, closing: bool, name: str, attributes: str) -> None:
        if name == "br":
            self.tokens.append(BREAK)
        elif name in ("td", "th"):
            self.tokens.append(CELL)
        elif name in BLOCKS:
            self._block(closing, name, attributes)
        if closing and self._open and self._open[-1][0] == name:
            self._end_marked(self._open.pop()[1])
        elif not closing:
            end = self._marks(name, attributes) if _TO_MARK.search(attributes) else ""
            if end or (self._open and self._open[-1][0] == name):
                self._open.append((name, end))

    def _marks(self, name: str, attributes: str) -> str:
        """What an opening tag says of quotes, signatures and line breaks; what its end will mean."""
        if _REST_QUOTED.search(attributes):
            self.tokens += [LINE, QUOTE]
        elif name != "blockquote" and _QUOTED.search(attributes):
            self.tokens += [LINE, QUOTE]
            return UNQUOTE
        elif _SIGNATURE.search(attributes):
            self.tokens += [LINE, "-- ", LINE]
        elif _KEEPS_BREAKS.search(attributes):
            self._keeping_breaks += 1
            return BREAK
        return ""

    def _end_marked(self, end: str) -> None:
        if end == UNQUOTE:
            self.tokens += [LINE, UNQUOTE]
        elif end == BREAK:
            self._keeping_breaks -= 1

    def _block(self, closing: bool, name: str, attributes: str) -> None:
        if name == "tr" or (name == "table" and closing):
            self._end_row()
        self.tokens.append(self._blocks[name])
        if name == "tr" and not closing and len(self._rows) < NESTED_ROWS_MOST:
            self._rows.append(len(self.tokens))
        elif name == "blockquote":
            self.tokens.append(UNQUOTE if closing else QUOTE)
        elif name == "pre":
            self._keeping_breaks = max(0, self._keeping_breaks + (-1 if closing else 1))
        elif name == "hr":
            self.tokens += ["_" * 32, LINE]
        elif name in ("ul", "ol"):
            self._list(closing, name, attributes)
        elif name == "li" and not closing:
            self._item()

    def _list(self, closing: bool, name: str, attributes: str) -> None:
        if closing:
            del self._lists[-1:]
        elif len(self._lists) < NESTED_LISTS_MOST:
            start = _START.search(attributes)
            self._lists.append(0 if name == "ul" else int(start[1]) if start else 1)

    def _item(self) -> None:
        number = self._lists[-1] if self._lists else 0
        self.tokens.append(f"{number}. " if number else "- ")
        if number:
            self._lists[-1] += 1

    def _end_row(self) -> None:
        """A row of several filled cells becomes one line; a single cell is mere layout."""
        if not self._rows:
            return
        start = self._rows.pop()
        row = self.tokens[start:]
        if sum(bool(cell.translate(_NO_TOKENS).strip()) for cell in "".join(row).split(CELL)) > 1:
            filled = [token for token in row if token not in _BETWEEN_WORDS and token.strip(" ")]
            self.tokens[start:] = [piece for token in filled for piece in (token, " ")]


def _is_unseen(name: str, attributes: str) -> bool:
    """Whether an opening tag begins what is struck out or hidden."""
    if name in _EMPTY or attributes.endswith("/>") or _REST_QUOTED.search(attributes):
        return False
    style = _STYLE.search(attributes)
    if name in _STRUCK or (style is not None and _UNSEEN.search(attributes, style.end())):
        return True
    return _HIDDEN.search(_VALUES.sub("", attributes)) is not None


_BETWEEN_WORDS = (BREAK, LINE, PARAGRAPH, CELL)
_LAYOUT = (*_BETWEEN_WORDS, QUOTE, UNQUOTE)
_NO_TOKENS = {ord(token): None for token in _LAYOUT if token != BREAK}


def _with_breaks(text: str) -> Iterator[str]:
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if number:
            yield BREAK
        yield line


def _assembled(tokens: list[str]) -> str:
    """Tokens -> lines, each prefixed by the depth of its quote."""
    lines: list[str] = []
    words: list[str] = []
    depth = 0

    def end_line(*, even_empty: bool) -> None:
        text = "".join(words).rstrip()
        words.clear()
        if text.strip() or even_empty:
            lines.append(f"{'>' * min(depth, QUOTE_LEVELS_MOST)} {text}".rstrip() if depth else text)

    for token in tokens:
        if len(lines) > LINES_MOST:
            break
        if token == BREAK:
            end_line(even_empty=True)
        elif token not in _LAYOUT:
            words.append(token)
        elif token != CELL:
            end_line(even_empty=False)
            if token == PARAGRAPH and lines and lines[-1].strip("> "):
                end_line(even_empty=True)
            depth = max(0, depth + (token == QUOTE) - (token == UNQUOTE))
    end_line(even_empty=False)
    return "\n".join(lines).strip("\n")
