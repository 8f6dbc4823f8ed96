"""Pictures of a game, an animation and a postcard, made on request, one at a time, and cached."""

import re
from collections.abc import Callable
from functools import partial
from textwrap import wrap
from typing import Any

from flask import Response, render_template

from pbem.core.events import league
from pbem.core.events.table import points_phrase
from pbem.core.game.game import Game
from pbem.duties.leagues import load_division
from pbem.mail.outbound.png import render_png
from pbem.store import events, players
from pbem.web.blueprints import Pages
from pbem.web.cache import cached
from pbem.web.filters import number_with_noun
from pbem.web.pages.events import EVENT_PATH, season_or_404
from pbem.web.pages.games import GAME_PATH, PLY_PATH, game_response, replay_or_404
from pbem.web.replay import frames, game_title, outcome
from pbem.web.responses import (
    Validator,
    application,
    build_id,
    public_response,
    raise_not_found,
    rules_of,
    svg_response,
)
from pbem.web.templating import example_game
from rules.animation import film
from rules.contract import Rules
from rules.looks import COLOURS
from rules.picture import text
from rules.svg import svg

pages = Pages(
    "pictures",
    __name__,
    rates=dict.fromkeys(("moving", "preview", "event_preview", "rules_preview"), "large"),
)

COLOUR = re.compile(r"var\(--([\w-]+)(?:,[^)]*)?\)")
MORE_COLOURS = {"soft": "#474C57"}


def _cached_picture(
    id: int, what: str, make: Callable[[Game], bytes], answered: Callable[[bytes], Response]
) -> Response:
    """Answer with a picture, from the cache if nothing shown changed."""

    def answer(game: Game, _pin: str) -> Response:
        names = frozenset(game.name_at(ply.seat, ply.entry) for ply in game.state.plies)
        key = (what, id, len(game.open_entries), game_title(game), names)
        return answered(cached(key, lambda: make(game)))

    return game_response(id, what, answer, is_file=True)


@pages.get(f"{GAME_PATH}.svg")
def moving(id: int) -> Response:
    """An animation of all plies, without a script."""
    return _cached_picture(
        id, "film", lambda game: film(frames(game), game_title(game)).encode(), svg_response
    )


@pages.get(f"{GAME_PATH}/postcard.svg")
def postcard(id: int) -> Response:
    def make(game: Game, _pin: str) -> Response:
        return svg_response(_postcard_svg(game).encode())

    return game_response(id, "postcard.svg", make, is_file=True)


@pages.get(f"{GAME_PATH}/postcard.png")
def preview(id: int) -> Response:
    """The postcard as PNG, for programs that show no SVG."""
    as_png = partial(Response, mimetype="image/png")
    return _cached_picture(id, "postcard.png", lambda game: render_png(_postcard_svg(game)), as_png)


@pages.get(f"{EVENT_PATH}/postcard.svg")
def postcard_of_event(id: int) -> Response:
    drawn = _event_card(id).encode()
    return public_response(lambda: svg_response(drawn))


@pages.get(f"{EVENT_PATH}/postcard.png")
def event_preview(id: int) -> Response:
    """Return a season's postcard as PNG, for programs without SVG."""
    drawn = _event_card(id)
    made = cached(("event", drawn), lambda: render_png(drawn))
    return public_response(lambda: Response(made, mimetype="image/png"))


@pages.get("/rules/<key>.png")
def rules_preview(key: str) -> Response:
    """Return a game's card, which previews of links to its rules and to the front page show."""
    rules = rules_of(key)

    def draw() -> bytes:
        example = example_game(key, application().config.templates)
        shown = example.position if example else rules.start({})
        facts = {"words": rules.summary, "below": "", "so_far": "", "ended_at": None}
        by = rules.credit
        return render_png(
            _card(rules, svg(shown.picture(), coordinates=False), head=by, names=[rules.name], **facts)
        )

    def make() -> Response:
        return Response(cached(("rules", key, build_id()), draw), mimetype="image/png")

    return public_response(make, Validator(f"rules.{key}.png"))


@pages.get(f"{PLY_PATH}.txt")
def in_text(id: int, n: int) -> Response:

    def make(game: Game, _pin: str) -> Response:
        return Response(f"{text(replay_or_404(game, n).shown.picture, last=True)}\n", mimetype="text/plain")

    return game_response(id, f"text.{n}", make, is_file=True)


def _event_card(id: int) -> str:
    """Return an ended season's postcard: its first table and all winners."""
    with application().store.read() as db:
        event = season_or_404(db, id)
        over = events.newest_entry(db, id, "over")
        if event.state != league.OVER or over is None:
            raise_not_found(f"The {event.title}, is not over, so it has no postcard yet.")
        division = load_division(db, event, 1)
        tables = events.final_tables(db, id)
        games = events.count_games(db, id)
        winners = players.players_by_ids(db, [table[0] for table in tables])
    first, *others = [winners[table[0]].name for table in tables]
    won = [f"{division.winner or 'Nobody'} won with {points_phrase(division.lines[0].points)}."]
    won += [f"Division {n}: {name}." for n, name in enumerate(others, 2)]
    return _card(
        rules_of(event.rules),
        render_template("cross_table.svg", division=division),
        head=event.title,
        names=[first],
        words=" ".join(won),
        below=f"{games} games",
        so_far="",
        ended_at=over.at,
    )


def _postcard_svg(game: Game) -> str:
    """Return the postcard: board, names, stamp and postmark. Light colours replace its CSS variables."""
    ending, moves = game.state.ending, number_with_noun(len(game.state.plies), "move", "moves")
    return _card(
        game.rules,
        svg(game.state.picture, coordinates=False),
        head=f"{game.rules.name} #{game.id}",
        names=[seat.name for seat in game.seats],
        words=outcome(game) or "",
        below=moves,
        so_far=f"{moves} so far · " if game.state.plies and not ending else "",
        ended_at=ending.at if ending else None,
    )


def _card(rules: Rules, board: str, **facts: Any) -> str:
    """A postcard; `board` is an SVG element."""
    drawn = render_template("postcard.svg", rules=rules, board=board, folded=_wrap_lines, **facts)
    return COLOUR.sub(lambda found: MORE_COLOURS.get(found[1]) or COLOURS[found[1]][0], drawn)


def _wrap_lines(words: str, width: int, most: int) -> list[str]:
    """The words in at most `most` lines, cut with an ellipsis."""
    lines = wrap(words, width)
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][: width - 2] + " …"]
