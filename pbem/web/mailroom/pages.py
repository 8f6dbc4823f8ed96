"""The mailroom: all letters sent, and a form to answer them. Answers are received as at the mail listener.

The mailroom exists only in development mode (else `create_app` leaves it out), and answers only this machine.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Response, request
from werkzeug.exceptions import NotFound

from pbem.core.game.view import view_for_reader
from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.reply_text import first_lines
from pbem.mail.inbound.parse import parse_mail
from pbem.mail.person.mailbox import ReceivedLetter as LetterFile
from pbem.store import games, inbox, mailroom, players
from pbem.store.engine import Connection
from pbem.store.inbox import StoredMail
from pbem.store.mailroom import MailroomLetter
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.mailroom import form as mailroom_form
from pbem.web.mailroom.fill import fill as play_examples
from pbem.web.mailroom.form import MailForm
from pbem.web.mailroom.letter import LetterView, Links, live_html, sheet
from pbem.web.responses import (
    application,
    forbid_caching,
    lead_to,
    parse_number,
    private_response,
    raise_not_found,
)
from pbem.web.security import check_csrf, csrf_field

pages = Pages(
    "mailroom",
    __name__,
    url_prefix="/mailroom",
    nav=[MenuLink("/mailroom", "Mailroom", 20, "own")],
    robots=["/mailroom"],
    development=True,
)

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers of proxies and tunnels, whose clients are on another machine."""
LEADS_ON = "allow-top-navigation-by-user-activation"
"""The only permission of a letter's frame: a click may load another page in the whole window."""
SANDBOX = f"sandbox {LEADS_ON}; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
VIEW_COOKIE = "pbem_view"

LETTER = "/letters/<int(max=999999999999):id>"
MAIL = "/mails/<int(max=999999999999):id>"


class Item(NamedTuple):
    """A letter received or a mail sent. A letter of the same second comes after the mail it answers."""

    at: datetime
    mail: int
    is_letter: bool
    id: int
    title: str
    kind: str
    begins: str = ""
    """A letter's first sentence."""


@pages.before_request
def _refuse_other_machines() -> None:
    """Answer 404 to other machines, Host names and tunnels. DNS rebinding would use another Host name."""
    host, _, port = request.host.rpartition(":")
    name = host if port.isdigit() else request.host
    passed_on = any(header in request.headers for header in PROXY_HEADERS)
    if name not in LOOPBACK or request.remote_addr not in ("127.0.0.1", "::1") or passed_on:
        raise NotFound


@pages.get("/box/<address>")
def box(address: str) -> Response:
    """A mailbox with its newest letter open, if one has come."""
    with application().store.read() as db:
        letters = mailroom.letters_to(db, address, most=1, game=_asked_game())
        mails = inbox.mails_from_address(db, address, most=1)
        if not letters and not mails and players.player_by_address(db, address) is None:
            raise_not_found(f"Nothing was ever sent to {address} or from it.")
        sheet = _sheet(db, letters[0]) if letters else None
        return _box_page(db, address.lower(), sheet=sheet, mail=mails[0] if mails and not sheet else None)


@pages.get(LETTER)
def letter(id: int) -> Response:
    with application().store.read() as db:
        row = _letter(db, id)
        return _box_page(db, row.recipient.lower(), sheet=_sheet(db, row))


@pages.get(MAIL)
def mail(id: int) -> Response:
    with application().store.read() as db:
        row = _mail(db, id)
        return _box_page(db, row.sender.lower(), mail=row)


@pages.get(f"{LETTER}.html")
def letter_html(id: int) -> Response:
    """Return the HTML part alone, in a sandbox that runs and loads nothing, with links to us only."""
    config = application().config
    with application().store.read() as db:
        view = _sheet(db, _letter(db, id))
    links = Links(config.host, config.site, view.row.recipient)
    return _sandboxed_response(live_html(view, links), "text/html")


@pages.get(f"{LETTER}.txt", defaults={"is_letter": True})
@pages.get(f"{MAIL}.txt", defaults={"is_letter": False})
def source(id: int, is_letter: bool) -> Response:
    with application().store.read() as db:
        row = _letter(db, id) if is_letter else _mail(db, id)
        return _sandboxed_response(row.raw.decode("utf-8", "replace"), "text/plain")


@pages.post("/send")
def send() -> Response:
    """Receive the written mail, and show its result."""
    check_csrf()
    form = mailroom_form.read_form(application())
    with application().store.read() as db:
        answered = _sheet(db, _letter(db, form.letter)) if form.letter else None
        if form.problem and answered:
            return _box_page(db, form.sender.lower(), sheet=answered, form=form, status=422)
    if form.problem:
        return new("mailroom/new.html", form, 422)
    number = mailroom_form.send_form(application(), form, answered)
    return lead_to(f"/mailroom/box/{quote(form.sender.lower())}?sent={number}#newest")


