"""The names that templates may use. Some give a form for each part, marked for `marks`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import wraps
from hashlib import sha256
from textwrap import dedent
from typing import Any
from urllib.parse import quote

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.core.events.match import MatchBoard
from pbem.core.events.season import Division
from pbem.core.events.table import points_phrase
from pbem.core.game.clock_display import ClockDisplay, clock_display, describe_duration
from pbem.core.game.view import View
from pbem.core.letters.boards import new_plies_and_words, shorten_words
from pbem.core.lobby.challenges import CHALLENGE_DAYS, CONFIRM_DAYS
from pbem.core.parsing.commands import HELP_WORDS, PLY_WORDS, ROWS, TOPICS
from pbem.core.parsing.director_acts import ACTS, how_to_write
from pbem.core.parsing.line import MoveReader
from pbem.core.parsing.reply_text import MARKER
from pbem.core.play.clock_events import MAX_SILENCE
from pbem.core.players import BOARD_WORDS, shown_name
from pbem.core.preferences.letter_kinds import CATEGORY_SENTENCES
from pbem.core.preferences.preferences import PREFERENCES, zone_in_words
from pbem.core.ratings.results import SERIAL_LOSS_PERIOD, is_short
from pbem.mail.outbound import marks, times
from pbem.mail.outbound.boards import (
    board_table,
    count_free,
    draw_in_text,
    punctuate_rows,
)
from pbem.mail.outbound.text_layout import (
    BULLET,
    HANGING,
    LAID_OUT,
    NARROW,
    indented,
    label_for,
    labelled,
    unbroken,
    wrap_at_spaces,
    wrap_harmless,
)
from rules.board_words import word_lines, word_lists
from rules.contract import Position, RulesError
from rules.notation import join_words
from rules.picture import Picture, score_lines, stone_lines
from rules.svg import svg

MAX_DRAWN, BESIDE = 80_000, 2_500
"""Bytes of a letter's boards as tables, and beside each: some mail programs cut what is over 100 kB."""
MAX_PICTURES = 3
"""Boards of a letter that are pictures; further ones are tables."""
MAX_HTML_LINE = 800
NAME_WIDTH = 20
"""A line of HTML must not be long (RFC 5322 2.1.1)."""

_ITEM = re.compile(r"(?m)^ \* ")


@pass_context
def day(context: Context, moment: datetime) -> str:
    return times.day(moment, context["zone"])


@pass_context
def time(context: Context, moment: datetime) -> str:
    """The moment in the reader's zone."""
    return times.time(moment, context["zone"], context["written_at"])


@pass_context
def clocks(context: Context, view: View) -> ClockDisplay | None:
    """Both clocks as the letter is written, None where none runs."""
    return clock_display(view.game, context["written_at"]) if view.clock else None


def claims(view: View) -> list[str]:
    """Return the claims open after a soft clock's flag. There is no win before both played twice."""
    won = ["claim win"] if not is_short(view.state) else []
    return [*won, "claim draw", "claim void"]


def open_words(view: View) -> list[str]:
    """Return one-word plies that the reader may play now: `adopt`, `pass`, `swap`."""
    position, found = view.state.position, []
    for word in sorted(PLY_WORDS) if view.your_turn else ():
        with suppress(RulesError):
            if position.problem(position.read(word)) is None:
                found.append(word)
    return found


SHARED: Mapping[str, Any] = {
    "marker": MARKER,
    "challenge_days": CHALLENGE_DAYS,
    "confirm_days": CONFIRM_DAYS,
    "serial_days": SERIAL_LOSS_PERIOD.days,
    "silence_days": MAX_SILENCE.days,
    "claims": claims,
    "clocks": clocks,
    "open_words": open_words,
    "news_here": new_plies_and_words,
    "categories": CATEGORY_SENTENCES,
    "commands": ROWS,
    "acts": {act.label: how_to_write(word) for word, act in ACTS.items()},
    "help_words": HELP_WORDS,
    "topics": TOPICS,
    "preferences": PREFERENCES,
    "in_short": shorten_words,
    "template": lambda views: "\r\n\r\n\r\n".join(f"game {view.game.id}" for view in views) + "\r\n",
}
SHARED_FILTERS: Mapping[str, Callable[..., str]] = {
    "called": shown_name,
    "day": day,
    "time": time,
    "lasting": describe_duration,
    "listed": join_words,
    "points": points_phrase,
    "zone": zone_in_words,
}


