"""HTML to text, for mails without a text part.

Blocks become lines, quotes get a `>` prefix, and the cells of a table row stand on one line, so a quoted
board never breaks into single cells. One pass over the tags, by a pattern that never looks past the next `<`,
so no text can take long.

Marks of mail programs, as `_process_marks` reads them:

    blockquote; class yahoo_quoted; name=quote (GMX, web.de); class gmail_attr    that element is quoted
    id divRplyFwdMsg, appendonsend and the like (Outlook), a top border with 3pt padding
                                                          that element and all after it are quoted
    class gmail_signature, moz-signature; id Signature    a `-- ` line goes before it

Text that is struck out (del, s, strike, line-through) or hidden (display:none and the like) is not read.
"""

import re
from html import unescape

MAX_QUOTE_LEVELS = 12
MAX_TAGS = 16_000
"""Enough tags for a dozen quoted boards; players type far above that."""
MAX_LINES = 1000
MAX_NESTED = 20
MAX_ATTRIBUTES = 1000
BREAK, LINE, PARAGRAPH, CELL, QUOTE, UNQUOTE = "\n\x01\x02\x03\x04\x05"
"""Layout tokens: line break, start of line, paragraph, cell, quote, end of quote."""

BLOCKS = dict.fromkeys(
    "address article aside body caption center dd details div dl dt fieldset figure footer form header hr li "
    "main nav section summary tbody tfoot thead tr".split(),
    LINE,
) | dict.fromkeys("blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul".split(), PARAGRAPH)

