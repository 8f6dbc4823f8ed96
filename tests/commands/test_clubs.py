"""Clubs by mail: made, joined, left, and their words to all."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.store import clubs, game_lists
from pbem.worker.retention import purge
from tests.apps import ANNA, BILL, JOAO, ask, flat, last_letter, last_words, letters, register, reply, writes


@pytest.fixture
def circle(app: App) -> App:
    """Anna has made a club; Bill and Joao are registered."""
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(app, who, name)
    assert "Tuesday Evening is made" in ask(app, ANNA, "club new Tuesday Evening, Lisbon")
    return app


def subjects(app: App, who: str) -> list[str]:
    return [each.header("Subject") for each in letters(app, who)]


def test_its_maker_organises_a_club(circle: App) -> None:
    assert "Tuesday Evening, Lisbon, 1 member, you organise it" in ask(circle, ANNA, "club")


def test_an_invited_player_joins_by_yes(circle: App) -> None:
    assert "we have asked Bill and Joao into Tuesday Evening" in ask(circle, ANNA, "club invite Bill Joao")
    assert "Anna invites you to Tuesday Evening in Lisbon" in last_words(circle, BILL)
    assert "you are in Tuesday Evening now" in ask(circle, BILL, "yes")
    assert "Bill has joined Tuesday Evening" in last_words(circle, ANNA)
    writes(circle, JOAO, "no")
    assert "2 members" in ask(circle, ANNA, "club")


def test_a_club_lets_in_whom_its_organiser_lets_in(circle: App) -> None:
    assert "Anna must let you into Tuesday Evening" in ask(circle, BILL, "club join tuesday evening")
    assert "Bill would like to join" in last_words(circle, ANNA)
    assert "Bill is in Tuesday Evening now" in ask(circle, ANNA, "yes")
    assert "you are in Tuesday Evening now: Anna has let you in" in last_words(circle, BILL)


def test_open_and_closed_clubs(circle: App) -> None:
    assert "by invitation" in ask(circle, ANNA, "club set closed")
    assert "is closed" in ask(circle, BILL, "club join Tuesday Evening")
    assert "anybody may join" in ask(circle, ANNA, "club set open")
    assert "you are in Tuesday Evening now" in ask(circle, BILL, "club join Tuesday Evening")
    assert "Bill is in Tuesday Evening already" in ask(circle, BILL, "club join Tuesday Evening")


def test_an_organiser_who_leaves_is_followed_by_the_next_member(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    ask(circle, BILL, "club join Tuesday Evening")
    assert "do you leave Tuesday Evening?" in ask(circle, ANNA, "leave club")
    assert "you have left Tuesday Evening" in ask(circle, ANNA, "yes")
    assert "you organise Tuesday Evening now" in last_words(circle, BILL)
    assert "you organise it" in ask(circle, BILL, "club")
    writes(circle, BILL, "leave club Tuesday Evening yes")
    assert "you are in no club" in ask(circle, BILL, "club")
    assert "No club is called Tuesday Evening" in ask(circle, JOAO, "club join Tuesday Evening")


@pytest.mark.each_database
def test_words_go_to_all_members_five_times_a_week(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    for who in (BILL, JOAO):
        ask(circle, who, "club join Tuesday Evening")
    assert "your words go to 2 members" in ask(circle, ANNA, "club say\n\nWe meet at eight.\nBring a pen.")
    for who in (BILL, JOAO):
        assert "We meet at eight." in last_words(circle, who)
    writes(circle, BILL, "stop clubs")
    assert "your words go" in ask(circle, ANNA, "club say Nobody forgets the pen.")
    assert "the pen" not in last_words(circle, BILL)
    assert "the pen" in last_words(circle, JOAO)
    for _ in range(3):
        ask(circle, ANNA, "club say Hello.")
    assert "has heard 5 letters within a week" in ask(circle, ANNA, "club say Hello.")
    circle.clock.pass_by(days=4)  # type: ignore[attr-defined]
    purge(circle)
    assert "has heard 5 letters within a week" in ask(circle, ANNA, "club say Hello.")
    circle.clock.pass_by(days=4)  # type: ignore[attr-defined]
    assert "your words go" in ask(circle, ANNA, "club say Hello.")


@pytest.mark.each_database
def test_running_and_finished_games_between_members_are_found(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    ask(circle, BILL, "club join Tuesday Evening")
    for who in (BILL, JOAO):
        writes(circle, ANNA, f"challenge {'Bill' if who == BILL else 'Joao'} bagel 3d/move")
        writes(circle, who, "accept")
    assert [("Anna", "Bill")] == between_members(circle)
    writes(circle, BILL, "resign yes")
    assert [] == between_members(circle)
    with circle.store.read() as db:
        ids = [each.player for each in clubs.members_of(db, 1)]
        found = game_lists.results_between(db, circle.games_by_key, ids, 10)
    assert ["Anna"] == [each.won for each in found]


def between_members(app: App) -> list[tuple[str, ...]]:
    """The players of the running games of club 1."""
    with app.store.read() as db:
        return [tuple(sorted(each.names)) for each in clubs.running_games(db, club=1)]


def test_words_below_other_acts_are_told_as_unsent(circle: App) -> None:
    told = ask(circle, ANNA, "club invite Bill\n\nPlease bring your brother along on Tuesday.")
    assert "we have asked Bill" in told
    assert "Please bring your brother along" in told
    assert "brother" not in last_words(circle, BILL)


def test_another_organiser(circle: App) -> None:
    assert "Bill is not in Tuesday Evening" in ask(circle, ANNA, "club organiser Bill")
    ask(circle, ANNA, "club invite Bill")
    ask(circle, BILL, "yes")
    assert "You organise no club" in ask(circle, BILL, "club set open")
    assert "Bill organises Tuesday Evening too now" in ask(circle, ANNA, "club organiser Bill")
    assert "Anna has made you an organiser too" in last_words(circle, BILL)
    assert "anybody may join" in ask(circle, BILL, "club set open")


def test_a_member_is_put_out_after_a_question_and_told(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    for who in (BILL, JOAO):
        ask(circle, who, "club join Tuesday Evening")
    assert "do you put Bill out of Tuesday Evening?" in ask(circle, ANNA, "club remove Bill")
    ask(circle, ANNA, "no")
    assert "3 members" in ask(circle, ANNA, "club")
    ask(circle, ANNA, "club remove Bill in Tuesday Evening")
    assert "Bill is in Tuesday Evening no more" in ask(circle, ANNA, "yes")
    assert "you are in Tuesday Evening no more: Anna has put you out" in last_words(circle, BILL)
    assert "Bill is not in Tuesday Evening" in ask(circle, ANNA, "club remove Bill")
    assert "You organise no club" in ask(circle, JOAO, "club remove Anna")


@pytest.mark.each_database
def test_whoever_was_put_out_of_an_open_club_must_be_let_in_for_thirty_days(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    ask(circle, BILL, "club join Tuesday Evening")
    ask(circle, ANNA, "club remove Bill yes")
    assert "Anna must let you into Tuesday Evening" in ask(circle, BILL, "club join Tuesday Evening")
    assert "Bill is in Tuesday Evening now" in ask(circle, ANNA, "yes")
    ask(circle, BILL, "leave club yes")
    assert "you are in Tuesday Evening now" in ask(circle, BILL, "club join Tuesday Evening")
    ask(circle, ANNA, "club remove Bill yes")
    circle.clock.pass_by(days=30)  # type: ignore[attr-defined]
    assert "you are in Tuesday Evening now" in ask(circle, BILL, "club join Tuesday Evening")


def test_an_invitation_from_before_brings_nobody_back(circle: App) -> None:
    ask(circle, ANNA, "club invite Bill")
    invited = last_letter(circle, BILL)
    ask(circle, ANNA, "club set open")
    ask(circle, BILL, "club join Tuesday Evening")
    ask(circle, ANNA, "club remove Bill yes")
    circle.clock.pass_by(minutes=1)  # type: ignore[attr-defined]
    reply(circle, BILL, invited, "yes")
    assert "you are in no club" in ask(circle, BILL, "club")
    ask(circle, ANNA, "club invite Bill")
    assert "you are in Tuesday Evening now" in ask(circle, BILL, "yes")


def test_an_organiser_is_put_out_by_its_maker_alone(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    for who, name in ((BILL, "Bill"), (JOAO, "Joao")):
        ask(circle, who, "club join Tuesday Evening")
        ask(circle, ANNA, f"club organiser {name}")
    assert "only its maker can put them out" in ask(circle, BILL, "club remove Joao yes")
    assert "only its maker can put them out" in ask(circle, BILL, "club remove Anna")
    assert 'write "leave club Tuesday Evening"' in ask(circle, BILL, "club remove Bill")
    assert "Joao is in Tuesday Evening no more" in ask(circle, ANNA, "club remove Joao yes")
    assert "You organise no club" in ask(circle, JOAO, "club set closed")


def test_an_organiser_who_was_put_out_or_barred_meanwhile_puts_nobody_out(circle: App) -> None:
    ask(circle, ANNA, "club set open")
    for who in (BILL, JOAO):
        ask(circle, who, "club join Tuesday Evening")
    ask(circle, ANNA, "club organiser Bill")
    asked = [reply(circle, BILL, last_letter(circle, BILL), "club remove Joao"), last_letter(circle, BILL)][1]
    ask(circle, ANNA, "club remove Bill yes")
    reply(circle, BILL, asked, "yes")
    assert "Only an organiser of Tuesday Evening can do that" in last_words(circle, BILL)
    assert "2 members" in ask(circle, JOAO, "club")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("club new tuesday-evening", "There is a club called Tuesday Evening already"),
        ("club new", "Something is missing behind *club new*"),
        ("club organizer", "a member's name"),
        ("club remove", "`club remove` and a member's name".replace("`", '"')),
        ("club set town", "club set town Lisbon"),
        ("club new X", "cannot be the name of a club"),
        ("club new 7 Samurai", "cannot be the name of a club"),
        ("club new " + "Very " * 9 + "Long", "cannot be the name of a club"),
        ("club new Never Resign", "is an order"),
        ("club new Good Friends, 99", "cannot be a town"),
        ("club join Monday Morning", "No club is called Monday Morning here"),
        ("club invite Nobody", "Nobody"),
        ("club invite Anna", "is in Tuesday Evening already"),
        ("club set closed in Monday", "You organise no club called Monday"),
        ("club say", "There are no words to send"),
        ("leave club Monday", "You are in no club called monday"),
    ],
)
def test_what_cannot_be_done_is_said(circle: App, words: str, sentence: str) -> None:
    assert sentence in ask(circle, ANNA, words)
    assert "Tuesday Evening, Lisbon, 1 member, you organise it" in ask(circle, ANNA, "club")


def test_a_player_makes_three_clubs(circle: App) -> None:
    for name in ("Second Club", "Third Club"):
        assert "is made" in ask(circle, ANNA, f"club new {name}")
    assert "You have made 3 clubs" in ask(circle, ANNA, "club new Fourth Club")
    assert 'several clubs. Write "club set open in' in ask(circle, ANNA, "club set open")
    assert "Third Club is changed" in ask(circle, ANNA, "club set open in third club")
    assert "You are in several clubs" in ask(circle, ANNA, "leave club")
    assert "do you leave Third Club?" in ask(circle, ANNA, "leave club Third Club")


def test_six_wishes_a_day_go_to_one_player(circle: App) -> None:
    for _ in range(3):
        assert "we have asked Bill" in ask(circle, ANNA, "club invite Bill")
    for n in range(3):
        ask(circle, ANNA, f"challenge Bill bipod {n + 3}d/move")
        ask(circle, ANNA, "withdraw")
    assert "6 wishes of yours went to Bill within a day" in ask(circle, ANNA, "club invite Bill")
    assert "6 wishes of yours went to Bill within a day" in ask(circle, ANNA, "challenge Bill bagel")


def test_a_block_stops_invitations_and_words(circle: App) -> None:
    ask(circle, ANNA, "club invite Bill")
    ask(circle, BILL, "yes")
    ask(circle, BILL, "block Anna")
    assert "your words go to 0 members" in ask(circle, ANNA, "club say Hello.")
    ask(circle, JOAO, "block Anna")
    assert "No question of yours can go to Joao" in ask(circle, ANNA, "club invite Joao")


def test_a_forgotten_organiser_is_followed_too(circle: App) -> None:
    ask(circle, ANNA, "club invite Bill")
    ask(circle, BILL, "yes")
    ask(circle, ANNA, "forget me")
    writes(circle, ANNA, "yes")
    assert "you organise Tuesday Evening now" in last_words(circle, BILL)
    assert "1 member" in ask(circle, BILL, "club")


class TestClubsTurnedOff:
    @pytest.fixture
    def app_config(self, app_config: dict[str, str]) -> dict[str, str]:
        return app_config | {"PBEM_CLUBS": "off"}

    def test_an_operator_may_turn_clubs_off(self, app: App) -> None:
        register(app, ANNA, "Anna")
        assert "has turned players' clubs off" in ask(app, ANNA, "club new Tuesday Evening")


def test_a_letter_of_words_reads_as_such(circle: App) -> None:
    ask(circle, ANNA, "club invite Bill")
    ask(circle, BILL, "yes")
    ask(circle, ANNA, "club say See you at eight.")
    assert "Anna writes to all of Tuesday Evening: Anna: See you at eight." in flat(
        last_letter(circle, BILL).text
    ) or "See you at eight." in flat(last_letter(circle, BILL).text)
    assert "Tuesday Evening: Anna writes" == subjects(circle, BILL)[-1]
