"""Letters from their templates: `templates/mail/<kind>.txt`, which begins with its subject, and `.html`.

A template is a file that looks like a letter. Text is set by `pbem.mail.outbound.text_layout` after
rendering,
so a template breaks its lines as it likes; HTML is dressed as it is loaded. A name that a template
uses and nobody gave is an error. No I/O but reading the templates, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.core.clock.intervals import Intervals
from pbem.core.game.clock_display import ClockDisplay, clock_display, describe_duration
from pbem.core.game.inactivity import MAX_SILENCE
from pbem.core.game.view import View
from pbem.core.letters.boards import new_plies_and_words, shorten_words
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import CHALLENGE_DAYS, CONFIRM_DAYS
from pbem.core.parsing.commands import PLY_WORDS
from pbem.core.parsing.line import MoveReader, any_reader
from pbem.core.parsing.reply_text import MARKER
from pbem.core.players import Preferences
from pbem.core.ratings.results import SERIAL_LOSS_PERIOD, is_short
from pbem.mail.outbound import text_layout, times
from pbem.mail.outbound.boards import board_table, draw_in_text, punctuate_rows, without_coordinates
from pbem.mail.outbound.inline_css import Dress, Dressing, dress
from pbem.mail.outbound.prose_html import prose_html
from pbem.resources import folders
from rules.contract import Position, RulesError
from rules.notation import listed
from rules.picture import Picture, stone_lines
from rules.scores import score_lines

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
    on_paper, on_screen = environments(own)
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
    rendered = on_paper.get_template(f"mail/{letter.kind}.txt").render(facts)
    first, _, rest = rendered.partition("\n")
    subject = " ".join(text_layout.clean(first).removeprefix("Subject:").split())
    if preferences.format == "text":  # nobody will see the other part
        return Sheet(subject, text_layout.page(rest, facts["reader"]), "")
    html = on_screen.get_template(f"mail/{letter.kind}.html").render(facts, subject=subject)
    return Sheet(subject, text_layout.page(rest, facts["reader"]), text_layout.clean(html))


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
    """Jinja for text and for HTML, made once for each folder of the operator's."""
    loader = FileSystemLoader([str(folder) for folder in folders(own)])
    usual: dict[str, Any] = {"loader": loader, "undefined": StrictUndefined, "cache_size": -1}
    usual |= {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    on_paper = Environment(autoescape=False, **usual)
    on_screen = Environment(autoescape=True, **usual)
    rules = dress(own)
    on_paper.globals |= {**SHARED, **PAPER}
    on_screen.globals |= {**SHARED, **_screen(rules)}
    on_screen.globals["dress"] = rules
    on_screen.add_extension(Dressing)
    for environment in (on_paper, on_screen):
        environment.filters |= {"day": day, "time": time, "quoted": quoted, "lasting": describe_duration}
    return on_paper, on_screen


# --------------------------------------------------------------------- what both kinds may call


@pass_context
def day(context: Context, moment: datetime) -> str:
    """The day in the reader's zone."""
    return times.day(moment, context["zone"])


@pass_context
def time(context: Context, moment: datetime) -> str:
    """The moment in the reader's zone and in UTC."""
    return times.time(moment, context["zone"])


def quoted(sentence: str) -> str:
    """A sentence of ours with what may be written in quotes: "show" for `show`."""
    return re.sub(r"`([^`]*)`", r'"\1"', sentence)


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
    "in_short": shorten_words,
}

# -------------------------------------------------------------------------------------- on paper


@pass_context
def board_text(context: Context, picture: Picture) -> str:
    """The board, two columns in: Outlook joins lines that begin at the margin."""
    shown = picture if _preferences(context).coordinates else without_coordinates(picture)
    return text_layout.as_is(text_layout.indented(draw_in_text(shown, text_layout.LAID_OUT - 2)))


@pass_context
def stones_text(context: Context, position: Position) -> str:
    """The stones as a short list, for ears and small screens; no line begins with a cell."""
    lines = stone_lines(_stones(context, position), text_layout.LAID_OUT - 2)
    return text_layout.as_is(text_layout.indented(lines)) if lines else ""


def _stones(context: Context, position: Position) -> list[tuple[str, list[str]]]:
    """The lists of stones, none for a reader who does not want them and needs them not."""
    needed = position.picture().scored  # then some of them stands nowhere else
    return punctuate_rows(position.stones()) if needed or _preferences(context).stones else []


def _preferences(context: Context) -> Preferences:
    preferences = context.get("wishes")
    return preferences if isinstance(preferences, Preferences) else Preferences()


