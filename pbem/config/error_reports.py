"""Errors sent to Sentry, or what speaks its protocol, such as GlitchTip. It needs the extra `sentry`.

Only lines of the log leave, from ERROR on, with their traceback. No values of variables, no requests and no
cookies go with them: mails would be in them. Secrets of addresses are taken out.
"""

import json
import logging
from typing import Any

from pbem import __version__
from pbem.config.table import Config


def send_errors(config: Config, redact: Any, *filters: logging.Filter) -> None:
    """Send this process's errors to PBEM_SENTRY_DSN, if set. `redact` takes secrets out."""
    if not config.sentry_dsn:
        return
    import sentry_sdk  # an extra, which few need
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.logging import EventHandler

    sentry_sdk.init(
        config.sentry_dsn,
        release=__version__,
        server_name=config.host,
        default_integrations=False,
        integrations=[AtexitIntegration(callback=lambda _pending, _timeout: None)],
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        before_send=lambda event, _hint: _without_secrets(event, redact),
    )
    handler = EventHandler(logging.ERROR)
    for each in filters:
        handler.addFilter(each)
    logging.getLogger().addHandler(handler)


def _without_secrets(event: Any, redact: Any) -> Any:
    event.pop("extra", None)  # the text of an error may hold the bytes of a mail that it failed at
    return json.loads(redact(json.dumps(event, default=str)))
