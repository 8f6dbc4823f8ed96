"""The corpus: real mails and their expected readings (`tests/mail/corpus`).

NAME.json beside NAME.eml states kind, commands and comment, and for the table of `docs/mail-clients.md` the
program, its language and the place of the words. `tests.mail.make_corpus` wrote them.
"""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path

import pytest

from tests.amount import some
from tests.mail.explain import explain
from tests.quickness import quick

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.eml"))
WANTED = ("kind", "orders", "comment")


def by_kind(*kinds: str) -> list[Path]:
    return [path for path in CORPUS if expected(path)["kind"] in kinds]


@cache
def expected(path: Path) -> dict[str, object]:
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_mail_is_made_of_it_what_stands_beside_it(path: Path):
    found = quick(1, partial(explain, path.read_bytes(), "bipod"))
    assert {key: expected(path)[key] for key in WANTED} == {key: found[key] for key in WANTED}


@pytest.mark.parametrize("path", by_kind("robot", "bounce", "loop", "refused"), ids=lambda path: path.stem)
def test_whatever_is_no_persons_mail_says_why_and_gives_no_words(path: Path):
    found = explain(path.read_bytes(), "bipod")
    assert found["reason"] != ""
    assert found["text"] == ""


@pytest.mark.parametrize("path", some(by_kind("person"), 60), ids=lambda path: path.stem)
def test_a_persons_mail_without_orders_says_why(path: Path):
    found = explain(path.read_bytes(), "bipod")
    assert found["orders"] or found["reason"]


def test_the_corpus_is_as_broad_as_it_should_be():
    kinds = [expected(path)["kind"] for path in CORPUS]
    assert len(kinds) >= 200
    assert min(kinds.count(kind) for kind in ("person", "robot", "bounce", "loop", "refused")) >= 4
