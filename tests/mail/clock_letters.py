"""Sample letters about clocks: flags, days off, extra time and pauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.events.event import EventPlace
from pbem.core.game.game import Game
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game
from pbem.core.letters.start import start_letters
from pbem.core.play.clock_events import WaitingTurn, letters_for_clock_events, next_flag_event
from pbem.core.play.show import show_letter
from pbem.core.players import Preferences
from tests.mail.event_letters import RUNNING as a_season
from tests.mail.rating_letters import placed
from tests.mail.sample_values import (
    OUTAGES,
    a_challenge,
    only_letter,
)
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command


def _silent(game: Game) -> Iterator[tuple[str, Letter]]:
    """Nothing has happened in a game without a clock; Bill, seat 0, moves."""
    warned = next_flag_event(game, NOON + timedelta(days=60), [])
    assert warned is not None and warned.entry is not None
    after = game.with_entries([warned.entry])
    yield "silent", letters_for_clock_events(game, after, [warned], HOST)[0]
    yield "silent-theirs", letters_for_clock_events(game, after, [warned], HOST)[1]
    closed = next_flag_event(after, NOON + timedelta(days=70), [])
    assert closed is not None and closed.entry is not None
    yield (
        "result-silent",
        letters_for_clock_events(after, after.with_entries([closed.entry]), [closed], HOST)[1],
    )


def letters_of_flags(middle: Game) -> Iterator[tuple[str, Letter]]:
    """The ends of a player's time, and what is agreed about time."""
    timed = replace(middle, time_control=read_pace("3d/move"))
    late, none = NOON + timedelta(days=60), [Vacation(NOON - timedelta(days=30), NOON)]
    day_off, grace = next_flag_event(timed, late, []), next_flag_event(timed, late, none)
    assert day_off is not None and grace is not None and grace.entry is not None
    begins = timed.deadline
    assert begins is not None
    away = replace(timed, stops=ClockStops(vacation=(((begins, begins + timedelta(days=1)),), ())))
    yield "flag-vacation", letters_for_clock_events(timed, away, [day_off], HOST, more=True)[0]
    yield "flag-vacation-last", letters_for_clock_events(timed, away, [day_off], HOST)[0]
    yield from _silent(middle)
    yield "flag-grace", letters_for_clock_events(timed, timed.with_entries([grace.entry]), [grace], HOST)[0]
    yield (
        "flag-grace-theirs",
        letters_for_clock_events(timed, timed.with_entries([grace.entry]), [grace], HOST)[1],
    )
    early = replace(a_game(SEED_GAME[:2]), time_control=read_pace("3d/move"))
    void = next_flag_event(early, late, [])
    assert void is not None and void.entry is not None
    told = letters_for_clock_events(early, early.with_entries([void.entry]), [void], HOST)
    yield "flag-grace-void", told[0]
    for name, letter in zip(("flag-grace-league", "flag-grace-league-theirs"), told, strict=True):
        yield name, replace(letter, place_in_event=EventPlace(a_season, 2))
    yield from _of_agreements(timed, none)
    brisk = replace(middle, time_control=read_pace("1d/move"))
    lost = next_flag_event(brisk, late, none)
    assert lost is not None and lost.entry is not None
    yield "result-timeout", letters_for_clock_events(brisk, brisk.with_entries([lost.entry]), [lost], HOST)[0]
    started = replace(a_game(), time_control=read_pace("1d/move"))
    void = next_flag_event(started, late, none)
    assert void is not None and void.entry is not None
    told = letters_for_clock_events(started, started.with_entries([void.entry]), [void], HOST)
    yield "result-void", told[1]
    for name, letter, sign in zip(("result-void-lost", "result-void-won"), told, "-+", strict=True):
        yield name, letter.telling(table=placed(sign))


