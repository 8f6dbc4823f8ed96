"""Clients dropped first at a full limit, and addresses of one network."""

from __future__ import annotations

import pytest

from pbem.core.connections import connection_to_close, network_of


def test_the_oldest_of_the_largest_crowd_leaves() -> None:
    here = {"old": ("a", 1.0), "b1": ("b", 3.0), "b2": ("b", 2.0), "c": ("c", 0.5)}
    assert "b2" == connection_to_close(here)


def test_among_single_ones_the_oldest_leaves() -> None:
    assert "x" == connection_to_close({"y": ("a", 2.0), "x": ("b", 1.0), "z": ("c", 3.0)})


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("198.51.100.7:1234", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2::77", "2001:0db8:0001:0002"),
        ("[2001:db8:1:2::78]:80", "2001:0db8:0001:0002"),
        ("fe80::1%eth0", "fe80:0000:0000:0000"),
        ("unix", "unix"),
        ("", ""),
    ],
)
def test_an_address_of_ipv4_is_alone_and_one_of_ipv6_is_its_network(text: str, network: str) -> None:
    assert network == network_of(text)
