"""Standing orders in Hexagonal Thing: limits, and hexes named for an auction that is still open."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from rules import RULES
from rules.contract import Illegal, RulesError, other
from rules.picture import text
from rules.random_play import RandomGame
from tests.amount import amount
from tests.rules.drawn_hexthing import FOUR_LEFT, HEXTHING, after, drawn, played, selling, start


def given(position, line):
    """The position after `line` is played as a server plays it, and the standing orders left with it."""
    ply, standing = position.split(position.read(line))
    return position.play(ply), standing


def answers(position, standing):
    """The plies that standing orders, by seat, make from here on, until a player must think."""
    while (seat := position.to_play) in standing:
        move = position.answer_for(seat, standing[seat], standing.get(other(seat)))
        if move is None:
            return
        yield seat, move
        position = position.play(move)


def made(position, standing):
    """The plies that standing orders make from here, as texts with the seat before them."""
    return [f"{seat} {move}" for seat, move in answers(position, standing)]


def why_not(position, line):
    with pytest.raises(Illegal) as error:
        position.split(position.read(line))
    return str(error.value)


def banked(**options):
    """1S and 2U are the bank's; White has £60, Black £50."""
    return played("play 1S", "play 2U", **options)


ROOT = Path(__file__).parents[2]


# --------------------------------------------------------------------------------------- taking apart


@pytest.mark.parametrize(
    ("position", "line", "ply", "limit", "naming"),
    [
        (banked(), "lot 1S bid 0 max 12", "lot 1S bid 0", 12, None),
        (start(), "play 3S bid 3 max 20 take e5", "play 3S bid 3", 20, ["take", "e5"]),
        (start(), "play 3S bid 3 take e5", "play 3S bid 3", None, ["take", "e5"]),
        (selling(), "play 1U offer 40 min 25 put c3", "play 1U offer 40", 25, ["put", "c3"]),
        (selling(), "play 1U offer 0 min -9", "play 1U offer 0", -9, None),
        (played("play 3S bid 3"), "bid 4 max 4", "bid 4", 4, None),
    ],
)
def test_limits_and_hexes_named_ahead_are_taken_out_of_the_ply(position, line, ply, limit, naming):
    left, standing = position.split(position.read(line))
    assert ply == str(left)
    assert (limit, naming) == (standing["limit"], standing["naming"])
    assert standing == json.loads(json.dumps(standing))


@pytest.mark.parametrize("line", ["play 1S", "play 3S bid 3", "stay", "play 1W change £20"])
def test_a_ply_without_them_leaves_no_orders(line):
    move = start().read(line)
    assert (move, None) == start().split(move)


def test_they_are_no_part_of_the_position_nor_of_what_is_shown():
    position, _ = given(start(), "play 3S bid 3 max 20 take e5")
    plain = played("play 3S bid 3")
    assert plain == position
    assert plain.data() == position.data()
    assert text(plain.picture()) == text(position.picture())
    assert plain.notes() == position.notes()


def test_where_the_ply_itself_ends_the_auction_the_hex_belongs_to_it():
    ply, standing = start().split(start().read("play 3S bid 50 take e5"))
    assert ("play 3S bid 50 take e5", None) == (str(ply), standing)
    position = played("play 3S bid 3", "bid 40")
    ply, standing = position.split(position.read("bid 50 take e5"))
    assert ("bid 50 take e5", None) == (str(ply), standing)
    ply, standing = position.split(position.read("pass take e5"))
    assert ("pass take e5", None) == (str(ply), standing)


def test_a_limit_is_of_no_use_where_the_ply_ends_the_auction():
    ply, standing = start().split(start().read("play 3S bid 50 max 50"))
    assert ("play 3S bid 50", None) == (str(ply), standing)


def test_a_hex_given_with_the_bid_that_wins_the_game_is_dropped():
    position = drawn(FOUR_LEFT, white="£5 $30 0T 1W", black="£5 $40 3T 1D", turn=1)
    ply, standing = position.split(position.read("play 1D bid 30 take b3"))
    assert ("play 1D bid 30", None) == (str(ply), standing)


def test_a_hex_named_ahead_is_dropped_when_the_auction_wins_the_game():
    position = drawn(FOUR_LEFT, white="£5 $30 0T 1W", black="£5 $40 3T 1D", turn=1)
    position, standing = given(position, "play 1D bid 10 take b3")
    position = after(position, "pass")
    assert "Black wins: Black owns four Things" == position.outcome.reason
    assert [] == made(position, {1: standing})


