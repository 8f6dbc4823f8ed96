"""Errors in designers' files: the line, what stands there, what was expected. Damaged and hostile files."""

from __future__ import annotations

import resource
import time
from random import Random

import pytest

from rules.designed import reading
from rules.designed.made import rules_from, rules_of
from rules.designed.reading import Faulty, read_design
from tests.rules.twins import FILES

TEXTS = {path.stem: path.read_text() for path in sorted(FILES.glob("*.txt"))}
TAKEN = frozenset({"resign", "draw", "bagel"})


def faults(text: str) -> list[str]:
    with pytest.raises(Faulty) as found:
        read_design(text, TAKEN)
    return found.value.faults


def changed(key: str, before: str, after: str) -> list[str]:
    assert before in TEXTS[key]
    return faults(TEXTS[key].replace(before, after))


@pytest.mark.parametrize(
    ("key", "before", "after", "sentence"),
    [
        (
            "hex",
            "game: Hex",
            "game: Resign",
            'line 1: "resign" is a word of the server or another game; expected',
        ),
        ("hex", "game: Hex", "game: b4", 'line 1: "b4" looks like a cell; expected another name.'),
        ("hex", "game: Hex", "game: {0}", 'line 1: "{0}" is no name; expected one or two words'),
        ("hex", "year: 1942", "year: long ago", 'line 3: "long ago" is no year; expected four digits'),
        ("hex", "lay one", "lay two", 'line 7: "lay two" is unknown; the nearest is "lay one"'),
        ("hex", "lay one", "bid 6", 'line 7: "bid 6" is unknown; expected "lay one"'),
        ("hex", "turn:", "trun:", 'line 7: "trun" is unknown; the nearest is "turn".'),
        ("hex", "turn:", "turn", 'line 7: "turn lay one" has no colon; expected a word, a colon'),
        (
            "hex",
            "bottom and top",
            "botom and top",
            'line 8: "botom" cannot stand there; expected an edge: bottom,',
        ),
        ("hex", "bottom and top", "top and left", "line 8: two edges that lie opposite are joined"),
        ("hex", "Black joins", "Green joins", 'line 8: "Green" is no side; expected Black or White.'),
        ("hex", "rhombus, size 11", "rhombus, size 99", 'line 6: 99 is not among "3 to 19".'),
        (
            "hex",
            "size 11 (3 to 19, rated 5 to 19)",
            "side 90",
            "line 6: 90 makes 8100 cells; expected at most 400.",
        ),
        ("hex", "rhombus", "rombus", 'line 6: "rombus" is unknown; the nearest is "rhombus".'),
        ("hex", "wins: White", "sides: Red X, Blue X\nwins: White", "line 9: one side is X, the other O."),
        (
            "hex",
            "opening: swap",
            "opening: swap\nopening: swap",
            'line 11: "opening" stands on line 10 already.',
        ),
        ("hex", "turn: lay one\n", "", 'line 9: no line says "turn:".'),
        (
            "y-game",
            "joins 3 edges",
            "joins bottom and top",
            "line 8: the edges of a triangle have no names; expected",
        ),
        (
            "y-game",
            "joins 3 edges",
            "joins 4 edges",
            "line 8: 4 edges cannot be joined on a triangle; expected 2 to 3",
        ),
        ("begird", "9 islands", "8 islands", "line 8: 8 islands do not divide side 10; 9 or 17 do."),
        (
            "begird",
            "10 (4 to 19, rated 7 to 19), 9 islands",
            "9 (4 to 19), 9 islands",
            "line 8: 9 islands do not divide side 9; 4, 7, 10, 13, 16 or 19 do.",
        ),
        (
            "bounders",
            "stuck: ends\n",
            "",
            "line 9: where can leave no move; add stuck: loses, passes or ends.",
        ),
        (
            "bounders",
            "score: empty regions, to more stones beside\n",
            "",
            'line 10: "stuck: ends" needs a score; expected a line "score".',
        ),
        (
            "bounders",
            "more regions",
            "fairness",
            'line 12: "fairness" is unknown; expected largest region, more',
        ),
        (
            "reversi",
            "score: stones",
            "score: stones\nties: more regions",
            "line 13: regions are compared after a score of regions.",
        ),
        ("reversi", "takes: flanked rows, turned\n", "", 'line 9: "it takes" needs a line "takes".'),
        ("reversi", "8 (4 6 8 10)", "9", "line 7: four in the middle need a square of an even side"),
        ("gonnect", "never: an earlier board", "never: ko", 'line 10: "ko" is unknown; expected "own group'),
        ("gonnect", "never: an earlier board\n", "", "line 8: stones can be laid and taken for ever; add"),
        ("gomoku", "5 in a row", "20 in a row", "line 8: a row has 3 to 19 stones, not 20."),
        ("gomoku", "15 (7 to 19)", "4", "line 8: a row of 5 has no room on a board of 4."),
        (
            "havannah",
            "hexagon, size 8 (4 to 10, rated 5 to 10)",
            "square, size 8",
            "line 9: rings are made on hexes; expected a board of hexes.",
        ),
        (
            "hadron",
            "stuck: loses",
            "stuck: waits",
            'line 10: "waits" is unknown; expected "loses", "passes" or',
        ),
    ],
)
def test_an_error_names_its_line_and_what_was_expected(key, before, after, sentence):
    found = changed(key, before, after)
    assert any(each.startswith(sentence) for each in found), found


