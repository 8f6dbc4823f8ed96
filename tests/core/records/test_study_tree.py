"""A study's tree: variations beside a record, their numbers, comments, and what an address keeps of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pbem.core.records import study
from pbem.core.records.study import (
    MAX_PLIES,
    MAX_TAG,
    MAX_WORDS,
    Study,
    TooLong,
    open_study,
    pack_tree,
    say_of_move,
    study_path,
    take_out,
    try_move,
    unpack_tree,
)
from pbem.core.records.study_tree import StudyTree, Variation
from rules import RULES, record
from rules.contract import RulesError
from tests.core.records.test_study import made_up

GAME = '[Game "Bipod"]\n1 first f2\n2 second f4\n3 first g3'


def at(address: str) -> Study:
    """The study that an address leads to."""
    _, _, code, *n = address.partition("?")[0].split("/")
    return open_study(code, int(n[0]) if n else None)


def tried(found: Study, *moves: str) -> Study:
    for move in moves:
        found = at(try_move(found, move))
    return found


def shown(found: Study, n: int) -> Study:
    return open_study(found.code, n)


def moves(found: Study) -> list[str]:
    return [step.move for step in found.steps]


def test_a_move_at_the_end_of_an_open_record_is_one_of_its_own() -> None:
    found = tried(at(study_path(GAME)), "i1")
    assert (4, 4, ()) == (found.n, found.tree.main, found.tree.variations)
    assert ["f2", "f4", "g3", "i1"] == moves(found)


def test_a_move_from_before_begins_a_variation_and_leaves_the_record_as_it_is() -> None:
    start = at(study_path(GAME))
    found = tried(shown(start, 1), "i1", "h2")
    assert ["f2", "i1", "h2"] == moves(found)
    assert (5, 4, 2, 3) == (found.n, found.previous, found.shown.ply - 1, found.depth)
    assert ["f2", "f4", "g3"] == moves(shown(found, 3))
    assert [(1, (4, 5))] == [(line.after, line.numbers) for line in found.tree.lines()]
    assert 3 == shown(found, 1).last


def test_the_same_move_again_leads_to_where_it_is() -> None:
    start = at(study_path(GAME))
    assert 2 == tried(shown(start, 1), "f4").n
    once = tried(shown(start, 1), "i1")
    assert once.code == tried(shown(once, 1), "i1").code


def test_after_a_game_that_is_over_a_move_is_a_variation() -> None:
    found = at(study_path(GAME + "\nsecond resign {Well played.}"))
    tried_on = tried(shown(found, 3), "i1")
    assert 1 == len(tried_on.tree.variations)
    assert None is tried_on.played.outcome
    assert shown(tried_on, 3).played.outcome is not None


def test_when_the_record_grows_variations_keep_their_places() -> None:
    found = tried(shown(at(study_path(GAME)), 1), "i1", "h2")
    grown = tried(shown(found, 3), "u5")
    assert ["f2", "i1", "h2"] == moves(shown(grown, 6))
    assert ["f2", "f4", "g3", "u5"] == moves(shown(grown, 4))


def test_comments_stand_at_moves_of_the_record_and_of_variations() -> None:
    found = tried(shown(at(study_path(GAME)), 1), "i1")
    said = at(say_of_move(found, " Or  here?\r\n "))
    said = at(say_of_move(shown(said, 1), "Usual."))
    assert ("Usual.", "Or  here?") == tuple(step.comment for step in shown(said, 4).steps)
    assert None is at(say_of_move(shown(said, 4), "  ")).steps[1].comment


def test_a_move_is_taken_out_with_all_that_follows_it() -> None:
    found = tried(shown(at(study_path(GAME)), 1), "i1", "h2")
    found = tried(shown(found, 4), "u5")
    without = at(take_out(shown(found, 5)))
    assert (4, ["f2", "i1", "u5"]) == (without.n, moves(shown(without, 5)))
    cut = at(take_out(shown(found, 1)))
    assert (0, 0, []) == (cut.n, cut.tree.size, moves(cut))
    over = at(study_path(GAME + "\nsecond resign"))
    assert None is at(take_out(shown(over, 3))).played.outcome


def test_what_is_no_move_is_refused_by_the_rules() -> None:
    with pytest.raises(RulesError, match="f2 is taken"):
        try_move(at(study_path(GAME)), "f2")


def test_a_study_has_a_largest_size() -> None:
    full = made_up([{"Game": "Bipod"}, "f2", None, None, ["0 f4"] * (MAX_PLIES - 1)])
    with pytest.raises(TooLong, match="1000 moves"):
        try_move(open_study(full, 1), "f4")


@pytest.mark.parametrize(
    "lines",
    [
        ["2 f4"],
        ["1 f4", "3 g3"],
        ["-1 f4"],
        ["one f4"],
        ["1"],
        ["1 "],
        [7],
        7,
        {"1": "f4"},
        ["0 f4"] * MAX_PLIES,
    ],
)
def test_variations_that_somebody_made_up_are_refused(lines: object) -> None:
    with pytest.raises((study.DamagedAddress, record.RecordError)):
        open_study(made_up([{"Game": "Bipod"}, "f2", None, None, lines]))


def test_an_end_that_somebody_made_up_is_refused() -> None:
    with pytest.raises((study.DamagedAddress, record.RecordError)):
        open_study(made_up([{"Game": "Bipod"}, "f2", ["resign", 0.0, None]]))


def test_an_illegal_variation_is_named_where_it_is_shown_and_does_no_harm_elsewhere() -> None:
    code = made_up([{"Game": "Bipod"}, "f2", None, None, ["1 f2"]])
    assert ["f2"] == moves(open_study(code, 1))
    with pytest.raises(record.IllegalPly, match="move 2: f2 is taken"):
        open_study(code, 2)


WAYS = some.sampled_from(["move", "move", "say", "out"])


@given(some.lists(some.tuples(some.integers(0, 30), some.integers(0, 4), WAYS, some.text()), max_size=30))
def test_whatever_is_tried_said_and_taken_out_a_link_holds_it_whole(
    steps: list[tuple[int, int, str, str]],
) -> None:
    found = at(study_path('[Game "Begird"]\n[Options "islands=3 side=4"]'))
    for n, which, way, words in steps:
        found = shown(found, n % (found.tree.size + 1))
        if way == "out" and found.n:
            found = at(take_out(found))
        elif way == "say" and found.n:
            tree = found.tree.with_comment(found.n, "\n".join(words.splitlines()))
            found = at(say_of_move(found, words))
            assert tree == found.tree
        elif found.shown.outcome is None:
            found = at(try_move(found, str(found.shown.sample(Random(which)))))
        for number in range(found.tree.size + 1):
            assert found.tree.depths[number] == shown(found, number).shown.ply
    line = record.replay(record.read(record.write(found.text_record)))
    assert moves(found) == list(line.moves)
    numbers = [n for line in found.tree.lines() for n in line.numbers]
    assert sorted(numbers) == list(range(found.tree.main + 1, found.tree.size + 1))


MOVES = some.text(some.characters(exclude_categories=["C", "Z"]), min_size=1)
WORDS = some.none() | some.text(min_size=1)


@given(some.lists(some.tuples(MOVES, WORDS)), some.lists(some.tuples(some.integers(0), MOVES, WORDS)))
def test_a_link_holds_any_tree(
    main: list[tuple[str, str | None]], beside: list[tuple[int, str, str | None]]
) -> None:
    plies = tuple(record.RecordPly(None, move, said, n) for n, (move, said) in enumerate(main, 1))
    variations = tuple(
        Variation(parent % (len(main) + n), move, said) for n, (parent, move, said) in enumerate(beside, 1)
    )
    tree = StudyTree(record.Record({"Game": "Bipod"}, plies), variations)
    assert tree == unpack_tree(pack_tree(tree))


def test_a_comment_and_a_tag_have_a_largest_size() -> None:
    found = at(study_path(GAME))
    assert "x" * MAX_WORDS == at(say_of_move(found, "x" * MAX_WORDS)).steps[2].comment
    with pytest.raises(TooLong, match="at most 1,000 characters, and this one has 1,001"):
        say_of_move(found, "x" * (MAX_WORDS + 1))
    long = made_up([{"Game": "Bipod", "First": "a" * 300_000}, "f2"])
    assert MAX_TAG == len(open_study(long).name(0))


@pytest.mark.parametrize("half", ["\ud800", "\udfff"])
def test_half_a_character_in_a_link_is_damage(half: str) -> None:
    for data in ([{"Game": "Bipod", "First": half}, "f2"], [{"Game": "Bipod"}, "f2", None, {"1": half}]):
        with pytest.raises(study.DamagedAddress):
            open_study(made_up(data))


def test_a_wide_and_a_deep_tree_are_one_list_each() -> None:
    wide = made_up([{"Game": "Bipod"}, "f2", None, None, ["1 f4"] * (MAX_PLIES - 1)])
    assert MAX_PLIES - 1 == len(open_study(wide, 1).tree.lines())
    deep = made_up([{"Game": "Bipod"}, "f2", None, None, [f"{n} f4" for n in range(1, MAX_PLIES)]])
    tree = open_study(deep, 1).tree
    assert (MAX_PLIES, 1, MAX_PLIES) == (max(tree.depths), len(tree.lines()), len(tree.line(MAX_PLIES)))


@pytest.mark.parametrize("key", RULES)
def test_moves_can_be_tried_in_every_game(key: str) -> None:
    found = at(study_path(f'[Game "{RULES[key].name}"]'))
    assert StudyTree(found.tree.record) == found.tree
    ways = {str(found.shown.sample(Random(seed))) for seed in range(20)}
    for move in sorted(ways):
        found = tried(shown(found, 0), move)
    assert len(ways) == found.tree.size == len(found.tree.children[0])