def test_a_ply_that_may_not_be_played_is_left_to_its_own_refusal():
    ply, standing = start().split(start().read("play 1D bid 3 max 200"))
    assert ("play 1D bid 3", None) == (str(ply), standing)
    assert start().problem(ply) is not None


# ------------------------------------------------------------------------------- what cannot be kept


@pytest.mark.parametrize(
    ("position", "line", "sentence"),
    [
        (banked(), "lot 1S bid 0 max 61", "max 61: you have £60, so max can be 60 at the furthest."),
        (start(), "play 3S bid 3 max 51", "max 51: you have $50, so max can be 50 at the furthest."),
        (start(), "play 3S bid 50 max 51", "max 51: you have $50, so max can be 50 at the furthest."),
        (played("play 3S bid 3"), "bid 4 max 60", "max 60: you have $50, so max can be 50 at the furthest."),
        (
            after(selling(), "play 1U offer 40"),
            "offer 30 min -8",
            "min -8: you have $7, so min can be -7 at the furthest.",
        ),
        (start(), "play 3S bid 5 max 4", "max 4: the limit is below the 5 that you name in the same line."),
        (
            selling(),
            "play 1U offer 20 min 21",
            "min 21: the limit is above the 20 that you name in the same line.",
        ),
        (
            start(),
            "play 3S bid 5 take c3",
            "take c3: no Thing stands there; Things stand on b3, c2, c5, d4, e2, e5 and f3.",
        ),
        (start(), "play 3S bid 5 put c3", "put c3: a Thing is taken after a Buy; write take and a hex."),
        (
            selling(),
            "play 1U offer 5 take d4",
            "take d4: the Thing is put on a hex after a Sell; write put and a hex.",
        ),
        (
            selling(),
            "play 1U offer 5 put d4",
            "put d4: a Thing stands there; any hex without a Thing or a counter will do.",
        ),
        (
            selling(),
            "play 1U offer 5 put d6",
            "put d6: White's counter stands there; any hex without a Thing or a counter will do.",
        ),
        (
            played("play 3S bid 3"),
            "bid 4 take e5",
            "take e5: White landed there and names the hex, whoever wins; leave it out.",
        ),
        (
            played("play 3S bid 3"),
            "pass take e5",
            "take e5: White landed there and names the hex, whoever wins; leave it out.",
        ),
        (
            after(banked(), "lot 1S bid 3"),
            "bid 4 take e5",
            "take e5: no hex is to be named after this; leave it out.",
        ),
        (start(), "play 1W take e5", "take e5: no hex is to be named after this; leave it out."),
        (
            played("play 3S bid 3", bids=3),
            "bid 4 max 9",
            "max 9: with three bids to an auction this is your only one, so a limit has nothing to do;"
            " write bid 4 alone.",
        ),
    ],
)  # fmt: skip
def test_orders_that_cannot_be_kept_are_refused_with_a_sentence(position, line, sentence):
    assert sentence == why_not(position, line)


# --------------------------------------------------------------------------------- what a server plays


def test_each_bid_is_better_than_the_others_by_one_and_beyond_the_limit_it_passes():
    position, standing = given(start(), "play 3S bid 3 max 6")
    position = after(position, "bid 4")
    assert ["0 bid 5"] == made(position, {0: standing})
    position = after(position, "bid 5", "bid 6")
    assert ["0 pass"] == made(position, {0: standing})


def test_a_limit_serves_in_card_auctions_and_sales_too():
    position, standing = given(banked(), "lot 1S bid 0 max 12")
    assert ["0 bid 9"] == made(after(position, "bid 8"), {0: standing})
    assert ["0 pass"] == made(after(position, "bid 12"), {0: standing})
    position, standing = given(selling(), "play 1U offer 40 min 25")
    assert ["0 offer 29"] == made(after(position, "offer 30"), {0: standing})
    assert ["0 pass"] == made(after(position, "offer 25"), {0: standing})


def test_a_limit_left_with_an_answer_serves_who_answered():
    position, standing = given(played("play 3S bid 3"), "bid 4 max 10")
    assert ["1 bid 8"] == made(after(position, "bid 7"), {1: standing})


