"""Lines that begin with `if`: valid, wrong, wrapped, and prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.parsing.line import Command, read_line
from pbem.core.parsing.mail_orders import GameBlock, read_orders
from rules import RULES
from rules.contract import RulesError

READ = RULES["bipod"].start().read


def block(words: str) -> GameBlock:
    (found,) = read_orders(words, marked=True, reader=READ).blocks
    return found


def steps(words: str) -> list[object]:
    """The steps of all conditional lines, or the sentence of an error."""
    return [
        str(c.error) if c.error else c.args.get("steps") for c in block(words).commands if c.verb == "plan"
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if f2 then f4", (("f2", ("f4",)),)),
        ("Plans: if f2 then f4", (("f2", ("f4",)),)),
        ("my plan: If f2 then f4", (("f2", ("f4",)),)),
        ("IF f2 THEN f4", (("f2", ("f4",)),)),
        ("if  f2 f4   then  g3", (("f2 f4", ("g3",)),)),
        ("if f2, then f4.", (("f2", ("f4",)),)),
        ("- if f2 then f4", (("f2", ("f4",)),)),
        ("if f2 then f4 if g3 then h4", (("f2", ("f4",)), ("g3", ("h4",)))),
        ("if f2 then f4 then g3", (("f2", ("f4", "g3")),)),
        ("if Any then Resign", (("any", ("resign",)),)),
        ("if any then resign yes", (("any", ("resign",)),)),
        ("if draw then accept draw", (("draw", ("accept",)),)),
        ("if adopt then adopt", (("adopt", ("adopt",)),)),
        ("if", ()),
    ],
)
def test_a_plan_is_read_step_by_step(line: str, expected: object) -> None:
    assert [expected] == steps(line)


def test_several_plans_stand_on_lines_of_their_own_or_behind_semicolons() -> None:
    two = [(("f2", ("f4",)),), (("g3", ("h4",)),)]
    assert two == steps("if f2 then f4\nif g3 then h4")
    assert two == steps("if f2 then f4\n\nif g3 then h4")
    assert two == steps("if f2 then f4; if g3 then h4")


def test_a_plan_may_be_forgotten() -> None:
    assert [{"clear": True}] == [command.args for command in block("If clear.").commands]


@pytest.mark.parametrize(
    "line",
    [
        "if f2 than f4",
        "if f2 f4",
        "if f2 then",
        "if then f2",
        "if f2 then maybe g3",
        "if f2 then f4 if g3",
        "if f2 then f4 else h4",
        "if any f2",
        "if any then mistyped",
        "if mistyped then resign",
        "if draw then acept",
        "if f2 then f4; nothing else",
        "if f2 then f4, if g3 them h4",
        "fi f2 then f4",
        "iff f2 then f4",
        "if f2 -> f4",
        "if f2: f4",
    ],
)
def test_what_is_meant_as_a_plan_and_is_none_is_an_error_and_no_words_for_the_other(line: str) -> None:
    found = block(f"h4\n{line}\nHave fun!")
    assert [None, True] == [None if c.error is None else True for c in found.commands]
    assert "Have fun!" == found.comment


@pytest.mark.parametrize(
    "line",
    [
        "if only I knew",
        "If you like, then we can have another one",
        "If I had played g3 then you would have won",
        "if any of this is unclear, please ask",
        "If so, fine.",
        "iffy, that",
        "of course, and then f2 would have been next",
    ],
)
def test_prose_that_begins_with_if_stays_words(line: str) -> None:
    found = block(f"h4\n{line}")
    assert (["h4"], line) == ([command.text for command in found.commands], found.comment)


def wrapped(line: str, width: int) -> str:
    """A line as a mail program wraps it."""
    lines = [""]
    for word in line.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def test_a_plan_that_a_mail_program_broke_is_read_whole_or_refused_but_never_cut() -> None:
    cells = "f2 f4 g3 h2 h4 h6 j2 j4 k3 k5 l2 l4 m3 m5 n2 n4 o3 o5".split()
    line = " ".join(f"if {cells[n]} then {cells[n + 1]}" for n in range(0, 18, 2))
    (whole,) = steps(line)
    told = [found for width in range(64, 79) for found in steps(wrapped(line, width))]
    assert {True, False} == {found == whole for found in told}
    assert [] == [found for found in told if found != whole and "may have broken" not in str(found)]


def test_short_lines_of_a_plan_are_branches_of_their_own() -> None:
    assert 3 == len(steps("if f2 then f4\nif g3 then h4\nif any then resign"))


def test_a_long_line_with_words_below_it_is_a_plan_with_words_below_it() -> None:
    line = " ".join(f"if {a} then {b}" for a, b in [("f2", "f4"), ("g3", "h2"), ("h4", "h6"), ("j2", "j4")])
    found = block(f"h4\n{line}\nThat was fun, was it not?")
    assert ["move", "plan"] == [command.verb for command in found.commands]
    assert (None, "That was fun, was it not?") == (found.commands[1].error, found.comment)


def test_without_a_game_nothing_is_a_plan() -> None:
    assert None is read_line("if f2 then f4", None)


PIECES = st.sampled_from(
    "if then any draw clear resign accept f2 g3 f7 adopt , ; say game 7 if\nthen #7".split(" ")
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=40).map(" ".join))
def test_junk_never_breaks_the_reader_and_no_plan_becomes_words(words: str) -> None:
    orders = read_orders(f"h4\n{words}", marked=True, reader=READ, reader_of=lambda _: READ)
    for found in orders.blocks:
        broken = [command for command in found.commands if command.error is not None]
        assert all(isinstance(command.error, RulesError) for command in broken)
        below = found.comment.split("\n")[1 if found.said else 0 :]
        assert broken or not any(is_plan(line) for line in below)


def is_plan(line: str) -> bool:
    found = read_line(line.strip(), READ) if line.strip() else None
    commands: tuple[Command, ...] = found.commands if found else ()
    return any(c.verb == "plan" and c.error is None and c.args.get("steps") for c in commands)


@pytest.mark.parametrize(
    "line",
    [
        *("- if f2 then f4", "* plan if f2 then f4", "Plans - if f2 then f4", "plans = if f2 then f4"),
        *("Plan A: if f2 then f4", "my plan is: if f2 then f4", "Plans (secret): if f2 then f4"),
        *("**Plans:** if f2 then f4", "Conditional: if f2 then f4", "Then if f2 then f4", "if: f2 then f4"),
        *("1) if f2 then f4", "(if f2 then f4)", '"if f2 then f4"', "When f2 then f4", "#3 if f2 then f4."),
    ],
)
@pytest.mark.parametrize("above", ["", "Plans:\n", "Good luck!\n"])
def test_a_plan_in_any_dress_goes_to_nobody(above: str, line: str) -> None:
    found = block(f"g3\n{above}{line}")
    plans = [command for command in found.commands if command.verb == "plan"]
    assert plans, "it is read as a plan, or refused"
    assert line not in found.comment or plans[-1].error


@pytest.mark.parametrize(
    "line", ["If you like, f2 was fine then.", "What if I had played f2?", "When is f2 due?"]
)
def test_words_with_if_are_words(line: str) -> None:
    assert ["move"] == [command.verb for command in block(f"g3\n\nHello!\n{line}").commands]
