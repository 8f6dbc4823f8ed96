"""A ladder of a club: made by its organiser, closed to its members, directed by its organiser."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.duties.ladders import load_ladder
from pbem.store import event_entries, events
from tests.apps import Clock, ask, last_words, register, writes
from tests.inbox.test_club_leagues import NAMES, a_club, address, current, decide, running


@pytest.fixture
def club(app: App) -> App:
    """The club of Anna, with three others and a ladder on which Anna stands."""
    a_club(app, NAMES[:4])
    told = ask(app, address("Anna"), "ladder new bipod 3d/move")
    assert "the Bipod ladder of Tuesday Evening is made, and you are on it" in told
    return app


def order(app: App) -> list[str]:
    with app.store.read() as db:
        assert [] == event_entries.wrong_rows(db, current(app).id)
        return load_ladder(db, current(app), app.now()).order


@pytest.mark.each_database
def test_members_enter_it_and_challenge_on_it(club: App) -> None:
    number = current(club).id
    assert "you are on the Bipod ladder of Tuesday Evening, at place 2" in ask(
        club, address("Bill"), f"ladder {number}"
    )
    assert f"ladder {number}" in last_words(club, address("Bill"))
    assert "you have challenged Anna" in ask(club, address("Bill"), f"ladder {number}")
    assert "Bill challenges you on the Bipod ladder of Tuesday Evening" in last_words(club, address("Anna"))
    writes(club, address("Anna"), "yes")
    game = running(club, "Anna")[0]
    writes(club, address("Anna"), f"game {game}\nresign yes")
    assert ["Bill", "Anna"] == order(club)
    assert "this is the Bipod ladder of Tuesday Evening" in ask(club, address("Chris"), f"table {number}")
    assert "Bipod ladder of Tuesday Evening" in ask(club, address("Chris"), "events")


def test_an_answer_by_name_and_a_challenge_by_name(club: App) -> None:
    number = current(club).id
    for name in ("Bill", "Chris"):
        ask(club, address(name), f"join ladder {number}")
    assert "you have challenged Anna" in ask(club, address("Chris"), f"ladder {number} Anna")
    writes(club, address("Anna"), f"ladder {number} Chris no")
    assert ["Chris", "Bill", "Anna"] == order(club)


def test_it_is_another_than_the_ladder_of_the_game(club: App) -> None:
    assert "you are on the Bipod ladder, at place 1" in ask(club, address("Bill"), "ladder bipod")
    assert "Bipod ladder of Tuesday Evening already" in ask(club, address("Anna"), "ladder new bipod")
    ask(club, address("Anna"), "ladder bipod")
    assert 'Write "leave ladder 1" or "leave bipod ladder"' in ask(club, address("Anna"), "leave")
    assert "you have left the Bipod ladder." in ask(club, address("Anna"), "leave bipod ladder")
    assert "you have left the Bipod ladder of Tuesday Evening" in ask(club, address("Anna"), "leave ladder 1")


def test_others_enter_it_nowhere(club: App) -> None:
    number = current(club).id
    register(club, address("Zoe"), "Zoe")
    for words in (f"ladder {number}", f"join ladder {number}", f"ladder {number} Anna"):
        assert "is for its members" in ask(club, address("Zoe"), words)
    assert "You organise no club" in ask(club, address("Bill"), "ladder new bagel")
    assert "There is no ladder 99" in ask(club, address("Bill"), "ladder 99")
    assert ["Anna"] == order(club)


@pytest.mark.parametrize("how", ["leaves", "is put out", "leaves the ladder"])
def test_whoever_leaves_the_club_is_off_its_ladder(club: App, clock: Clock, how: str) -> None:
    number = current(club).id
    for name in ("Bill", "Chris"):
        ask(club, address(name), f"ladder {number}")
    ask(club, address("Bill"), f"ladder {number} Anna")
    if how == "leaves":
        writes(club, address("Bill"), "leave club yes")
    elif how == "is put out":
        writes(club, address("Anna"), "club remove Bill yes")
    else:
        writes(club, address("Bill"), f"leave ladder {number}")
    assert ["Anna", "Chris"] == order(club)
    if how == "leaves":
        assert "counts no more. Bill has left the ladder." in last_words(club, address("Anna"))
    assert "you have challenged Anna" in ask(club, address("Chris"), f"ladder {number}")


def test_when_its_organiser_is_barred_or_forgotten_the_next_directs_it(club: App) -> None:
    number = current(club).id
    for name in ("Bill", "Chris", "Dora"):
        ask(club, address(name), f"ladder {number}")
    acts.carry_out(club, acts.Operator("op", "Rude."), acts.bar_player, "Anna")
    assert "has barred you" in ask(club, address("Anna"), f"ladder {number}")
    assert "it is done" in decide(club, f"direct forfeit {number} Chris", "Bill")
    assert "you are not on the Bipod ladder of Tuesday Evening any more" in last_words(club, address("Chris"))
    writes(club, address("Bill"), "forget me")
    writes(club, address("Bill"), "yes")
    assert "Dora" in order(club) and "Bill" not in order(club)
    assert "you organise it" in ask(club, address("Chris"), "club")
    with club.store.read() as db:
        assert events.find_ladder(db, "bipod") is None
