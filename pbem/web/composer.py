"""The board to click a ply together on, and its form.

Each click is a link to the same page with the ply so far, so nothing is stored before the ply is sent, and no
script is needed.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote

from flask import request
from markupsafe import Markup

from pbem.core.play.preview import Composition, MovePreview, preview_move, preview_on_board
from pbem.inbox import web_move
from pbem.inbox.web_move import ComposeLink
from pbem.web.replay import Remark, collect_remarks
from pbem.web.responses import application, mail_link
from rules.contract import Position
from rules.draft import Choice, Draft
from rules.picture import Picture, Spot
from rules.svg import Link, svg

MAX_MAILTO = 1_499
"""Longest link that begins a mail, in characters. Some mail programs cut longer ones."""


@dataclass(frozen=True)
class ComposerForm:
    move: str = ""
    words: str = ""
    problem: str = ""
    sure: bool = False
    """The player has seen that the ply loses at once."""


def form_number() -> str:
    return f"{application().rng.getrandbits(80):020x}"


def move_in_query() -> str:
    """The ply in the query: a text, or a number within text."""
    given = request.args
    if "amount" in given:
        return f"{given.get('before', '')}{given['amount'].strip()}{given.get('after', '')}"
    return given.get("move", "")


def composer_facts(turn: ComposeLink, sealed: str, typed: ComposerForm) -> dict[str, Any]:
    """All that the composer's templates show of a ply so far."""
    drawn = preview_move(turn.composition, typed.move)
    site, position = turn.composition.site, turn.composition.game.state.position
    body = web_move.compose_body(turn, [drawn.text], typed.words, site) if drawn.complete else ""
    start_mail = partial(mail_link, to=turn.address, subject=turn.subject, sender=turn.player.address)
    mail = start_mail(body) if body else ""
    problem = typed.problem or drawn.problem or ("" if body is not None else web_move.UNSENDABLE)
    return {
        **board_facts(position, drawn, problem),
        "turn": turn,
        "typed": typed,
        "mail": mail if len(mail) <= MAX_MAILTO else "",
        "mail_start": start_mail(drawn.text),
        "mail_most": MAX_MAILTO,
        "number": form_number(),
        "action": f"/games/{turn.game.id}/compose/{quote(sealed)}",
        "heard": heard(turn.composition),
    }


def link_to_move(text: str) -> str:
    """A link to this page with this text as the ply."""
    return f"?move={quote(text, safe='')}"


def board_facts(
    position: Position, drawn: MovePreview, problem: str = "", link: Callable[[str], str] = link_to_move
) -> dict[str, Any]:
    """Return a clickable board's facts for templates, with the ply so far and the links of clicks."""
    controls = list(_controls(position, drawn.draft))
    texts = [drawn.draft.text, *(choice.text for choice in controls)]
    return {
        "drawn": drawn,
        "problem": problem or drawn.problem,
        "clickable": _clickable_board(position, drawn, link),
        "controls": controls,
        "quiet": {text for text in texts if text and _is_quiet(position, text)},
        "link": link,
    }


def heard(composed: Composition) -> list[Remark]:
    """The other's words since the player's own last ply, the oldest first."""
    state, name = composed.game.state, composed.game.seats[1 - composed.seat].name
    since = max((ply.n for ply in state.plies if ply.seat == composed.seat), default=0)
    remarks = collect_remarks(composed.game)
    return [one for one in remarks if one.name == name and one.after >= since and not one.gone]


def _clickable_board(position: Position, drawn: MovePreview, link: Callable[[str], str]) -> Markup:
    """Return the board after the ply, with a link on each cell to click.

    Cells of the ply, and cells that a click removes from it, have a ring. Other cells to click have a dot,
    unless all cells that look like them can be clicked too.
    """
    picture, words = position.picture(), Counter(drawn.draft.text.split())
    chosen = {word for word in words if word in picture.names}
    chosen |= {each.cell for each in drawn.draft.choices if Counter(each.text.split()) < words}
    clicks = {choice.cell: choice for choice in reversed(drawn.draft.choices) if choice.cell}
    after = drawn.after.picture() if drawn.after is not None else picture
    open_looks = {spot.look for spot in picture.spots if spot.name in clicks and spot.name not in chosen}
    shut_looks = {spot.look for spot in picture.spots if spot.name not in clicks and spot.name not in chosen}
    dotted = set(clicks) if open_looks & shut_looks else set()
    spots = tuple(_spot(spot, after, chosen, dotted) for spot in picture.spots)
    links = {
        name: Link(link(choice.text), _spell_for_ears(choice.label, picture))
        for name, choice in clicks.items()
    }
    return Markup(svg(replace(picture, spots=spots), links=links))  # noqa: S704


def _spell_for_ears(label: str, picture: Picture) -> str:
    """Return the label for screen readers. A cell such as E1 is a capital, where e1 is another cell."""
    twins = {name for name in picture.names if name[0].isupper() and name.lower() in picture.names}
    return " ".join(f"capital {word}" if word in twins else word for word in label.split(" "))


def _spot(spot: Spot, after: Picture, chosen: set[str], dotted: set[str]) -> Spot:
    then = after.names.get(spot.name, spot)
    if spot.name in chosen:
        return replace(then, marks=frozenset({"chosen"}))
    marks = spot.marks - {"legal"} | ({"legal"} if spot.name in dotted else set())
    return replace(then, marks=frozenset(marks))


def _is_quiet(position: Position, text: str) -> bool:
    """True if the button of a ply is not to stand out: it exchanges sides, or loses at once."""
    if text in position.rules.pie_words:
        return True
    after = preview_on_board(position, text).after
    if after is None:
        return False
    lost = after.outcome is not None and after.outcome.winner not in (None, position.to_play)
    return lost or position.gives_up(position.read(text)) is not None


def _controls(position: Position, draft: Draft) -> Iterator[Choice]:
    """The choices that are no cell, and further choices of a cell."""
    names, seen = position.picture().names, set[str]()
    for choice in draft.choices:
        if choice.cell not in names or choice.cell in seen:
            yield choice
        seen.add(choice.cell)
