"""Study addresses: they hold any short record, and do no harm."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pbem.core.records import study
from pbem.core.records.gamerecord import gamerecord
from pbem.core.records.record import record_of
from pbem.core.records.study import MAX_PACKED, DamagedAddress, TooLong, open_study, study_path
from rules import RULES, record
from rules.record import IllegalPly, NoSuchPly, NotARecord
from tests.core.example_records import ENDS, chance_game, ended, the_seeds_game
from tests.people import HOST, SEED_PLIES


def code_of(text: str) -> str:
    return study_path(text).removeprefix("/study/").partition("?")[0]


def made_up(data: object) -> str:
    """A forged address."""
    packer = zlib.compressobj(9, zdict=study.USUAL)
    return urlsafe_b64encode(packer.compress(json.dumps(data).encode()) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize("key", RULES)
def test_whole_games_of_every_kind_fit_and_come_out_as_they_went_in(key):
    games = [chance_game(key, seed, most=250) for seed in range(3)]
    games += [ended(chance_game(key, 5, most=6), how) for how in ENDS]
    for game in games:
        wanted = record.replay(record.read(record.write(record_of(game, HOST))))
        found = open_study(code_of(record.write(record_of(game, HOST))))
        assert (wanted.moves, wanted.seats, wanted.outcome) == (
            found.played.moves,
            found.played.seats,
            found.played.outcome,
        )
        assert wanted.position.data() == found.shown.data()
        assert dict(wanted.record.tags) == dict(wanted.record.tags) | dict(found.played.record.tags)


def test_a_study_shows_any_ply_with_its_comment():
    plies = "1 first f2 f4 g3 {Béla: <b>go</b>}\n2 second e5 g1\nsecond resign {Enough.}"
    text = f'[Game "Bipod"]\n[First "Bill"]\n{plies}'
    code = code_of(text)
    assert [0, 1, 2, 2] == [open_study(code, n).n for n in (0, 1, 2, None)]
    found = open_study(code, 1)
    assert found.step is not None
    assert ("f2 f4 g3", "Béla: <b>go</b>", 0) == (found.step.move, found.step.comment, found.step.seat)
    assert (1, ["Bill", "Second"]) == (found.shown.ply, [found.name(0), found.name(1)])
    assert "Enough." == open_study(code).played.record.ending.comment
    with pytest.raises(NoSuchPly):
        open_study(code, 3)


def test_moves_are_kept_in_canonical_spelling_and_the_record_can_be_had_again():
    text = record.write(record_of(the_seeds_game(), HOST))
    found = open_study(code_of(text.replace("m1 o1", "mo1")))
    assert tuple(SEED_PLIES) == found.played.moves
    again = record.write(found.text_record)
    assert text.partition("[Fingerprint")[0].split()[-40:] == again.split()[-40:]


def test_a_game_record_in_json_is_a_study_too():
    found = open_study(code_of(json.dumps(gamerecord(the_seeds_game(), HOST))))
    assert tuple(SEED_PLIES) == found.played.moves


def test_the_address_of_a_usual_game_is_short():
    assert len(code_of(record.write(record_of(the_seeds_game(), HOST)))) < 400


def test_comments_that_have_no_room_are_left_out_and_the_address_says_so():
    noise = "".join(chr(Random(1).randrange(97, 123)) for _ in range(10))
    words = " ".join(str(Random(n).random()) + noise for n in range(300))
    text = '[Game "Bipod"]\n1 first f2 {' + words + "}\nfirst resign {" + words + "}"
    assert study_path(text).endswith("?comments=none")
    assert open_study(code_of(text)).steps[0].comment is None


def test_what_is_too_long_is_said_so():
    with pytest.raises(TooLong, match="100,000"):
        study_path("x" * 100_001)
    with pytest.raises(TooLong, match="1001 moves; up to 1000"):
        study_path('[Game "Bipod"]\n' + "".join(f"{n} f2\n" for n in range(1, 1002)))
    name = "".join(chr(Random(n).randrange(97, 123)) for n in range(9000))
    with pytest.raises(TooLong, match="has room for 3,500"):
        study_path(f'[Game "Bipod"]\n[First "{name}"]')


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[Game "Bipod"]\n\n1 first f2\n\n2 second f2', "line 5: move 2: f2 is taken (a block, move 1)."),
        ("hello", 'line 1: "hello" is neither a tag nor a move such as 1 first f2.'),
        ('[Game "Chess"]', 'There is no game "Chess" here'),
        ("{}", "This JSON is no record of a game of ours"),
    ],
)
def test_a_bad_record_is_refused_with_its_line(text, sentence):
    with pytest.raises((IllegalPly, NotARecord)) as error:
        study_path(text)
    assert str(error.value).startswith(sentence)


@given(some.text(max_size=200))
def test_any_address_is_a_study_or_none(code):
    with suppress(DamagedAddress, record.RecordError):
        assert code == open_study(code).code


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        [{"Game": "Bipod"}],
        [{"Game": ["Bipod"]}, ""],
        [{"Game": "Bipod"}, 7],
        [{"Game": "Bipod"}, "f2", ["win", 0, None]],
        [{"Game": "Bipod"}, "f2", ["resign", 7, None]],
        [{"Game": "Bipod"}, "f2", None, []],
        [{"Game": "Bipod"}, "f2\n" * 1001],
        [[[]] * 100],
    ],
)
def test_an_address_that_somebody_made_up_is_refused(data):
    with pytest.raises((DamagedAddress, record.RecordError)):
        open_study(made_up(data))


def test_an_address_that_was_cut_or_swells_is_refused():
    code = code_of(record.write(record_of(the_seeds_game(), HOST)))
    for cut in range(0, len(code), 7):
        with pytest.raises(DamagedAddress):
            open_study(code[:cut])
    with pytest.raises(DamagedAddress):
        open_study(made_up([{"Game": "Bipod"}, "f2\n" * 2_000_000]))
    with pytest.raises(DamagedAddress):
        open_study("A" * (MAX_PACKED + 1))


def test_an_illegal_ply_in_an_address_is_named():
    with pytest.raises(IllegalPly, match="move 2: f2 is taken"):
        open_study(made_up([{"Game": "Bipod"}, "f2\nf2"]))


def test_addresses_are_for_good():
    """Each address must lead to its game in all later versions."""
    found = open_study(FROM_2026)
    assert ("f2 f4 g3", "e5 g1") == found.played.moves
    assert ("Bill", "Ha", "resign") == (
        found.name(0),
        found.steps[0].comment,
        found.played.record.ending.kind,
    )


FROM_2026 = "ePm97HdAQ9gHUwVzqFNmTg6yY73yE_OVanWU0owU0kwU0o1j8lJNFdJBRkBjTUnHUCevNCcnVqcaaDLQA4lKtbEAcvMccw"
