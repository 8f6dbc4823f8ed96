"""A listener with a connected client, for SMTP and for LMTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.mail.caller import FakeMailStore, SmtpClient, connect_client, running_listener


@pytest.fixture
def games_by_key() -> FakeMailStore:
    return FakeMailStore()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def smtp(games_by_key: FakeMailStore, stack: ExitStack) -> SmtpClient:
    return connect_client(stack, stack.enter_context(running_listener(games_by_key))).send_greeting()


@pytest.fixture
def lmtp(games_by_key: FakeMailStore, stack: ExitStack) -> SmtpClient:
    return connect_client(
        stack, stack.enter_context(running_listener(games_by_key, lmtp=True))
    ).send_greeting(b"LHLO")
