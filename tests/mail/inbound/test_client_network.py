"""The network of a mail's client, by our own server's line."""

from __future__ import annotations

import pytest

from pbem.mail.inbound.envelope import client_network

FORGED = "from x ([9.9.9.9]) by y; today"


@pytest.mark.parametrize(
    ("line", "network"),
    [
        (
            "from x.org (x.org [8.8.4.4]) by mx.games.org (Postfix) with ESMTPS id 1; today",
            "8.8.4.0/24",
        ),
        ("from [9.9.9.9] (unknown [8.8.4.4]) by mx.games.org with ESMTP; today", "8.8.4.0/24"),
        ("from [8.8.4.4] (helo=[9.9.9.9]) by mx.games.org with esmtp; today", "8.8.4.0/24"),
        ("from x (x [IPv6:2001:4860:4860:1::8888]) by mx.games.org; today", "2001:4860:4860::/48"),
        ("from x (localhost [127.0.0.1]) by mx.games.org; today", ""),
        ("from x (x [192.168.1.7]) by mx.games.org; today", ""),
        ("from x by mx.games.org ([8.8.4.4]); today", ""),
        ("from x (x [8.8.4.444]) by mx.games.org; today", ""),
    ],
)
def test_the_client_is_named_by_our_own_line(line: str, network: str) -> None:
    assert network == client_network((line, FORGED))
    assert network == client_network(("from localhost (localhost [127.0.0.1]) by mx", line, FORGED), hops=2)


def test_a_mail_without_such_a_line_came_from_nowhere() -> None:
    assert "" == client_network(())