@pytest.mark.parametrize(
    ("opening", "answer", "plies"),
    [
        ("play 3S bid 3 max 8 take e5", "bid 4 max 6", ["0 bid 6", "1 pass", "0 take e5"]),
        ("play 3S bid 3 max 8 take e5", "bid 4 max 20", ["0 bid 5", "1 bid 8", "0 pass take e5"]),
        ("play 3S bid 3 max 5 take e5", "bid 4 max 20", ["0 bid 5", "1 bid 6", "0 pass take e5"]),
        ("play 3S bid 3 max 8", "bid 4 max 8", ["0 bid 8", "1 pass"]),
        ("play 3S bid 3 max 8", "bid 8 max 8", ["0 pass"]),
        ("play 3S bid 3 max 50 take e5", "bid 4 max 50", ["0 bid 50 take e5"]),
        ("play 3S bid 3", "bid 4 max 8", []),
    ],
)
def test_of_two_limits_the_higher_wins_at_the_lower_and_of_equal_ones_the_older(opening, answer, plies):
    position, white = given(start(), opening)
    position, black = given(position, answer)
    orders = {seat: each for seat, each in ((0, white), (1, black)) if each}
    assert plies == made(position, orders)


@pytest.mark.parametrize(
    ("opening", "answer", "plies"),
    [
        ("offer 40 min 25 put c3", "offer 39 min 30", ["0 offer 30", "1 pass", "0 put c3"]),
        ("offer 40 min 25 put c3", "offer 39 min -7", ["0 offer 38", "1 offer 25", "0 pass put c3"]),
        ("offer 40 min 25 put c3", "offer 39 min 25", ["0 offer 25", "1 pass", "0 put c3"]),
        ("offer 9999 min -9", "offer 9998 min -7", ["0 offer -7"]),
    ],
)
def test_where_a_thing_is_sold_the_lower_limit_sells_at_the_higher(opening, answer, plies):
    position, white = given(selling(), f"play 1U {opening}")
    position, black = given(position, answer)
    assert plies == made(position, {0: white, 1: black})


def test_two_limits_never_take_more_than_three_plies_and_never_cost_more_than_bids_by_one():
    """The higher limit wins, for no more than by bids of one more each."""
    for mine in range(3, 14):
        for theirs in range(4, 14):
            position, white = given(start(), f"play 3S bid 3 max {mine}")
            position, black = given(position, f"bid 4 max {theirs}")
            plies = list(answers(position, {0: white, 1: black}))
            end = after(position, *(str(ply) for _, ply in plies))
            assert 1 <= len(plies) <= 3
            assert end.auction is None
            winner = 0 if mine >= theirs and mine > 4 else 1
            assert 1 == end.estates[winner].things
            assert 50 - end.estates[winner].dollars in (min(mine, theirs), max(4, min(mine, theirs) + 1))


def test_equal_limits_of_much_money_end_in_one_bid_of_the_older_one():
    for limit in (998, 999):
        position, white = given(start(money=999), f"play 3S bid 0 max {limit}")
        position, black = given(position, f"bid 1 max {limit}")
        ends = [f"0 bid {limit}"] if limit == 999 else [f"0 bid {limit}", "1 pass"]
        assert ends == made(position, {0: white, 1: black})
    text = " ".join((ROOT / "templates/rules/hexthing.txt").read_text(encoding="utf-8").split())
    assert "Of two equal limits the older one wins, unless the other player has bid as much already." in text


def test_a_limit_that_the_other_left_in_an_earlier_auction_counts_for_nothing():
    position, old = given(banked(), "lot 1S bid 0 max 12")
    later = after(position, "pass", "play 1S", "play 1N", "lot 2U bid 3")
    later, black = given(later, "bid 4 max 30")
    later = after(later, "bid 5")
    assert "bid 6" == str(later.answer_for(1, black, old))


def test_the_hex_named_ahead_is_named_when_the_auction_is_over_whoever_won():
    position, standing = given(start(), "play 3S bid 3 take e5")
    assert ["0 take e5"] == made(after(position, "pass"), {0: standing})
    assert [] == made(after(position, "bid 4"), {0: standing})
    assert ["0 take e5"] == made(after(position, "bid 4", "pass"), {0: standing})
    assert ["0 take e5"] == made(after(position, "bid 50"), {0: standing})


