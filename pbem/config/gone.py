"""Settings that went, with what to do instead."""

from collections.abc import Mapping

_NO_BLOBS = "bring the mail back with the version before, as CHANGELOG.md says, and leave it out then."
_OTHER_WEBHOOK = "have Mailgun, Postmark or a signed post (PBEM_WEBHOOK_KEY) bring the mail."

GONE: Mapping[str, str] = {
    **dict.fromkeys(("PBEM_BLOBS", "PBEM_BLOB_DAYS"), _NO_BLOBS),
    "PBEM_BOARDS": "leave it out; players write the options board= and things= in their challenges.",
    "PBEM_DATABASE_DIRECT": "have PBEM_DATABASE lead to PostgreSQL itself, without PgBouncer.",
    "PBEM_SENTRY_DSN": "leave it out, as errors are in the log, /metrics and letters to PBEM_OPERATOR.",
    **dict.fromkeys(("PBEM_SENDGRID_KEY", "PBEM_SES_TOPIC"), _OTHER_WEBHOOK),
}
"""What to do instead, by name."""
