"""Letters from their templates: `templates/mail/<kind>.txt`, which begins with its subject.

Both parts are made of it: `marks` tells them apart, and `text_layout` sets the text. An operator's
`mail/<kind>.html` takes the place of the HTML part. A name that nobody gave is an error.
"""

import logging
import re
from collections.abc import Collection, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    meta,
    nodes,
)

from pbem.core.clock.intervals import Intervals
from pbem.core.letters.letter import Letter
from pbem.core.parsing.line import MoveReader, any_reader
from pbem.core.parsing.reply_text import MARKER, marker_below
from pbem.core.players import BOARD_WORDS, Preferences
from pbem.core.preferences.letter_kinds import KINDS
from pbem.mail.outbound import marks, text_layout
from pbem.mail.outbound.style_block import classes_without_rule, style_block
from pbem.mail.outbound.template_functions import FILTERS, SHARED, SHARED_FILTERS, Drawing
from pbem.resources import folders
from rules.contract import Rules

log = logging.getLogger("pbem.mail")

NO_BREAK = "\u00a0"
LAYOUT = "_layout"
"""The HTML frame of all letters."""
STYLE = "/* style */"
"""Place in the frame of the letter's style sheet, which is made when the letter is."""
TELL_INSIDE = ("receipt", "receipts", "result")
"""Kinds that say in the midst of them which words went to nobody; others at the end."""
TAKES_MOVES = ("refused", "meant")
"""Kinds that are answered like any letter of their game, even where they ask something."""

_TOKEN = re.compile(r"play[^a-z0-9]([a-z0-9]+)@")
"""The credential in a reply address, behind whatever delimiter."""


@dataclass(frozen=True)
class Site:
    """The site that writes: mail host, web address, own templates. The address has no final slash."""

    host: str
    site: str
    templates: Path | None = None


@dataclass(frozen=True)
class LetterHeaders:
    """All headers of a letter that its words do not fix. Ids have their angle brackets.

    `unsubscribe_mail` (an address) and `unsubscribe_web` are "" for letters that cannot be stopped.
    `outages_to_tell` is when this server stood still since the last letter of the game. `game_address` takes
    a move, where `reply_to` belongs to a question.
    """

    message_id: str
    references: tuple[str, ...]
    in_reply_to: str
    reply_to: str
    unsubscribe_mail: str
    unsubscribe_web: str
    date: datetime
    outages_to_tell: Intervals = ()
    game_address: str = ""


class Rendered(NamedTuple):
    """A letter's words. The HTML is "" for a reader of text alone; its pictures are SVGs by Content-ID."""

    subject: str
    text: str
    html: str = ""
    pictures: Mapping[str, str] = MappingProxyType({})


def render_letter(letter: Letter, headers: LetterHeaders, site: Site) -> Rendered:
    """Return subject and parts of a letter.

    Where an operator's own text fails, ours takes its place, so that no letter is lost.
    """
    try:
        return _render(letter, headers, site)
    except (TemplateError, KeyError, TypeError, ValueError) as error:
        if site.templates is None:
            raise
        log.error("own templates cannot make a letter %s, so ours do: %s", letter.kind, error)
        return _render(letter, headers, replace(site, templates=None))


def _render(letter: Letter, headers: LetterHeaders, site: Site) -> Rendered:
    letters, frames = environments(site.templates)
    facts = _facts(letter, headers, site)
    rendered = letters.get_template(f"mail/{letter.kind}.txt").render(facts)
    first, _, rest = rendered.partition("\n")
    subject = " ".join(text_layout.clean(first).removeprefix("Subject:").split())
    for_text = marks.text_of(marks.join_stones(rest, text_layout.JOINED))
    width = text_layout.NARROW if facts["wishes"].board == BOARD_WORDS else text_layout.WIDTH
    words, sentence, marker = _text_part(for_text, subject, facts["reader"], width)
    if facts["wishes"].format == "text":
        return Rendered(subject, words)
    for_html = marks.join_stones(rest, NO_BREAK)
    first, made, foot = marks.html_of(for_html, sentence, facts["reader"], subject)
    own = site.templates / f"mail/{letter.kind}.html" if site.templates else None
    usable = own and own.is_file() and f"mail/{own.name}" not in faults_of_templates(site.templates)
    frame = frames.get_template(f"mail/{letter.kind if usable else LAYOUT}.html")
    html = frame.render(facts, marker=marker, subject=subject, first=first, letter=made, foot=foot)
    html = html.replace(STYLE, style_block(html, site.templates), 1)
    html = html.replace(marks.SUBJECT, quote(f"Re: {subject}", safe=""))
    return Rendered(subject, words, text_layout.clean(html), facts["pictures"])


