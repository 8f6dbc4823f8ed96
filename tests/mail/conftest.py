"""A listener with a connected client, for SMTP and for LMTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.mail.caller import Caller, Shelf, call, listening


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def smtp(shelf: Shelf, stack: ExitStack) -> Caller:
    return call(stack, stack.enter_context(listening(shelf))).greeted()


@pytest.fixture
def lmtp(shelf: Shelf, stack: ExitStack) -> Caller:
    return call(stack, stack.enter_context(listening(shelf, lmtp=True))).greeted(b"LHLO")
