"""The one server that may move and delete in PBEM_BLOBS. Any may read.

A file at its root names the owner: the server's host and its epoch. A server that was restored from a backup
has another epoch than the one that it was copied from, so the two do not delete what the other needs.
"""

from pbem.store.blob_moves import count_moved
from pbem.store.blobs import Blobs, blobs_of
from pbem.store.engine import Store
from pbem.store.restores import restore_epoch

OWNER = "owner"


def other_owner(store: Store, host: str) -> str | None:
    """Return the owner of PBEM_BLOBS if it is another server. Raises Unavailable."""
    owner = _owner(blobs_of(store.engine))
    if not owner and _epoch(store) and count_moved(store):
        return "the server that this one was restored from"
    return owner if owner and owner != _name(store, host) else None


def own_blobs(store: Store, host: str) -> str:
    """Make this server the owner of PBEM_BLOBS; returns who was, or "". Raises Unavailable."""
    blobs, ours = blobs_of(store.engine), _name(store, host)
    before = _owner(blobs)
    if blobs and before != ours:
        blobs.write(OWNER, ours.encode())
    return before


def _owner(blobs: Blobs | None) -> str:
    return blobs.find(OWNER).decode("utf-8", "replace") if blobs else ""


def _name(store: Store, host: str) -> str:
    return f"{host}, epoch {_epoch(store)}"


def _epoch(store: Store) -> int:
    with store.read() as db:
        return restore_epoch(db)
