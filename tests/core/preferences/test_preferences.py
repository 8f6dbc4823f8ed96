"""Preferences: their names, values and refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.errors import Refusal
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.players import Preferences
from pbem.core.preferences.letter_kinds import CATEGORIES, KINDS, categories_of
from pbem.core.preferences.preferences import (
    ALIASES,
    PREFERENCES,
    Preference,
    find_zone,
    preference_key,
    preference_values,
    read_preference,
    zone_in_words,
)
from pbem.mail.outbound.times import zones
from tests.people import BILL


def asked(text: str) -> tuple[str, dict[str, object]] | None:
    """The verb and arguments of a line, None without a command."""
    blocks = read_orders(text, marked=True).blocks
    return (blocks[0].commands[0].verb, dict(blocks[0].commands[0].args)) if blocks else None


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("set", "", ""),
        ("Set", "", ""),
        ("set All", "all", ""),
        ("set coordinates off", "coordinates", "off"),
        ("set zone", "zone", ""),
        ("set zone Europe/Berlin", "zone", "Europe/Berlin"),
        ("set zone to Berlin", "zone", "Berlin"),
        ("set zone=Berlin", "zone", "Berlin"),
        ("set timezone New York", "timezone", "New York"),
        ("set zone UTC+2", "zone", "UTC+2"),
        ("Set Format TEXT", "format", "TEXT"),
        ("set receipts off", "receipts", "off"),
        ("set board text", "board", "text"),
        ("set stones off.", "stones", "off"),
        ("set zone: Buenos Aires.", "zone", "Buenos Aires"),
        ("set zne Europe/Berlin", "zne", "Europe/Berlin"),
        ("set recepts off", "recepts", "off"),
    ],
)
def test_set_is_read_with_its_key_and_value(text: str, key: str, value: str) -> None:
    assert ("set", {"key": key, "value": value}) == asked(text)


@pytest.mark.parametrize(
    "text",
    [
        "set board up for tomorrow",
        "set stones down",
        "set list of players",
        "set zone out there for all of us",
        "set format as you like",
        "set sail for home",
        "set up",
        "sets zone Berlin and more",
        "Start now",
        "stop it",
        "stop",
        "start",
    ],
)
def test_prose_that_begins_with_the_word_stays_prose(text: str) -> None:
    assert None is asked(text)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("berlin.", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("new_york", "America/New_York"),
        ("Buenos Aires", "America/Buenos_Aires"),
        ("Japan", "Japan"),
        ("CET", "CET"),
        ("UTC", "UTC"),
        ("gmt", "UTC"),
        ("off", "UTC"),
        ("UTC+2", "Etc/GMT-2"),
        ("utc +02:00", "Etc/GMT-2"),
        ("GMT-5", "Etc/GMT+5"),
        ("+2", "Etc/GMT-2"),
        ("UTC+0", "UTC"),
        ("UTC+14", "Etc/GMT-14"),
    ],
)
def test_a_zone_is_found_however_it_is_written(text: str, zone: str) -> None:
    found = find_zone(text, zones())
    assert zone == found or (zone.rpartition("/")[2] == found.rpartition("/")[2])
    assert found == "UTC" or found in zones()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Berln", "set zone Europe/Berlin"),
        ("Europe/Berln", "set zone Europe/Berlin"),
        ("PST", "set zone Europe/Berlin"),
        ("the moon", "set zone New York"),
        ("UTC+25", "set zone UTC+14"),
        ("UTC-13", "set zone UTC-12"),
        ("UTC+5:30", "set zone Kolkata"),
        ("factory", "large city"),
        ("posixrules", "large city"),
        ("../../etc/passwd", "No time zone is called"),
    ],
)
def test_a_zone_that_is_none_is_refused_with_some_that_are(text: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        find_zone(text, zones())
    assert said in str(refused.value)


def test_a_city_that_stands_in_two_places_is_asked_about() -> None:
    with pytest.raises(Refusal, match="more than one west") as refused:
        find_zone("west", {"Australia/West", "Brazil/West"})
    assert "`set zone Australia/West` or `set zone Brazil/West`" in str(refused.value)
    assert "America/Kentucky/Louisville" == find_zone(
        "louisville", {"America/Louisville", "America/Kentucky/Louisville"}
    )


@given(st.text(max_size=60))
def test_no_text_is_taken_for_a_zone_that_this_machine_does_not_have(text: str) -> None:
    try:
        assert find_zone(text, zones()) in zones() | {"UTC"}
    except Refusal as refusal:
        assert "`set zone " in str(refusal)


def test_a_zone_by_its_distance_is_told_as_it_was_written() -> None:
    for hours in (*range(-12, 0), *range(1, 15)):
        assert f"UTC{hours:+d}" == zone_in_words(find_zone(f"UTC{hours:+d}", zones()))
    assert "Europe/Berlin" == zone_in_words("Europe/Berlin")


@pytest.mark.parametrize("key", PREFERENCES)
def test_every_example_can_be_set_and_nonsense_is_refused_with_one(key: str) -> None:
    for value in PREFERENCES[key].examples:
        assert (key, read_preference(key, value, zones())[1]) == read_preference(
            key.upper(), value.upper(), zones()
        )
    for nonsense in ("nonsense", "")[: 1 if PREFERENCES[key].bare else 2]:
        with pytest.raises(Refusal, match=f"`set {key} "):
            read_preference(key, nonsense, zones())


def test_a_key_that_is_none_is_answered_with_the_nearest() -> None:
    assert "zone" == preference_key("TimeZone")
    assert set(PREFERENCES) >= set(ALIASES.values())
    with pytest.raises(Refusal, match="Did you mean `set receipts on` or `set receipts off`"):
        preference_key("recepts")
    with pytest.raises(Refusal, match="`set all` brings"):
        preference_key("colour")


@pytest.mark.parametrize("key", ["coordinates", "coords", "greetings"])
def test_what_can_be_set_no_more_is_answered_with_what_holds_now(key: str) -> None:
    with pytest.raises(Refusal, match=r"always .* now, so `\w+` is no setting"):
        preference_key(key)


def test_all_that_can_be_set_is_a_wish_or_a_category() -> None:
    assert {
        "zone",
        "format",
        "board",
        "stones",
        "receipts",
        "quiet",
        "calendar",
        "undo",
        "capitals",
        "forced",
        "autovacation",
        "moments",
        "puzzles",
        "paper",
        "seeks",
        "token",
    } == set(preference_values(BILL)), "name a new preference here"
    assert preference_values(BILL)["receipts"] is True
    quiet = replace(BILL, stopped=frozenset({"receipts"}), preferences=Preferences(zone="Etc/GMT-2"))
    assert (False, "UTC+2") == (preference_values(quiet)["receipts"], preference_values(quiet)["zone"])


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_can_be_stopped_and_begun_again(category: str) -> None:
    for word in ("stop", "start"):
        for form in (category, category.removesuffix("s"), f"{category} letters"):
            verb, args = asked(f"{word} {form}") or ("", {})
            assert (word, (category,)) == (verb, categories_of(str(args["category"])))


def test_categories_keep_their_places_for_unsubscribe_addresses_count_them() -> None:
    first = ("turns", "challenges", "chat", "receipts", "results", "reminders", "digests", "watched")
    assert first == CATEGORIES[: len(first)]
    numbers = {kind.category.number: kind.stop for kind in KINDS.values() if kind.category}
    assert dict(enumerate(CATEGORIES)) == numbers


def test_a_preference_without_a_field_is_kept_by_its_word() -> None:
    fields = {row.field for row in PREFERENCES.values()} - {""}
    assert fields <= set(vars(Preferences()))
    loud = replace(BILL, preferences=Preferences(more={"whisper": True}))
    row = Preference(lambda value, zones: value, ("on", "off"), "", default=False)
    assert (False, True) == (row.value("whisper", BILL), row.value("whisper", loud))
