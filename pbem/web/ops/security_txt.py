"""`/.well-known/security.txt`: the contact for security reports (RFC 9116)."""

from datetime import timedelta

from flask import Response

from pbem.core.game.fingerprint import iso
from pbem.web.blueprints import Pages
from pbem.web.filters import mailto
from pbem.web.responses import application, public_response, raise_not_found

pages = Pages("wellknown", __name__)

PATH = "/.well-known/security.txt"


@pages.get(PATH)
def security() -> Response:
    """The contact, if an operator is configured."""
    config = application().config
    if not config.operator:
        raise_not_found("No operator is named here.")
    half_a_year = application().now().replace(day=1) + timedelta(days=190)
    expires = half_a_year.replace(day=1, hour=0, minute=0, second=0)  # stable for a month (RFC 9116 2.5.5)
    fields = {"Contact": mailto(config.operator), "Expires": iso(expires), "Preferred-Languages": "en"}
    if config.site.startswith("https://"):  # RFC 9116 2.5.2 requires https
        fields["Canonical"] = f"{config.site}{PATH}"
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return public_response(lambda: Response(text, content_type="text/plain; charset=utf-8"))
