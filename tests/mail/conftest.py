"""A listener with a connected client, for SMTP and for LMTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.mail.caller import Caller, Shelf, call, listening


@pytest.fixture
def games_by_key() -> Shelf:
    return Shelf()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def smtp(games_by_key: Shelf, stack: ExitStack) -> Caller:
    return call(stack, stack.enter_context(listening(games_by_key))).greeted()


@pytest.fixture
def lmtp(games_by_key: Shelf, stack: ExitStack) -> Caller:
    return call(stack, stack.enter_context(listening(games_by_key, lmtp=True))).greeted(b"LHLO")
