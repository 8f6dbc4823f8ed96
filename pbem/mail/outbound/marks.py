"""A rendered letter with its marks -> its text and its HTML.

A template is laid out as the text part is: blank lines separate paragraphs, and indented lines are a list.
Marks stand for what text cannot show, and docs/build/letters.md lists them. Loading a template turns its
marks into control characters, so that nothing a player wrote can be a mark.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import cycle, dropwhile, groupby, takewhile
from textwrap import TextWrapper

from jinja2.ext import Extension
from markupsafe import Markup, escape

from pbem.core.parsing.line import MoveReader, any_reader
from pbem.core.parsing.reply_text import MARKER
from pbem.mail.outbound.text_layout import BULLET, JOINED, KEPT, LABEL, LIKE_A_PLAN, LINE_END, safe_label
from rules import RULES

TITLE, PART, FOOT, TEXT_ONLY, HTML_ONLY = "\x03\x04\x05\x06\x07"
"""Signs that begin a line: heading of the letter, heading of a part, the foot, text only, HTML only."""
WRITE, WROTE, MOVE, MOVED, BOLD, BOLD_END, CAPITALS, CAPITALS_END = "\x0e\x0f\x10\x11\x12\x13\x14\x15"
LINK, NAMED, LINKED, SUBJECT = "\x16\x17\x18\x19"
"""Signs around and in a link, and the letter's subject in the links that begin an answer."""
SMALL, HTML_LINK = "\x1b\x1c"
"""Signs of a line that begins with a small letter of ours, and of a link in HTML only."""

_TOKENS = re.compile(r"\{[{%#].*?[}%#]\}|`|\*\*|^(?=[a-z])", re.DOTALL | re.MULTILINE)
_LINES = ((r"## ", PART), (r"# ", TITLE), (r"\| ", TEXT_ONLY), (r"---$", FOOT))
_INCLUDED = re.compile(r'\{% include "([^"]+)" (\+?)%\}')
_ADDRESS = re.compile(r"\{\{ site \}\}(?:/(?:\{\{[^}]*\}\}|\w+))*")
_CAPITALS = re.compile(f"([{TITLE}{PART}{BOLD}])([A-Z]{{2,}}(?: [A-Z]+)*)\\b")
_LINK = re.compile(f"{LINK}(.*?){NAMED}(?:https?://)?(.*?){LINKED}", re.DOTALL)
_NO_TEXT = re.compile(f"{HTML_LINK}.*?{LINKED}|{LINK}.*?{NAMED}|{LINKED}", re.DOTALL)
_UNBROKEN = re.compile(f"[{WRITE}{MOVE}{LINK}][^{WROTE}{MOVED}{LINKED}]*")
_BEFORE_MOVE = re.compile(f"(?<=[^ ]) (?={MOVE})")
_STONE = re.compile(rf"{MOVE}\w+ \w{MOVED}")
"""A move of a cell and a colour, such as `y3 O`."""
_SENTENCE = re.compile(r".{30,}?[.!?](?=\s)", re.DOTALL)
"""The first sentence of a paragraph, with the second where it is as short as `Done, Bill.`"""
_SENTENCE_END = re.compile(r"[.!?:](?=\s)|$")
_PAGE = re.compile(r"([^:]+): +(https?://(\S+))")
_PLY = re.compile(r"(move|plan)\b[^:]*:")
_PLACE = re.compile(r"\d+\. ")
"""A line of a table that begins with its place needs no sign of a list before it."""
_UNSEEN = TITLE + PART + TEXT_ONLY + MOVE + MOVED + BOLD + BOLD_END + CAPITALS + CAPITALS_END + SMALL
_TEXT_SIGNS = str.maketrans({WRITE: '"', WROTE: '"'} | dict.fromkeys(_UNSEEN))
_HTML_SIGNS = str.maketrans(
    {
        WRITE: '"<code>',
        WROTE: '</code>"',
        MOVE: "<code>",
        MOVED: "</code>",
        BOLD: "<b>",
        BOLD_END: "</b>",
    }
)
_APART = re.compile(r"(  \* (?<=\n  \* ).*(?:\n    .*)*)\n{2,}(?=  \* )")
"""The point of a list, and blank lines between it and the next. A search for fixed signs is fast."""
_WORDS_IN_CAPITALS = re.compile(f"{CAPITALS}(.*?){CAPITALS_END}")
_GAP_BEHIND_LABEL = re.compile(r"(?<=[:.]) {2,}")
_GAP = re.compile(r" {2,}")
HTML_WIDTH = 72
"""Columns of a line of HTML before its tags are in it; a line must not be long (RFC 5322 2.1.1)."""
_HTML_LINES = TextWrapper(HTML_WIDTH, break_long_words=False, break_on_hyphens=False)