def test_the_servers_own_pass_or_bid_that_ends_an_auction_names_the_hex_in_the_same_ply():
    position, standing = given(selling(), "play 1U offer 40 min 25 put c3")
    position = after(position, "offer 20")
    assert ["0 pass put c3"] == made(position, {0: standing})
    position, standing = given(start(), "play 3S bid 3 max 50 take e5")
    position = after(position, "bid 49")
    assert ["0 bid 50 take e5"] == made(position, {0: standing})


def test_with_three_bids_a_limit_serves_the_opener_in_the_third():
    position, standing = given(start(bids=3), "play 3S bid 3 max 20 take e5")
    assert ["0 bid 8 take e5"] == made(after(position, "bid 7"), {0: standing})
    assert ["0 pass take e5"] == made(after(position, "bid 20"), {0: standing})


def test_the_record_has_nothing_but_the_bids():
    position, white = given(start(), "play 3S bid 3 max 8 take e5")
    position = after(position, "bid 4")
    lines = ["play 3S bid 3", "bid 4", *(str(move) for _, move in answers(position, {0: white}))]
    assert ["play 3S bid 3", "bid 4", "bid 5"] == lines
    assert played(*lines) == after(position, "bid 5")


def test_orders_are_for_their_own_auction_alone():
    position, standing = given(banked(), "lot 1S bid 0 max 12")
    later = after(position, "pass", "play 1S", "play 1N", "lot 2U bid 3")
    assert 0 == later.turn
    later = after(later, "bid 4")
    assert [] == made(later, {0: standing})
    bought, standing = given(start(), "play 3S bid 3 take e5")
    bought = after(bought, "pass", "take e5", "play 3N bid 50")
    assert 1 == bought.to_play
    assert [] == made(bought, {0: standing, 1: standing})


@pytest.mark.parametrize(
    ("position", "line", "left", "at_last"),
    [
        (start(), "play 3S bid 3 max 20 take e5", "max 20 take e5", "take e5"),
        (start(), "play 3S bid 3 take e5", "take e5", "take e5"),
        (banked(), "lot 1S bid 0 max 12", "max 12", ""),
        (selling(), "play 1U offer 40 min 25 put c3", "min 25 put c3", "put c3"),
        (played("play 3S bid 3"), "bid 4 max 9", "max 9", ""),
    ],
)
def test_orders_are_told_as_they_are_written_until_there_is_nothing_for_them_to_do(
    position, line, left, at_last
):
    seat = position.to_play
    position, standing = given(position, line)
    assert left == position.still_ordered(seat, standing)
    passed = after(position, "pass")
    assert at_last == passed.still_ordered(seat, standing)
    if at_last:
        assert "" == after(passed, at_last).still_ordered(seat, standing)


def test_orders_make_no_ply_while_the_other_is_to_play():
    position, standing = given(start(), "play 3S bid 3 max 6")
    assert position.answer_for(0, standing) is None
    assert "bid 5" == str(after(position, "bid 4").answer_for(0, standing))


def test_whatever_orders_are_kept_the_plies_they_make_are_legal():
    rng = Random(7)
    played_by_server = 0
    games = amount(30, 150)
    for seed in range(games):
        kept = {}
        for position, move in RandomGame(HEXTHING, {"bids": rng.choice(["any", "3"])}, seed).steps:
            if move is None:
                continue
            for seat, ply in answers(position, kept):
                played_by_server += 1
                position = position.play(ply)
                assert seat in kept
            if not move.call or position.problem(move) is not None:
                continue
            limit = move.price + rng.choice([-30, -5, 0, 5, 30])
            line = f"{move.bare} {move.limit_word} {limit}" + rng.choice(["", " take d4", " put a1"])
            try:
                _, standing = position.split(position.read(line))
            except RulesError:
                continue
            if standing:
                kept[position.to_play] = standing
    assert played_by_server > games


@pytest.mark.parametrize("key", [key for key in RULES if key != "hexthing"])
def test_games_without_standing_orders_leave_none_and_answer_none(key):
    position = RULES[key].start()
    move = position.sample(Random(1))
    assert (move, None) == position.split(move)
    assert position.answer_for(0, {}) is None
    assert "" == position.still_ordered(0, {})
    assert [] == list(answers(position, {0: {}}))
