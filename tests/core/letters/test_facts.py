"""Which sentences of a letter are said, without their words."""

from dataclasses import replace

import pytest

from pbem.core.game.view import view
from pbem.core.letters.facts import ReceiptFacts
from pbem.core.players import bot_address
from tests.people import BILL, HOST, JOAO, SEED_GAME, a_game

SEEN = view(a_game(SEED_GAME[:4]), 0, HOST)
PLY, LAST = SEEN.state.plies[0], SEEN.state.plies[-1].entry


@pytest.mark.parametrize(
    ("facts", "first", "besides"),
    [
        ({"already": PLY}, "recorded", []),
        ({"already": PLY, "draw": "offered", "undo": "asked"}, "recorded", ["offered", "asked"]),
        ({"since": LAST - 1, "draw": "turned down"}, "moved", ["turned down"]),
        ({"draw": "turned down"}, "turned down", []),
        ({"draw": "declined", "undo": "asked"}, "declined", ["asked"]),
        ({"undo": "taken"}, "taken", []),
        ({"planned": True}, "unplanned", []),
        ({"planned": True, "said": "Hush!"}, "sent", []),
        ({"deals": [{"what": "declined"}]}, "settled", []),
        ({"said": "Hush!"}, "sent", []),
    ],
)
def test_a_receipt_says_first_what_counts_most(facts, first, besides):
    receipt = ReceiptFacts(**{"read": (), "since": LAST, **facts})
    assert (first, besides) == (receipt.done(SEEN), receipt.besides(SEEN))


def test_a_receipt_says_whether_words_are_read():
    bot, deaf = replace(JOAO, name="bot1", address=bot_address("bot1")), replace(JOAO, stopped={"chat"})
    for person, done in ((bot, "unread"), (deaf, "unheard")):
        seen = view(replace(a_game(), seats=(BILL, person)), 0, HOST)
        assert done == ReceiptFacts((), 1, said="Hush!").done(seen)
