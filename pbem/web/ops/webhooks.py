"""`POST /mail/<provider>`: webhooks of mail providers, answered 200 once stored.

Forms need no CSRF mark here: each provider proves itself (pbem/mail/transport/webhooks.py). A mail for no
address of ours is answered 200 too, as providers repeat anything else for hours. A mail that we cannot store
is answered 5xx, so that the provider repeats it.
"""

import logging
from collections import UserDict
from collections.abc import Callable, Mapping
from datetime import datetime
from urllib.parse import unquote_to_bytes

from flask import Response, request
from werkzeug.datastructures import Headers
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder

from pbem.inbox.receive import NonceUsed, receive
from pbem.mail.addresses import BadAddress
from pbem.mail.transport import webhooks
from pbem.mail.transport.smtp_server import is_printable_address
from pbem.mail.transport.webhooks import Delivery, ForgedPost, UnusablePost
from pbem.web.blueprints import Pages
from pbem.web.responses import application, raise_not_found

log = logging.getLogger("pbem.intake")

pages = Pages("intake", __name__, robots=["/mail/"])

POST_SIZE_FACTOR = 4
"""Largest post in mails: base64, percent signs and a copy of the text in JSON all need room."""
MAX_FIELDS = 200
MAX_FIELD = 8000
MAIL_FIELD = "body-mime"
"""The field that holds a mail; no other may exceed MAX_FIELD bytes."""


Read = Callable[[Headers, bytes, str, datetime], Delivery]

PROVIDERS: Mapping[str, tuple[str, Read]] = {
    "mailgun": ("mailgun_key", lambda _, body, key, now: webhooks.read_mailgun(_fields(body), key, now)),
    "postmark": (
        "postmark_login",
        lambda headers, body, login, _: webhooks.read_postmark(headers.get("Authorization", ""), body, login),
    ),
    "signed": ("webhook_key", webhooks.read_signed_post),
}
"""Webhooks by their name in the address: required setting, and reader."""


@pages.post("/mail/<provider>")
@pages.post("/mail/<provider>/mime")
def receive_webhook(provider: str) -> Response:
    config = application().config
    setting, read = PROVIDERS.get(provider) or raise_not_found("There is nothing here.")
    key = getattr(config, setting)
    if key is None:
        raise_not_found("There is nothing here.")
    request.max_content_length = POST_SIZE_FACTOR * config.max_mail
    try:
        delivery = read(request.headers, request.get_data(), key, application().clock())
        return _store_delivery(provider, delivery)
    except (ForgedPost, NonceUsed) as why:
        log.warning("%s: refused, %s", provider, str(why) or "used before")
        return _text_response("The proof is wrong, too old, or was used before.", 403)
    except UnusablePost as why:
        log.warning("%s: %s", provider, why)
        return _text_response(str(why), 400)
    except RequestEntityTooLarge:
        return _text_response("This is too large.", 413)


def _store_delivery(provider: str, delivery: Delivery) -> Response:
    mail = delivery.mail
    if len(mail.raw) > application().config.max_mail:
        return _text_response("The mail is too large.", 413)
    ours = [recipient for recipient in mail.recipients if _is_known(recipient)]
    dropped = len(mail.recipients) - len(ours)
    if dropped or not is_printable_address(mail.sender):
        log.warning("%s: a mail for nobody here", provider)
    if ours and is_printable_address(mail.sender):
        once = (provider, delivery.once) if delivery.once else None
        receive(application(), mail.raw, mail.sender, ours, once=once)
    return _text_response(f"kept {len(ours)}, dropped {dropped}", 200)


def _is_known(recipient: str) -> bool:
    try:
        application().addressing.read(recipient)
    except BadAddress:
        return False
    return is_printable_address(recipient)


def _text_response(text: str, code: int) -> Response:
    return Response(f"{text}\n", code, mimetype="text/plain")


class _Form(UserDict[str, bytes]):
    """A form that decodes each field only when it is read, so that small fields can prove the sender first.

    Percent signs cost far more time than other bytes, and anybody can post four million of them.
    """

    def __init__(self, body: bytes) -> None:
        pairs = (pair.partition(b"=") for pair in body.split(b"&"))
        self.data = {_unquote_form(name[:MAX_FIELD]).decode("latin-1"): value for name, _, value in pairs}

    def __getitem__(self, name: str) -> bytes:
        value = self.data[name]
        if name != MAIL_FIELD and len(value) > MAX_FIELD:
            raise UnusablePost(f"The field {name} is too long.")
        return _unquote_form(value)


def _unquote_form(text: bytes) -> bytes:
    return unquote_to_bytes(text.replace(b"+", b" "))


def _fields(body: bytes) -> Mapping[str, bytes]:
    """The fields of a form as bytes; raises UnusablePost for anything else."""
    kind, options = parse_options_header(request.content_type)
    try:
        if kind == "multipart/form-data":
            return _multipart_fields(body, options["boundary"].encode("latin-1"))
        if body.count(b"&") < MAX_FIELDS:
            return _Form(body)
    except (KeyError, ValueError, RequestEntityTooLarge):
        pass
    raise UnusablePost("This is not the form that was to come.")


def _multipart_fields(body: bytes, boundary: bytes) -> dict[str, bytes]:
    decoder = MultipartDecoder(boundary, max_parts=MAX_FIELDS)
    decoder.receive_data(body)
    decoder.receive_data(None)
    found: dict[str, bytearray] = {}
    name = ""
    while not isinstance(event := decoder.next_event(), Epilogue):
        if isinstance(event, Field | File):
            name = event.name
            found.setdefault(name, bytearray())
        elif isinstance(event, Data):
            found[name] += event.data
    return {name: bytes(value) for name, value in found.items()}