class Marking(Extension):
    """Turns a template's marks into control characters on loading, and copies included templates in.

    Calling an included template takes 5 % of a turn's time; only templates that may change are called.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        marked = self._with_signs(source)
        return marked if self.environment.auto_reload else _INCLUDED.sub(self._in_place, marked)

    def _in_place(self, found: re.Match[str]) -> str:
        """The included template, with its own names, as an inclusion has them."""
        assert self.environment.loader is not None
        source, *_ = self.environment.loader.get_source(self.environment, found[1])
        return f"{{% with %}}\n{self.preprocess(source, found[1])}{{% endwith {found[2]}%}}"

    @staticmethod
    def _with_signs(source: str) -> str:
        pairs = {"`": cycle((WRITE, WROTE)), "**": cycle((BOLD, BOLD_END))}

        def sign(found: re.Match[str]) -> str:
            return next(pairs[found[0]]) if found[0] in pairs else found[0] or SMALL

        source = _ADDRESS.sub(lambda found: link(found[0], found[0]), source)
        for mark, control in _LINES:
            source = re.sub(f"(?m)^{mark}", control, source)
        return _CAPITALS.sub(f"\\1{CAPITALS}\\2{CAPITALS_END}", _TOKENS.sub(sign, source))


def move(ply: object) -> str:
    """A played move: plain in the text, set off in HTML."""
    return f"{MOVE}{ply}{MOVED}"


def join_stones(rendered: str, space: str) -> str:
    """Put `space` between cells and their colours, so that no line breaks there."""
    return _STONE.sub(lambda found: found[0].replace(" ", space), rendered)


def capitals(words: str) -> str:
    """Words in capitals in the text, with one capital in HTML."""
    return f"{CAPITALS}{words.upper()}{CAPITALS_END}"


def write(words: object) -> str:
    """Words that a reader may write, as between backticks."""
    return f"{WRITE}{words}{WROTE}"


def link(name: object, address: str) -> str:
    """Words that are a link in HTML."""
    return f"{LINK}{address}{NAMED}{name}{LINKED}"


def two_forms(text: str, html: str) -> str:
    """One thing in two forms, each of which stays as it is."""
    kept = text.replace("\n", LINE_END)
    return f"{KEPT}{kept}\n{html_only(html)}"


def html_only(html: str) -> str:
    return HTML_ONLY + html.replace("\n", LINE_END)


def text_of(rendered: str) -> str:
    """The text part before its lines are set."""
    lines = (line for line in rendered.split("\n") if not line.startswith((HTML_ONLY, FOOT)))
    return _NO_TEXT.sub("", "\n".join(lines)).translate(_TEXT_SIGNS)


def split_first_sentence(text: str) -> tuple[str, str]:
    """Return a text part's first sentence below the marker, or "", and the text without that sentence."""
    above, marker, below = text.partition(MARKER)
    lines = takewhile(lambda line: line.strip() and line[0] not in f" {KEPT}", below.strip("\n").split("\n"))
    paragraph = "\n".join(lines)
    found = _SENTENCE.match(f"{paragraph}\n")
    sentence = found[0] if found else paragraph
    start = below.index(sentence)
    after = below[start + len(sentence) :]
    rest = below[:start] + (after[1:] if after.startswith((" ", "\n")) else after)
    return f"{sentence[:-1]}." if sentence.endswith(":") else sentence, above + marker + rest


def html_of(
    rendered: str, sentence: str, reader: MoveReader | None, subject: str = ""
) -> tuple[Markup, Markup, Markup]:
    """Return the HTML of a letter's first sentence, of what follows, and of the foot.

    The first sentence is the heading of a letter without one, or else the subject where there is none.
    """
    lines = _lines_of_html(_APART.sub(r"\1\n", rendered))
    end = lines.index(FOOT) if FOOT in lines else len(lines)
    first, after = _cut(lines[:end], sentence)
    if not any(line.startswith(TITLE) for line in lines):
        first = [TITLE + " ".join(first or [escape(subject)])]
    return _blocks(first, reader), _blocks(after, reader), _blocks(lines[end + 1 :], reader)


def _cut(lines: Sequence[str], sentence: str) -> tuple[list[str], list[str]]:
    """Split marked lines behind the letter's first sentence, which `split_first_sentence` has found."""
    written = list(dropwhile(lambda line: not line.strip(), lines))
    paragraph = "\n".join(takewhile(lambda line: _kind(line) in ("h1", "h2", "p"), written))
    for found in _SENTENCE_END.finditer(paragraph) if sentence else ():
        first, after = paragraph[: found.end()], paragraph[found.end() :].lstrip()
        if _letters(text_of(first)) == _letters(sentence):
            if first.count(BOLD) > first.count(BOLD_END):
                first, after = first + BOLD_END, BOLD + after
            return first.split("\n"), [*after.split("\n"), *written[paragraph.count("\n") + 1 :]]
    return [], written


