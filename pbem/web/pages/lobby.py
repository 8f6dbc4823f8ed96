"""`/lobby`: one button's order, such as a seek or a challenge. The player must be signed in."""

import re
from collections.abc import Mapping, Sequence

from flask import Response, request
from werkzeug.exceptions import UnprocessableEntity

from pbem.core.clock.time_control import PRESETS, WEEKENDS
from pbem.core.errors import Refusal
from pbem.core.lobby.challenges import STANDING_GAMES
from pbem.core.players import Player
from pbem.inbox import web_move
from pbem.inbox.dispatch import run_commands
from pbem.store import games
from pbem.web import security
from pbem.web.blueprints import Pages
from pbem.web.responses import application, lead_to, raise_not_found
from pbem.web.viewer import require_viewer

pages = Pages("lobby", __name__)

_ORDER = re.compile(
    r"(accept|decline|rematch|take|unwatch|watch|withdraw) ([0-9]{1,9})|(challenge) (bot[1-5] [a-z0-9_-]+)"
    r"|(unwatch|watch|block|unblock) ([A-Za-z][A-Za-z0-9_-]{1,19})"
)
ABOUT_GAME = ("rematch", "unwatch", "watch")
"""Words that have a game's number behind them; after the others it is a seek's or a challenge's."""
SEEK_FIELDS: Mapping[str, Sequence[str]] = {
    "time": ("", *PRESETS, "none"),
    "weekends": ("", WEEKENDS),
    "rated": ("", "unrated"),
    "who": ("", "about my strength"),
    "games": ("", *(f"up to {number}" for number in STANDING_GAMES)),
}
"""The fields of the form of seeks with their values, as a mail has them; "" is the usual."""
CHALLENGE_FIELDS: Mapping[str, Sequence[str]] = {
    "time": SEEK_FIELDS["time"],
    "weekends": SEEK_FIELDS["weekends"],
    "rated": SEEK_FIELDS["rated"],
    "seat": ("", "first", "second"),
}
"""The fields of the form of challenges, likewise."""


@pages.post("/lobby")
def order() -> Response:
    player = require_viewer()
    found = _ORDER.fullmatch(request.form.get("order", ""))
    if found is None:
        raise_not_found("There is nothing of this name to order.")
    verb, number = filter(None, found.groups())
    before = _newest_game(player)
    run_order(player, verb, number)
    begun = _newest_game(player)
    place = f"/games/{begun if begun != before else number}" if begun != before or verb in ABOUT_GAME else "/"
    if found[5]:
        place = f"/players/{number}"
    return lead_to(place)


@pages.post("/lobby/seek")
def seek() -> Response:
    """A seek by the form of the page of seeks."""
    run_order(require_viewer(), "seek", _chosen(SEEK_FIELDS))
    return lead_to("/seeks")


@pages.post("/lobby/challenge/<name>")
def challenge(name: str) -> Response:
    """A challenge by the form of a player's page; `pair` asks for two games with the seats changed."""
    player, pair = require_viewer(), request.form.get("seat", "") == "pair"
    fields = {key: words for key, words in CHALLENGE_FIELDS.items() if not pair or key != "seat"}
    words = request.form.get("words", "").strip()[: web_move.MAX_WORDS]
    run_order(player, "pair" if pair else "challenge", f"{name} {_chosen(fields)}", words)
    return lead_to(f"/players/{name}")


def _chosen(fields: Mapping[str, Sequence[str]]) -> str:
    """The game and the terms that a form chose, in the words of a mail."""
    form = request.form
    chosen = [form.get(name, "") for name in fields]
    wanted = all(text in words for text, words in zip(chosen, fields.values(), strict=True))
    if form.get("game", "") not in application().offered or not wanted:
        raise_not_found("There is nothing of this name to order.")
    return " ".join(filter(None, [form["game"], *chosen]))


def run_order(player: Player, verb: str, rest: str, words: str = "") -> None:
    """Carry out one order. Raises UnprocessableEntity with the reason where it is refused."""
    security.count_request("change", str(player.id))
    try:
        run_commands(application(), player, [(verb, rest)], words)
    except Refusal as refusal:
        raise UnprocessableEntity(str(refusal)) from None


def _newest_game(player: Player) -> int:
    with application().store.read() as db:
        found = games.running_of_player(db, application().games_by_key, player)
    return max((game.id for game in found), default=0)
