"""`/settings`: sign in by a mailed link, and change preferences. Mail has the same commands.

A known address and an unknown one get one and the same answer, after the same time.
"""

from datetime import timedelta

from flask import Response, request
from werkzeug.exceptions import TooManyRequests

from pbem.commands.export import account_zip
from pbem.core.clock import vacation
from pbem.core.errors import Refusal
from pbem.core.players import Player, same_address
from pbem.core.preferences.preferences import PREFERENCES, preference_values
from pbem.core.redact import without_secrets
from pbem.duties import signin, tokens
from pbem.duties.reminders import feed_address
from pbem.inbox.dispatch import Order, RefusedOrder, run_commands
from pbem.store import games, limits, players, sessions, vacations
from pbem.web import security
from pbem.web.blueprints import Pages
from pbem.web.pages.preference_forms import (
    SECTIONS,
    TICKS,
    FieldOrder,
    FieldRefusal,
    FormSection,
    shown_values,
)
from pbem.web.responses import application, forbid_caching, lead_to, private_response, raise_not_found
from pbem.web.viewer import COOKIE, changing_viewer, require_viewer, session, viewer

pages = Pages(
    "settings",
    __name__,
    url_prefix="/settings",
    robots=["/settings"],
)

GAME = "<int(max=999999999999):id>"
ONE_DAY = timedelta(days=1)


def run_orders(player: Player, kind: str, commands: list[Order], words: str = "") -> tuple[int, str]:
    """Carry out a page's orders. Returns 200, or a status with a problem."""
    try:
        _carry_out(player, kind, commands, words)
    except (Refusal, TooManyRequests) as problem:
        return _status_of(problem)
    return 200, ""


def _carry_out(player: Player, kind: str, commands: list[Order], words: str = "") -> None:
    security.count_request(kind, str(player.id))
    run_commands(application(), player, commands, words)


def _status_of(problem: Refusal | TooManyRequests) -> tuple[int, str]:
    if isinstance(problem, TooManyRequests):
        return 429, problem.description or ""
    return 422, str(problem)


@pages.get("")
def show() -> Response:
    player = viewer()
    if player is not None:
        return _page(player, saved=request.args.get("saved", ""))
    return private_response("settings_ask.html", asked=False, form_mark=security.csrf_field())


@pages.post("")
def ask() -> Response:
    security.check_csrf()
    security.count_request("signin", security.client_digest())
    signin.request_link(application(), request.form.get("who", ""))
    return private_response("settings_ask.html", asked=True, form_mark=security.csrf_field())


@pages.get("/in/<secret>")
def show_sign_in(secret: str) -> Response:
    """Show a button that signs in. Opening the link does not, as a mail host's robot may open it."""
    with application().store.read() as db:
        found = sessions.find_link(db, secret, application().now())
    name = found[1].name if found else ""
    return private_response(
        "settings_in.html", 200 if found else 410, name=name, form_mark=security.csrf_field()
    )


@pages.post("/in/<secret>")
def sign_in(secret: str) -> Response:
    security.check_csrf()
    security.count_request("link", security.client_digest())
    fresh = signin.sign_in(application(), secret, session())
    if fresh is None:
        return private_response("settings_in.html", 410, name="", form_mark=security.csrf_field())
    return _redirect_with_session("/", fresh, signin.SESSION_LASTS)


@pages.post("/out")
def sign_out() -> Response:
    player = require_viewer()
    signin.sign_out(application(), session(), player, everywhere="everywhere" in request.form)
    return _redirect_with_session("/settings", "", timedelta(0))


def _redirect_with_session(place: str, secret: str, lasts: timedelta) -> Response:
    """Redirect with the cookie of a session, which is deleted if it `lasts` no time."""
    answer, name = lead_to(place), security.cookie_name(COOKIE)
    answer.set_cookie(name, secret, lasts, path="/", secure=request.is_secure, httponly=True, samesite="Lax")
    return answer


