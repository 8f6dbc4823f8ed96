"""Letters from their templates: `templates/mail/<kind>.txt`, which begins with its subject.

A template is a file that looks like a letter, and both parts are made of it: `marks` tells them apart,
and `text_layout` sets the text. A name that a template uses and nobody gave is an error.
No I/O but reading the templates, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.core.clock.intervals import Intervals
from pbem.core.game.clock_display import ClockDisplay, clock_display, describe_duration
from pbem.core.game.inactivity import MAX_SILENCE
from pbem.core.game.letter_kinds import CATEGORY_SENTENCES
from pbem.core.game.preferences import PREFERENCES
from pbem.core.game.view import View
from pbem.core.letters.boards import new_plies_and_words, shorten_words
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import CHALLENGE_DAYS, CONFIRM_DAYS
from pbem.core.parsing.commands import HELP_WORDS, PLY_WORDS, ROWS, TOPICS
from pbem.core.parsing.line import MoveReader, any_reader
from pbem.core.parsing.reply_text import MARKER
from pbem.core.players import Preferences
from pbem.core.ratings.results import SERIAL_LOSS_PERIOD, is_short
from pbem.mail.outbound import marks, text_layout, times
from pbem.mail.outbound.boards import board_table, draw_in_text, punctuate_rows, without_coordinates
from pbem.mail.outbound.inline_css import Dress, Dressing, dress, dressed
from pbem.mail.outbound.own_html import LAYOUT, faulty_templates
from pbem.mail.outbound.prose_html import prose_html
from pbem.resources import folders
from rules.contract import Position, RulesError
from rules.notation import join_words
from rules.picture import Picture, score_lines, stone_lines

MAX_DRAWN, BESIDE = 80_000, 2_500
"""Bytes of the boards of one letter as tables, and what stands beside each; beyond that they come in
signs, for some mail programs cut what is over 100 kB."""

TELL_INSIDE = ("receipt", "receipts", "result")
"""Kinds that say in the midst of them which words went to nobody; others at the end."""

_TOKEN = re.compile(r"play[^a-z0-9]([a-z0-9]+)@")
"""The credential in a reply address, behind whatever delimiter."""


@dataclass(frozen=True)
class Sheet:
    """The words of a letter: subject, text part and HTML part, lines ended by newlines."""

    subject: str
    text: str
    html: str


def sheet(
    letter: Letter,
    *,
    host: str,
    site: str,
    reply_to: str,
    now: datetime,
    stood: Intervals = (),
    own: Path | None = None,
) -> Sheet:
    """A letter rendered at `now`; `own` is the operator's folder of templates, searched before ours.

    `stood` is when the server stood still, and its reader was not told yet.
    """
    letters, frames = environments(own)
    view = letter.view
    preferences = letter.player.preferences if letter.player else Preferences()
    facts = {
        "ratings": {},
        "rating_changes": {},
        "unrated": "",
        "above": "",
        "below": "",
        "asides": (),
        **letter.facts,
        "view": view,
        "to": letter.player.name if letter.player else "",
        "wishes": preferences,
        "zone": preferences.zone,
        "host": host,
        "site": site,
        "page": f"{site}/games/{view.id}" if view else site,
        "reply_to": reply_to,
        "composer": _composer(letter, site, reply_to),
        "reader": _reader(letter),
        "written_at": now,
        "stood": stood,
        "untold_inside": letter.kind in TELL_INSIDE,
        "question": letter.reply.use == "confirm",
    }
    rendered = letters.get_template(f"mail/{letter.kind}.txt").render(facts)
    first, _, rest = rendered.partition("\n")
    subject = " ".join(text_layout.clean(first).removeprefix("Subject:").split())
    words = text_layout.page(marks.text_of(rest), facts["reader"])
    if preferences.format == "text":  # nobody will see the other part
        return Sheet(subject, words, "")
    made, foot = marks.html_of(rest, subject, facts["reader"], dress(own))
    frame = frames.get_template(_frame(letter.kind, own))
    html = frame.render(facts, subject=subject, letter=made, foot=foot)
    return Sheet(subject, words, marks.finished(html, subject))


def _frame(kind: str, own: Path | None) -> str:
    """The HTML template of a letter: the operator's own if it has no fault, else the frame of all."""
    has_own = own is not None and (own / "mail" / f"{kind}.html").is_file()
    return f"mail/{kind if has_own and kind not in faults_of_templates(own) else LAYOUT}.html"


