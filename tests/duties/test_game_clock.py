"""Flags that fall unnoticed, or while mail waits or is written. All run on both databases."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.lobby.challenges import opening_entry
from pbem.core.play import director
from pbem.duties.game_clock import MAX_GAMES_LOADED, RETRY_DELAY, WORKER_DELAY, check_due_games
from pbem.duties.outages import HEARTBEAT_INTERVAL, SILENCE, WORKER_HEARTBEAT, record_heartbeat
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import RETRY_AFTER, work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.store import games, inbox, outages, vacations
from pbem.store import players as player_rows
from pbem.store.games import GamesByKey
from pbem.web import create_app
from rules import RULES
from rules.contract import Position, Seat
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    a_game,
    add_game,
    advance,
    ask,
    begin,
    ending,
    last_words,
    letters,
    load,
    moves,
    no_days_off,
    play,
    player,
    register,
    reply,
    state,
    writes,
)
from tests.e2e.test_crash import until
from tests.people import NOON

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)


def test_a_flag_ends_the_game_by_itself_and_both_are_told(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    flag = clock.now + DAY
    clock.now = flag + WORKER_DELAY - SECOND
    check_due_games(app)
    assert ending(app) is None
    clock.now = flag + WORKER_DELAY
    assert 1 == check_due_games(app)
    assert ("timeout", 1, flag) == (ending(app).how, ending(app).winner, ending(app).at)
    assert "You ran out of time" in letters(app, BILL)[-1].text
    assert "You have won" in letters(app, JOAO)[-1].text
    counted = len(letters(app, BILL)), len(letters(app, JOAO))
    assert 0 == check_due_games(app)
    assert counted == (len(letters(app, BILL)), len(letters(app, JOAO)))


def test_a_move_accepted_before_the_flag_and_handled_after_it_wins(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    turn = letters(app, BILL)[-1]
    clock.pass_by(days=1, seconds=-1)
    (key,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    clock.pass_by(hours=3)
    check_due_games(app)
    assert ending(app) is None
    work_through(app)
    assert "done" == state(app, key)
    assert 5 == len(load(app).state.plies)
    check_due_games(app)
    assert ending(app) is None


def test_a_move_accepted_after_the_flag_is_too_late_even_where_no_clock_has_looked(
    app: App, clock: Clock
) -> None:
    begin(app, "1d/move")
    play(app, 4)
    turn = letters(app, BILL)[-1]
    flag = clock.now + DAY
    clock.now = flag
    assert "refused" == reply(app, BILL, turn, "h4")
    assert flag == ending(app).at
    assert 4 == len(load(app).state.plies)


def test_a_late_move_does_not_slip_in_while_an_earlier_mail_is_in_trouble(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    turn = letters(app, BILL)[-1]
    flag = clock.now + DAY
    clock.now = flag - SECOND
    (early,) = receive(app, new_mail(BILL, PLAY, "hello"), BILL, [PLAY])
    clock.now = flag + SECOND
    (late,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
    troubles = iter([RuntimeError("once")])

    def stumble(_step: str) -> None:
        for trouble in troubles:
            raise trouble

    work_through(replace(app, step=stumble))
    assert ["new", "new"] == [state(app, early), state(app, late)]
    clock.pass_by(minutes=1)
    work_through(app)
    work_through(app)
    assert ["refused"] == [state(app, late)]
    assert "new" != state(app, early)
    assert flag == ending(app).at
    assert 4 == len(load(app).state.plies)


def other_game(app: App, *, seat: Seat) -> str:
    """Bill's or Anna's address of a second game, which they have begun."""
    pair = player(app, "Bill"), player(app, "Anna")
    with app.store.write() as db:
        game = add_game(db, RULES["bipod"], RULES["bipod"].start().options, 1, pair, True, app.now())
        games.append_entries(db, game, fold(game), [opening_entry(game)])
    return app.addressing.reply(Token("game", (game.id, seat, 1, 0)))


def writers(app: App) -> dict[str, tuple[str, str]]:
    """By name: (From, recipient) of mails that a flag in game 1 waits for, or does not."""
    lobbies = {
        name: app.addressing.reply(Token("player", (player(app, name).id, 0, 0, days_since_1970(app.now()))))
        for name in ("Bill", "Anna")
    }
    return {
        "Bill": (BILL, PLAY),
        "Bill in capitals": (BILL.upper(), PLAY),
        "Joao": (JOAO, PLAY),
        "Bill's lobby": ("bill@elsewhere.example", lobbies["Bill"]),
        "his other game": ("bill@elsewhere.example", other_game(app, seat=0)),
        "a question": ("x@example.com", app.addressing.reply(Token("confirm", (7,)))),
        "Anna": (ANNA, PLAY),
        "Anna's lobby": (ANNA, lobbies["Anna"]),
        "a stranger": ("x@example.com", PLAY),
        "a bounce": ("mailer@example.com", app.addressing.return_path(1)),
        "nobody": ("not an address", PLAY),
    }


WAITED_FOR = ("Bill", "Bill in capitals", "Joao", "Bill's lobby", "his other game", "a question")


@pytest.mark.each_database
def test_a_flag_waits_for_the_mail_of_its_own_players_alone(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    register(app, ANNA, "Anna")
    everybody = writers(app)
    clock.pass_by(hours=23)
    keys = {
        name: receive(app, new_mail(sender, to, f"hello {name}"), sender, [to])[0]
        for name, (sender, to) in everybody.items()
    }
    clock.pass_by(hours=2)
    for name in WAITED_FOR:
        check_due_games(app)
        assert ending(app) is None, name
        with app.store.write() as db:
            inbox.set_disposition(db, int(keys[name][1:]), "done", "", clock.now)
        clock.pass_by(seconds=10)
    check_due_games(app)
    assert "timeout" == ending(app).how
    assert {"new"} == {state(app, key) for name, key in keys.items() if name not in WAITED_FOR}


def test_a_mail_from_before_it_was_noted_whose_it_is_is_waited_for(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    row = {"raw": b"x", "sender": "x@example.com", "recipient": PLAY, "sha256": "", "dedupe": "x"}
    with app.store.write() as db:
        number, _ = inbox.store_mail(db, **row, now=clock.now)
    clock.pass_by(days=2)
    check_due_games(app)
    assert ending(app) is None
    with app.store.write() as db:
        inbox.set_disposition(db, number, "done", "", clock.now)
    clock.pass_by(seconds=10)
    check_due_games(app)
    assert "timeout" == ending(app).how


def test_a_grace_is_told_to_both_and_a_move_in_it_counts(app: App, clock: Clock) -> None:
    begin(app, "3d/move")
    play(app, 4)
    clock.pass_by(days=3, minutes=2)
    check_due_games(app)
    assert "a last 24 hours" in letters(app, BILL)[-1].text
    assert "Bill's time" in letters(app, JOAO)[-1].text
    clock.pass_by(hours=23)
    assert "done" == writes(app, BILL, "h4")
    clock.pass_by(days=2)
    check_due_games(app)
    assert ending(app) is None


def test_a_day_off_moves_the_flag_and_is_told(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(app, JOAO, "accept")
    advance(app)
    flag = clock.now + DAY
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    assert flag + DAY == load(app).deadline
    assert "1 day of your vacation was used" in letters(app, BILL)[-1].text.replace("\n", " ")
    with app.store.read() as db:
        assert [Vacation(flag, flag + DAY, True)] == [
            Vacation(block.begins, block.ends, block.automatic)
            for block in vacations.vacations_of_players(db, [1])[1]
        ]


def test_each_letter_about_a_day_off_says_whether_another_follows(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod first 1d/move")
    writes(app, JOAO, "accept")
    advance(app)
    flag, told = clock.now + DAY, []
    for day in range(5):
        clock.now = flag + day * DAY + WORKER_DELAY
        check_due_games(app)
        told.append("another day is used" in last_words(app, BILL))
        assert told[-1] != ("no further day is used" in last_words(app, BILL))
    clock.pass_by(days=1)
    check_due_games(app)
    assert [True] * 4 + [False] == told
    assert ending(app) is not None
    assert 5 == len(days_taken(app))


# Flags of one player that fall together.


def two_games(app: App, clock: Clock) -> datetime:
    """Games 1 and 2 with Bill to play, and game 1's flag.

    Bill has vacation days left. In game 2 the flag falls half a minute later.
    """
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    for number in (1, 2):
        reply(app, BILL, welcome, "challenge Joao bipod first 1d/move")
        writes(app, JOAO, "accept")
        advance(app, number)
        clock.pass_by(seconds=30 if number == 1 else 0)
    return clock.now + DAY - timedelta(seconds=30)


def days_taken(app: App) -> list[tuple[datetime, datetime]]:
    with app.store.read() as db:
        return [(block.begins, block.ends) for block in vacations.vacations_of_players(db, [1])[1]]


def flags_told(app: App, who: str) -> int:
    return sum(".flag." in letter.header("Message-ID") for letter in letters(app, who))


def deadlines(app: App) -> list[datetime | None]:
    """Deadlines in the rows, as lists show them."""
    with app.store.read() as db:
        return [game.deadline for game in games.running_of_player(db, app.games_by_key, load(app).seats[0])]


def test_two_flags_in_the_same_minute_take_one_day_and_tell_one_game(app: App, clock: Clock) -> None:
    flag = two_games(app, clock)
    clock.now = flag + WORKER_DELAY + timedelta(minutes=5)
    check_due_games(app)
    assert [(flag, flag + DAY)] == days_taken(app)
    assert 1 == flags_told(app, BILL) == flags_told(app, JOAO)
    clock.now += WORKER_DELAY
    check_due_games(app)
    assert [flag + DAY, flag + DAY + timedelta(seconds=30)] == sorted(deadlines(app))
    assert 1 == flags_told(app, BILL)


def test_a_mail_that_finds_the_later_flag_first_takes_no_day_twice(app: App, clock: Clock) -> None:
    flag = two_games(app, clock)
    clock.now = flag + timedelta(seconds=40)
    assert "done" == writes(app, JOAO, "show")
    assert [(flag + timedelta(seconds=30), flag + DAY + timedelta(seconds=30))] == days_taken(app)
    clock.now = flag + WORKER_DELAY
    check_due_games(app)
    assert [(flag, flag + DAY + timedelta(seconds=30))] == days_taken(app)
    assert 2 == flags_told(app, BILL)  # each game's letters tell the new deadline
    assert all(deadline is not None and deadline > flag + DAY for deadline in deadlines(app))


@pytest.mark.each_database
def test_two_processes_that_find_two_flags_at_the_same_moment_take_one_day(
    tmp_path: Path, postgresql_url: str, clock: Clock
) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url}
    app = open_app(config_from(environ), clock=clock)
    flag = two_games(app, clock)
    clock.now = flag + WORKER_DELAY + timedelta(minutes=1)
    reached, go_on = Event(), Event()

    def wait(step: str) -> None:
        if step == "clock" and not reached.is_set():
            reached.set()
            go_on.wait(60)

    turn = letters(app, JOAO)[-1]
    with ThreadPoolExecutor() as pool:
        first = pool.submit(check_due_games, replace(app, step=wait))
        assert reached.wait(60)  # game 1 is being handled
        receive(app, reply_mail(turn, JOAO, "show"), JOAO, [turn.header("Reply-To")])
        second = pool.submit(work_through, app)
        assert 0 == second.result(60)  # it does not wait; the first one handles the mail
        go_on.set()
        first.result(60)
    clock.now += RETRY_AFTER
    assert 1 == work_through(app)
    assert [(flag, flag + DAY)] == days_taken(app)
    assert 1 == flags_told(app, BILL)
    app.close()


def test_a_clock_that_stood_still_for_long_does_all_at_once_in_one_letter(app: App, clock: Clock) -> None:
    begin(app, "3d/move")
    play(app, 4)
    before = len(letters(app, BILL))
    flag = clock.now + 3 * DAY
    clock.pass_by(days=40)
    check_due_games(app)
    assert before + 1 == len(letters(app, BILL))
    assert flag == ending(app).at


def test_a_flag_in_a_game_that_would_be_void_takes_no_day_off(app: App, clock: Clock) -> None:
    a_game(app, "1d/move")
    advance(app, plies=3)
    clock.pass_by(days=1, minutes=5)
    check_due_games(app)
    assert "void" == ending(app).how
    assert [] == days_taken(app)


def test_the_letters_about_a_flag_say_you_lose_where_one_loses_and_void_where_nobody_does(
    app: App, clock: Clock
) -> None:
    a_game(app, "3d/move")
    no_days_off(app, 1, 2)
    advance(app, plies=2)
    clock.pass_by(days=3, minutes=5)
    check_due_games(app)
    who = load(app).seats[load(app).state.to_play].address
    assert "the game is void: nobody wins or loses" in last_words(app, who)
    assert "you lose" not in last_words(app, who)
    advance(app, plies=2)
    clock.pass_by(days=3, minutes=5)
    check_due_games(app)
    assert "you lose on time" in last_words(app, who)
    clock.pass_by(days=1, minutes=5)
    check_due_games(app)
    assert "You ran out of time, so you lose." in last_words(app, who)


def test_a_game_without_a_clock_is_closed_after_sixty_silent_days_and_both_are_told_before(
    app: App, clock: Clock
) -> None:
    begin(app, "none")
    begun = clock.now
    clock.now = begun + 53 * DAY
    assert 0 == check_due_games(app), "nothing is due before"
    clock.now += WORKER_DELAY
    assert 1 == check_due_games(app)
    for who in (BILL, JOAO):
        assert "after 60 days without a word or a move it is closed" in last_words(app, who)
    assert "make your move" in last_words(app, BILL)
    clock.now = begun + 60 * DAY
    check_due_games(app)
    assert ending(app) is None
    clock.now += WORKER_DELAY
    check_due_games(app)
    assert ("void", None, begun + 60 * DAY) == (
        ending(app).how,
        ending(app).winner,
        ending(app).at,
    )
    assert "Nothing happened for 60 days" in last_words(app, JOAO)
    clock.pass_by(days=100)
    assert 0 == check_due_games(app)


def test_words_of_either_player_end_the_silence_of_a_game_without_a_clock(app: App, clock: Clock) -> None:
    begin(app, "none")
    clock.pass_by(days=55)
    check_due_games(app)
    assert "done" == writes(app, JOAO, "say I am still here.")
    spoken = clock.now
    clock.now = spoken + 52 * DAY
    assert 0 == check_due_games(app)
    assert load(app).journal[-1].kind == "say"
    clock.pass_by(days=20)
    check_due_games(app)
    assert ending(app) is None, "both are told again first, and have seven days from then on"
    clock.pass_by(days=6)
    check_due_games(app)
    assert ending(app) is None
    clock.pass_by(days=2)
    check_due_games(app)
    assert "void" == ending(app).how


def test_days_off_of_whoever_is_to_play_are_no_silence(app: App, clock: Clock) -> None:
    begin(app, "none")
    begun = clock.now
    with app.store.write() as db:
        vacations.store_vacation(db, 1, Vacation(begun + 10 * DAY, begun + 20 * DAY))
    clock.now = begun + 53 * DAY + WORKER_DELAY
    check_due_games(app)
    assert load(app).journal[-1].kind == "start"
    clock.now = begun + 63 * DAY + WORKER_DELAY
    check_due_games(app)
    clock.now = begun + 70 * DAY + WORKER_DELAY
    check_due_games(app)
    assert begun + 70 * DAY == ending(app).at


def test_a_director_opens_a_game_again_that_silence_has_closed(app: App, clock: Clock) -> None:
    begin(app, "none", plies=4)
    clock.pass_by(days=54)
    check_due_games(app)
    clock.pass_by(days=8)
    check_due_games(app)
    assert "void" == ending(app).how
    decide_as_director(app, 1, lambda game, now: director.rollback(game, 4, "They are back.", now))
    clock.pass_by(days=50)
    check_due_games(app)
    assert ending(app) is None


# Outages: clocks stop while no worker runs.


def test_a_silence_of_more_than_an_hour_is_given_back_to_every_clock(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    play(app, 4)
    record_heartbeat(app)
    flag = load(app).deadline
    clock.now = flag + 5 * DAY
    record_heartbeat(app)
    check_due_games(app)
    assert ending(app) is None
    down = clock.now - (flag - DAY)
    assert flag + down == load(app).deadline
    while clock.now < flag + down + WORKER_DELAY:
        record_heartbeat(app)
        clock.pass_by(minutes=30)
    check_due_games(app)
    assert flag + down == ending(app).at


def test_a_ply_sent_from_a_page_before_the_worker_is_back_has_the_time_of_the_outage(
    app: App, clock: Clock
) -> None:
    begin(app, "1d/move")
    play(app, 4)
    record_heartbeat(app)
    clock.pass_by(days=5)
    pages, game = create_app(app).test_client(), load(app)
    token = app.addressing.sign_token(Token("game", (1, 0, len(game.open_entries), game.seats[0].epoch)))
    page = f"/games/1/compose/{token}"
    (number,) = re.findall(r'name="number" value="([0-9a-f]+)"', pages.get(page).text)
    pages.post(page, data={"do": "send", "move": "h4", "words": "", "number": number})
    assert (None, 5) == (ending(app), len(moves(app)))


def test_a_silence_of_an_hour_is_none(app: App, clock: Clock) -> None:
    begin(app, "1d/move")
    record_heartbeat(app)
    flag = load(app).deadline
    clock.now += SILENCE
    assert record_heartbeat(app) is None
    assert flag == load(app).deadline
    clock.now += SILENCE + SECOND
    assert record_heartbeat(app) is not None
    assert flag + SILENCE + SECOND == load(app).deadline


def test_while_the_heart_beats_there_is_no_outage(app: App, clock: Clock) -> None:
    begin(app, "3d/move")
    flag = load(app).deadline
    for _ in range(200):
        record_heartbeat(app)
        clock.now += HEARTBEAT_INTERVAL
    assert flag == load(app).deadline


@pytest.mark.each_database
def test_of_two_that_begin_at_the_same_moment_none_stumbles(tmp_path: Path, postgresql_url: str) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": postgresql_url}
    app = open_app(config_from(environ))
    with ThreadPoolExecutor() as pool:
        with app.store.write() as db:
            assert outages.record_heartbeat(db, WORKER_HEARTBEAT, NOON) is None
            second = pool.submit(record_heartbeat, app)
            until("the second waits for the first", lambda: somebody_waits(app))
        assert second.result(60) is not None  # it found the first one's heartbeat, long ago
    app.close()


def somebody_waits(app: App) -> bool:
    with app.store.read() as db:
        return bool(db.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one())


def test_two_that_wake_after_a_silence_give_it_back_once(app: App, clock: Clock) -> None:
    begin(app, "3d/move")
    record_heartbeat(app)
    flag = load(app).deadline
    clock.now += 2 * DAY
    assert [True, False] == [record_heartbeat(app) is not None, record_heartbeat(app) is not None]
    assert flag + 2 * DAY == load(app).deadline


def test_an_outage_is_told_once_in_the_next_letter_of_each_game_to_each_player(
    app: App, clock: Clock
) -> None:
    begin(app, "3d/move")
    record_heartbeat(app)
    clock.now += 5 * DAY
    record_heartbeat(app)
    begun = letters(app, BILL)[-1]
    assert "was stopped" not in begun.text
    reply(app, BILL, begun, "f2")
    told = last_words(app, BILL)
    assert "was stopped from Sunday 1 March, 12:00 UTC to Friday 6 March, 12:00 UTC" in told
    assert "was stopped" in letters(app, JOAO)[-1].text
    writes(app, JOAO, "e5")
    assert "was stopped" not in letters(app, JOAO)[-1].text
    assert "was stopped" not in letters(app, BILL)[-1].text


def test_after_an_outage_every_deadline_in_the_rows_is_right_again(app: App, clock: Clock) -> None:
    begin(app, "3d/move")
    record_heartbeat(app)
    clock.now += DAY
    record_heartbeat(app)
    clock.now += WORKER_DELAY
    check_due_games(app)
    with app.store.read() as db:
        (row,) = games.running_of_player(db, app.games_by_key, load(app).seats[0])
    assert load(app).deadline == row.deadline


def test_the_deadline_stands_in_the_head_of_the_letter_and_in_the_list_of_games(
    app: App, clock: Clock
) -> None:
    begin(app, "3d/move")
    turn = letters(app, BILL)[-1]
    assert "2026-03-04T12:00:00Z" == turn.header("X-PBEM-Deadline")
    assert "You have until Wednesday 4 March, 12:00 UTC; the clock shows 3 days." in " ".join(
        turn.text.split()
    )
    reply(app, BILL, turn, "games")
    assert "until Wednesday 4 March, 12:00 UTC" in last_words(app, BILL)


def test_one_beat_takes_the_days_off_of_however_many_flags_and_none_is_due_again(
    app: App, clock: Clock
) -> None:
    many = MAX_GAMES_LOADED + 5
    with app.store.write() as db:
        players = [
            player_rows.add_player(db, f"P{n}", f"p{n}@example.org", clock.now) for n in range(2 * many)
        ]
        for seed, pair in enumerate(zip(players[::2], players[1::2], strict=True)):
            rules = RULES["bagel"]
            options = rules.start().options
            game = add_game(db, rules, options, seed, pair, True, clock.now, read_pace("7d/move"))
            entries = [opening_entry(game)]
            games.append_entries(db, game, fold(game.with_entries(entries)), entries)
    for number in range(1, many + 1):
        advance(app, number)
    clock.pass_by(days=7, minutes=5)
    assert many == check_due_games(app)
    with app.store.read() as db:
        assert [1] * many == [
            len(taken) for taken in vacations.vacations_of_players(db, range(1, 2 * many, 2)).values()
        ]
        assert [] == games.due_game_ids(db, clock.now, many)


# Games that cannot be read.


def a_house_of_bagels(app: App, clock: Clock, many: int) -> None:
    """A Bipod game whose flag falls last, after many Bagel games. All are at a day a ply."""
    begin(app, "1d/move")
    with app.store.write() as db:
        pair = player_rows.players_by_ids(db, (1, 2))
        rules = RULES["bagel"]
        for seed in range(many):
            began = clock.now - HOUR
            game = add_game(
                db, rules, rules.start().options, seed, (pair[1], pair[2]), True, began, read_pace("1d/move")
            )
            entries = [opening_entry(game)]
            games.append_entries(db, game, fold(game.with_entries(entries)), entries)


def broken(*_anything: object) -> Position:
    raise ArithmeticError("no board")


@pytest.mark.parametrize(
    "games_by_key",
    [
        {"bipod": RULES["bipod"]},
        {"bipod": RULES["bipod"], "bagel": replace(RULES["bagel"], setup=broken)},
    ],
    ids=["rules not installed", "rules that fail"],
)
def test_however_many_games_cannot_be_looked_at_the_flags_of_the_others_fall(
    app: App, clock: Clock, games_by_key: GamesByKey
) -> None:
    a_house_of_bagels(app, clock, MAX_GAMES_LOADED + 1)
    clock.pass_by(days=1, minutes=5)
    assert MAX_GAMES_LOADED + 2 == check_due_games(replace(app, games_by_key=games_by_key))
    assert "void" == ending(app).how
    assert 0 == check_due_games(replace(app, games_by_key=games_by_key))
    clock.now += RETRY_DELAY + WORKER_DELAY
    with app.store.read() as db:
        assert MAX_GAMES_LOADED + 1 == len(
            games.due_game_ids(db, clock.now - WORKER_DELAY, 2 * MAX_GAMES_LOADED)
        )


def test_the_receipt_says_what_the_clock_gains(app: App, clock: Clock) -> None:
    a_game(app, "7d+1d<=14d")
    clock.pass_by(days=1)
    assert "your move 1 is f2. Your clock gains 1 day for it." in ask(app, BILL, "f2")
    clock.pass_by(days=2)
    assert "Your clock gains 1 day" in ask(app, JOAO, "g3")


def test_a_clock_that_is_set_anew_for_each_move_gains_nothing(app: App) -> None:
    a_game(app, "3d/move")
    assert "gains" not in ask(app, BILL, "f2")
