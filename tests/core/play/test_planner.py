"""Trees of planned plies: how they grow, what they are called, and what of them can be kept."""

from __future__ import annotations

from functools import reduce

from pbem.core.play.planner import (
    NO_ANSWER,
    TWICE,
    PlanTree,
    judge_tree,
    lines_of_plan,
    position_after_line,
    read_plan_line,
    write_plan_line,
)
from rules import RULES
from rules.contract import Position


def grown(*lines: str) -> PlanTree:
    return reduce(PlanTree.with_line, map(read_plan_line, lines), PlanTree())


def board(*plies: str, key: str = "begird") -> Position:
    """The board after some plies, the first player's first."""
    return reduce(lambda position, ply: position.play(position.read(ply)), plies, RULES[key].start({}))


def shown(tree: PlanTree) -> list[tuple[str, str]]:
    return [(row.label, write_plan_line(row.line[row.start :])) for row in tree.rows({})]


def problems(tree: PlanTree, position: Position) -> dict[str, str]:
    return {write_plan_line(line): why for line, why in judge_tree(tree, position, 0).problems.items()}


def kept(tree: PlanTree, position: Position) -> list[str]:
    return judge_tree(tree, position, 0).written


# The tree.


def test_a_line_that_goes_on_takes_the_place_of_what_it_goes_on_from() -> None:
    tree = grown("if b2 then c3", "if d4", "if b2 then c3 if e5", "if b2 then c3")
    assert ["if b2 then c3 if e5", "if d4"] == [*map(write_plan_line, tree.lines)]


def test_branches_stand_beside_what_they_share_most_with() -> None:
    tree = grown("if b2 then c3 if d4 then e5", "if f6 then g7", "if b2 then c3 if h8 then i9")
    assert [
        ("1", "if b2 then c3"),
        ("1.1", "if d4 then e5"),
        ("1.2", "if h8 then i9"),
        ("2", "if f6 then g7"),
    ] == shown(tree)


def test_a_row_is_removed_with_all_that_follows_and_nothing_else() -> None:
    tree = grown("if b2 then c3 if d4 then e5 if f6 then g7", "if b2 then c3 if h8 then i9", "if d4 then e5")
    rows = {row.label: row for row in tree.rows({})}
    assert [("1", "if b2 then c3"), ("1.1", "if h8 then i9"), ("2", "if d4 then e5")] == shown(
        tree.without(rows["1.1"])
    )
    assert [("1", "if d4 then e5")] == shown(tree.without(rows["1"]))
    alone = grown("if b2 then c3 if d4 then e5")
    assert [("1", "if b2 then c3")] == shown(alone.without([*alone.rows({})][1]))


def test_what_follows_the_plies_that_were_played_is_left() -> None:
    tree = grown("if b2 then c3 if d4 then e5", "if f6 then g7", "if b2 then c3 if h8")
    assert ["if d4 then e5", "if h8"] == [*map(write_plan_line, tree.after(["b2", "c3"]).lines)]
    assert () == tree.after(["i9"]).lines


# What can be kept.


def test_the_tree_is_kept_as_a_mail_would_be_and_read_back() -> None:
    lines = ["if b2 then c3 if d4 then e5", "if b2 then c3 if h8 then i9", "if f6 then g7"]
    judged = judge_tree(grown(*lines), board("a1"), 0)
    assert (lines, {}) == (judged.written, judged.problems)
    assert lines == [*map(write_plan_line, lines_of_plan(judged.plan))]


def test_a_ply_without_an_answer_waits_for_one_and_what_is_above_it_is_kept() -> None:
    tree = grown("if b2 then c3 if d4", "if f6")
    assert {"if b2 then c3 if d4": NO_ANSWER, "if f6": NO_ANSWER} == problems(tree, board("a1"))
    assert ["if b2 then c3"] == kept(tree, board("a1"))


def test_the_first_of_two_answers_is_kept_and_the_second_says_why_not() -> None:
    tree = grown("if b2 then c3", "if b2 then d4 if e5 then f6")
    assert ["if b2 then c3"] == kept(tree, board("a1"))
    ((row, why),) = problems(tree, board("a1")).items()
    assert "if b2 then d4" == row
    assert "This has an answer already, “c3”" in why


def test_an_impossible_ply_of_either_says_what_a_mail_would_say() -> None:
    tree = grown("if a1 then c3", "if b2 then a1")
    found = problems(tree, board("a1"))
    assert [] == kept(tree, board("a1"))
    assert all(why.startswith('In "if ') and "a1 is taken" in why for why in found.values())


def test_a_plan_that_is_too_deep_or_too_large_is_kept_as_far_as_it_may_be() -> None:
    cells = [name for name in board("a1").picture().names if name != "a1"]
    pairs = [f"if {theirs} then {mine}" for theirs, mine in zip(cells[::2], cells[1::2], strict=False)]
    deep = grown(" ".join(pairs[:12]))
    assert [" ".join(pairs[:10])] == kept(deep, board("a1"))
    (why,) = problems(deep, board("a1")).items()
    assert (" ".join(pairs[:11]), True) == (why[0], "goes deeper" in why[1])
    large = grown(*pairs[:51])
    assert pairs[:50] == kept(large, board("a1"))
    assert "at most 50 answers" in problems(large, board("a1"))[pairs[50]]


def test_two_plies_of_one_player_cannot_be_said_in_a_plan() -> None:
    tree = grown("if b2 then c3 if d4 if e5 then f6", "then g7 if h8 then i9")
    assert ["if b2 then c3"] == kept(tree, board("a1"))
    assert {"if b2 then c3 if d4": TWICE, "then g7": TWICE} == problems(tree, board("a1"))


def test_a_word_has_no_board_and_is_kept_all_the_same() -> None:
    tree = grown("if any then resign", "if draw then decline")
    assert ["if any then resign", "if draw then decline"] == kept(tree, board("a1"))
    assert position_after_line(board("a1"), tree.lines[0]) is None
