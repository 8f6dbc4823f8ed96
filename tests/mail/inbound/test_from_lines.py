"""The From line: one safe sender, so that no answer goes elsewhere."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope, Mail
from pbem.core.players import same_address
from pbem.mail.inbound.headers import is_safe_recipient
from pbem.mail.inbound.parse import parse_mail
from tests.mail.clients import TOKEN, mail

WRAPPED = [
    '"victim@target.example, "@evil.example',
    '"victim@target.example,1"@evil.example',
    '"victim@target.example> <x"@evil.example',
    '"<victim@target.example>"@evil.example',
    '"x<victim@target.example>"@evil.example',
    '"victim@target.example (c)"@evil.example',
    '"victim@target.example "@evil.example',
    '"(c)"@evil.example',
    '"a b"@evil.example',
    '"bill\\\\"@evil.example',
    '"bi\\ll"@evil.example',
    '"\u202ebill"@evil.example',
    "bi\u202ell@evil.example",
]
"""Addresses of evil.example that some readers misread or reject."""


def opened(raw: bytes) -> Mail:
    return parse_mail(raw, Envelope("bill@example.org", TOKEN), "games.example.org")


@pytest.mark.parametrize("address", WRAPPED)
@pytest.mark.parametrize("line", ["{}", "Bill <{}>", "{} (Bill)"])
def test_an_address_with_another_one_inside_its_quotes_is_no_sender(address: str, line: str) -> None:
    inbound = opened(mail("f2\n", sender=line.format(address)))
    assert ("refused", "") == (inbound.kind, inbound.sender)


@pytest.mark.parametrize(
    "address", [*WRAPPED, "", "@x.org", "x@", "a@b@c", "<a@b>", "a@b.org ", "a@b\r\nX: y"]
)
def test_no_letter_may_be_written_to_such_an_address(address: str) -> None:
    assert not is_safe_recipient(address)


@pytest.mark.parametrize(
    "address",
    ["bill@example.org", "b..ill@example.org", "o'bill+games=x/y@Example.ORG", "josé@bücher.example"],
)
def test_whoever_has_a_plain_address_is_a_sender_and_written_to(address: str) -> None:
    local, _, domain = address.partition("@")
    assert f"{local}@{domain.lower()}" == opened(mail("f2\n", sender=address)).sender
    assert is_safe_recipient(address)


@pytest.mark.parametrize("spelt", ['"bill"@example.org', '"b.ill"@example.org', 'Bill <"bill"@example.org>'])
def test_quotes_that_need_not_be_there_are_taken_off(spelt: str) -> None:
    bare = spelt.replace('"', "").removeprefix("Bill ").strip("<>")
    assert bare == opened(mail("f2\n", sender=spelt)).sender


def test_only_needless_quotes_are_nothing_where_addresses_are_compared() -> None:
    assert "bill@example.org" == same_address(' "Bill"@Example.org ')
    for address in filter(str.isascii, WRAPPED):
        assert address.lower() == same_address(address)


ANOTHER = ["From : x@evil.example", "From\t: x@evil.example", ">From: x@evil.example", "From x@evil.example"]


@pytest.mark.parametrize("line", [*ANOTHER, ">From x@evil.example", ">>From x", "From x", "From\tx"])
@pytest.mark.parametrize("above", [True, False])
def test_whatever_a_mail_server_may_take_for_a_second_from_is_one(line: str, above: bool) -> None:
    """Skip the very top, where mailbox files have their own line."""
    raw = mail("f2\n", sender="bill@example.org")
    raw = raw.replace(b"From:", f"{line}\nFrom:".encode()) if above else _below(raw, line)
    inbound = opened(b"X-First: 1\n" + raw)
    assert ("refused", "", True) == (inbound.kind, inbound.sender, "more than one From" in inbound.reason)


def _below(raw: bytes, line: str) -> bytes:
    return raw.replace(b"\n\n", f"\n{line}\n\n".encode(), 1)


def test_a_second_from_behind_a_header_with_a_blank_before_its_colon_is_seen() -> None:
    assert "refused" == opened(_below(mail("f2\n"), "X : y\nFrom: x@evil.example")).kind


def test_a_blank_before_a_colon_is_nothing_else() -> None:
    raw = b"X-First: 1\n" + mail("f2\n").replace(b"From:", b"From :").replace(b"Subject:", b"Subject \t:")
    inbound = opened(raw)
    assert ("bill@example.org", "Re: Bipod #42: Bill - Joao", "f2") == (
        inbound.sender,
        inbound.subject,
        inbound.words,
    )


def test_a_word_of_a_folded_header_is_no_second_from() -> None:
    raw = mail("f2\n", subject="Bipod #42:\n From : here")
    assert "bill@example.org" == opened(raw).sender