WORD_LINE = "MsoNormal"
"""Outlook's class for every typed line: its paragraphs have no space between."""
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
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Elements without content, so without an end tag."""
_ENDS_BEFORE = {"p": BLOCKS, "li": {"li", "ul", "ol"}, "td": {"td", "th", "tr"}, "tr": {"tr", "table"}}
"""Elements with an optional end tag -> the tags that end them."""
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
_SPACES = re.compile(r"[ \t\r\n\f]+")
_KEEPS_BREAKS = re.compile(r"white-space\s?:\s?(?:pre|break-spaces)", re.IGNORECASE)


def html_to_text(html: str) -> str:
    return _join_tokens(_HtmlReader(html).tokens)


def text_and_unseen(html: str) -> tuple[str, list[str]]:
    """The text, and its struck or hidden pieces above a quote."""
    reader = _HtmlReader(html)
    return _join_tokens(reader.tokens), [html_to_text(piece) for piece in reader.unseen]


class _HtmlReader:
    """One pass over the tags, which collects tokens of text and layout."""

    def __init__(self, html: str) -> None:
        self.tokens: list[str] = []
        self.unseen: list[str] = []
        self._html = html
        self._in_head = True
        self._blocks = BLOCKS | {"p": LINE} if WORD_LINE in html else BLOCKS
        self._keeping_breaks = 0
        self._rows: list[int] = []
        self._lists: list[int] = []
        self._open: list[tuple[str, str]] = []  # marked elements, and the tokens at their ends
        at = 0
        for _ in range(MAX_TAGS):
            match = _TAG.search(html, at)
            self._text(html[at : match.start() if match else len(html)])
            if match is None:
                break
            at = self._process_tag(match)
        while self._rows:
            self._end_row()

    def _process_tag(self, match: re.Match[str]) -> int:
        """Process a tag; returns the position after it and its dropped contents."""
        if match[0] == "<!--":
            end = self._html.find("-->", match.end())
            return end + 3 if end >= 0 else len(self._html)
        closing, name = bool(match[1]), (match[2] or "").lower()
        attributes = (match[3] or "")[:MAX_ATTRIBUTES]
        if name == "head" and self._in_head:
            self._in_head = False
            found = _HEAD_ENDS.search(self._html, match.end())
            return found.start() if found else match.end()
        if name in _DROPPED and not closing and not match[0].endswith("/>"):
            found = _DROPPED[name].search(self._html, match.end())
            return found.start() if found else len(self._html)
        if name and not closing and _is_unseen(name, attributes):
            end = self._end_of(name, match.end())
            if len(self.unseen) < MAX_NESTED and QUOTE not in self.tokens:
                self.unseen.append(self._html[match.end() : end])
            return end
        if name:
            self._tag(closing, name, attributes)
        return match.end()

    def _end_of(self, name: str, at: int) -> int:
        """Return the end of an element that began before `at`. Without a closing tag it is the document's."""
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
        if not raw:
            return
        try:
            text = unescape(raw).translate(_NO_TOKENS)
        except ValueError:  # a character number of thousands of digits
            text = raw.translate(_NO_TOKENS)
        if self._keeping_breaks:
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.tokens += [token for line in lines for token in (BREAK, line)][1:]
            return
        text = _SPACES.sub(" ", text)
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
            end = self._open.pop()[1]
            self._keeping_breaks -= end == BREAK
            self.tokens += [LINE, UNQUOTE] if end == UNQUOTE else []
        elif not closing:
            end = self._process_marks(name, attributes) if _TO_MARK.search(attributes) else ""
            if end or (self._open and self._open[-1][0] == name):
                self._open.append((name, end))

    def _process_marks(self, name: str, attributes: str) -> str:
        """Process an opening tag's marks for quotes, signatures and breaks. Returns the token for its end."""
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

    def _block(self, closing: bool, name: str, attributes: str) -> None:
        if name == "tr" or (name == "table" and closing):
            self._end_row()
        self.tokens.append(self._blocks[name])
        if name == "tr" and not closing and len(self._rows) < MAX_NESTED:
            self._rows.append(len(self.tokens))
        elif name == "blockquote":
            self.tokens.append(UNQUOTE if closing else QUOTE)
        elif name == "pre":
            self._keeping_breaks = max(0, self._keeping_breaks + (-1 if closing else 1))
        elif name == "hr":
            self.tokens += ["_" * 32, LINE]
        elif name in ("ul", "ol") and closing:
            del self._lists[-1:]
        elif name in ("ul", "ol") and len(self._lists) < MAX_NESTED:
            start = _START.search(attributes)
            self._lists.append(0 if name == "ul" else int(start[1]) if start else 1)
        elif name == "li" and not closing:
            number = self._lists[-1] if self._lists else 0
            self.tokens.append(f"{number}. " if number else "- ")
            if number:
                self._lists[-1] += 1

    def _end_row(self) -> None:
        """Put a row with several filled cells on one line. A row with a single cell is only layout."""
        if not self._rows:
            return
        start = self._rows.pop()
        row = self.tokens[start:]
        if sum(bool(cell.translate(_NO_TOKENS).strip()) for cell in "".join(row).split(CELL)) > 1:
            filled = [token for token in row if token not in _BETWEEN_WORDS and token.strip(" ")]
            self.tokens[start:] = [piece for token in filled for piece in (token, " ")]


def _is_unseen(name: str, attributes: str) -> bool:
    if name in _EMPTY or attributes.endswith("/>"):
        return False
    if attributes in ("", ">"):
        return name in _STRUCK
    if _REST_QUOTED.search(attributes):
        return False
    style = _STYLE.search(attributes)
    if name in _STRUCK or (style is not None and _UNSEEN.search(attributes, style.end())):
        return True
    return _HIDDEN.search(_VALUES.sub("", attributes)) is not None


_BETWEEN_WORDS = (BREAK, LINE, PARAGRAPH, CELL)
_LAYOUT = (*_BETWEEN_WORDS, QUOTE, UNQUOTE)
_NO_TOKENS = {ord(token): None for token in _LAYOUT if token != BREAK}


def _join_tokens(tokens: list[str]) -> str:
    lines: list[str] = []
    words: list[str] = []
    depth = 0

    def end_line(*, even_empty: bool) -> None:
        text = "".join(words).rstrip()
        words.clear()
        if text.strip() or even_empty:
            lines.append(f"{'>' * min(depth, MAX_QUOTE_LEVELS)} {text}".rstrip() if depth else text)

    for token in tokens:
        if len(lines) > MAX_LINES:
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
