"""The lobby: names, challenges, seats."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from pbem.core.errors import Refusal
from pbem.core.lobby.challenges import (
    CHALLENGE_DAYS,
    Challenge,
    GameCount,
    check_can_challenge,
    choose_challenge,
    find_rules,
    seats_for,
    seek_for,
)
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.players import name_problem
from rules import RULES
from tests.people import BILL, JOAO, NOON

ROOMY = GameCount(0, 0, 10)


def wanted(**changes: Any) -> dict[str, Any]:
    plain = {"player": "Joao", "game": "bipod", "options": {}, "pace": "", "rated": True, "seats": "random"}
    return {**plain, **changes}


def proposed(**changes: Any) -> Challenge:
    seek = seek_for(BILL, wanted(**changes), RULES, ROOMY, NOON, CHALLENGE_DAYS)
    return Challenge(**vars(seek), challenged=JOAO)


@pytest.mark.parametrize("name", ["Al", "Bill", "a-b_9", "x" * 20])
def test_a_name_has_2_to_20_letters_digits_hyphens_or_underscores(name: str) -> None:
    assert name_problem(name, KEYWORDS) is None


@pytest.mark.parametrize("name", ["B", "x" * 21, "9lives", "_x", "a b", "João", "a.b", "x@y", ""])
def test_other_names_are_refused_with_the_rule(name: str) -> None:
    assert "a name has 2 to 20 letters" in str(name_problem(name, KEYWORDS))


@pytest.mark.parametrize(
    "name", ["bot", "Botticelli", "ANY", "first", "Second", "play", "admin", "resign", "Show"]
)
def test_words_with_a_meaning_are_no_names(name: str) -> None:
    assert "keeps for itself" in str(name_problem(name, KEYWORDS))


def test_a_challenge_without_options_has_the_games_defaults() -> None:
    challenge = proposed()
    assert {"size": 5, "middle": 5, "rows": 6, "stones": 3} == challenge.options
    assert NOON + timedelta(days=7) == challenge.expires_at


def test_options_are_typed_and_the_ones_that_hang_on_others_follow() -> None:
    assert {"size": 4, "middle": 4, "rows": 5, "stones": 1} == proposed(
        options={"size": "4", "stones": "1"}
    ).options


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": "9"}, "size=9 cannot be: size is 3 to 8."),
        ({"size": "x"}, "size=x cannot be: size is 3 to 8."),
        ({"colour": "red"}, "Bipod has no option colour; its options are size"),
    ],
)
def test_an_impossible_option_is_refused_with_the_range(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(Refusal) as refusal:
        proposed(options=options)
    assert str(refusal.value).startswith(sentence)


def test_an_unknown_player_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(Refusal, match=r"Nobody here is called Jaoo\. Did you mean Joao\?"):
        check_can_challenge(BILL, None, "Jaoo", ["Joao", "Jane"])


def test_an_unknown_game_is_refused_with_those_offered() -> None:
    with pytest.raises(Refusal, match=r"No game is called bipood here\. Did you mean bipod\?"):
        find_rules("bipood", RULES)


def test_nobody_plays_alone() -> None:
    with pytest.raises(Refusal, match="needs two people"):
        check_can_challenge(BILL, BILL, "Bill", [])


def test_the_number_of_running_games_is_limited_and_the_limit_grows_with_those_finished() -> None:
    assert not GameCount(9, 0, 10).full
    assert GameCount(10, 4, 10).full
    assert not GameCount(10, 5, 10).full
    with pytest.raises(Refusal, match="You have 10 games running"):
        seek_for(BILL, wanted(), RULES, GameCount(10, 0, 10), NOON, CHALLENGE_DAYS)


def test_an_answer_to_the_challenges_letter_needs_no_number() -> None:
    one, two = replace(proposed(), id=17), replace(proposed(), id=18)
    assert one == choose_challenge(JOAO, [one, two], None, 17, "accept")


def test_with_several_challenges_and_none_named_each_is_spelled_out() -> None:
    with pytest.raises(Refusal, match="`accept 17` or `accept 18`"):
        choose_challenge(JOAO, [replace(proposed(), id=17), replace(proposed(), id=18)], None, 0, "accept")


def test_the_only_challenge_needs_no_number() -> None:
    assert 17 == choose_challenge(JOAO, [replace(proposed(), id=17)], None, 0, "accept").id


def test_nobody_accepts_the_challenge_of_his_own() -> None:
    with pytest.raises(Refusal, match="Challenge 17 is your own"):
        choose_challenge(BILL, [replace(proposed(), id=17)], 17, 0, "accept")


def test_a_challenge_that_is_not_open_cannot_be_answered() -> None:
    with pytest.raises(Refusal, match="Challenge 5 is not open any more"):
        choose_challenge(JOAO, [replace(proposed(), id=17)], 5, 0, "decline")
    with pytest.raises(Refusal, match="There is no challenge that you could decline"):
        choose_challenge(JOAO, [], None, 0, "decline")


def test_the_seats_are_the_challengers_wish() -> None:
    assert (BILL, JOAO) == seats_for(proposed(seats="first"), Random(0))
    assert (JOAO, BILL) == seats_for(proposed(seats="second"), Random(0))


def test_seats_by_chance_fall_both_ways() -> None:
    drawn = {seats_for(replace(proposed(), seats="random"), Random(n))[0].name for n in range(20)}
    assert {"Bill", "Joao"} == drawn