@cache
def faults_of_templates(own: Path | None) -> Mapping[str, str]:
    """The faults of the operator's own HTML templates by name, in a sentence each."""
    return faulty_templates(environments(own)[1], own) if own else {}


def _composer(letter: Letter, site: str, reply_to: str) -> str:
    """The page on which the reader's ply can be clicked together, "" where none is due.

    Its credential is that of the reply address, so it is as old as the letter and no older.
    """
    if letter.view is None or letter.reply.use != "game" or not letter.view.your_turn:
        return ""
    token = _TOKEN.match(reply_to)
    return f"{site}/games/{letter.view.id}/compose/{token[1]}" if token else ""


def _reader(letter: Letter) -> MoveReader | None:
    """The move reader of the games in a letter, None if there are none."""
    listed = [*letter.facts.get("items", ()), *letter.facts.get("news", ())]
    views = [letter.view, *letter.facts.get("boards", ()), *(item.view for item in listed)]
    readers = list({view.id: view.position.read for view in views if view is not None}.values())
    return readers[0] if len(readers) == 1 else any_reader(readers) if readers else None


@cache
def environments(own: Path | None = None) -> tuple[Environment, Environment]:
    """Jinja for letters and for the HTML frame round them, made once for each folder of the operator's."""
    loader = FileSystemLoader([str(folder) for folder in folders(own)])
    usual: dict[str, Any] = {"loader": loader, "undefined": StrictUndefined, "cache_size": -1}
    usual |= {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    letters = Environment(autoescape=False, extensions=[marks.Marking], **usual)
    frames = Environment(autoescape=True, **usual)
    rules = dress(own)
    fitting = {
        "drawn_trial": lambda trial: _fit([step.position.picture() for step in trial.steps], rules),
        "drawn": lambda views: _fit([view.picture for view in views], rules),
    }
    callables, filters = _callable(rules), {"quoted": quoted, "move": marks.move, "loud": marks.loud}
    letters.globals |= {**SHARED, **callables, **fitting}
    frames.globals |= {**SHARED, **_in_html(callables, rules), **fitting, "dress": rules}
    for environment in (letters, frames):
        environment.filters |= {"day": day, "time": time, "lasting": describe_duration}
    letters.filters |= filters
    frames.filters |= _in_html(filters, rules)
    frames.add_extension(Dressing)
    return letters, frames


# ------------------------------------------------------------------------ what templates may call


@pass_context
def day(context: Context, moment: datetime) -> str:
    """The day in the reader's zone."""
    return times.day(moment, context["zone"])


@pass_context
def time(context: Context, moment: datetime) -> str:
    """The moment in the reader's zone and in UTC."""
    return times.time(moment, context["zone"])


def quoted(sentence: str) -> str:
    """A sentence of ours in which backticks mark what may be written."""
    return re.sub(r"`([^`]*)`", lambda found: marks.write(found[1]), sentence)


@pass_context
def clocks(context: Context, view: View) -> ClockDisplay | None:
    """Both clocks as the letter is written, None where none runs."""
    return clock_display(view.game, context["written_at"], view.clock) if view.clock else None


def claims(view: View) -> list[str]:
    """The claims open after a soft clock's flag; no win before both played twice."""
    won = ["claim win"] if not is_short(view.state) else []
    return [*won, "claim draw", "claim void"]


def open_words(view: View) -> list[str]:
    """The plies of one word that the reader may play now: `adopt`, `pass`, `swap`."""
    return [word for word in sorted(PLY_WORDS) if view.your_turn and _is_open(view.position, word)]


def _is_open(position: Position, word: str) -> bool:
    try:
        return position.problem(position.read(word)) is None
    except RulesError:
        return False


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
    "help_words": HELP_WORDS,
    "topics": TOPICS,
    "preferences": PREFERENCES,
    "in_short": shorten_words,
    "template": lambda views: "\r\n\r\n\r\n".join(f"game {view.id}" for view in views) + "\r\n",
}