def _text_part(text: str, subject: str, reader: MoveReader | None, width: int) -> tuple[str, str, str]:
    """Return the text part, its first sentence (or ""), and the marker below the sentence.

    A text without a first sentence begins with the subject.
    """
    if MARKER not in text:
        return text_layout.page(text, reader, width), "", MARKER
    sentence, rest = marks.split_first_sentence(text)
    shown = text_layout.page(sentence or f"{subject}.", reader, width)
    marker = marker_below(shown)
    words = text_layout.page(f"{shown}\n{rest.lstrip()}", reader, width).replace(MARKER, marker, 1)
    return words, sentence, marker


def _facts(letter: Letter, headers: LetterHeaders, site: Site) -> dict[str, Any]:
    view = letter.view
    preferences = letter.player.preferences if letter.player else Preferences()
    return {
        "pictures": {},
        "described": [],
        "ratings": letter.ratings,
        **letter.told,
        "facts": letter.facts,
        "view": view,
        "to": letter.player.name if letter.player else "",
        "came_back": letter.player.returned_at if letter.player else None,
        "wishes": preferences,
        "zone": preferences.zone,
        "host": site.host,
        "site": site.site,
        "page": f"{site.site}/games/{view.game.id}" if view else site.site,
        "reply_to": headers.reply_to,
        "composer": _composer(letter, site.site, headers.game_address or headers.reply_to),
        "moments_page": _page_of_reply("moments", headers.reply_to, site.site),
        "join_page": _page_of_reply("join", headers.reply_to, site.site),
        "stop_page": headers.unsubscribe_web,
        "reader": _reader(letter),
        "written_at": headers.date,
        "stood": headers.outages_to_tell,
        "untold_inside": letter.kind in TELL_INSIDE,
        "untold": letter.untold,
        "held_until": letter.held_until,
        "place_in_event": letter.place_in_event,
        "question": letter.reply.use == "confirm",
        "in_game": letter.kind in TAKES_MOVES,
    }


def _composer(letter: Letter, site: str, address: str) -> str:
    """Return the page for composing the due ply by clicks, with the credential of `address`."""
    if letter.view is None or not (letter.kind in TAKES_MOVES or letter.reply.use == "game"):
        return ""
    token = _TOKEN.match(address) if letter.view.your_turn else None
    return f"{site}/games/{letter.view.game.id}/compose/{token[1]}" if token else ""


def _page_of_reply(path: str, address: str, site: str) -> str:
    """Return the page that does what an answer does, with the credential of the reply address."""
    token = _TOKEN.match(address)
    return f"{site}/{path}/{token[1]}" if token else ""


def _reader(letter: Letter) -> MoveReader | None:
    told = letter.told
    listed = [*told.get("items", ()), *told.get("news", ())]
    views = [letter.view, *told.get("boards", ()), *(item.view for item in listed)]
    shown = [view.state.position for view in views if view is not None]
    shown += [told["first_board"]] if told.get("first_board") else []
    return _reader_of(tuple(dict.fromkeys((each.rules, tuple(each.options.items())) for each in shown)))


@lru_cache(256)
def _reader_of(boards: Sequence[tuple[Rules, Sequence[tuple[str, Any]]]]) -> MoveReader | None:
    """Return one reader of moves for all letters with these boards, whoever is to play."""
    readers = [rules.begin(dict(options), 0).read for rules, options in boards]
    return readers[0] if len(readers) == 1 else any_reader(readers) if readers else None


