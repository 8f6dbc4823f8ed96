"""`pbem verify`: unchanged records, and every kind of change."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.cli.records import verify_command
from pbem.core.records.gamerecord import gamerecord
from pbem.core.records.record import record_of
from pbem.keys.record_keys import RecordSigner
from rules import record
from tests.cli.test_replay_and_try import pbem
from tests.core.example_records import chance_game, ended, the_seeds_game
from tests.people import HOST

SEAL = RecordSigner(Ed25519PrivateKey.from_private_bytes(b"k" * 32))
KEY = b64encode(SEAL.public.raw).decode()
TEXT = record.write(record_of(the_seeds_game(), HOST, SEAL.sign))

GOOD = """\
{file}: Bipod #42
  plies        good   all 19 follow the rules of Bipod
  fingerprint  good   {digits}, as it should be
  end          good   first, by resignation
  signature    good   made by pbem.example.org
"""


def verify(*arguments: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(verify_command, [str(each) for each in arguments], input=stdin)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bipod-42.game"
    path.write_text(TEXT)
    return path


def test_a_good_record_is_told_in_four_lines_without_any_settings(file: Path) -> None:
    done = pbem("verify", file, "--key", KEY)
    digits = TEXT.split('[Fingerprint "')[1][:8]
    assert (0, b"", GOOD.format(file=file, digits=digits)) == (
        done.returncode,
        done.stderr,
        done.stdout.decode(),
    )


def test_the_key_may_be_a_file_in_any_form_or_the_key_itself(file: Path, tmp_path: Path) -> None:
    for name, text in (
        ("pem", SEAL.public.pem),
        ("jwk", json.dumps(SEAL.public.jwk)),
        ("set", json.dumps({"keys": [{"kty": "RSA"}, SEAL.public.jwk]})),
        ("raw", f"{KEY}\n"),
    ):
        path = tmp_path / name
        path.write_text(text)
        done = verify(file, "--key", path, "--quiet")
        assert (name, 0, "") == (name, done.exit_code, done.stdout)
    assert 0 == verify("-", "--key", KEY, stdin=TEXT).exit_code


def test_a_forged_result_is_exit_1_and_said_so(file: Path) -> None:
    file.write_text(
        TEXT.replace('[Result "first"]', '[Result "second"]').replace("second resign", "first resign")
    )
    done = verify(file, "--key", KEY, "--quiet")
    assert 1 == done.exit_code
    said = "signature    WRONG  it is not of this site's key, or of another end"
    assert [f"{file}: Bipod #42", f"  {said}"] == done.stdout.splitlines()


def test_another_sites_key_is_exit_1(file: Path) -> None:
    stranger = RecordSigner(Ed25519PrivateKey.from_private_bytes(b"x" * 32)).public
    assert 1 == verify(file, "--key", b64encode(stranger.raw).decode()).exit_code


def test_an_illegal_ply_is_exit_1_with_its_line(file: Path) -> None:
    file.write_text(TEXT.replace("2 second e5 g1", "2 second f2 g1"))
    done = verify(file, "--key", KEY)
    assert (1, True) == (done.exit_code, "line 16: move 2: f2 is taken" in done.stderr)


def test_a_record_with_nothing_to_check_is_exit_1(tmp_path: Path) -> None:
    bare = tmp_path / "bare.game"
    bare.write_text('[Game "Bipod"]\n\n1 first f2\n')
    done = verify(bare)
    assert 1 == done.exit_code
    assert "fingerprint  none   the record has none" in done.stdout
    assert "signature    none   the record has none" in done.stdout


def test_a_game_record_that_tells_of_two_games_is_exit_1(tmp_path: Path) -> None:
    path = tmp_path / "bipod-42.json"
    text = json.dumps(gamerecord(the_seeds_game(), HOST, SEAL.sign))
    path.write_text(text.replace('"result": 1', '"result": 0'))
    done = verify(path, "--key", KEY)
    assert (1, True) == (done.exit_code, '"players" tells of another game' in done.stderr)


def test_a_tag_that_stands_twice_is_no_record(file: Path) -> None:
    file.write_text(TEXT.replace('[Result "first"]', '[Result "second"]', 1) + '[Result "first"]\n')
    done = verify(file, "--key", KEY)
    assert (2, True) == (done.exit_code, "the tag Result stands here as" in done.stderr)


def test_nothing_in_a_record_is_obeyed_by_the_terminal(file: Path) -> None:
    for before, after in (
        ('[Id "42"]', '[Id "\x1b[2J\x1b[H42"]'),
        ('[Game "Bipod"]', '[Game "\x1b]0;good\x07"]'),
        ("1 first", "\x9b2J\u202e\r"),
    ):
        file.write_text(TEXT.replace(before, after, 1))
        done = CliRunner().invoke(verify_command, [str(file), "--key", KEY], color=True)
        assert 0 != done.exit_code
        assert "\ufffd" in done.output
        assert all(sign.isprintable() or sign == "\n" for sign in done.output)


def test_what_is_no_record_is_exit_2(tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_bytes(b"\xff\xfe\x00")
    assert 2 == verify(junk).exit_code
    assert 2 == verify(tmp_path / "missing").exit_code


def test_a_key_that_is_none_is_exit_2_with_a_sentence(file: Path) -> None:
    done = verify(file, "--key", "nonsense")
    assert (2, True) == (
        done.exit_code,
        "neither a file with an Ed25519 public key nor such a key" in done.stderr,
    )


@pytest.mark.parametrize("site", ["", "a b", "evil/../x", "x:80@y", "-x", "?"])
def test_a_record_that_names_no_host_leads_nowhere(site: str, file: Path) -> None:
    file.write_text(TEXT.replace(f'[Site "{HOST}"]', f'[Site "{site}"]'))
    done = verify(file)
    assert (2, True) == (done.exit_code, "does not name its site" in done.stderr)


def test_a_site_that_cannot_be_asked_is_exit_2(file: Path) -> None:
    done = verify(file, "--key", "http://127.0.0.1:9/records/key.json")
    assert (2, True) == (done.exit_code, "the key cannot be had from http://127.0.0.1:9/" in done.stderr)


def test_many_records_in_one_file_and_in_json_are_each_looked_at(tmp_path: Path) -> None:
    games = [the_seeds_game(), chance_game("begird", 2), ended(chance_game("hexthing", 2, most=6), "void")]
    path = tmp_path / "all.games"
    path.write_text("\n".join(record.write(record_of(game, HOST, SEAL.sign)) for game in games))
    done = verify(path, "--key", KEY)
    assert (0, 3) == (done.exit_code, done.stdout.count("signature    good"))
    path.write_text(json.dumps([gamerecord(game, HOST, SEAL.sign) for game in games]))
    done = verify(path, "--key", KEY)
    assert (0, 3) == (done.exit_code, done.stdout.count("signature    good"))
