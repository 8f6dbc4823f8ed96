"""Words after `club`, `league`, `ladder` and `simul`."""

from __future__ import annotations

import pytest

from pbem.core.parsing import club_arguments


@pytest.mark.parametrize(
    ("rest", "act"),
    [
        ("remove Bill", "remove"),
        ("remove Bill in Tuesday Evening yes", "remove"),
        ("invite Bill and Tom in Monday", "invite"),
        ("invite", "strangers"),
        ("invite 5 bagel in Monday", "strangers"),
        ("invite anna@example.com", "strangers"),
        ("invite my friend", "strangers"),
        ("invite anna@example.com, tom@example.com", "several"),
        ("remove", "unfinished"),
    ],
)
def test_an_act_of_a_club(rest: str, act: str) -> None:
    found = club_arguments.club(rest)
    assert found is not None and act == found["act"]


def test_a_club_stands_last_and_yes_behind_it() -> None:
    found = club_arguments.club("remove Bill in Tuesday Evening yes")
    assert found is not None
    assert ("Bill", "Tuesday Evening", " yes".strip()) == (found["name"], found["club"], found["yes"])
    found = club_arguments.club("invite anna@example.com bipod 3d/move in the club Monday")
    assert found is not None
    assert ("anna@example.com", "bipod", "Monday") == (found["address"], found["game"], found["club"])


@pytest.mark.parametrize(
    ("rest", "most", "names", "club"),
    [
        ("8 bagel", 8, [], ""),
        ("bagel first 3d/move for Tom, Ulla and Vera", 0, ["Tom", "Ulla", "Vera"], ""),
        ("4 boards of bagel in Monday Club", 4, [], "Monday Club"),
    ],
)
def test_a_simul(rest: str, most: int, names: list[str], club: str) -> None:
    found = club_arguments.simul(rest)
    assert found is not None
    assert ("bagel", most, names, club) == (found["game"], found["most"], found["players"], found["club"])


def test_a_match_names_the_other_club_and_perhaps_ones_own() -> None:
    found = club_arguments.match("new bagel 3d/move against Monday Club in the club Tuesday Evening")
    assert found is not None
    names = (found["game"], found["pace"], found["other"], found["club"])
    assert ("bagel", "3d/move", "Monday Club", "Tuesday Evening") == names
    found = club_arguments.match("start match #7")
    assert found is not None and ("start", "7") == (found["act"], found["number"])


@pytest.mark.parametrize(
    "rest", ["", "of the day", "new", "new bipod", "against Tom", "new bipod double against Monday Club"]
)
def test_prose_is_no_match(rest: str) -> None:
    assert club_arguments.match(rest) is None


@pytest.mark.parametrize("rest", ["", "bagel for", "8", "of chess players", "8 chess"])
def test_prose_is_no_simul(rest: str) -> None:
    assert club_arguments.simul(rest) is None


@pytest.mark.parametrize(
    ("rest", "act"), [("new bagel in Monday", "new"), ("7", ""), ("7 Anna yes", ""), ("bipod Anna", "")]
)
def test_a_ladder_is_new_or_named_by_its_game_or_number(rest: str, act: str) -> None:
    found = club_arguments.ladder(rest)
    assert found is not None and act == found["act"]


@pytest.mark.parametrize("rest", ["new", "new bipod for Tom", "new chess", "new bipod first", "to heaven"])
def test_prose_is_no_ladder(rest: str) -> None:
    assert club_arguments.ladder(rest) is None