@pages.post("/fill")
def fill() -> Response:
    """Play the games that come with the rules, in an empty mailroom."""
    check_csrf()
    with application().store.read() as db:
        is_empty = not mailroom.list_mailboxes(db)
    if is_empty:
        play_examples(application())
    return lead_to("/mailroom")


@pages.get("", defaults={"template": "mailroom/overview.html"})
@pages.get("/new", defaults={"template": "mailroom/new.html"})
def new(template: str, form: MailForm | None = None, status: int = 200) -> Response:
    with application().store.read() as db:
        boxes = mailroom.list_mailboxes(db)
        form = form or mailroom_form.new_form(application(), boxes)
        return _page(db, template, status, boxes=boxes, form=form)


def _page(db: Connection, template: str, status: int, **facts: Any) -> Response:
    """Make a page with a form: CSRF mark, new Message-ID, waiting people."""
    mark, message_id = csrf_field(), f"{application().rng.getrandbits(80):020x}"
    waiting = mailroom.awaited_letters(db)
    return private_response(template, status, waiting=waiting, form_mark=mark, message_id=message_id, **facts)


def _box_page(
    db: Connection,
    address: str,
    *,
    sheet: LetterView | None = None,
    mail: StoredMail | None = None,
    form: MailForm | None = None,
    status: int = 200,
) -> Response:
    """A mailbox with one letter or mail open."""
    only, owner = _asked_game(), players.player_by_address(db, address)
    letters = mailroom.letters_to(db, address, game=only)
    mails, answered = inbox.mails_from_address(db, address), {letter.mail_id for letter in letters}
    asked = request.args.get("view") or request.cookies.get(VIEW_COOKIE)
    view = "html" if asked == "html" else "text"
    answer = _page(
        db,
        "mailroom/box.html",
        status,
        boxes=mailroom.list_mailboxes(db),
        name=owner.name if owner else "",
        address=address,
        newcomer=mailroom_form.name_of(address),
        frame_may=LEADS_ON,
        items=_items(letters, [mail for mail in mails if only is None or mail.id in answered]),
        only=only,
        games=mailroom.games_of(db, address),
        sheet=sheet,
        mail=mail,
        mail_words=_mail_words(mail) if mail else "",
        form=form or (sheet and mailroom_form.answer_form(address, sheet)),
        sent=_sent_facts(db),
        view=view,
        players=mailroom.player_names(db),
    )
    answer.set_cookie(VIEW_COOKIE, view, samesite="Strict", path="/mailroom", httponly=True)
    return answer


def _asked_game() -> int | None:
    """The game whose letters alone are asked for."""
    return request.args.get("game", type=parse_number)


def _sandboxed_response(text: str, type: str) -> Response:
    headers = {"Content-Security-Policy": SANDBOX, "X-Frame-Options": "SAMEORIGIN"}
    return forbid_caching(Response(text, headers=headers, mimetype=type))


def _letter(db: Connection, id: int) -> MailroomLetter:
    return mailroom.letter(db, id) or raise_not_found(f"There is no letter {id}.")


def _mail(db: Connection, id: int) -> StoredMail:
    return inbox.mail_by_id(db, id) or raise_not_found(f"There is no mail m{id}.")


def _sheet(db: Connection, row: MailroomLetter) -> LetterView:
    """Return the letter, with example moves if the player is to move."""
    app, examples = application(), tuple[str, ...]()
    game = games.load_game(db, app.games_by_key, row.game_id) if row.game_id else None
    if game is not None and game.state.to_play is not None:
        due = game.seats[game.state.to_play]
        shown = view_for_reader(game, due, app.config.host).examples
        examples = shown if row.recipient.lower() in due.addresses else ()
    return sheet(row, app.config.host, app.config.site, examples)


def _mail_words(row: StoredMail) -> str:
    """The writer's own words in a mail, as the server reads them."""
    return parse_mail(row.raw, Envelope(row.sender, row.recipient), application().config.host).words


def _items(letters: Sequence[MailroomLetter], mails: Sequence[StoredMail]) -> list[Item]:
    """Letters and mails in one list, newest first."""
    items = []
    for letter in letters:
        at, answered, file = letter.at.replace(microsecond=0), letter.mail_id or 0, LetterFile(letter.raw)
        begins = " ".join(file.text.partition("\n\n")[0].split())
        items.append(Item(at, answered, True, letter.id, file.header("Subject"), letter.kind, begins))
    for mail in mails:
        title = " / ".join(first_lines(_mail_words(mail))[:2]) or "(no words)"
        items.append(
            Item(mail.received_at.replace(microsecond=0), mail.id, False, mail.id, title, mail.state)
        )
    return sorted(items, reverse=True)


def _sent_facts(db: Connection) -> dict[str, Any] | None:
    """The result of the mail just sent, with its letters."""
    number = request.args.get("sent", type=int)
    row = inbox.mail_by_id(db, number) if number and number < 10**12 else None
    if row is None:
        return None
    return {
        "mail": row,
        "words": first_lines(_mail_words(row)),
        "letters": mailroom.letters_caused_by(db, row.id),
    }