@pages.post("/change/<key>")
def change(key: str) -> Response:
    section = SECTIONS.get(key) or raise_not_found("There is nothing of this name to set.")
    player = require_viewer()
    status, problem, field = _run_section(section, player)
    if problem:
        return _page(player, status, problem=problem, failed=section.place, wrong=field)
    return lead_to(f"/settings?saved={key}#{section.place}")


def _run_section(section: FormSection, player: Player) -> tuple[int, str, str]:
    """Carry out a form's orders. Returns 200, or a status with a problem and its field."""
    orders: dict[Order, FieldOrder] = {}
    try:
        orders |= {each.order: each for each in section.orders(request.form, player)}
        _carry_out(player, "question" if section.asks else "change", list(orders))
    except RefusedOrder as refused:
        order = orders[refused.order]
        return 422, order.problem(refused), order.field
    except FieldRefusal as refusal:
        return 422, str(refusal), refusal.field
    except (Refusal, TooManyRequests) as problem:
        return *_status_of(problem), ""
    return 200, "", ""


@pages.post("/token")
def make_token() -> Response:
    """Show a new token for programs, this once."""
    player = changing_viewer()
    with application().store.write() as db:
        token = tokens.new_token(application(), db, player)
    return _page(player, token=token)


@pages.get(f"/report/{GAME}")
def report(id: int) -> Response:
    return _report_page(id, viewer(), sent="sent" in request.args)


@pages.post(f"/report/{GAME}")
def send_report(id: int) -> Response:
    player = require_viewer()
    words = without_secrets(request.form.get("why", "")[:2000].replace("\r\n", "\n").strip())
    status, problem = run_orders(player, "question", [("report", str(id))], words)
    if problem:
        return _report_page(id, player, status, problem=problem)
    return lead_to(f"/settings/report/{id}?sent=1")


def _report_page(
    id: int, player: Player | None, status: int = 200, *, problem: str = "", sent: bool = False
) -> Response:
    with application().store.read() as db:
        game = games.load_game(db, application().games_by_key, id)
    return private_response(
        "settings_report.html",
        status,
        game=game or raise_not_found(f"There is no game {id} here."),
        player=player,
        problem=problem,
        typed=request.form.get("why", ""),
        sent=sent,
        form_mark=security.csrf_field(session()) if player else "",
    )


@pages.post("/export")
def export() -> Response:
    """All data about the player, in one file."""
    player = require_viewer()
    security.count_request("export", str(player.id))
    answer = Response(account_zip(application(), player), mimetype="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="pbem-{player.name}.zip"'
    return forbid_caching(answer)


def _page(
    player: Player,
    status: int = 200,
    *,
    saved: str = "",
    problem: str = "",
    failed: str = "",
    wrong: str = "",
    token: str = "",
) -> Response:
    """Return the page with stored values.

    After a problem, the form `failed` keeps what was typed; `wrong` is the field at fault, or "".
    """
    now, app, section = application().now(), application(), SECTIONS.get(saved)
    with app.store.read() as db:
        player = players.player_by_id(db, player.id) or player
        taken = vacations.vacations_of_players(db, [player.id])[player.id]
        main = same_address(player.address)
        return private_response(
            "settings.html",
            status,
            done=section.done if section else "",
            saved=section.place if section else "",
            problem=problem,
            failed=failed,
            wrong=wrong,
            typed=request.form if failed else {},
            form_mark=security.csrf_field(session()),
            player=player,
            token=token,
            preferences=PREFERENCES,
            zone=preference_values(player)["zone"],
            shown=shown_values(player),
            ticks=TICKS,
            running=vacation.vacation_at(taken, now),
            planned=[block for block in taken if block.begins > now],
            days_left=vacation.saved_time(player.created_at, taken, now) // ONE_DAY,
            bounds=limits.limits_of_player(db, player),
            letters_go_to=main,
            addresses=[one for one in players.addresses_of(db, player) if one != main],
            spare=player.spare,
            calendar=feed_address(app, player),
            sessions=sessions.session_starts(db, player, now),
        )