# --------------------------------------------------------------------- what has a form for each part


def _callable(rules: Dress) -> Mapping[str, Callable[..., str]]:
    """The functions for templates whose result differs in text and HTML."""
    return {
        "board": pass_context(partial(board, rules)),
        "in_signs": pass_context(partial(in_signs, rules)),
        "stones": pass_context(partial(stones, rules)),
        "scores": partial(scores, rules),
        "spoken": partial(spoken, rules),
        "echoed": partial(echoed, rules),
        "buttons": pass_context(partial(buttons, rules)),
        "page_button": partial(page_button, rules),
        "prose": lambda text: marks.both(text.strip(), prose_html(text, rules)),
        "examples": examples,
        "answer": answer,
        "press": press,
        "link": marks.link,
    }


def _in_html(callables: Mapping[str, Callable[..., str]], rules: Dress) -> dict[str, Callable[..., Markup]]:
    """The same for an operator's own HTML templates: the HTML form alone."""

    def in_html(call: Callable[..., str]) -> Callable[..., Markup]:
        @wraps(call)
        def made(*args: Any, **named: Any) -> Markup:
            return marks.piece_of_html(call(*args, **named), rules)

        return made

    return {name: in_html(call) for name, call in callables.items()}


def _fit(pictures: Sequence[Picture], rules: Dress) -> bool:
    """True if the boards of one letter may be tables."""
    return sum(len(board_table(picture, rules)) + BESIDE for picture in pictures) <= MAX_DRAWN


def board(rules: Dress, context: Context, picture: Picture, caption: str = "") -> str:
    """The board, as a table in HTML but for those who asked for signs."""
    preferences = _preferences(context)
    if preferences.board != "table":
        return in_signs(rules, context, picture, caption)
    shown = picture if preferences.coordinates else without_coordinates(picture)
    return _captioned(caption, _board_lines(shown), board_table(shown, rules, caption))


def in_signs(rules: Dress, context: Context, picture: Picture, caption: str = "") -> str:
    """The board in signs in both parts."""
    lines = _board_lines(picture if _preferences(context).coordinates else without_coordinates(picture))
    head = Markup('<p style="{}">{}</p>\n').format(Markup(rules["caption"]), caption) if caption else ""
    pre = Markup('<pre style="{}" aria-label="{}">{}</pre>')
    return _captioned(caption, lines, head + pre.format(Markup(rules["pre"]), picture.title, lines))


def _board_lines(shown: Picture) -> str:
    """The board in signs, two columns in: Outlook joins lines that begin at the margin."""
    return text_layout.indented(draw_in_text(shown, text_layout.LAID_OUT - 2))


def _captioned(caption: str, text: str, html: str) -> str:
    head = f"{marks.paper(caption)}\n\n" if caption else ""
    return head + marks.both(text, html)


def stones(rules: Dress, context: Context, position: Position) -> str:
    """The stones as a short list, for ears and small screens; no line begins with a cell.

    None for a reader who does not want it, unless some of it stands nowhere else.
    """
    if not (position.picture().scored or _preferences(context).stones):
        return ""
    lists = punctuate_rows(position.stones())
    lines = stone_lines(lists, text_layout.LAID_OUT - 2)
    if not lines:
        return ""
    items = [Markup("<li>{}: {}</li>").format(label, " ".join(names)) for label, names in lists]
    html = "\n".join(['<ul class="stones">', *items, "</ul>"])
    return marks.both(text_layout.indented(lines), dressed(html, rules))


def _preferences(context: Context) -> Preferences:
    preferences = context.get("wishes")
    return preferences if isinstance(preferences, Preferences) else Preferences()