def _of_agreements(timed: Game, none_left: list[Vacation]) -> Iterator[tuple[str, Letter]]:
    """Extra time, a pause, and a soft clock's flag; Bill, seat 0, moves."""
    given = asks(timed, 1, "give 2d\n\nThere is no hurry.")
    yield "deal-given", only_letter(given.letters, "deal")
    yield "receipt-given", only_letter(given.letters, "receipt")
    asked = asks(timed, 1, "pause 10 days")
    yield "deal", only_letter(asked.letters, "deal")
    yield "receipt-pause", only_letter(asked.letters, "receipt")
    waiting = timed.with_entries(asked.entries)
    yield "deal-declined", only_letter(asks(waiting, 0, "decline").letters, "deal")
    agreed = asks(waiting, 0, "accept pause")
    yield "deal-agreed", only_letter(agreed.letters, "deal")
    yield "receipt-agreed", only_letter(agreed.letters, "receipt")
    yield "turn-paused", only_letter(asks(waiting.with_entries(agreed.entries), 0, "F2").letters, "turn")
    ends = asks(timed, 1, "annul")
    yield "deal-annul", only_letter(ends.letters, "deal")
    yield "receipt-annul", only_letter(ends.letters, "receipt")
    asked_to_end = timed.with_entries(ends.entries)
    yield "deal-kept", only_letter(asks(asked_to_end, 0, "decline annul").letters, "deal")
    yield "result-annulled", asks(asked_to_end, 0, "accept annul").letters[1]
    both = waiting.with_entries(asks(waiting, 1, "draw").entries)
    yield "draw-pause", only_letter(asks(waiting, 1, "draw").letters, "draw")
    yield "refused-several", only_letter(asks(both, 0, "accept").letters, "refused")
    soft = replace(timed, soft=True, rated=False, time_control=read_pace("2d/move"))
    fell = next_flag_event(soft, NOON + timedelta(days=60), none_left)
    assert fell is not None and fell.entry is not None
    over = soft.with_entries([fell.entry])
    yield "flag-soft", letters_for_clock_events(soft, over, [fell], HOST)[0]
    yield "flag-soft-theirs", letters_for_clock_events(soft, over, [fell], HOST)[1]
    yield "show-flagged", show_letter(view(over, 0, HOST), command("show", "show", ply=None))
    yield "show-flagged-theirs", show_letter(view(over, 1, HOST), command("show", "show", ply=None))
    yield "refused-flagged", only_letter(asks(over, 1, "draw\ndraw").letters, "refused")
    yield "result-claimed-draw", asks(over, 1, "claim draw").letters[1]
    slow = replace(soft, time_control=read_pace("3d/move"))
    kind = next_flag_event(slow, NOON + timedelta(days=60), none_left)
    assert kind is not None and kind.entry is not None
    graced = slow.with_entries([kind.entry])
    yield "flag-grace-soft", letters_for_clock_events(slow, graced, [kind], HOST)[0]
    gone = next_flag_event(graced, NOON + timedelta(days=60), none_left)
    assert gone is not None and gone.entry is not None
    yield (
        "flag-soft-late",
        letters_for_clock_events(graced, graced.with_entries([gone.entry]), [gone], HOST)[1],
    )
    closed = next_flag_event(over, NOON + timedelta(days=60), none_left)
    assert closed is not None and closed.entry is not None
    yield (
        "result-closed",
        letters_for_clock_events(over, over.with_entries([closed.entry]), [closed], HOST)[0],
    )


def letters_on_the_clock(middle: Game) -> Iterator[tuple[str, Letter]]:
    """Letters of a game with its clock running, on vacation, and paused."""
    berlin = replace(JOAO, preferences=Preferences(zone="Europe/Berlin"))
    timed = replace(middle, time_control=read_pace("normal"), seats=(BILL, berlin))
    at = NOON + timedelta(hours=20)
    yield "turn-timed", only_letter(asks(timed, 0, "F2", at=at).letters, "turn")
    yield "receipt-timed", only_letter(asks(timed, 0, "F2", at=at).letters, "receipt")
    yield "refused-timed", only_letter(asks(timed, 0, "f7", at=at).letters, "refused")
    urgent = replace(timed, time_control=read_pace("3d/move"))
    yield "reminder", about_game("reminder", view(urgent, 0, HOST), turns=())
    dated = replace(urgent, seats=(replace(BILL, preferences=Preferences(calendar=True)), berlin))
    turns = (WaitingTurn(dated, 1, NOON + timedelta(hours=4)),)
    yield "reminder-calendar", about_game("reminder", view(dated, 0, HOST), turns=turns)
    opened = replace(a_game(), time_control=read_pace("3d/move"))
    yield "start-timed", start_letters(opened, HOST, a_challenge(time_control=opened.time_control), 1, "")[0]
    away = (NOON + timedelta(hours=18), NOON + timedelta(days=9))
    yield (
        "show-away",
        show_letter(
            view(replace(timed, stops=ClockStops(vacation=((away,), ()))), 1, HOST),
            command("show", "show", ply=None),
        ),
    )
    stood = replace(timed, stops=ClockStops(both=OUTAGES))
    yield "turn-outage", only_letter(asks(stood, 0, "F2", at=at).letters, "turn")