def scores_text(position: Position) -> str:
    """The score table, "" for a game without one or whose board shows it."""
    lines = score_lines(scored(position))
    return text_layout.as_is(text_layout.indented(lines)) if lines else ""


def spoken_text(words: str, name: str) -> str:
    """A player's words, with the name before every line."""
    return echoed_text(words, text_layout.label_for(name))


def echoed_text(words: str, label: str) -> str:
    """The words of a mail, with a label before every line."""
    return text_layout.as_is(text_layout.indented(text_layout.labelled(words, label)))


def examples_text(texts: Iterable[str]) -> str:
    """`"f2", "f2 f4" or "adopt"`, to stand inside a sentence."""
    return listed([f'"{text}"' for text in texts], "or")


PAPER: Mapping[str, Callable[..., str]] = {
    "board": board_text,
    "stones": stones_text,
    "scores": scores_text,
    "spoken": spoken_text,
    "echoed": echoed_text,
    "examples": examples_text,
    "as_is": text_layout.as_is,
}
"""What text templates may call."""

# ------------------------------------------------------------------------------------- on screen


def _screen(rules: Dress) -> Mapping[str, Callable[..., object]]:
    """The functions for HTML templates."""
    return {
        "board": pass_context(partial(board_html, rules)),
        "stones": stones_html,
        "scored": scored,
        "spoken": spoken_html,
        "echoed": echoed_html,
        "examples": partial(examples_html, rules=rules),
        "guarded": text_layout.guarded,
        "mailto": mailto,
        "in_signs": pass_context(partial(in_signs, rules)),
        "drawn_trial": lambda trial: (
            sum(len(board_table(step.position.picture(), rules)) + BESIDE for step in trial.steps)
            <= MAX_DRAWN
        ),
        "drawn": lambda views: (
            sum(len(board_table(view.picture, rules)) + BESIDE for view in views) <= MAX_DRAWN
        ),
        "template": lambda views: "\r\n\r\n\r\n".join(f"game {view.id}" for view in views) + "\r\n",
        "prose": partial(prose_html, rules=rules),
    }


def scored(position: Position) -> Mapping[str, Mapping[str, Any]]:
    """The scores by side that are to stand below the board, none where the board shows them."""
    return {} if position.picture().scored else position.scores()


def board_html(rules: Dress, context: Context, picture: Picture, caption: str = "") -> Markup:
    """The board as a table, or in signs for those who asked for that."""
    preferences = _preferences(context)
    if preferences.board != "table":
        return in_signs(rules, context, picture, caption)
    return Markup(
        board_table(picture if preferences.coordinates else without_coordinates(picture), rules, caption)
    )


def in_signs(rules: Dress, context: Context, picture: Picture, caption: str = "") -> Markup:
    """The board as the text part has it."""
    shown = picture if _preferences(context).coordinates else without_coordinates(picture)
    head = Markup('<p style="{}">{}</p>\n').format(Markup(rules["caption"]), caption) if caption else ""
    lines = text_layout.indented(draw_in_text(shown, text_layout.LAID_OUT - 2))
    pre = Markup('<pre style="{}" aria-label="{}">{}</pre>')
    return head + pre.format(Markup(rules["pre"]), picture.title, lines)


@pass_context
def stones_html(context: Context, position: Position) -> list[tuple[str, str]]:
    """Each list's label and its cells."""
    return [(label, " ".join(names)) for label, names in _stones(context, position)]


def spoken_html(words: str, name: str) -> Markup:
    """As `spoken_text`; any program may make text of the HTML part, so no line is without the name."""
    return echoed_html(words, text_layout.label_for(name))


def echoed_html(words: str, label: str) -> Markup:
    lines: list[Markup] = []
    for line in text_layout.unbroken(words):
        if line.strip():
            lines += (Markup("<b>{}</b> {}").format(label, part) for part in _short(line))
        elif any(lines[-1:]):
            lines.append(Markup(""))
    return Markup("<br>\n").join(lines[:-1] if lines and not lines[-1] else lines)


def _short(line: str) -> list[str]:
    """A line of HTML must not be long (RFC 5322 2.1.1); people's seldom are."""
    return text_layout.store_many_games(line, 800)


def examples_html(texts: Iterable[str], rules: Dress) -> Markup:
    coded = [Markup('<code style="{}">{}</code>').format(Markup(rules["code"]), text) for text in texts]
    return Markup(listed(coded, "or"))


def mailto(address: str, subject: str, body: str = "") -> str:
    """A link that begins a mail, percent-encoded throughout (RFC 6068)."""
    link = f"mailto:{quote(address, safe='@+')}?subject={quote(subject, safe='')}"
    return f"{link}&body={quote(body, safe='')}" if body else link
