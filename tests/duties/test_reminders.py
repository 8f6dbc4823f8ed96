"""Reminders: sent once, merged, outside quiet hours, dropped when late."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from threading import Thread

import pytest
from sqlalchemy import func, select

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.game.journal import GIVE, PLY, Entry
from pbem.duties.game_clock import RETRY_DELAY, WORKER_DELAY, check_due_games
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import games, players, vacations
from pbem.store.tables import games as game_rows
from pbem.store.tables import outbox
from tests.apps import ANNA, BILL, JOAO, Clock, Relay, Town, advance, no_days_off, settled
from tests.people import NOON

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def town(app: App, clock: Clock, relay: Relay) -> Town:
    """Three players without vacation days, and a recording relay."""
    town = settled(replace(app, sender=relay), clock)
    no_days_off(app, *(player.id for player in town.players.values()))
    return town


def begin(town: Town, pace: str, second: str = JOAO) -> Game:
    """Begin a game in which Bill is to play."""
    return town.game(BILL, second, time_control=read_pace(pace))


def wish(town: Town, **wishes: str) -> None:
    with town.app.store.write() as db:
        for key, value in wishes.items():
            players.set_preference(db, town.players[BILL], key, value)


def until(town: Town, span: timedelta, who: str = BILL) -> list[tuple[timedelta, ReceivedLetter]]:
    """Pass time in rounds of five minutes, but those with nothing due; return letters with times."""
    begun, end, found = town.now, town.now + span, []
    count = len(town.letters(who))
    while town.now < end:
        with town.app.store.read() as db:
            due = db.scalar(select(func.min(game_rows.c.next_event_at))) or end
        rounds = max(1, -(-(due - town.now) // (5 * MINUTE)))
        town.now = min(end, town.now + rounds * 5 * MINUTE)
        if not check_due_games(town.app):
            continue
        new = town.letters(who)[count:]
        count += len(new)
        found += [(town.now - begun, letter) for letter in new]
    return found


def hours(found: list[tuple[timedelta, ReceivedLetter]]) -> list[int]:
    return [int(since // HOUR) for since, _letter in found]


def is_reminder(letter: ReceivedLetter) -> bool:
    return "reminder" in letter.header("Message-ID")


def play(town: Town, game: Game, move: str = "f2 f4 g3") -> None:
    now = town.load(game.id)
    entry = Entry(len(now.journal) + 1, town.now, PLY, now.state.to_play, {"move": move})
    with town.app.store.write() as db:
        games.append_entries(db, now, now.with_entries([entry]).state, [entry])


def test_a_long_turn_is_told_of_at_half_and_a_day_before_its_end_each_once(town: Town) -> None:
    game = begin(town, "7d+1d<=14d")
    wish(town, quiet="off")
    found = until(town, 7 * DAY)
    assert [84, 144] == hours(found)
    (_, first), (_, last) = found
    told = " ".join(first.text.split())
    assert "A reminder, Bill: move 1 against Joao; 3 days and 12 hours left." in told
    assert "You have until Sunday 8 March, 12:00 UTC; the clock shows 3 days and 12 hours." in told
    assert "_____" in first.text
    town.reply(BILL, last, "f2")
    assert ["f2"] == town.moves(game.id)


def test_letters_of_one_game_stand_in_its_thread_and_can_be_stopped_by_their_head(town: Town) -> None:
    begin(town, "3d/move")
    wish(town, quiet="off")
    ((_, letter),) = until(town, 3 * DAY)
    assert "Bipod #1: Bill - Joao" == letter.header("Subject")
    assert "auto-generated" == letter.header("Auto-Submitted")
    assert letter.header("List-Unsubscribe")


def test_out_of_the_night_it_is_moved_before_it(town: Town) -> None:
    begin(town, "2d/move")  # its reminder would come at midnight
    ((since, _),) = until(town, 47 * HOUR)
    assert 34 * HOUR <= since <= 34 * HOUR + 5 * MINUTE


@pytest.mark.each_database
def test_another_zone_moves_the_reminders_of_a_turn_that_runs(town: Town) -> None:
    begin(town, "2d/move")  # in UTC its reminder would come at ten in the evening, before the night
    town.mail(BILL, new_mail(BILL, town.lobby(BILL), "set zone UTC+3"), town.lobby(BILL))
    assert [31] == [int(since // HOUR) for since, letter in until(town, 47 * HOUR) if is_reminder(letter)]


@pytest.mark.each_database
@pytest.mark.parametrize(("zone", "hour"), [("+0300", 31), ("-0500", 36), ("+0000", 34)])
def test_a_zone_learned_from_a_mail_moves_the_reminders_of_turns_that_run(
    town: Town, zone: str, hour: int
) -> None:
    begin(town, "2d/move")
    local = town.now + timedelta(hours=int(zone[:3]))
    date = f"From: {BILL}\r\nDate: {local:%a, %d %b %Y %H:%M:%S} {zone}".encode()
    mail = new_mail(BILL, town.lobby(BILL), "help").replace(f"From: {BILL}".encode(), date, 1)
    town.mail(BILL, mail, town.lobby(BILL))
    assert [hour] == [int(since // HOUR) for since, letter in until(town, 47 * HOUR) if is_reminder(letter)]


def test_those_due_within_twelve_hours_come_in_one_letter_to_be_answered_together(town: Town) -> None:
    wish(town, quiet="off")
    one = begin(town, "2d/move")
    town.now += 5 * HOUR
    two = begin(town, "2d/move", ANNA)
    town.now += 20 * HOUR
    far = begin(town, "7d/move")
    found = until(town, 12 * HOUR)
    ((_, letter),) = [item for item in found if is_reminder(item[1])]
    assert letter.text.index(f"GAME {one.id},") < letter.text.index(f"GAME {two.id},")
    assert f"GAME {far.id}," not in letter.text
    assert "2 games wait" in letter.header("Subject")
    town.reply(BILL, letter, f"game {one.id}\nf2\ngame {two.id}\nf4")
    assert (["f2"], ["f4"]) == (town.moves(one.id), town.moves(two.id))


def test_within_twelve_hours_of_a_letter_only_the_one_before_a_flag_comes(town: Town) -> None:
    wish(town, quiet="off", remind="60h 20h 14h")
    begin(town, "3d/move")
    found = until(town, 3 * DAY - HOUR)
    assert [12, 52, 58] == hours(found)  # six hours apart; the last is before the flag
    wish(town, remind="60h 20h 14h 2h")
    play(town, town.load(1))
    play(town, town.load(1), "e5")
    assert [12, 52, 70] == hours(until(town, 3 * DAY - HOUR))


def test_while_the_player_is_away_none_comes_and_afterwards_they_come_later(town: Town) -> None:
    wish(town, quiet="off")
    begin(town, "3d/move")
    with town.app.store.write() as db:
        vacations.store_vacation(db, town.players[BILL].id, Vacation(NOON + DAY, NOON + 11 * DAY))
        moved = games.load_game(db, town.app.games_by_key, 1)
        assert moved is not None
        games.reschedule(db, moved)
    assert [10 * 24 + 54] == hours(until(town, 12 * DAY + 12 * HOUR))


def test_time_given_after_the_last_reminder_brings_another_before_the_new_flag(town: Town) -> None:
    wish(town, quiet="off")
    begin(town, "1d/move")
    assert [18] == hours(until(town, 19 * HOUR))
    now = town.load(1)
    gift = Entry(len(now.journal) + 1, town.now, GIVE, 1, {"seconds": 2 * 86400})
    with town.app.store.write() as db:
        games.append_entries(db, now, now.with_entries([gift]).state, [gift])
    assert [54 - 19] == hours(until(town, 2 * DAY))  # a quarter of three days is eighteen hours


def test_a_reminder_that_a_vacation_moved_on_comes_again_on_the_return(town: Town) -> None:
    wish(town, quiet="off", remind="12h")
    one = begin(town, "2d/move")
    town.now += 6 * HOUR
    begin(town, "2d/move", ANNA)
    assert [30] == hours(until(town, 31 * HOUR))  # with the one of the second game, due at 36
    with town.app.store.write() as db:
        vacations.store_vacation(db, town.players[BILL].id, Vacation(town.now, town.now + 10 * DAY))
        for number in (one.id, one.id + 1):
            moved = games.load_game(db, town.app.games_by_key, number)
            assert moved is not None
            games.reschedule(db, moved)
    ((since, letter),) = until(town, 10 * DAY + 8 * HOUR)
    assert (10 * 24 + 5, True) == (since // HOUR, is_reminder(letter))
    assert "Anna" in letter.text


def test_nobody_is_reminded_of_a_game_at_the_moment_at_which_the_flag_of_another_takes_a_day_off(
    town: Town,
) -> None:
    wish(town, quiet="off")
    bill = town.players[BILL].id
    with town.app.store.write() as db:
        for block in vacations.vacations_of_players(db, [bill])[bill]:
            vacations.end_vacation(db, block, block.begins)
    begin(town, "4d/move")  # its last reminder is due with the next game's flag
    begin(town, "3d/move", ANNA)
    for number in (1, 2):  # the clock takes no vacation day for short games
        advance(town.app, number)
    found = until(town, 80 * HOUR)
    assert [48] == hours([item for item in found if is_reminder(item[1])])


def test_who_has_played_is_not_reminded_and_the_other_is(town: Town) -> None:
    wish(town, quiet="off")
    game = begin(town, "1d/move")
    town.now += 17 * HOUR
    play(town, game)
    assert [] == until(town, 6 * HOUR)
    assert [11] == hours(until(town, 17 * HOUR, JOAO))  # at ten, as quiet hours begin at eleven


def test_a_look_that_dies_before_it_is_kept_has_sent_nothing_and_the_next_sends_one(town: Town) -> None:
    begin(town, "1d/move")
    wish(town, quiet="off")
    town.now += 18 * HOUR + WORKER_DELAY
    died: list[str] = []

    def die(step: str) -> None:
        if step == "remind" and not died:
            died.append(step)
            raise RuntimeError("the power is gone")

    before = len(town.letters(BILL))
    check_due_games(replace(town.app, step=die))
    assert (["remind"], before) == (died, len(town.letters(BILL)))
    town.now += RETRY_DELAY + WORKER_DELAY
    check_due_games(replace(town.app, step=die))
    check_due_games(town.app)
    assert before + 1 == len(town.letters(BILL))


def sent(relay: Relay) -> list[bytes]:
    return [raw for _, _, raw in relay.taken if is_reminder(ReceivedLetter(raw))]


def states(town: Town) -> list[str]:
    query = select(outbox.c.state).where(outbox.c.kind.in_(("reminder", "reminders"))).order_by(outbox.c.id)
    with town.app.store.read() as db:
        return list(db.scalars(query))


def due_reminder(town: Town) -> None:
    wish(town, quiet="off")
    town.now += 18 * HOUR + WORKER_DELAY
    check_due_games(town.app)


def test_a_reminder_is_dropped_at_sending_where_the_turn_has_been_played(town: Town, relay: Relay) -> None:
    game = begin(town, "1d/move")
    due_reminder(town)
    play(town, game)
    send_due(town.app)
    assert ([], ["dropped"]) == (sent(relay), states(town))


def test_a_reminder_is_dropped_where_the_game_ended_or_the_player_went_away_or_stopped_them(
    town: Town, relay: Relay
) -> None:
    for change in ("resign", "vacation", "stop"):
        begin(town, "1d/move")
        due_reminder(town)
        number = len(states(town))
        town.now += MINUTE
        if change == "resign":
            now = town.load(number)
            entry = Entry(len(now.journal) + 1, town.now, "resign", 1, {})
            with town.app.store.write() as db:
                games.append_entries(db, now, now.with_entries([entry]).state, [entry])
        elif change == "vacation":
            with town.app.store.write() as db:
                vacations.store_vacation(db, town.players[BILL].id, Vacation(town.now, town.now + HOUR))
        else:
            with town.app.store.write() as db:
                players.set_category_stopped(db, town.players[BILL], "reminders")
        send_due(town.app)
        assert ([], "dropped") == (sent(relay), states(town)[-1])
        town.now += 20 * DAY
        check_due_games(town.app)


def test_a_reminder_of_several_games_goes_out_as_long_as_one_of_them_waits(town: Town, relay: Relay) -> None:
    one = begin(town, "1d/move")
    begin(town, "1d/move", ANNA)
    due_reminder(town)
    play(town, one)
    send_due(town.app)
    assert (1, ["sent"]) == (len(sent(relay)), states(town))


def test_a_reminder_that_still_holds_is_sent_and_holds_up_nothing_behind_it(town: Town, relay: Relay) -> None:
    game = begin(town, "1d/move")
    due_reminder(town)
    play(town, game)
    town.boards(ANNA)
    send_due(town.app)
    assert 2 == len(relay.taken)  # both asked for by Anna
    assert ["dropped"] == states(town)


def test_who_stopped_them_gets_none_not_even_the_last(town: Town) -> None:
    begin(town, "1d/move")
    with town.app.store.write() as db:
        players.set_category_stopped(db, town.players[BILL], "reminders")
    assert [] == until(town, 23 * HOUR)


# The commands.


def ask(town: Town, words: str) -> str:
    (told,) = town.mail(BILL, new_mail(BILL, town.lobby(BILL), words), town.lobby(BILL))
    return " ".join(told.text.split())


def test_remind_tells_and_sets_and_a_running_turn_follows_at_once(town: Town) -> None:
    begin(town, "3d/move")
    assert "a quarter of it is left" in ask(town, "remind")
    assert "48h, 12h" in ask(town, "remind 2d, 12h")
    assert "quiet hours, 22 to 7" in ask(town, "remind")
    assert "quiet is now off" in ask(town, "set quiet off")
    assert [24, 60] == hours(until(town, 3 * DAY - HOUR))


def test_remind_off_ends_them_and_usual_brings_them_back_with_the_category(town: Town) -> None:
    begin(town, "1d/move")
    ask(town, "set quiet off")
    assert "no reminders come" in ask(town, "remind off")
    assert [] == until(town, 12 * HOUR)
    ask(town, "stop reminders")
    assert "you have stopped" not in ask(town, "remind usual")
    assert 1 == len(until(town, 10 * HOUR))


def test_what_is_no_time_is_refused_with_times_that_are(town: Town) -> None:
    assert '"remind 48h 12h"' in ask(town, "remind 0h")
    assert '"set quiet 22-7"' in ask(town, "set quiet 7-7")


def test_a_reminder_answered_by_its_own_address_plays_the_move(town: Town) -> None:
    game = begin(town, "1d/move")
    wish(town, quiet="off")
    ((_, letter),) = until(town, 20 * HOUR)
    receive(town.app, reply_mail(letter, BILL, "f2"), BILL, [letter.header("Reply-To")])
    town.mail(ANNA, new_mail(ANNA, town.lobby(ANNA), "help"), town.lobby(ANNA))
    assert ["f2"] == town.moves(game.id)


@pytest.mark.each_database
def test_four_that_look_at_once_send_one(town: Town) -> None:
    begin(town, "1d/move")
    begin(town, "1d/move", ANNA)
    wish(town, quiet="off")
    town.now += 18 * HOUR + WORKER_DELAY
    before = len(town.letters(BILL))
    looks = [Thread(target=check_due_games, args=(town.app,)) for _ in range(4)]
    for look in looks:
        look.start()
    for look in looks:
        look.join()
    check_due_games(town.app)
    assert before + 1 == len(town.letters(BILL))