def _without_zeros(scores: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Leave out the rows that are 0 for both sides."""
    names = {name for table in scores.values() for name, value in table.items() if value != 0}
    kept = {side: {name: table[name] for name in table if name in names} for side, table in scores.items()}
    return kept if names else {}


def quoted(sentence: str) -> str:
    """A sentence of ours in which backticks mark what may be written."""
    return re.sub(r"`([^`]*)`", lambda found: marks.write(found[1]), sentence)


def examples(texts: Iterable[str]) -> str:
    """`"f2", "f2 f4" or "adopt"`, to stand inside a sentence."""
    return join_words([marks.write(text) for text in texts], "or")


@pass_context
def answer(context: Context, word: str) -> str:
    """Return a word to write, which in HTML is a link that begins an answer with this word."""
    return marks.link(marks.write(word), mailto(context["reply_to"], word))


@pass_context
def answer_link(context: Context, word: str) -> str:
    """Return a link that begins an answer with a word, to put after a sentence in the HTML alone."""
    link = marks.link(f"Write “{word}”", mailto(context["reply_to"], word))
    return f"{marks.HTML_LINK} {link}"


def mailto(address: str, body: str) -> str:
    """Return a link that begins an answer to the letter, percent-encoded throughout (RFC 6068)."""
    link = f"mailto:{quote(address, safe='@+')}?subject={marks.SUBJECT}"
    return f"{link}&body={quote(body, safe='')}" if body else link


FILTERS: Mapping[str, Callable[..., str]] = {"quoted": quoted, "move": marks.move, "capitals": marks.capitals}


class Drawing:
    """Functions with a form for each part, and the last board that was drawn."""

    def __init__(self) -> None:
        self._last_board: tuple[Picture | None, object, str] = (None, None, "")
        self._last_stones: tuple[Position | None, tuple[Sequence[str], str]] = (None, ((), ""))

    def functions(self) -> dict[str, Callable[..., Any]]:
        """All functions for templates whose result differs in text and HTML."""
        own = (self.board, self.in_signs, self.stones, self.scores, self.player_words, self.labelled_words)
        events = (self.cross_table, self.match_boards)
        more = (self.buttons, self.page_button, self.prose, examples, answer, answer_link, marks.link)
        return {function.__name__: function for function in (*own, *events, *more)}

    def limits(self) -> dict[str, Callable[..., bool]]:
        """Functions that say if the boards of one letter may be tables."""
        return {
            "drawn_trial": lambda trial: self._fit([step.position.picture() for step in trial.steps]),
            "drawn": lambda views: self._fit([view.state.picture for view in views]),
        }

    def in_html(self, function: Callable[..., str]) -> Callable[..., Markup]:
        """Make a function return HTML alone, for an operator's own HTML templates."""

        @wraps(function)
        def html_alone(*args: Any, **named: Any) -> Markup:
            return marks.piece_of_html(function(*args, **named))

        return html_alone

    def _fit(self, pictures: Sequence[Picture]) -> bool:
        return sum(len(board_table(picture)) + BESIDE for picture in pictures) <= MAX_DRAWN

    def _two_forms(self, lines: Sequence[str], html: str) -> str:
        return marks.two_forms(indented(lines), html)

    @pass_context
    def board(self, context: Context, picture: Picture, caption: str = "") -> str:
        """Return the board, in HTML as a table. Players who asked for signs get signs."""
        wish = context["wishes"].board
        if wish == BOARD_WORDS:
            return caption
        if wish == "picture" and len(context["pictures"]) < MAX_PICTURES:
            return self._picture(context, picture, caption)
        return self._board(picture, caption, wish != "text")

    @pass_context
    def in_signs(self, context: Context, picture: Picture, caption: str = "") -> str:
        if context["wishes"].board == BOARD_WORDS:
            return caption
        return self._board(picture, caption, False)

    def _picture(self, context: Context, picture: Picture, caption: str) -> str:
        """Return the board with the drawing of the pages in HTML, which goes along with the letter."""
        drawn = svg(picture, standalone=True)
        id = f"{sha256(drawn.encode()).hexdigest()[:24]}@{context['host']}"
        context["pictures"][id] = drawn
        context["described"].append(picture)
        html = f'<p><img src="cid:{id}" width="100%" alt="{escape(picture.description)}"></p>'
        return _both_forms(picture, caption, _captioned(caption, html))

    def _board(self, picture: Picture, caption: str, table: bool) -> str:
        """Return both forms of a board. The letters of a ply follow each other and show the same one."""
        asked = (caption, table)
        last, its_form, drawn = self._last_board
        if last is not picture or its_form != asked:
            drawn = self._draw(picture, *asked)
            self._last_board = (picture, asked, drawn)
        return drawn

    def _draw(self, picture: Picture, caption: str, table: bool) -> str:
        if table:
            return _both_forms(picture, caption, board_table(picture, caption))
        signs = f'<pre aria-label="{escape(picture.title)}">{escape(_signs_of(picture))}</pre>'
        return _both_forms(picture, caption, _captioned(caption, signs))

    @pass_context
    def stones(self, context: Context, position: Position) -> str:
        """Return the stones as a short list, for ears and small screens. No line begins with a cell."""
        if context["wishes"].board == BOARD_WORDS:
            return self._in_words(position)
        if not (position.picture().scored or context["wishes"].stones):
            return ""
        last, (lines, html) = self._last_stones
        if last is not position:
            lines, html = self._list_stones(position)
            self._last_stones = position, (lines, html)
        if any(picture is position.picture() for picture in context["described"]):
            html = ""  # the picture's own words are this list
        return self._two_forms(lines, html) if lines else ""

    def _list_stones(self, position: Position) -> tuple[Sequence[str], str]:
        picture, listed = position.picture(), punctuate_rows(count_free(position))
        small = {spot.glyph for spot in picture.spots} & {"x", "o"}
        told = " ".join(label for label, _ in listed)
        unlisted = [
            (words.capitalize(), [sign])
            for sign, words in picture.legend
            if sign[0] == "[" or (sign in small and f"({sign})" not in told)
        ]
        lists = [*listed, *unlisted]
        return stone_lines(lists, LAID_OUT - 2), _stone_list(lists)

    def _in_words(self, position: Position) -> str:
        """Return the whole board in words, for readers who want no drawing."""
        return self._two_forms(word_lines(position, NARROW - 2), _stone_list(word_lists(position)))

    @pass_context
    def scores(self, context: Context, position: Position) -> str:
        """Return the score table without rows of zeros; "" for none, or if the board tells the scores."""
        if context["wishes"].board == BOARD_WORDS:
            return ""
        counted = {} if position.picture().scored else _without_zeros(position.scores())
        lines = score_lines(counted)
        return self._two_forms(lines, _score_table(counted)) if lines else ""

    @pass_context
    def cross_table(self, context: Context, division: Division) -> str:
        """A division's cross table: in columns in both forms, under their numbers."""
        signs = [" ".join(cell.sign or "." for cell in line.cells) for line in division.lines]
        ends = [f"{line.points_text:>6}{' left' if line.left else ''}" for line in division.lines]
        names = [(line.place, line.name) for line in division.lines]
        numbers = " ".join(str(line.place) for line in division.lines)
        return self._rows(context, names, signs, ends, f"{numbers} points")

    @pass_context
    def match_boards(self, context: Context, boards: Sequence[MatchBoard]) -> str:
        """The boards of a match: in columns in both forms."""
        signs = [" ".join(cell.sign or "." for cell in board.cells) for board in boards]
        names = [(board.number, board.players[0]) for board in boards]
        return self._rows(context, names, signs, [f" {board.players[1]}" for board in boards])

    def _rows(
        self,
        context: Context,
        names: Sequence[tuple[int, str]],
        signs: Sequence[str],
        ends: Sequence[str],
        head: str = "",
    ) -> str:
        """Rows of a number, a name, signs and an end. In HTML names are as wide as the longest."""

        def lines(width: int) -> list[str]:
            rows = zip(names, signs, ends, strict=True)
            above = [f"{'':{width + 4}} {head}"] if head else []
            return above + [
                f"{number:2}. {name:{width}} {cells} {end}" for (number, name), cells, end in rows
            ]

        narrow = "\n".join(lines(max((len(name) for _, name in names), default=0)))
        shown = lines(NAME_WIDTH)
        if context["wishes"].board == BOARD_WORDS:  # in lines of their own, however long the names are
            shown = [part for line in lines(0) for part in _hanging(" ".join(line.split()), NARROW - 2)]
        return self._two_forms(shown, f"<pre>{escape(narrow)}</pre>")

    @pass_context
    def player_words(self, context: Context, words: str, name: str) -> str:
        return self.labelled_words(context, words, label_for(name))

    @pass_context
    def labelled_words(self, context: Context, words: str, label: str) -> str:
        """Return a mail's words with a label before every line, also in HTML, which may be read as text."""
        lines = [
            f"<b>{escape(label)}</b> {escape(part)}" if part else ""
            for line in unbroken(words)
            for part in (wrap_at_spaces(line, MAX_HTML_LINE) or [""])
        ]
        html = '<p class="words">' + "<br>\n".join(lines) + "</p>"
        width = NARROW if context["wishes"].board == BOARD_WORDS else LAID_OUT
        return marks.two_forms(indented(labelled(words, label, width - 2)), html)

    @pass_context
    def buttons(self, context: Context, *bodies: str | tuple[str, str], plain: bool = False) -> str:
        """Return links that begin an answer, in the HTML part alone. The first stands out unless `plain`.

        Each of `bodies` is a text to write, a pair of label and text, or a pair of label and web address.
        """
        lines = []
        for number, body in enumerate(bodies):
            label, written = (f"Write “{body}”", body) if isinstance(body, str) else body
            kind = "first" if number == 0 and not plain else "button"
            href = written if written.startswith("http") else mailto(context["reply_to"], written)
            lines.append(f'<a class="{kind}" href="{escape(href)}">{escape(label)}</a>')
        return marks.html_only("<p>" + "\n".join(lines) + "</p>")

    def page_button(self, label: str, address: str) -> str:
        """A page: its address in the text, a button in HTML."""
        html = f'<p><a class="first" href="{escape(address)}">{escape(label)}</a></p>'
        return f"{marks.TEXT_ONLY}  {address}\n{marks.html_only(html)}"

    @pass_context
    def prose(self, context: Context, text: str) -> str:
        """Return a text with headings, lists and boards, made into HTML by its layout alone."""
        if context["wishes"].board == BOARD_WORDS:
            text = "\n\n".join(block for block in _blocks(text) if not _is_drawn(block))
            return marks.two_forms("\n".join(_narrow(text, context["reader"])), prose_html(text))
        return marks.two_forms(text.strip(), prose_html(text))


def _hanging(line: str, width: int) -> list[str]:
    first, *more = wrap_at_spaces(line, width - HANGING)
    return [first, *(" " * HANGING + part for part in more)]


def _stone_list(lists: Iterable[tuple[str, Sequence[str]]]) -> str:
    items = [f"<li>{escape(label)}: {escape(' '.join(names))}</li>" for label, names in lists]
    return "\n".join(['<ul class="stones">', *items, "</ul>"])


def _narrow(text: str, reader: MoveReader | None) -> Iterator[str]:
    """Yield the lines of a text without boards, wrapped anew for a line of braille."""
    for block in _blocks(text):
        bullet = BULLET if block.startswith(f" {BULLET}") else ""
        for item in filter(str.strip, _ITEM.split(block)):
            first, *more = wrap_harmless(" ".join(item.split()), reader, NARROW - len(bullet))
            yield from [f"{bullet}{first}", *(f"{' ' * len(bullet)}{line}" for line in more)]
        yield ""


def _signs_of(picture: Picture) -> str:
    return indented(draw_in_text(picture, LAID_OUT - 2))


def _both_forms(picture: Picture, caption: str, html: str) -> str:
    """Return a board in signs and in HTML, which has its caption."""
    told = f"{marks.TEXT_ONLY}{caption}\n\n" if caption else ""
    return told + marks.two_forms(_signs_of(picture), html)


def _captioned(caption: str, html: str) -> str:
    return f"<p class=caption>{escape(caption)}</p>\n{html}" if caption else html


def _score_table(counted: Mapping[str, Mapping[str, Any]]) -> str:
    rows = dict.fromkeys(name for of_side in counted.values() for name in of_side)
    lines = ['<table class="scores" cellpadding="0" cellspacing="0">', "<tr><td></td>"]
    lines += (f'<th class="count" scope="col">{escape(side)}</th>' for side in counted)
    for name in rows:
        lines += ["</tr>", f'<tr><th class="counted" scope="row">{escape(name)}</th>']
        lines += (f'<td class="count">{escape(one[name])}</td>' for one in counted.values())
    return "\n".join([*lines, "</tr>", "</table>"])


def prose_html(text: str) -> str:
    """Return a game's rules as HTML, without the heading that begins them.

    Rules are one text for mail and terminal: paragraphs stand apart by blank lines, a heading is a line of
    capitals, ` * ` begins an item, and deeper indents are drawn boards.
    """
    title, _, rest = text.strip("\n").partition("\n")
    return "\n".join(_block_html(block) for block in _blocks(rest if title.isupper() else text))


def _blocks(text: str) -> list[str]:
    return [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]


def _is_drawn(block: str) -> bool:
    """True for a drawn board, each line of which is indented."""
    return all(line.startswith("  ") for line in block.split("\n"))


def _block_html(block: str) -> str:
    lines = block.split("\n")
    if block.startswith(" * "):
        items = [f"<li>{escape(' '.join(item.split()))}</li>" for item in _ITEM.split(block)[1:]]
        return "\n".join(["<ul>", "", *items, "</ul>"])
    if _is_drawn(block):
        return f"<pre>{escape(dedent(block))}</pre>"
    if block.isupper() and len(lines) == 1:
        return f"<h2>{escape(block.capitalize())}</h2>"
    words = "\n".join(line.strip() for line in lines)
    return f"<p>{escape(words)}</p>"
