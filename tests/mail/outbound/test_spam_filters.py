"""Spam filters take each letter for what it is, by their own rules alone."""

from __future__ import annotations

import dkim
import pytest

from pbem.mail.outbound.dkim_sign import dkim_record
from tests.mail.letters import SAMPLES
from tests.mail.spam_filters import (
    PICTURED,
    SIGNER,
    Score,
    rspamd_scores,
    signed_samples,
    spamassassin_scores,
)

pytestmark = pytest.mark.slow

AT_MOST = {"spamassassin": 0.5, "rspamd": 2.0}


@pytest.fixture(scope="module")
def letters() -> dict[str, bytes]:
    return signed_samples()


def too_many(scores: dict[str, Score], most: float) -> dict[str, Score]:
    assert {*SAMPLES, PICTURED} == scores.keys()
    return {name: score for name, score in scores.items() if score.points > most}


@pytest.mark.spamassassin
def test_no_letter_has_more_than_half_a_point_from_spamassassin(letters: dict[str, bytes]) -> None:
    assert {} == too_many(spamassassin_scores(letters), AT_MOST["spamassassin"])


@pytest.mark.rspamd
def test_no_letter_has_more_than_two_points_from_rspamd(letters: dict[str, bytes]) -> None:
    assert {} == too_many(rspamd_scores(letters), AT_MOST["rspamd"])


def test_the_letters_that_are_scored_have_a_valid_signature(letters: dict[str, bytes]) -> None:
    record = dkim_record(SIGNER.key).encode()
    assert all(dkim.verify(raw, dnsfunc=lambda name, timeout=5: record) for raw in letters.values())