class _Environment(Environment):
    """Jinja with a template's names in one dict, as Jinja's chain of dicts takes 5 % of a letter's time."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


@cache
def environments(own: Path | None = None) -> tuple[Environment, Environment]:
    """Return Jinja for letters and for their HTML frame. Each folder of the operator has its own."""
    usual: dict[str, Any] = {"loader": FileSystemLoader(folders(own)), "undefined": StrictUndefined}
    usual |= {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    usual |= {"cache_size": -1, "auto_reload": own is not None}  # ours stay as they are
    letters = _Environment(autoescape=False, extensions=[marks.Marking], **usual)
    frames = _Environment(autoescape=True, **usual)
    drawing = Drawing()
    functions = drawing.functions()
    letters.globals |= {**SHARED, **drawing.limits(), **functions}
    letters.filters |= {**SHARED_FILTERS, **FILTERS}
    frames.globals |= {**SHARED, **drawing.limits(), "style": STYLE}
    frames.globals |= {name: drawing.in_html(function) for name, function in functions.items()}
    frames.filters |= SHARED_FILTERS
    frames.filters |= {name: drawing.in_html(function) for name, function in FILTERS.items()}
    return letters, frames


@cache
def faults_of_templates(own: Path | None) -> Mapping[str, str]:
    """Return a sentence about each faulty template of the operator's own, by path."""
    if own is None:
        return {}
    included: set[str] = set()
    letters, frames = environments(own)
    mail = [path.relative_to(own).as_posix() for path in sorted((own / "mail").glob("*.*"))]
    pages = [path.relative_to(own).as_posix() for path in sorted((own / "web").rglob("*.html"))]
    by_suffix = {".html": frames, ".txt": letters}
    faults = {
        name: "; ".join(_faults(by_suffix[suffix], name, included, own))
        for name in mail
        if (suffix := Path(name).suffix) in by_suffix
    }
    known = {*KINDS, LAYOUT, *included}
    faults |= {name: "no letter has this name" for name in faults if _is_of_no_letter(own, name, known)}
    told = {
        name: f"{own}/{name} is not used: {fault} (docs/build/letters.md, Looks)"
        for name, fault in faults.items()
        if fault
    }
    broken = {name: fault for name in pages if (fault := _syntax_fault(own / name))}
    return told | {name: f"{own}/{name} cannot be shown: {fault}" for name, fault in broken.items()}


def _is_of_no_letter(own: Path, name: str, known: Collection[str]) -> bool:
    """True if no letter needs the template, and our folders have none of this name."""
    stem = Path(name).stem
    return stem not in known and not any((folder / name).is_file() for folder in folders(None))


def _syntax_fault(path: Path) -> str:
    """Return the syntax error of a page's template, or "", without a check of the names in it."""
    try:
        Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    except TemplateSyntaxError as error:
        return _in_words(error)
    except UnicodeError:
        return "it is not UTF-8"
    return ""


def _in_words(error: TemplateError) -> str:
    line = f"line {error.lineno}: " if isinstance(error, TemplateSyntaxError) else ""
    return f"{line}{error.message}"


def _faults(environment: Environment, name: str, included: set[str], own: Path) -> Iterator[str]:
    """Yield a template's faults. Names of templates that it needs are added to `included`."""
    try:
        environment.get_template(name)
        assert environment.loader is not None
        source = environment.loader.get_source(environment, name)[0]
        tree = environment.parse(source)
    except TemplateError as error:
        yield _in_words(error)
        return
    except UnicodeError:
        yield "it is not UTF-8"
        return
    for loose in classes_without_rule(source, own) if name.endswith(".html") else ():
        yield f"mail/_letter.css has no class '{loose}'"
    for other in filter(None, meta.find_referenced_templates(tree)):
        included.add(Path(other).stem)
        try:
            environment.get_template(other)
        except TemplateNotFound:
            yield f"there is no {other}"
        except TemplateError:
            yield f"{other} is faulty"
    called = {call.node.name for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}
    for unknown in sorted((called & meta.find_undeclared_variables(tree)) - {*environment.globals}):
        yield f"there is no {unknown}()"