def test_at_most_ten_errors_come_at_once():
    assert 10 == len(faults("\n".join(f"word{n}: nothing" for n in range(25))))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x" * 5000, "line 1: the file has more than 4000 bytes"),
        ("turn: lay one\n" * 40, "line 31: a file has at most 30 lines that count"),
        (f"summary: {'a' * 300}", 'line 1: "summary: aaaa'),
        ("game: A\x07b", 'line 1: "game: A?b" has a sign that cannot be printed'),
        ("", 'line 1: no line says "game:"'),
        ("game:", 'line 1: nothing stands behind "game:"'),
    ],
)
def test_a_file_has_bounds(text, sentence):
    assert any(each.startswith(sentence) for each in faults(text))


def test_comments_empty_lines_and_line_ends_of_windows_do_not_count():
    text = TEXTS["hex"].replace("\n", "\r\n\r\n# a comment: wins\r\n")
    assert read_design(TEXTS["hex"]).sides == read_design(text).sides


HOSTILE = (
    *(
        "{0.__class__.__mro__}",
        "%s%n",
        "{{ 7 * 7 }}",
        "{% include 'x' %}",
        "<script>alert(1)</script>",
        "&lt;",
    ),
    *(
        "(a+)+$",
        "((((((((((",
        "9" * 180,
        "\u202e\u0000",
        "\ud800",
        "__import__('os').system('true')",
        "\\",
        "'",
    ),
    *("side 999999999 (1 to 999999999)", "1000000 rows of 1000000 and 1000001", "resign", "swap", "draw yes"),
    *("wins: 3 in a row", "never: an earlier board", "draws: after 999999 plies", "takes: surrounded groups"),
    *(
        "start: White a1, Black a1",
        "start: four in the middle, crossed",
        "where: it takes",
        "where: on the edge",
    ),
    *("board: square, side 20", "board: hexagon, sides 2 and 12", "moves: step all round", "stuck: passes"),
    *("ties a: draw", "opening: swap2", "turn: move one", "must: take", "note: resign", "note: a1"),
)
SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789 :,()#\t{}%<>&'\"\\\x00\x1b\u00e9\u0301\u202e\U0001f600"


def damaged(seed: int) -> str:
    """A file with some damage, made from one or two of ours."""
    rng = Random(seed)
    lines = TEXTS[rng.choice([*TEXTS])].splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0:
                lines.pop(at)
                lines = lines or [""]
            case 1:
                lines.insert(at, rng.choice(TEXTS[rng.choice([*TEXTS])].splitlines()))
            case 2:
                lines.insert(at, rng.choice(HOSTILE))
            case 3:
                lines[at] = lines[at].partition(":")[0] + ": " + rng.choice(HOSTILE)
            case 4:
                place = rng.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:place] + rng.choice(SIGNS) + lines[at][place + rng.randrange(3) :]
            case 5:
                number = str(rng.choice((0, 1, 2, 7, 20, 99, 100, 12345)))
                lines[at] = "".join(number if sign.isdigit() else sign for sign in lines[at])
            case 6:
                lines[at] = lines[at] * rng.choice((2, 3, 60))
            case 7:
                words = lines[at].split()
                rng.shuffle(words)
                lines[at] = " ".join(words)
    return "\n".join(lines)


def test_a_thousand_damaged_files_are_refused_by_line_or_played():
    most, read = 0.0, 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(1000):
        begun = time.process_time()
        try:
            design = read_design(damaged(seed), TAKEN)
        except Faulty as error:
            assert 1 <= len(error.faults) <= 10
            for fault in error.faults:
                head, _, sentence = fault.partition(": ")
                assert head.startswith("line ") and head[5:].isdigit() and len(sentence) > 10, fault
                assert fault.isprintable() and fault.endswith("."), (seed, fault)
        else:
            read += 1
            position, rng = rules_of(design).start(), Random(seed)
            for _ in range(6):
                if position.outcome is None and position.playable():
                    position = position.play(position.sample(rng))
        most = max(most, time.process_time() - begun)
    assert most < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB
    assert 50 < read < 500


def test_no_file_of_ours_is_damage(subtests):
    for key, text in TEXTS.items():
        with subtests.test(key=key):
            assert rules_from(text, TAKEN).key == key
    assert reading.MAX_FAULTS == 10
