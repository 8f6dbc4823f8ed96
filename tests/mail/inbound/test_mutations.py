"""Fifty thousand broken mails: none raises or takes long, no quote is a command.

Each gets a disposition. The seeds are fixed, so a mail that fails here fails again. Ten parts go through the
reader alone, so that several processes share them; some thousands go through the whole inbox.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from pbem.app import open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.inbound.parse import dedupe_keys
from pbem.store import inbox
from tests.amount import amount
from tests.apps import BILL, JOAO, PLAY, Clock, a_game
from tests.mail.clients import mail, quote_letter
from tests.mail.corpus import CORPUS
from tests.mail.explain import explain
from tests.mail.layout import LETTER
from tests.mail.mutating import mutate_mail, mutate_quotes
from tests.people import NOON
from tests.quickness import quick

MAILS = [case.raw[:6000] for case in CORPUS.values()]
PARTS, EACH, ROUNDS = 10, amount(20, 1000), amount(2, 10)
KINDS = ("person", "robot", "bounce", "loop", "refused")


@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutated_mail_raises_or_takes_a_second(part: int):
    rng = Random(part)
    for _ in range(EACH):
        raw = mutate_mail(rng.choice(MAILS), rng)
        found = quick(1, partial(explain, raw, "bipod"))
        assert found["kind"] in KINDS
        assert found["kind"] == "person" or found["reason"]
        assert len(dedupe_keys(raw, [PLAY])[0]) == 64


@pytest.mark.parametrize("part", range(4))
def test_whatever_becomes_of_quoted_lines_none_is_an_order_as_long_as_it_is_marked(part: int):
    rng = Random(1000 + part)
    letter = quote_letter(LETTER).split("\n")
    for number in range(EACH):
        above = rng.choice(("", "On Mon, 2 Mar 2026, Bipod #42 wrote:\n", "Thanks, I shall see.\n\n"))
        below = rng.choice(("", "\n-- \nJoao\n", "\nUntil then.\n"))
        text = above + "\n".join(mutate_quotes(letter, rng)) + "\n" + below
        kind = rng.choice(("text/plain; charset=utf-8", "text/plain; format=flowed"))
        assert (text, []) == (text, explain(mail(text, kind=kind), "bipod")["orders"]), number


@pytest.mark.parametrize("part", range(2))
def test_every_mutated_mail_is_filed_by_the_post_app_and_none_is_shunted(
    part: int, database_url: str, tmp_path: Path
):
    rng, clock = Random(2000 + part), Clock()
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url}
    app = open_app(config_from(environ), clock=clock)
    try:
        addresses = [letter.header("Reply-To") for letter in a_game(app)]
        for _ in range(ROUNDS):
            clock.now += timedelta(hours=1)
            for number in range(100):
                raw = mutate_mail(rng.choice(MAILS), rng)
                writer = number % 2
                receive(app, raw, (BILL, JOAO)[writer], [rng.choice((addresses[writer], PLAY))])
            work_through(app)
        with app.store.read() as db:
            counts = inbox.count_by_state(db)["mail in"]
    finally:
        app.close()
    assert (0, 0) == (counts.get("new", 0), counts.get("shunted", 0))
    assert sum(counts.values()) >= 100 * ROUNDS
    assert min(counts[state] for state in ("done", "refused", "robot", "bounce")) > 0
    assert clock.now > NOON
