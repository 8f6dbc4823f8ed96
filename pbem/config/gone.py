"""Settings that went, with what to do instead."""

from collections.abc import Mapping

_NO_BLOBS = "leave it out, as all mail stays in the database."

GONE: Mapping[str, str] = {"PBEM_BLOBS": _NO_BLOBS, "PBEM_BLOB_DAYS": _NO_BLOBS}
"""What to do instead, by name."""
