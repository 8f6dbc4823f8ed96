"""The corpus: real mails and their expected readings (`tests/mail/corpus`).

NAME.json beside NAME.eml states kind, commands and comment, and for the table of `docs/build/mail-clients.md`
the program and its language. `tests.mail.make_corpus` wrote them.
"""

from __future__ import annotations

from functools import partial

import pytest

from tests.mail.corpus import CORPUS
from tests.mail.explain import explain
from tests.quickness import quick

MACHINES = ("robot", "bounce", "loop", "refused")
WANTED = ("kind", "orders", "comment")


@pytest.mark.parametrize("name", CORPUS)
def test_a_mail_is_read_as_its_case_says(name: str) -> None:
    case = CORPUS[name]
    found = quick(1, partial(explain, case.raw, "bipod"))
    assert {key: case.expected[key] for key in WANTED} == {key: found[key] for key in WANTED}
    if case.kind in MACHINES:
        assert found["reason"] != ""
        assert found["text"] == ""
    else:
        assert found["orders"] or found["reason"]


def test_the_corpus_is_as_broad_as_it_should_be() -> None:
    kinds = [case.kind for case in CORPUS.values()]
    assert len(kinds) >= 200
    assert min(kinds.count(kind) for kind in ("person", *MACHINES)) >= 4
