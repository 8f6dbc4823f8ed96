"""An answer to a lesson that goes to our first address: some programs ignore Reply-To."""

from __future__ import annotations

import pytest

from pbem.app import App
from tests.apps import (
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    PLAY,
    SERVER,
    Clock,
    last_letter,
    mail,
    moves,
    proven,
    register,
    writes,
)
from tests.apps import reply_mail as answer_to


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER}


@pytest.mark.parametrize("words", ["learn bipod", "learn bipod\nf2"])
@pytest.mark.parametrize("is_proven", [True, False])
def test_a_move_for_a_lesson_is_no_move_in_a_game(
    app: App, clock: Clock, words: str, is_proven: bool
) -> None:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    assert "done" == writes(app, BILL, "challenge Joao bipod first")
    assert "done" == writes(app, JOAO, "accept")
    for line in words.split("\n"):
        writes(app, BILL, line)
    raw = answer_to(last_letter(app, BILL), BILL, "f2 f4 g3", quoting=False)
    mail(app, BILL, proven(raw, BILL, clock.now) if is_proven else raw, PLAY)
    writes(app, BILL, "yes")
    assert [] == moves(app)
