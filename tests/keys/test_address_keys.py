"""Old and new secrets: valid and invalid addresses, running processes."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.config.load import SettingsError, config_from
from pbem.config.table import Config
from pbem.keys.address_keys import Keyring, rotate_secret, secrets_of, write_once
from pbem.mail.addresses import Address, Addressing, BadAddress, Token

TOKEN = Token("game", (42, 1, 31, 0))


def kept(folder: Path, **more: str) -> Config:
    return config_from({"PBEM_VAR": str(folder), **more})


def process(config: Config) -> Addressing:
    """The addresses of a process that starts now."""
    return Addressing("pbem.example.org", Keyring(config))


def test_addresses_of_the_last_three_secrets_are_read_and_of_the_fourth_not(tmp_path: Path) -> None:
    config, addresses = kept(tmp_path), []
    for _ in range(4):
        addresses.append(process(config).reply(TOKEN))
        rotate_secret(config)
    addresses.append(process(config).reply(TOKEN))
    now = process(config)
    assert [Address("play", TOKEN)] * 3 == [now.read(address) for address in addresses[-3:]]
    for address in addresses[:-3]:
        with pytest.raises(BadAddress):
            now.read(address)


def test_bounce_addresses_too_outlive_a_rotation(tmp_path: Path) -> None:
    config = kept(tmp_path)
    address = process(config).return_path(7)
    rotate_secret(config)
    assert Address("bounce", Token("bounce", (7,))) == process(config).read(address)


def test_a_process_that_was_running_reads_and_makes_addresses_with_the_new_secret(tmp_path: Path) -> None:
    config = kept(tmp_path)
    running = process(config)
    before = running.reply(TOKEN)
    rotate_secret(config)
    after = process(config).reply(TOKEN)
    assert before != after
    assert Address("play", TOKEN) == running.read(after) == running.read(before)
    assert after == running.reply(TOKEN)


@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: path.write_text("cut")])
def test_a_running_process_keeps_its_keys_where_the_file_is_harmed(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    running = process(kept(tmp_path))
    before = running.reply(TOKEN)
    harm(tmp_path / "secret")
    assert before == running.reply(TOKEN)
    assert Address("play", TOKEN) == running.read(before)


def test_the_secrets_are_read_by_their_owner_alone_and_nothing_else_is_left(tmp_path: Path) -> None:
    config = kept(tmp_path)
    for _ in range(5):
        rotate_secret(config)
    assert ["secret"] == [path.name for path in tmp_path.iterdir()]
    assert 0o600 == stat.S_IMODE((tmp_path / "secret").stat().st_mode)
    assert 3 == len(set(secrets_of(config)))


def test_two_rotations_at_once_forget_no_secret_that_was_used(tmp_path: Path) -> None:
    config = kept(tmp_path)
    first = secrets_of(config)[0]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: rotate_secret(config), range(2)))
    assert (3, first) == (len(set(secrets_of(config))), secrets_of(config)[2])


def test_readers_see_whole_secrets_while_others_rotate(tmp_path: Path) -> None:
    config = kept(tmp_path)
    running = process(config)
    with ThreadPoolExecutor(4) as pool:
        rotating = [pool.submit(rotate_secret, config) for _ in range(2)]
        reading = [pool.submit(lambda: running.read(running.reply(TOKEN))) for _ in range(300)]
        assert {Address("play", TOKEN)} == {one.result() for one in reading}
        assert [None, None] == [one.result() for one in rotating]


def test_secrets_that_are_set_are_read_too_and_are_not_rotated(tmp_path: Path) -> None:
    old, older, new = ("abc"[n] * 40 for n in range(3))
    before = process(kept(tmp_path, PBEM_SECRET=older)).reply(TOKEN)
    config = kept(tmp_path, PBEM_SECRET=new, PBEM_OLD_SECRETS=f"{old}, {older}")
    assert Address("play", TOKEN) == process(config).read(before)
    with pytest.raises(SettingsError, match="PBEM_SECRET is set"):
        rotate_secret(config)
    assert [] == list(tmp_path.iterdir())


def test_a_new_secret_may_be_made_known_before_it_signs(tmp_path: Path) -> None:
    old, new = "o" * 40, "n" * 40
    ready = process(kept(tmp_path, PBEM_SECRET=old, PBEM_OLD_SECRETS=new))
    renewed = process(kept(tmp_path, PBEM_SECRET=new, PBEM_OLD_SECRETS=old))
    assert Address("play", TOKEN) == ready.read(renewed.reply(TOKEN)) == renewed.read(ready.reply(TOKEN))


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"PBEM_OLD_SECRETS": "x" * 40}, "set PBEM_SECRET too"),
        ({"PBEM_SECRET": "y" * 40, "PBEM_OLD_SECRETS": "short"}, "too short"),
        ({"PBEM_SECRET": "y" * 40, "PBEM_OLD_SECRETS": ",".join(["x" * 40] * 3)}, "too many"),
    ],
)
def test_old_secrets_that_cannot_be_right_are_told_without_being_shown(
    tmp_path: Path, more: dict[str, str], wrong: str
) -> None:
    with pytest.raises(SettingsError, match=wrong) as told:
        kept(tmp_path, **more)
    assert "x" * 40 not in str(told.value) and "y" * 40 not in str(told.value)


def test_a_full_disk_leaves_no_draft_and_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pbem.keys.address_keys.os.fsync", fail)
    with pytest.raises(OSError, match="No space left") as caught:
        write_once(tmp_path / "secret", "x")
    assert str(tmp_path / "secret") == caught.value.filename
    assert [] == list(tmp_path.iterdir())
