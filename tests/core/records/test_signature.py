"""Fingerprints and signatures of records, and changes that break them."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256

import pytest

from pbem.core.game.fingerprint import canonical
from pbem.core.game.journal import ADJUDICATE
from pbem.core.records.record import examine_record, game_data, record_of
from rules import RULES, record
from tests.core.example_records import ENDS, chance_game, ended, the_seeds_game, with_entry
from tests.people import HOST, SEED_GAME, a_game


def sign(signed: bytes) -> str:
    """A stand-in for a signature that breaks with any change."""
    return signed.hex()


def check(signed: bytes, signature: str) -> bool:
    return sign(signed) == signature


def text_of(game) -> str:
    return record.write(record_of(game, HOST, sign))


def verdicts(text: str) -> dict[str, bool | None]:
    return {finding.what: finding.good for finding in examine_record(record.read(text), check)}


GOOD = {"plies": True, "fingerprint": True, "end": True, "signature": True}


@pytest.mark.parametrize("key", RULES)
def test_every_record_of_ours_is_good(key):
    games = [chance_game(key, seed, most=60) for seed in range(3)]
    games += [ended(chance_game(key, 7, most=4), how) for how in ENDS]
    for game in games:
        known = GOOD if game.state.ending else GOOD | {"fingerprint": None}
        assert known == verdicts(text_of(game))


def test_a_game_that_a_director_decided_after_its_end_is_good_too():
    won = a_game(["e1 q1 f2", "h2 j2", "n2 p2", "adopt"], size="3", middle="3", rows="4")
    game = with_entry(won, ADJUDICATE, None, {"result": "draw", "reason": "Both agreed."})
    assert "[Result" in text_of(game)
    assert GOOD == verdicts(text_of(game))


@pytest.mark.parametrize(
    ("before", "after", "bad"),
    [
        ('[Result "first"]', '[Result "second"]', {"end", "signature"}),
        ('[Ended "resignation"]', '[Ended "timeout"]', {"end", "signature"}),
        ('[End "2026-03-02T08', '[End "2026-03-01T08', {"signature"}),
        ("second resign", "second timeout", {"end"}),
        ("second resign", "first resign", {"end"}),
        ("\nsecond resign {Well played.}", "", {"end"}),
        ("1 first f2 f4 g3", "1 first f2 f4", {"fingerprint"}),
        ('[Players "17 23"]', '[Players "17 24"]', {"fingerprint"}),
        ('[Players "17 23"]', '[Players "Bill Joao"]', {"fingerprint"}),
        ('[Id "42"]', '[Id "43"]', {"fingerprint"}),
        ('[Id "42"]', "", {"fingerprint"}),
        ('[Site "pbem.example.org"]', '[Site "pbem.example.com"]', {"fingerprint"}),
        ('[Start "2026-03-01T12', '[Start "2026-03-01T11', {"fingerprint"}),
        ("stones=3", "stones=4", {"fingerprint"}),
        ('[Seed "0"]', '[Seed "1"]', {"fingerprint"}),
        ('[First "Bill"]', '[First "former-player-17"]', set()),
        ("{Well played.}", "", set()),
    ],
)
def test_what_is_changed_is_found_and_names_and_comments_may_go(before, after, bad):
    text = text_of(the_seeds_game())
    assert before in text
    found = verdicts(text.replace(before, after))
    assert bad == {what for what, good in found.items() if good is not True}


def test_a_last_ply_cut_off_is_found():
    text = text_of(the_seeds_game())
    assert verdicts(re.sub(r"\n19 .*", "", text))["fingerprint"] is False


def test_a_running_game_can_be_given_no_end():
    text = text_of(a_game(SEED_GAME[:4]))
    forged = text.replace(
        '[Result "*"]', '[Result "first"]\n[Ended "director"]\n[End "2026-03-02T08:00:00Z"]'
    )
    assert verdicts(forged) == GOOD | {"fingerprint": False, "signature": False}


@pytest.mark.parametrize("key", ["bagel", "bipod"])
def test_the_seed_is_told_when_the_game_is_over(key):
    running = chance_game(key, 2, most=4)
    over = ended(running, "resignation")
    assert "Seed" not in text_of(running)
    assert f'[Seed "{over.seed}"]' in text_of(over)
    assert (None, str(over.seed)) == (game_data(running, HOST)["seed"], game_data(over, HOST)["seed"])
    assert running.state.position == record.replay(record.read(text_of(running))).position


def test_a_record_is_good_however_a_mail_program_has_laid_it_out():
    text = text_of(the_seeds_game())
    fingerprint = re.search(r'Fingerprint "(\w+)"', text)[1]
    broken = text.replace(fingerprint, f"{fingerprint[:40]}\n{fingerprint[40:].upper()}")
    assert GOOD == verdicts(broken.replace("\n", "\r\n"))
    assert GOOD == verdicts(text.replace("m1 o1", "mo1").replace("\n3 first", " 3 first"))


def test_what_is_not_there_or_not_known_is_neither_good_nor_wrong():
    text = text_of(the_seeds_game())
    unsigned = "\n".join(line for line in text.splitlines() if not line.startswith(("[Finger", "[Sign")))
    assert GOOD | {"fingerprint": None, "signature": None} == verdicts(unsigned)
    nobody = {each.what: each.good for each in examine_record(record.read(text), None)}
    assert GOOD | {"signature": None} == nobody


def test_the_same_end_of_another_game_is_another_signature():
    one, other = the_seeds_game(), replace(the_seeds_game(), id=43)
    signature = re.search(r'\[Signature "(\w+)"\]', text_of(one))[0]
    assert verdicts(re.sub(r"\[Signature .*", signature, text_of(other)))["signature"] is False


def test_a_game_whose_layout_is_drawn_from_the_seed_is_good_whether_its_options_name_it_or_not():
    game = ended(chance_game("bagel", 3, most=6), "resignation")
    bare = replace(game, options=game.rules.complete({}))
    assert dict(bare.options) != dict(bare.state.position.options)
    assert [GOOD, GOOD] == [verdicts(text_of(game)), verdicts(text_of(bare))]


def test_a_fingerprint_can_be_made_again_by_anybody_from_what_a_record_says():
    setup = (
        '{"game":"bipod","id":42,"options":{"middle":5,"rows":6,"size":5,"stones":3},"players":[17,23],'
        f'"rules":"1","seed":"0","site":"{HOST}","start":"2026-03-01T12:00:00Z"}}'
    )
    first, second = '{"move":"f2 f4 g3","n":1,"seat":"first"}', '{"move":"e5 g1","n":2,"seat":"second"}'
    digest = sha256(setup.encode()).digest()
    for ply in (first, second):
        digest = sha256(digest + ply.encode()).digest()
    tags = record.read(text_of(a_game(SEED_GAME[:2]))).tags
    assert digest.hex() == tags["Fingerprint"]
    signed = f'pbem record 1\n{{"end":"","ended":"","fingerprint":"{digest.hex()}","result":"*"}}'
    assert sign(signed.encode()) == tags["Signature"]


def test_canonical_json_is_that_of_the_standards_example():
    """RFC 8785 3.2.3, without fractions, as our records have none."""
    given = {"string": '\u20ac$\u000f\nA\'B"\\\\"/', "numbers": [1, 0, -5], "literals": [None, True, False]}
    literals, numbers = '"literals":[null,true,false]', '"numbers":[1,0,-5]'
    string = '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'
    assert f"{{{literals},{numbers},{string}}}".encode() == canonical(given)
