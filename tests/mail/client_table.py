"""Writes `docs/build/mail-clients.md` from the corpus: `python -m tests.mail.client_table`.

Run it from the top of the tree. Every figure comes from reading the mails of `tests.mail.corpus` again. A
test checks that the page is current.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from tests.mail.corpus import CORPUS
from tests.mail.corpus_layouts import Case
from tests.mail.explain import explain

PAGE = Path(__file__).parents[2] / "docs/build/mail-clients.md"

HEAD = """\
# What mail programs make of an answer

Made by `python -m tests.mail.client_table` from `tests/mail/corpus.py`; do not edit it by hand.

A real letter of a game was answered in the layout of each program, and the answers were read as any mail
is. The mails are modelled on what these programs send; none was taken from anybody's mailbox.

"""

FOOT = """\

## What is not found

- **Words typed inside or below a letter that is not marked as quoted**, as Outlook leaves it: nothing
  tells them from the letter. The player is told to write above the letter.
- **Words below a quote of more than 400 lines**: no more of a mail is read.
- With Supercite and The Bat!, which mark each quoted line with a name, **words below a quote whose first
  line, the marker, was deleted**.

`pbem try answer.eml --game bipod` shows for one mail which line was taken for what, and by which rule.
"""


class Row(NamedTuple):
    client: str
    langs: tuple[str, ...]
    mails: int
    found: int
    executed: int


def rows() -> Iterator[Row]:
    """Return a row for each program in the corpus, by name."""
    cases: dict[str, list[Case]] = {}
    for case in CORPUS.values():
        if "client" in case.about:
            cases.setdefault(case.about["client"], []).append(case)
    for client in sorted(cases, key=str.lower):
        yield _row(client, cases[client])


def _row(client: str, cases: Sequence[Case]) -> Row:
    found = executed = 0
    for case in cases:
        opened = explain(case.raw, "bipod")
        found += all(opened[key] == case.expected[key] for key in ("kind", "orders", "comment"))
        executed += len([order for order in opened["orders"] if order not in case.orders])
    langs = tuple(sorted({case.about["language"] for case in cases}))
    return Row(client, langs, len(cases), found, executed)


def page() -> str:
    table = list(rows())
    langs = {lang for row in table for lang in row.langs}
    mails, found, executed = (sum(each) for each in zip(*(row[2:] for row in table), strict=True))
    told = (
        f"Of {mails} answers from {len(table)} programs in {len(langs)} languages {found} gave exactly the "
        f"move and the comment that were typed, and {executed} an order that stands in the quoted letter. "
        f"The programs, with their answers: {'; '.join(map(_told, table))}."
    )
    return HEAD + fill(told, 110, break_on_hyphens=False) + "\n" + FOOT


def _told(row: Row) -> str:
    """Name a program, with its answers that were read rightly and those that were not."""
    wrong = f", {row.mails - row.found} not found" if row.found < row.mails else ""
    return f"{row.client} ({row.mails}{wrong})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
