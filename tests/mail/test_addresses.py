"""Reply addresses: each signed token can be read, and no other text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import MAX_LOCAL_PART, USES, Address, Addressing, BadAddress, Token

OURS = Addressing("pbem.example.org", (b"k" * 32,))
USUAL = [use for use in USES if use != "bounce"]
numbers = st.lists(st.integers(0, 2**40), min_size=1, max_size=3).map(tuple)


@given(st.sampled_from(USUAL), numbers)
def test_a_reply_address_names_what_it_was_made_for(use: str, values: tuple[int, ...]) -> None:
    token = Token(use, values)
    assert Address("play", token) == OURS.read(OURS.reply(token))


@given(st.integers(0, 2**48 - 1))
def test_a_bounce_address_names_its_letter(letter: int) -> None:
    assert Address("bounce", Token("bounce", (letter,))) == OURS.read(OURS.return_path(letter))


@given(st.sampled_from(USUAL), numbers)
def test_case_does_not_matter_for_mail_programs_change_it(use: str, values: tuple[int, ...]) -> None:
    address = OURS.reply(Token(use, values))
    assert OURS.read(address) == OURS.read(address.upper())


@pytest.mark.parametrize("delimiter", ["+", "-", "."])
def test_every_delimiter_works(delimiter: str) -> None:
    ours = Addressing("pbem.example.org", (b"k" * 32,), delimiter)
    token = Token("game", (42, 1, 31, 0))
    assert Address("play", token) == ours.read(ours.reply(token))


def test_the_local_part_is_short_enough_for_every_mail_server() -> None:
    token = Token("game", (2**40, 1, 2**20, 2**20))
    assert len(OURS.reply(token).partition("@")[0]) <= MAX_LOCAL_PART


def test_the_secret_has_at_least_80_bits() -> None:
    from pbem.mail.addresses import MAC_BYTES

    assert MAC_BYTES * 8 >= 80


@given(st.sampled_from(USUAL), numbers, st.data())
def test_no_address_changed_in_one_character_is_taken(
    use: str, values: tuple[int, ...], data: st.DataObject
) -> None:
    local, _, host = OURS.reply(Token(use, values)).partition("@")
    place = data.draw(st.integers(5, len(local) - 2))  # the last character has unused bits
    letter = data.draw(
        st.sampled_from("abcdefghijklmnopqrstuvwxyz234567").filter(lambda c: c != local[place])
    )
    with pytest.raises(BadAddress):
        OURS.read(f"{local[:place]}{letter}{local[place + 1 :]}@{host}")


def test_a_token_of_one_use_is_none_of_another() -> None:
    game = Token("game", (1,))
    sealed = OURS.sign_token(game)
    forged = Addressing("pbem.example.org", (b"k" * 32,)).sign_token(Token("player", (1,)))
    assert sealed[-18:] != forged[-18:]


def test_another_servers_token_is_not_ours() -> None:
    theirs = Addressing("pbem.example.org", (b"x" * 32,))
    with pytest.raises(BadAddress):
        OURS.read(theirs.reply(Token("game", (42, 0, 1, 0))))


def test_an_older_key_is_still_read() -> None:
    rotated = Addressing("pbem.example.org", (b"new" * 11, b"k" * 32))
    token = Token("game", (42, 0, 1, 0))
    assert Address("play", token) == rotated.read(OURS.reply(token))


@pytest.mark.parametrize("mailbox", ["play", "postmaster", "abuse", "Postmaster"])
def test_mailboxes_that_every_host_of_ours_has(mailbox: str) -> None:
    assert Address(mailbox.lower(), None) == OURS.read(f"{mailbox}@PBEM.example.org")


@pytest.mark.parametrize(
    "address",
    [
        "bill@pbem.example.org",
        "play@elsewhere.example.org",
        "play",
        "",
        "@pbem.example.org",
        "play+@pbem.example.org",
        "play+x@pbem.example.org",
        "play+!!!!@pbem.example.org",
        "bounce@pbem.example.org",
        "bounce+00@pbem.example.org",
        "bounce+zz@pbem.example.org",
        "postmaster+x@pbem.example.org",
        "play+" + "a" * 80 + "@pbem.example.org",
        "play+ünicode@pbem.example.org",
    ],
)
def test_anything_else_is_no_address_of_ours(address: str) -> None:
    with pytest.raises(BadAddress):
        OURS.read(address)


@given(st.text(max_size=70))
def test_junk_is_refused_and_raises_nothing_else(junk: str) -> None:
    with pytest.raises(BadAddress):
        OURS.read(f"play+{junk}@pbem.example.org")


def test_a_sign_that_is_two_letters_in_upper_case_spells_no_address_a_second_time() -> None:
    real = next(text for n in range(5000) if "ff" in (text := OURS.return_path(n)).partition("+")[2])
    OURS.read(real)
    with pytest.raises(BadAddress):
        OURS.read(real.replace("ff", "\N{LATIN SMALL LIGATURE FF}"))


def test_a_bounce_token_takes_no_orders() -> None:
    sealed = OURS.sign_token(Token("bounce", (5,)))
    with pytest.raises(BadAddress):
        OURS.read(f"play+{sealed}@pbem.example.org")