def _letters(words: str) -> str:
    return "".join(filter(str.isalnum, words))


def piece_of_html(rendered: str) -> Markup:
    """Return the HTML form of what one call gave, for a template that is HTML itself."""
    lines = _lines_of_html(rendered)
    if any(line.startswith(HTML_ONLY) for line in lines):
        return _blocks(lines, None)
    return Markup(_inline("\n".join(lines)))  # noqa: S704


def _lines_of_html(rendered: str) -> list[str]:
    return [line for line in rendered.split("\n") if not line.startswith((KEPT, TEXT_ONLY, MARKER))]


def _blocks(lines: Iterable[str], reader: MoveReader | None) -> Markup:
    """The lines as HTML. A paragraph after a heading with a colon begins with a capital."""
    blocks: list[str] = []
    goes_on = False
    for kind, group in groupby(lines, _kind):
        if kind == "html":
            blocks += (line.removeprefix(HTML_ONLY).replace(LINE_END, "\n") for line in group)
        elif kind in ("h1", "h2"):
            for line in group:
                goes_on = line.endswith(":")
                words = _harmless_html(line[1:].rstrip(":. "), reader)
                blocks.append(f"<{kind}>{words}</{kind}>")
            continue
        elif kind == "p":
            words = " ".join(group)
            if goes_on and words.startswith(SMALL):
                words = words[1].upper() + words[2:]
            blocks.append(f"<p>{_harmless_html(words, reader)}</p>")
        elif kind == "list":
            blocks.append(_list(list(group), reader))
        goes_on = False
    return Markup("\n".join(blocks))  # noqa: S704


def _kind(line: str) -> str:
    signs = {HTML_ONLY: "html", TITLE: "h1", PART: "h2", " ": "list"}
    return signs.get(line[0], "p") if line.strip() else "blank"


@lru_cache(1024)  # letters share most of their paragraphs
def _harmless_html(words: str, reader: MoveReader | None) -> str:
    """Return words as HTML, with a label before a possible order.

    In a letter about no game, what looks like a plan is one only if a game that is played here reads it.
    """
    said = text_of(words)
    if reader is None and LIKE_A_PLAN.match(said):
        reader = _reader_of_all_games()
    return _inline(safe_label(said, reader) + words.replace(SMALL, ""))


@cache
def _reader_of_all_games() -> MoveReader:
    return any_reader([rules.start().read for rules in RULES.values()])


def _inline(words: str) -> str:
    """One line of words as HTML, in lines that are not long.

    A move in a sentence is bound to the word before it, so that no program breaks the line there and makes it
    an order. Filters count such words, so the short lines of a list of plies have none.
    """
    if not _PLY.match(words):
        words = _BEFORE_MOVE.sub("\N{NO-BREAK SPACE}", words)
    if len(words) > HTML_WIDTH:
        joined = _UNBROKEN.sub(lambda found: found[0].replace(" ", JOINED), words)
        words = _HTML_LINES.fill(joined).replace(JOINED, " ")
    html = _WORDS_IN_CAPITALS.sub(lambda found: found[1].capitalize(), str(escape(words)))
    html = _LINK.sub(r'<a href="\1">\2</a>', html.replace(HTML_LINK, ""))
    return html.translate(_HTML_SIGNS)


def _list(lines: list[str], reader: MoveReader | None) -> str:
    items = _items(lines)
    if all(item[0].startswith(BULLET) for item in items):
        return _points([_harmless_html(" ".join(item).removeprefix(BULLET), reader) for item in items])
    first, shown = text_of(items[0][0]), [_item(item, reader) for item in items]
    if _PLY.match(first):
        return _points(shown, "moves", "move")
    return _points(shown, "facts" if LABEL.match(first) or _PLACE.match(first) else "")


def _items(lines: list[str]) -> list[list[str]]:
    """Group lines by item. Lines further in than the first belong to the one above."""
    items: list[list[str]] = []
    least = min(len(line) - len(line.lstrip()) for line in lines)
    for line in lines:
        if items and line[least] == " " and not line.lstrip().startswith(BULLET):
            items[-1].append(line.strip())
        else:
            items.append([line.strip()])
    return items


def _item(lines: list[str], reader: MoveReader | None) -> str:
    page = _PAGE.fullmatch(lines[0])
    in_one_row = _GAP.sub(", ", _GAP_BEHIND_LABEL.sub(" ", lines[0]))
    first = f"{page[1]}: {link(page[3], page[2])}" if page else in_one_row
    return "<br>\n".join(_harmless_html(words, reader) for words in (first, " ".join(lines[1:])) if words)


def _points(items: Iterable[str], kind: str = "", each: str = "") -> str:
    opened, item = (f' class="{name}"' if name else "" for name in (kind, each))
    return "\n".join([f"<ul{opened}>", *(f"<li{item}>{words}</li>" for words in items), "</ul>"])
