"""The key that signs records: shared, private, checked for damage."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.config.load import SettingsError, config_from
from pbem.config.table import Config
from pbem.keys.record_keys import BadRecordKey, key_file, public_keys, read_public_keys, record_signer

PUBLIC = {"PBEM_HOST": "pbem.example.org", "PBEM_SITE": "https://pbem.example.org"}


def settings(folder: Path, **more: str) -> Config:
    return config_from({"PBEM_VAR": str(folder)} | more)


def test_the_key_is_made_at_first_use_for_its_owner_alone(tmp_path: Path) -> None:
    signer = record_signer(settings(tmp_path))
    assert 0o600 == (tmp_path / "record.key").stat().st_mode & 0o777
    record_signer.cache_clear()
    assert signer.public == record_signer(settings(tmp_path)).public


def test_any_number_who_ask_at_once_get_the_same_key(tmp_path: Path) -> None:
    many = [settings(tmp_path, PBEM_POLL=str(n)) for n in range(1, 17)]  # a fresh read for each
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda each: record_signer(each).public, many))
    assert 1 == len(keys)
    assert ["record.key"] == [path.name for path in tmp_path.iterdir()]


def test_what_is_signed_is_signed_alike_each_time_and_checked_by_the_public_half(tmp_path: Path) -> None:
    signer = record_signer(settings(tmp_path))
    signature = signer.sign(b"words")
    assert signature == signer.sign(b"words")
    assert (True, False) == (
        signer.public.check(b"words", signature),
        signer.public.check(b"other", signature),
    )
    assert [False] * 4 == [signer.public.check(b"words", text) for text in ("", "é", "AAAA", signature[:-4])]


def test_where_the_secret_is_set_every_machine_has_the_key_that_follows_from_it(tmp_path: Path) -> None:
    one, two = (settings(tmp_path / name, PBEM_SECRET="s" * 32) for name in "ab")
    assert record_signer(one).public == record_signer(two).public
    assert not key_file(one).exists()
    later = settings(tmp_path, PBEM_SECRET="t" * 32, PBEM_OLD_SECRETS="s" * 32)
    assert record_signer(one).public == public_keys(later)[1]
    assert record_signer(one).public != public_keys(later)[0]


def test_a_key_of_ones_own_is_used_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    made = record_signer(settings(tmp_path / "first")).public
    own = tmp_path / "first" / "record.key"
    assert made == record_signer(settings(tmp_path, PBEM_RECORD_KEY=str(own), PBEM_SECRET="s" * 32)).public
    own.write_text("precious")
    with pytest.raises(SettingsError, match="holds no Ed25519 key in PEM"):
        record_signer(settings(tmp_path, PBEM_RECORD_KEY=str(own), PBEM_POLL="31"))
    assert "precious" == own.read_text()


def test_nothing_shows_the_private_half(tmp_path: Path) -> None:
    signer = record_signer(settings(tmp_path))
    assert "key" not in repr(signer)


@pytest.mark.parametrize("text", ["", "AAAA", "{}", '{"keys": 1}', '{"keys": [1]}', "-----BEGIN", "{" * 9999])
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(BadRecordKey):
        read_public_keys(text)
