"""The choice of tests that run on PostgreSQL too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.amount import release
from tests.cover import Recorded, choose, key_of_test, read_choice, statement_key, write_choice

ROOT = Path(__file__).parents[1]


def recorded(test: str, sent: str, seconds: float = 1.0, *, free: bool = False) -> Recorded:
    return Recorded(test, frozenset(sent.split()), seconds, free)


def test_each_statement_is_sent_by_a_chosen_test() -> None:
    choice = choose([recorded("a", "1 2"), recorded("b", "2 3 4"), recorded("c", "4")])
    assert {"a": {"1"}, "b": {"2", "3", "4"}} == choice


def test_a_quick_test_is_chosen_before_a_slow_one() -> None:
    assert {"quick"} == set(choose([recorded("slow", "1 2", 9), recorded("quick", "1 2", 1)]))


def test_a_test_that_runs_on_both_databases_anyway_comes_first() -> None:
    choice = choose([recorded("a", "1 2 3", 0.1), recorded("free", "1", 9, free=True)])
    assert {"free": {"1"}, "a": {"2", "3"}} == choice


def test_how_many_values_a_statement_has_makes_no_difference() -> None:
    one, many = "SELECT a FROM b WHERE c IN (?)", "SELECT a FROM b WHERE c IN (?, ?, ?)"
    assert statement_key(one) == statement_key(many)
    assert statement_key("INSERT INTO a VALUES (?, ?)") == statement_key(
        "INSERT INTO a VALUES (?, ?), (?, ?)"
    )
    assert statement_key(one) != statement_key("SELECT a FROM b WHERE d IN (?)")


@pytest.mark.parametrize(
    ("node", "key"),
    [
        ("tests/a.py::test_b[sqlite]", "tests/a.py::test_b"),
        ("tests/a.py::test_b[postgresql-x-1]", "tests/a.py::test_b[x-1]"),
        ("tests/a.py::test_b[x-sqlite]", "tests/a.py::test_b[x]"),
        ("tests/a.py::test_b[x]", "tests/a.py::test_b[x]"),
    ],
)
def test_a_test_has_one_key_on_both_databases(node: str, key: str) -> None:
    assert key == key_of_test(node)


def test_a_choice_is_read_as_it_was_written(tmp_path: Path) -> None:
    choice = {"tests/a.py::test_b[x y]": {"1", "2"}, "tests/a.py::test_c": {"3"}}
    write_choice(choice, tmp_path / "cover.txt")
    assert choice == read_choice(tmp_path / "cover.txt")


def test_each_chosen_function_is_there() -> None:
    names = {test.partition("[")[0] for test in read_choice()}
    places = [(ROOT / name.partition("::")[0], name.rpartition("::")[2]) for name in names]
    assert [] == [name for path, name in places if f"def {name}(" not in path.read_text()]


@pytest.mark.whole
def test_each_chosen_case_is_there(request: pytest.FixtureRequest) -> None:
    """A case whose name has changed would run on PostgreSQL no more. A release runs every case there."""
    found = {key_of_test(item.nodeid) for item in request.session.items}
    files = {item.nodeid.partition("::")[0] for item in request.session.items}
    chosen = [test for test in read_choice() if test.partition("::")[0] in files and not release()]
    assert [] == [test for test in chosen if test not in found], "make cover"
