"""`/settings`: sign in by a mailed link, and change preferences.

Changes are made by the commands that mail has too. Opening a link signs nobody in; its button does. The
answer for a known address is the same as for an unknown one, and takes as long.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Response, make_response, redirect, request
from werkzeug.exceptions import Gone, TooManyRequests

from pbem.actions import signin
from pbem.actions.account_export import account_zip
from pbem.actions.reminders import feed_address
from pbem.core.clock import vacation
from pbem.core.errors import Refusal
from pbem.core.game.preferences import PREFERENCES, preference_values
from pbem.core.players import Player, same_address
from pbem.core.redact import without_secrets
from pbem.inbox.web_commands import run_commands
from pbem.store import games, limits, players, sessions, vacations
from pbem.web import csrf
from pbem.web.blueprints import Link, Pages
from pbem.web.pages.preference_forms import SECTIONS, Section
from pbem.web.responses import NO_STORE, application, private_response, raise_not_found
from pbem.web.security import client_digest, count_request

pages = Pages(
    "settings",
    __name__,
    url_prefix="/settings",
    nav=[Link("/settings", "Settings", 10, "own")],
    robots=["/settings"],
)
pages.after_request(csrf.set_csrf_cookie)

COOKIE = "pbem_session"
GAME = "<int(max=999999999999):id>"
ONE_DAY = timedelta(days=1)


# The signed-in player.


def _session() -> str:
    return request.cookies.get(csrf.cookie_name(COOKIE), "")


def _signed_in_player() -> Player | None:
    secret = _session()
    if not secret or len(secret) > 100:
        return None
    with application().store.read() as db:
        return sessions.session_player(db, secret, application().now())


def _require_player() -> Player:
    """The signed-in player of this form; raises Gone without one."""
    found = _signed_in_player()
    if found is None:
        raise Gone("You are not signed in any more, so nothing was changed. Sign in again at /settings.")
    csrf.check_csrf(_session())
    return found


def _redirect_to(place: str) -> Response:
    answer = redirect(place, 303)
    answer.headers["Cache-Control"] = NO_STORE
    return answer  # type: ignore[return-value]


@pages.get("")
def show() -> Response:
    player = _signed_in_player()
    if player is not None:
        return _page(player, saved=request.args.get("saved", ""))
    return private_response("settings_ask.html", asked=False, form_mark=csrf.csrf_field())


@pages.post("")
def ask() -> Response:
    csrf.check_csrf()
    count_request("signin", client_digest())
    signin.request_link(application(), request.form.get("who", ""))
    return private_response("settings_ask.html", asked=True, form_mark=csrf.csrf_field())


@pages.get("/in/<secret>")
def show_sign_in(secret: str) -> Response:
    """Show a button that signs in; opening the link changes nothing.

    A mail host's robot may open it first.
    """
    with application().store.read() as db:
        found = sessions.find_link(db, secret, application().now())
    name = found[1].name if found else ""
    return private_response("settings_in.html", 200 if found else 410, name=name, form_mark=csrf.csrf_field())


@pages.post("/in/<secret>")
def sign_in(secret: str) -> Response:
    csrf.check_csrf()
    count_request("link", client_digest())
    fresh = signin.sign_in(application(), secret, _session())
    if fresh is None:
        return private_response("settings_in.html", 410, name="", form_mark=csrf.csrf_field())
    answer = _redirect_to("/settings")
    answer.set_cookie(
        csrf.cookie_name(COOKIE),
        fresh,
        max_age=int(signin.SESSION_LASTS.total_seconds()),
        httponly=True,
        samesite="Lax",
        secure=csrf.is_https(),
        path="/",
    )
    return answer


@pages.post("/out")
def sign_out() -> Response:
    player = _require_player()
    signin.sign_out(application(), _session(), player, everywhere="everywhere" in request.form)
    answer = _redirect_to("/settings")
    answer.delete_cookie(
        csrf.cookie_name(COOKIE), path="/", secure=csrf.is_https(), httponly=True, samesite="Lax"
    )
    return answer


@pages.post("/change/<key>")
def change(key: str) -> Response:
    """Run the commands of a form: all of them or none."""
    section = SECTIONS.get(key) or raise_not_found("There is nothing of this name to set.")
    player = _require_player()
    try:
        count_request("question" if section.asks else "change", str(player.id))
        run_commands(application(), player, section.orders(request.form, player))
    except Refusal as refusal:
        return _page(player, 422, problem=(key, str(refusal)))
    except TooManyRequests as much:
        return _page(player, 429, problem=(key, much.description or ""))
    return _redirect_to(f"/settings?saved={key}#{section.place}")


@pages.get(f"/report/{GAME}")
def report(id: int) -> Response:
    """The form to report a game's words, for signed-in players.

    Everybody else reads how to report by mail.
    """
    return _report_page(id, _signed_in_player(), sent="sent" in request.args)


@pages.post(f"/report/{GAME}")
def send_report(id: int) -> Response:
    player = _require_player()
    words = without_secrets(request.form.get("why", "")[:2000].replace("\r\n", "\n").strip())
    try:
        count_request("question", str(player.id))
        run_commands(application(), player, [("report", str(id))], words)
    except Refusal as refusal:
        return _report_page(id, player, 422, problem=str(refusal))
    except TooManyRequests as much:
        return _report_page(id, player, 429, problem=much.description or "")
    return _redirect_to(f"/settings/report/{id}?sent=1")


def _report_page(
    id: int, player: Player | None, status: int = 200, *, problem: str = "", sent: bool = False
) -> Response:
    with application().store.read() as db:
        game = games.load_game(db, application().games_by_key, id) or raise_not_found(
            f"There is no game {id} here."
        )
    facts = {"game": game, "player": player, "problem": problem, "typed": request.form.get("why", "")}
    mark = csrf.csrf_field(_session()) if player else ""
    return private_response("settings_report.html", status, **facts, sent=sent, form_mark=mark)


@pages.post("/export")
def export() -> Response:
    """All data about the player, in one file."""
    player = _require_player()
    count_request("export", str(player.id))
    with application().store.read() as db:
        found = account_zip(application(), db, player)
    answer = make_response(found)
    answer.headers["Content-Type"] = "application/zip"
    answer.headers["Content-Disposition"] = f'attachment; filename="pbem-{player.name}.zip"'
    answer.headers["Cache-Control"] = NO_STORE
    return answer


def _page(
    player: Player, status: int = 200, *, saved: str = "", problem: tuple[str, str] = ("", "")
) -> Response:
    section: Section | None = SECTIONS.get(saved)
    facts = _page_facts(player)
    return private_response(
        "settings.html",
        status,
        done=section.done if section else "",
        saved=section.place if section else "",
        problem=problem[1],
        failed=SECTIONS[problem[0]].place if problem[0] else "",
        typed=request.form if problem[0] else {},
        form_mark=csrf.csrf_field(_session()),
        **facts,
    )


def _page_facts(player: Player) -> dict[str, Any]:
    """All that the page shows, read now."""
    now, app = application().now(), application()
    with app.store.read() as db:
        player = players.player_by_id(db, player.id) or player
        taken = vacations.vacations_of_players(db, [player.id])[player.id]
        own = limits.limits_of_player(db, player)
        listed = players.addresses_of(db, player)
        begun = sessions.session_starts(db, player, now)
    return {
        "player": player,
        "preferences": PREFERENCES,
        "settings": preference_values(player),
        "running": vacation.vacation_at(taken, now),
        "planned": [block for block in taken if block.begins > now],
        "days_left": vacation.saved_time(player.created_at, taken, now) // ONE_DAY,
        "bounds": own,
        "letters_go_to": same_address(player.address),
        "addresses": [one for one in listed if one != same_address(player.address)],
        "calendar": feed_address(app, player),
        "sessions": begun,
    }