def scores(rules: Dress, position: Position) -> str:
    """The score table, "" for a game without one or whose board shows it."""
    counted = {} if position.picture().scored else position.scores()
    lines = score_lines(counted)
    return marks.both(text_layout.indented(lines), dressed(_score_table(counted), rules)) if lines else ""


def _score_table(counted: Mapping[str, Mapping[str, Any]]) -> str:
    rows = dict.fromkeys(name for of_side in counted.values() for name in of_side)
    head, cell = Markup('<th class="count" scope="col">{}</th>'), Markup('<td class="count">{}</td>')
    first = Markup('<th class="counted" scope="row">{}</th>')
    lines = ['<table class="scores" cellpadding="0" cellspacing="0">', "<tr><td></td>"]
    lines += map(head.format, counted)
    for name in rows:
        lines += ["</tr>", f"<tr>{first.format(name)}", *(cell.format(one[name]) for one in counted.values())]
    return "\n".join([*lines, "</tr>", "</table>"])


def spoken(rules: Dress, words: str, name: str) -> str:
    """A player's words, with the name before every line."""
    return echoed(rules, words, text_layout.label_for(name))


def echoed(rules: Dress, words: str, label: str) -> str:
    """The words of a mail, with a label before every line: any program may make text of the HTML."""
    html = Markup("{}{}</p>").format(Markup(dressed('<p class="words">', rules)), echoed_html(words, label))
    return marks.both(text_layout.indented(text_layout.labelled(words, label)), html)


def echoed_html(words: str, label: str) -> Markup:
    """The lines of what a mail held, those too long for HTML broken (RFC 5322 2.1.1)."""
    lines: list[Markup] = []
    for line in text_layout.unbroken(words):
        if line.strip():
            short = text_layout.wrap_at_spaces(line, 800)
            lines += (Markup("<b>{}</b> {}").format(label, part) for part in short)
        elif any(lines[-1:]):
            lines.append(Markup(""))
    return Markup("<br>\n").join(lines[:-1] if lines and not lines[-1] else lines)


def examples(texts: Iterable[str]) -> str:
    """`"f2", "f2 f4" or "adopt"`, to stand inside a sentence."""
    return join_words([marks.write(text) for text in texts], "or")


def buttons(rules: Dress, context: Context, *bodies: str | tuple[str, str], plain: bool = False) -> str:
    """Links that begin an answer, for the HTML part alone; the first stands out unless it is `plain`.

    Each is what it writes, or its label and what it writes; a label and an address lead elsewhere.
    """
    lines = []
    for number, body in enumerate(bodies):
        label, written = (f"Write “{body}”", body) if isinstance(body, str) else body
        kind = "first" if number == 0 and not plain else "button"
        href = written if written.startswith("http") else mailto(context["reply_to"], written)
        lines.append(Markup('<a class="{}" href="{}">{}</a>').format(kind, href, label))
    return marks.screen(dressed("<p>" + "\n".join(lines) + "</p>", rules))


@pass_context
def answer(context: Context, word: str) -> str:
    """A word to write, a link that begins an answer with it in HTML."""
    return marks.link(marks.write(word), mailto(context["reply_to"], word))


@pass_context
def press(context: Context, word: str) -> str:
    """A link that begins an answer with a word, behind a sentence of the HTML alone."""
    return marks.press(f"Write “{word}”", mailto(context["reply_to"], word))


def page_button(rules: Dress, label: str, address: str) -> str:
    """A page: its address in the text, a button in HTML."""
    html = Markup('<p><a class="first" href="{}">{}</a></p>').format(address, label)
    return f"{marks.paper(f'  {address}')}\n{marks.screen(dressed(html, rules))}"


def mailto(address: str, body: str = "") -> str:
    """A link that begins an answer to the letter, percent-encoded throughout (RFC 6068)."""
    link = f"mailto:{quote(address, safe='@+')}?subject={marks.SUBJECT}"
    return f"{link}&body={quote(body, safe='')}" if body else link
