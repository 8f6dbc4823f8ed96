"""How Hexagonal Thing reads what players write: forgiving in form, never guessing, a reason for each slip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.contract import Ambiguous, NoMove, RulesError, Unreadable
from rules.laws import junk_is_refused
from tests.rules.drawn_hexthing import played, refusal, start

START = start()


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("lot 1N 2U bid 5", "lot 1N 2U bid 5"),
        ("  lot  2U,1N , bid\t5 ", "lot 1N 2U bid 5"),
        ("lot 1n, 2u and 3e bid 5", "lot 1N 2U 3E bid 5"),
        ("Lot 1N & 2U Bid 5!", "lot 1N 2U bid 5"),
        ("lot 1N bid £5", "lot 1N bid 5"),
        ("LOT 1N BID 5 POUNDS", "lot 1N bid 5"),
        ("lot 1N bid L5", "lot 1N bid 5"),
        ("lot 1N bid 5 max 12", "lot 1N bid 5 max 12"),
        ("lot 1N max £12 bid £5", "lot 1N bid 5 max 12"),
        ("play 2U", "play 2U"),
        ("Play 2u.", "play 2U"),
        ("play 2u bid $3", "play 2U bid 3"),
        ("play 2U, bid 3 dollars", "play 2U bid 3"),
        ("play 2U bid 003", "play 2U bid 3"),
        ("bid 3 play 2U", "play 2U bid 3"),
        ("play 2U bid 3 max 20 take e5", "play 2U bid 3 max 20 take e5"),
        ("play 2U take E5 bid 3 max 20", "play 2U bid 3 max 20 take e5"),
        ("play 3D offer 40", "play 3D offer 40"),
        ("play 3D offer USD40 min -5 put C3", "play 3D offer 40 min -5 put c3"),
        ("play 1S change £20", "play 1S change £20"),
        ("play 1S change L20", "play 1S change £20"),
        ("play 1S change l 20", "play 1S change £20"),
        ("play 1S change 20 pounds", "play 1S change £20"),
        ("play 1S change 20 pound", "play 1S change £20"),
        ("play 1S change GBP20", "play 1S change £20"),
        ("play 1S change 20 gbp", "play 1S change £20"),
        ("play 1S change 20£", "play 1S change £20"),
        ("play 1S change $15", "play 1S change $15"),
        ("play 1S change USD15", "play 1S change $15"),
        ("play 1S change 15 dollars", "play 1S change $15"),
        ("play 1S change 15 Dollar", "play 1S change $15"),
        ("stay", "stay"),
        ("STAY!", "stay"),
        ("Pass", "pass"),
        ("pass, put C3", "pass put c3"),
        ("put c3 pass", "pass put c3"),
        ("bid 6", "bid 6"),
        ("bid £6", "bid 6"),
        ("bid 8 take e5", "bid 8 take e5"),
        ("offer 39", "offer 39"),
        ("offer -3", "offer -3"),
        ("offer -$3", "offer -3"),
        ("offer $-3", "offer -3"),
        ("offer \u22123", "offer -3"),
        ("offer 40 min 25 put c3", "offer 40 min 25 put c3"),
        ("take e5", "take e5"),
        ("Take E5.", "take e5"),
        ("put c3", "put c3"),
    ],
)
def test_many_spellings_have_one_canonical_text(written, canonical):
    assert canonical == str(START.read(written))
    assert canonical == str(START.read(canonical))
    assert START.read(written) == START.read(canonical)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "...",
        "42",
        "and",
        "Thanks, I like 2U",
        "Ida: play 2U",
        "ply 7: bid 6",
        "ply 7",
        "May 5",
        "bit 5",
        "plan 5",
        "play 2U bit by bit 3",
        "play for me",
        "play 2U please",
        "play it again",
        "I bid 5",
        "bid farewell",
        "take care",
        "take e5 if you like",
        "put it there",
        "put 3 more",
        "pass the salt",
        "stay tuned",
        "stay at home",
        "lots of luck",
        "offer ends soon",
        "offer draw",
        "change is good",
        "styay",
        "plan",
        "bits",
        "give me a break",
        "give up",
        "give 2d",
        "give 12h",
        "give",
        "take 17",
        "put 3",
        "10 first play 2U",
        "Ch      ##      ##      Bu",
        "a   b   c   d   e   f   g",
        "7",
        "Bids: White 5, Black 6",
        "e5 f3",
        "resign",
        "show",
        "swap",
        "play 2U " * 40,
    ],
)
def test_prose_is_no_ply(line):
    with pytest.raises(NoMove):
        START.read(line)


MISSPELT = [
    ("plya 2U bid 3", "plya 2U bid 3: there is no word plya here; write play 2U bid 3 if play is meant."),
    ("ofer 40", "ofer 40: there is no word ofer here; write offer 40 if offer is meant."),
    ("play 2U bif 3", "play 2U bif 3: there is no word bif here; write play 2U bid 3 if bid is meant."),
    ("play", "play: the card is missing; name it, as in play 2U."),
    ("play 2", "2: the direction is missing, one of N, U, E, W, D and S, as in 2N."),
    ("play U", "U: the steps are missing; write 1U, 2U or 3U."),
    ("play 4U", "4U: a card leads 1, 2 or 3 steps."),
    ("play 2X", "2X: this is no card; a card is 1, 2 or 3 steps and N, U, E, W, D or S, as in 2U."),
    ("play U2", "U2: in a card the steps come first; write 2U."),
    ("play e2", "E2: in a card the steps come first; write 2E."),
    ("play 2 U", "play 2 u: a card is written without a space; write 2U."),
    ("play 1N 2U", "play 1N 2U: that is 2 cards; one is played in a turn."),
    ("play 2U stay", "play 2U stay: play and stay are two plies; write one of them."),
    ("play 2U bid", "bid: the amount is missing; write it, as in bid 5."),
    ("play 2U bid -3", "bid -3: a bid is 0 or more; only an offer may be less."),
    ("play 2U bid 3.50", "bid 3.50: an amount is one whole number, as in bid 5."),
    ("play 2U bid 3 4", "bid 3 4: an amount is one whole number, as in bid 5."),
    ("play 2U bid 3 bid 4", "play 2U bid 3 bid 4: bid stands twice; once is enough."),
    (
        "play 2U bid 3 offer 4",
        "play 2U bid 3 offer 4: bid and offer never go together; write the one that is due.",
    ),
    ("play 2U bid £3", "bid £3: Things are bought and sold in dollars; write bid 3 without a sign."),
    ("play 2U max 20", "play 2U max 20: max goes with a bid, as in bid 6 max 20."),
    ("play 2U bid 3 min 2", "play 2U bid 3 min 2: min goes with an offer, as in offer 30 min 10."),
    ("play 1S change", "change: the amount is missing; write it, as in change £20."),
    ("play 1S change £0", "change £0: at least 1 is changed; leave it out to change nothing."),
    ("play 1S change £5 dollars", "change £5 dollars: an amount has one sign at most; pounds or dollars?"),
    (
        "change £20",
        "change £20: change goes with the card that leads onto a Change, as in play 1S change £20.",
    ),
    ("max 20", "max 20: max goes with a bid, as in bid 6 max 20."),
    ("lot bid 5", "lot: the cards are missing; name them, as in lot 1N 2U bid 5."),
    ("lot 1N 1N bid 5", "1N stands twice in this lot; there is one card of each kind."),
    ("lot 1N offer 5", "lot 1N offer 5: cards are bid for; write lot 1N bid 5."),
    ("lot 1N bid $5", "bid $5: cards are auctioned in pounds; write bid 5 without a sign."),
    (
        "lot 1N bid 5 take e5",
        "lot 1N bid 5 take e5: after an auction of cards there is nothing to take; leave out take.",
    ),
    ("lot N1 bid 5", "N1: in a card the steps come first; write 1N."),
    ("stay take e5", "stay take e5: stay is a ply by itself; write stay alone."),
    ("stay 1N", "stay 1N: stay stands by itself; leave out 1N."),
    ("pass 5", "pass 5: pass stands by itself; leave out 5."),
    ("pass bid 6", "pass bid 6: pass and bid never go together; write pass alone, or the bid."),
    ("bid", "bid: the amount is missing; write it, as in bid 5."),
    ("bid 1,000", "bid 1 000: an amount is one whole number, as in bid 5."),
    ("bid 99999999", "bid 99999999: an amount is one whole number, as in bid 5."),
    ("offer 10000", "offer 10000: an offer is at most 9999 dollars."),
    ("offer 40 max 50", "offer 40 max 50: max goes with a bid, as in bid 6 max 20."),
    ("offer £40", "offer £40: Things are bought and sold in dollars; write offer 40 without a sign."),
    ("take", "take: the hex is missing; name it, as in take e5."),
    ("take e9", "e9: column e has e1 to e6."),
    ("take h1", "h1: there is no column h, columns run from a to g."),
    ("take 5e", "5e: in a hex the letter comes first; write e5."),
    ("take e 5", "take e 5: a hex is written without a space; write take e5."),
    ("take e5 e2", "take e5 e2: that is 2 hexes; one is named."),
    ("take 1N", "1n: this is no hex; a hex is a column's letter and a number, as in e5."),
    ("take e5 put c3", "take e5 put c3: take and put never go together; write the one that is due."),
    ("e5", "e5: a hex stands behind a word; write take e5 or put e5, whichever is due."),
    ("1N", "1N: a card stands behind a word; write play 1N."),
    ("1n 2u", "1N 2U: cards stand behind a word; write play and one of them, or lot 1N 2U bid 0."),
    ("2U bid 3", "2U bid 3: a card stands behind a word; write play 2U bid 3."),
    (
        "give 1N",
        "give: nothing is given by hand here. Cards go through the bank's auctions; who stays gives the"
        " other player a Thing.",
    ),
    (
        "give a Thing",
        "give: nothing is given by hand here. Cards go through the bank's auctions; who stays gives the"
        " other player a Thing.",
    ),
]


@pytest.mark.parametrize(("line", "sentence"), MISSPELT, ids=[row[0] for row in MISSPELT])
def test_what_is_meant_as_a_ply_and_is_none_gets_its_reason(line, sentence):
    with pytest.raises(Unreadable) as error:
        START.read(line)
    assert not isinstance(error.value, NoMove)
    assert sentence == str(error.value)


def test_a_change_without_a_sign_is_refused_with_both_spellings():
    with pytest.raises(Ambiguous) as error:
        START.read("play 1s change 20")
    assert (
        "change 20: pounds or dollars? Write play 1S change £20 to turn pounds into dollars, or"
        " play 1S change $20 to turn dollars into pounds." == str(error.value)
    )
    assert ("play 1S change £20", "play 1S change $20") == error.value.readings


LOT = ["play 1S", "play 2U", "lot 1S bid 3"]
BUY = ["play 3S bid 3"]
OVER = ["play 3S bid 50"]

NOT_NOW = [
    ([], "bid 6", "bid 6: now White plays a card or stays."),
    ([], "pass", "pass: now White plays a card or stays."),
    ([], "take e5", "take e5: now White plays a card or stays."),
    (LOT[:2], "put c3", "put c3: now White plays a card or stays; a card auction (lot) may come first."),
    (
        LOT[:2],
        "lot 1S",
        "lot 1S: the opening bid is owed; write lot 1S bid 0, or any bid up to your £60.",
    ),
    (LOT[:2], "lot 3N bid 1", "3N is Black's; the bank has 2U 1S to auction."),
    (LOT, "play 2S", "play 2S: now Black bids £4 to £50 or passes."),
    (LOT, "stay", "stay: now Black bids £4 to £50 or passes."),
    (LOT, "take e5", "take e5: now Black bids £4 to £50 or passes."),
    (LOT, "lot 2U bid 3", "lot 2U bid 3: now Black bids £4 to £50 or passes."),
    (LOT, "offer 2", "offer 2: in this auction bids go up; write bid 4 or pass."),
    (LOT, "bid $4", "bid $4: cards are auctioned in pounds; write bid 4 for that."),
    (LOT, "bid 2", "bid 2: the last bid is 3, so bid 4 or more, or pass."),
    (LOT, "bid 51", "bid 51: you have £50, so bid 4 to 50, or pass."),
    (BUY, "bid £4", "bid £4: a Buy is paid in dollars; write bid 4 for that."),
    (OVER, "put c3", "put c3: now White names the Thing that goes (take and a hex)."),
    (OVER, "pass", "pass: now White names the Thing that goes (take and a hex)."),
    (OVER, "take c3", "take c3: no Thing stands there; Things stand on b3, c2, c5, d4, e2, e5 and f3."),
    ([], "play 2D bid 3", "play 2D: d5 is $20, where no bid is due; write play 2D alone."),
    ([], "play 1S offer 3", "play 1S: e6 is £10, where no offer is due; write play 1S alone."),
    ([], "play 1S change £3", "play 1S: e6 is £10, where no change is due; write play 1S alone."),
    (
        [],
        "play 3S offer 3",
        "play 3S: g4 is a Buy, and the opening bid is owed; write play 3S bid 0, or any bid up to your $50.",
    ),
    (
        [],
        "play 1W bid 3",
        "play 1W: c6 is a Change, where no bid is due; write play 1W, with a change or without.",
    ),
    ([], "play 1W take e5", "take e5: no hex is to be named after this; write play 1W alone."),
    (
        [],
        "play 3S bid 50 put c3",
        "put c3: now White names the Thing that goes (take and a hex).",
    ),
    (
        [],
        "play 3S bid 3 max 9",
        "max 9: a limit is a standing order for a server that plays by mail, and no part of a ply; write"
        " play 3S bid 3.",
    ),
    (
        [],
        "play 1E",
        "1E: it is Black's, not yours; 1W, 3W, 2D, 1S, 2S and 3S can be played.",
    ),
    (
        ["play 1S"],
        "play 1S",
        "1S: it is the bank's, not yours; 1N, 2N, 3N, 2U, 1E and 3E can be played.",
    ),
]


@pytest.mark.parametrize(
    ("plies", "line", "sentence"), NOT_NOW, ids=[f"{len(row[0])}: {row[1]}" for row in NOT_NOW]
)
def test_what_may_not_be_played_now_gets_its_reason(plies, line, sentence):
    assert sentence == refusal(played(*plies), line)


def test_without_dollars_a_buy_is_opened_with_nothing():
    assert (
        "play 3S: g4 is a Buy, and the opening bid is owed; write play 3S bid 0, for you have no dollars."
        == refusal(start(money=0), "play 3S")
    )


def test_a_move_of_another_game_is_refused_with_a_sentence():
    assert "None is no ply of Hexagonal Thing." == START.problem(None)


@given(st.text(alphabet="lotplaybidstkuec 123NUEWDS£$L-,.;05", max_size=40))
def test_whatever_is_typed_is_read_or_refused_with_a_sentence(line):
    for position in (START, played(*LOT), played(*OVER)):
        junk_is_refused(position, line)


@given(
    st.lists(
        st.sampled_from(
            "lot play stay pass bid offer change max min take put 1N 2u e5 c3 5 -3 £20 $15 20 pounds".split()
        ),
        max_size=7,
    )
)
def test_what_is_read_is_read_again_from_its_canonical_text(words):
    try:
        move = START.read(" ".join(words))
    except RulesError:
        return
    assert move == START.read(str(move))
    assert str(move) == str(START.read(str(move)))
