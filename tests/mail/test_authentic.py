"""What another server says of a sender counts only where it is a result, under the name that is trusted."""

from __future__ import annotations

import pytest

from pbem.core.inbound import Inbound
from pbem.mail.authentic import Verdict, verdict


def judged(*headers: str, authserv: str | None = "mx.h") -> Verdict:
    return verdict(Inbound("person", auth_results=headers), authserv)


def test_a_dmarc_pass_under_the_trusted_name_is_proof() -> None:
    assert Verdict.PASS == judged(
        "mx.h; spf=pass smtp.mailfrom=x@y.org; dmarc=pass (p=reject) header.from=y.org"
    )
    assert Verdict.PASS == judged("MX.H 1; DMARC = Pass header.from=y.org")


@pytest.mark.parametrize(
    "header",
    [
        'mx.h; spf=pass smtp.mailfrom="dmarc=pass"@x.org',
        "mx.h; spf=pass smtp.mailfrom=dmarc=pass@x.org",
        "mx.h; dkim=pass header.i=dmarc=pass",
        "mx.h; spf=fail (dmarc=pass)",
        'mx.h; spf=pass smtp.mailfrom="a; dmarc=pass b"@x.org',
        "mx.h; none",
        "mx.h",
        "elsewhere; dmarc=pass",
        "",
    ],
)
def test_what_only_looks_like_a_pass_is_none(header: str) -> None:
    assert Verdict.UNKNOWN == judged(header)


def test_of_several_the_worst_counts() -> None:
    assert Verdict.FAIL == judged("mx.h; dmarc=pass", "mx.h; dmarc=fail")
    assert Verdict.UNKNOWN == judged("mx.h; dmarc=pass", "mx.h; dmarc=none")


def test_with_no_name_trusted_nothing_is_believed() -> None:
    assert Verdict.UNKNOWN == judged("mx.h; dmarc=pass", authserv=None)
