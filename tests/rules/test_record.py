"""A game as text: forgiving to read, canonical to write, replayed to its position and outcome."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.picture import text
from rules.random_play import RandomGame
from rules.record import (
    IllegalPly,
    NoSuchPly,
    NotARecord,
    Record,
    RecordEnding,
    RecordError,
    RecordPly,
    read,
    replay,
    write,
)
from rules.summary import summary, summary_text
from tests.quickness import quick

GOLDEN = Path(__file__).parent / "golden"
SEED_GAME = (GOLDEN / "bipod.game").read_text()
SEED_BOARD = (GOLDEN / "bipod.txt").read_text().removesuffix("\n")


def game(*lines: str, tags: str = "") -> str:
    return "\n".join(['[Game "Bipod"]', *([tags] if tags else []), "", *lines, ""])


# ------------------------------------------------------------------------------- the authors' game


def test_the_authors_game_replays_to_the_board_they_printed():
    played = replay(read(SEED_GAME))
    assert SEED_BOARD == text(played.position.picture())
    assert 19 == played.position.ply


def test_the_authors_game_was_won_by_bill_when_joao_resigned():
    outcome = replay(read(SEED_GAME)).outcome
    assert (0, "Blocker", "Blocker wins: Runner resigned") == (outcome.winner, outcome.side, outcome.reason)


def test_the_authors_game_is_written_as_it_was_read():
    assert SEED_GAME == write(read(SEED_GAME))


def test_the_summary_of_the_authors_game_is_this_data_whole():
    assert json.loads((GOLDEN / "bipod.json").read_text()) == summary(replay(read(SEED_GAME)))


def test_the_game_as_first_printed_is_refused_at_its_first_slip():
    printed = (GOLDEN / "bipod-as-printed.game").read_text()
    with pytest.raises(IllegalPly) as error:
        replay(read(printed))
    assert "line 6: move 3: f7: there is no row 7; column f has rows 2, 4 and 6." == str(error.value)


def test_the_other_slip_names_the_cells_that_were_meant():
    printed = (GOLDEN / "bipod-as-printed.game").read_text().replace("f7", "f6")
    with pytest.raises(IllegalPly) as error:
        replay(read(printed))
    assert str(error.value) == (
        "line 7: move 6: n1: column n has rows 2, 4 and 6, and row 1 has m1 and o1 beside it"
        " (mn1 means m1 n1)."
    )


# ------------------------------------------------------------------------------- forgiving reading


@pytest.mark.parametrize(
    "written",
    [
        game("1 first f2 f4", "2 second e5"),
        game("1 first f2 f4 2 second e5"),
        game("1. first f2 f4   2. second e5"),
        game("1) First f2 f4", "2: SECOND e5"),
        game("", "1 first f2 f4", "", "", "2 second e5", ""),
        game("first f2 f4", "second e5"),
        game("1 f2 f4", "2 e5"),
        game("1. f2 f4 2. e5"),
        game("  1 first f2 f4  ", "\t2 second   e5"),
        game("1 first f2 f4 ; well begun", "; all of it", "2 second e5"),
        game("1 first f2 f4 {well begun} 2 second e5"),
        game("{before", "all} 1 first f2 f4 2 second e5"),
        game("1 first f2 f4", "2 second e5").replace("\n", "\r\n"),
        game("1 first f2 f4", "2 second e5").replace("\n", "\r"),
        "\ufeff" + game("1 first f2 f4", "2 second e5"),
        game("1 first f2 f4", "2 second e5").rstrip("\n"),
        '1 first f2 f4\n2 second e5\n[Game "bipod"]\n',
        '[ Game   "Bipod" ] [Seed "0"]\n1 first f2 f4\n2 second e5',
        '[Game "Bipod"] ; a remark\n1 first f2 f4\n2 second e5',
    ],
)
def test_a_record_is_read_however_it_is_laid_out(written):
    assert ("f2 f4", "e5") == replay(read(written)).moves


def test_comments_belong_to_the_ply_before_them():
    record = read(game("1 first f2 {a bold", "beginning} {indeed}", "2 second e5 ; so so"))
    assert ["a bold beginning indeed", "so so"] == [ply.comment for ply in record.plies]


def test_game_alone_is_needed_of_the_tags():
    assert 0 == replay(read('[Game "Bipod"]')).position.ply


def test_missing_options_take_their_defaults():
    played = replay(read(game(tags='[Options "size=4 stones=2"]')))
    assert {"size": 4, "middle": 4, "rows": 5, "stones": 2} == dict(played.position.options)


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        ("second resign", "resign", "first wins: second resigned"),
        ("second resigns", "resign", "first wins: second resigned"),
        ("2 second resigns.", "resign", "first wins: second resigned"),
        ("2. resign", "resign", "first wins: second resigned"),
        ("first resign", "resign", "second wins: first resigned"),
        ("second timeout", "timeout", "first wins: second ran out of time"),
        ("draw agreed", "draw", "Draw agreed"),
        ("Draw agreed.", "draw", "Draw agreed"),
        ("2 draw agreed", "draw", "Draw agreed"),
        ("second draw agreed", "draw", "Draw agreed"),
    ],
)
def test_the_ending_of_the_server_is_read_with_number_or_without(line, kind, reason):
    record = read(game("1 first f2", line))
    played = replay(record)
    assert kind == record.ending.kind
    assert 1 == len(record.plies)
    assert reason == played.outcome.reason
    assert played.to_play is None


def test_an_ending_may_stand_on_the_line_of_the_last_ply():
    assert RecordEnding("resign", 1) == read(game("1 first f2 second resign")).ending


@pytest.mark.parametrize(
    ("result", "ended", "winner", "reason"),
    [
        ("first", "adjudication", "first", "first wins: adjudication"),
        ("second", "timeout", "second", "second wins: timeout"),
        ("draw", "agreement", None, "Draw: agreement"),
        ("void", "director", None, "Void: director"),
    ],
)
def test_a_result_without_a_last_line_is_taken_from_the_tags(result, ended, winner, reason):
    played = replay(read(game("1 first f2", tags=f'[Result "{result}"]\n[Ended "{ended}"]')))
    data = summary(played)
    assert {"winner": winner, "side": None, "reason": reason} == data["outcome"]
    assert [] == data["playable"]
    assert data["to_play"] is None


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", 'This is no record of a game: it has no [Game "..."] tag.'),
        ("1 first f2\n", 'This is no record of a game: it has no [Game "..."] tag.'),
        ("Dear Bill,\nthanks!", 'line 1: "Dear Bill," is neither a tag nor a move such as 1 first f2.'),
        ("\x00\x01", 'line 1: "\x00\x01" is neither a tag nor a move such as 1 first f2.'),
        (game("1 first f2", "hello"), 'line 4: "hello" is neither a tag nor a move such as 1 first f2.'),
        (
            game("x" * 60),
            f'line 3: "{"x" * 37}..." is neither a tag nor a move such as 1 first f2.',
        ),
        ("[Game Bipod]", 'line 1: a tag is written [Name "value"].'),
        ('[Game "Bipod', 'line 1: a tag is written [Name "value"].'),
        (game("1 first"), 'line 3: "1 first" has a number without its move.'),
        (game("1 first f2", "3 second e5"), "line 4: this is move 3, where move 2 is due."),
        (game("1 first f2 {oh", "dear"), "line 3: a comment begins with { and is never closed."),
        (
            '[Game "Bipod"]\n[Result "first"]\n1 first f2\n[Result "second"]',
            'line 4: the tag Result stands here as "second", and above as "first".',
        ),
        (
            '[Game "Bipod"] [First "Bill"] [First "Joao"]',
            'line 1: the tag First stands here as "Joao", and above as "Bill".',
        ),
        (
            game("1 first f2", "second resign", "3 first f4"),
            "line 5: the game has ended in line 4, no move can follow.",
        ),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(written, sentence):
    with pytest.raises(NotARecord) as error:
        read(written)
    assert sentence == str(error.value)


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        ('[Options "size=9"]', "Options: size=9 cannot be: size is 3 to 8."),
        ('[Options "size=5 rows=6 size=6"]', "Options: size stands there as 5 and as 6."),
        ('[Options "size"]', "Options: size should be a name and a value, as in size=..."),
        ('[Seed "x"]', "Seed: x is no whole number of at most 40 digits."),
        (f'[Seed "{"9" * 5000}"]', f"Seed: {'9' * 40} is no whole number of at most 40 digits."),
        ('[Rules "7"]', "The record follows version 7 of the rules of Bipod; here is 1."),
    ],
)
def test_tags_that_cannot_be_followed_are_refused(tags, sentence):
    with pytest.raises(NotARecord) as error:
        replay(read(game("1 first f2", tags=tags)))
    assert sentence == str(error.value)


def test_a_game_that_is_not_known_is_refused_with_those_that_are():
    with pytest.raises(NotARecord) as error:
        replay(read('[Game "Chess"]\n1 first f2'))
    known = ", ".join(rules.name for rules in RULES.values())
    assert f'There is no game "Chess" here; there are: {known}.' == str(error.value)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["1 first f7"], "line 3: move 1: f7: there is no row 7; column f has rows 2, 4 and 6."),
        (["1 first f2", "", "2 second f2"], "line 5: move 2: f2 is taken (a block, move 1)."),
        (["1 first f2 2 second f2"], "line 3: move 2: f2 is taken (a block, move 1)."),
        (["1 second f2"], "line 3: move 1: first is to play, not second."),
        (["1 first f2", "2 first f4"], "line 4: move 2: second is to play, not first."),
        (
            ["1 first hello"],
            "line 3: move 1: That is no move of Bipod: a move is cells such as f2 f4 g3, or adopt.",
        ),
        (
            ["1 first mo13"],
            "line 3: move 1: mo13: several columns with several rows are not clear;"
            " write m1 m3 o1 o3 or m1 o3.",
        ),
        (
            ["{one", "two}", "1 first f7"],
            "line 5: move 1: f7: there is no row 7; column f has rows 2, 4 and 6.",
        ),
    ],
)
def test_a_ply_that_the_rules_refuse_is_named_with_line_and_number(lines, sentence):
    with pytest.raises(IllegalPly) as error:
        replay(read(game(*lines)))
    assert sentence == str(error.value)


WALLED = ["1 first e1 f2 h2", "2 second j2 n2 p2", "3 first q1", "4 second adopt"]
"""Blocker has won by the rules of the game, on a board of size 3."""


@pytest.mark.parametrize("late", ["5 first a1", "first resign", "draw agreed"])
def test_nothing_can_follow_the_end_by_the_rules(late):
    with pytest.raises(IllegalPly, match=r"^line 9: .*Blocker wins: each path shuts the other off"):
        replay(read(game(*WALLED, "", late, tags='[Options "size=3"]')))


def test_an_end_by_the_rules_outdoes_the_result_tag():
    played = replay(read(game(*WALLED, tags='[Options "size=3"]\n[Result "first"]')))
    assert (1, "Blocker") == (played.outcome.winner, played.outcome.side)


# ------------------------------------------------------------------------------------ up to a ply


def test_a_replay_can_stop_at_a_ply():
    played = replay(read(SEED_GAME), ply=6)
    assert ("m1 o1 n2", 6) == (played.moves[-1], played.position.ply)
    data = summary(played)
    assert ("first", None, None) == (data["to_play"], data["side_to_play"], data["outcome"])


def test_ply_0_is_the_start():
    assert 85 == len(summary(replay(read(SEED_GAME), ply=0))["playable"])


def test_the_last_ply_asked_for_by_number_is_the_position_before_the_ending():
    data = summary(replay(read(SEED_GAME), ply=19))
    assert ("second", "Runner", None) == (data["to_play"], data["side_to_play"], data["outcome"])


def test_a_slip_after_the_ply_asked_for_does_no_harm():
    assert 2 == replay(read(game("1 first f2", "2 second f4", "3 first f7")), ply=2).position.ply


@pytest.mark.parametrize("ply", [-1, 20, 1000])
def test_a_ply_that_is_not_there_is_refused(ply):
    with pytest.raises(NoSuchPly) as error:
        replay(read(SEED_GAME), ply=ply)
    assert f"The record has moves 1 to 19, so none numbered {ply}." == str(error.value)


# ------------------------------------------------------------------------------------ what is told


def test_a_game_under_way_is_told_with_board_last_ply_and_who_is_to_play():
    assert summary_text(replay(read(SEED_GAME), ply=8)).splitlines()[-2:] == [
        "Ply 8: k3 o",
        "To play: first (Blocker).",
    ]


def test_a_game_that_is_over_is_told_with_its_reason():
    assert summary_text(replay(read(SEED_GAME))) == (
        f"{SEED_BOARD}\n\nPly 19: j4\nBlocker wins: Runner resigned (first)."
    )


# ----------------------------------------------------------------------------------------- writing


def test_writing_puts_one_ply_a_line_and_fingerprint_and_signature_last():
    record = Record(
        {"Game": "Bipod", "Fingerprint": "c0ffee", "First": 'Bill "the \\ Block"', "Signature": "5eal"},
        (RecordPly(0, "f2", "a {curly}\ncomment"), RecordPly(1, "adopt")),
        RecordEnding("timeout", 0, "alas"),
    )
    assert write(record) == (
        '[Game "Bipod"]\n'
        '[First "Bill \\"the \\\\ Block\\""]\n'
        "\n"
        "1 first f2 {a (curly) comment}\n"
        "2 second adopt\n"
        "first timeout {alas}\n"
        "\n"
        '[Fingerprint "c0ffee"]\n'
        '[Signature "5eal"]\n'
    )


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_a_written_game_reads_and_replays_the_same(key, seed):
    plies, last = [], None
    for position, move in RandomGame(RULES[key], {}, seed).steps:
        last = position
        if move is not None:
            plies.append(RecordPly(position.to_play, str(move)))
    options = " ".join(f"{name}={value}" for name, value in last.options.items())
    record = Record({"Game": RULES[key].name, "Options": options, "Seed": str(seed)}, tuple(plies))
    assert record == read(write(record))
    assert last == replay(read(write(record))).position


plain = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
comments = st.none() | plain.filter(lambda text: not set(text) & set("{}"))
endings = st.none() | st.builds(
    RecordEnding, st.sampled_from(["resign", "timeout"]), st.sampled_from([0, 1]), comments
)


@given(
    tags=st.dictionaries(st.sampled_from(["Site", "First", "Second", "Event"]), plain),
    plies=st.lists(
        st.builds(RecordPly, st.sampled_from([0, 1]), st.sampled_from(["f2", "k3 o", "adopt"]), comments)
    ),
    ending=endings | st.just(RecordEnding("draw")),
)
def test_reading_undoes_writing(tags, plies, ending):
    record = Record({"Game": "Bipod", **tags}, tuple(plies), ending)
    assert record == read(write(record))


@given(st.text(max_size=400))
def test_any_text_is_a_record_or_is_refused_with_a_sentence(junk):
    try:
        summary(replay(read(junk)))
    except RecordError as error:
        assert str(error)


@given(st.randoms(use_true_random=False))
def test_a_damaged_record_is_read_or_refused_with_a_sentence(rng: Random):
    text = list(SEED_GAME)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(text))
        text[place] = rng.choice(["", "{", "}", '"', "[", "]", "\n", ";", "9", "first", " ", "é"])
    try:
        summary(replay(read("".join(text))))
    except RecordError as error:
        assert str(error)


def test_a_tag_that_says_the_same_twice_is_one_tag():
    assert {"Game": "Bipod", "First": "Bill"} == read('[Game "Bipod"]\n[First "Bill"]\n[First "Bill"]').tags


def test_a_value_of_nothing_but_blanks_takes_no_time():
    quick(1, lambda: read(f'[Game "Bipod"]\n[Event "{" " * 90_000}"]\n'))


def test_a_huge_record_is_read_in_a_moment():
    blanks = " \n" * 200_000
    assert () == read(f'[Game "Bipod"]\n{blanks}{{{blanks}}}').plies
