"""Boards in letters: narrow for phones, complete for screen readers, by preference."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, START, Entry
from pbem.core.game.view import view
from pbem.core.letters.facts import TurnFacts
from pbem.core.letters.letter import Letter, about_game
from pbem.core.players import Preferences
from pbem.mail.outbound.boards import count_free, draw_in_text, punctuate_rows
from pbem.mail.outbound.text_layout import LAID_OUT
from rules import RULES
from rules.contract import Position
from tests.mail.letters import POLICY, SAMPLES, parse_sample, part_as_text, part_of_letter, write_sample
from tests.mail.outbound.test_letters import Page
from tests.mail.outbound.test_read_back import assert_no_orders
from tests.people import BILL, HOST, JOAO, NOON

PLAIN = Preferences()
each_game = pytest.mark.parametrize("key", RULES)
WISHES = st.builds(
    Preferences,
    format=st.just("both"),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"]),
    board=st.sampled_from(["table", "text", "picture"]),
    stones=st.booleans(),
)


def played(key: str, plies: int, seed: int, preferences: Preferences = PLAIN) -> Game:
    """Play random plies between Bill and Joao, with equal preferences."""
    rules, rng = RULES[key], Random(seed)
    position: Position = rules.start()
    people = (replace(BILL, preferences=preferences), replace(JOAO, preferences=preferences))
    game = Game(42, rules, position.options, 0, people, NOON, (Entry(1, NOON, START, None, {}),))
    for n in range(plies):
        if position.outcome:
            break
        move = position.sample(rng)
        entry = Entry(n + 2, NOON, PLY, position.to_play, {"move": str(move)})
        game = game.with_entries([entry])
        position = position.play(move)
    return game


def turn(game: Game, seat: int = 0) -> Letter:
    return about_game("turn", view(game, 1 if seat else 0, HOST), TurnFacts(max(1, len(game.journal) - 2), 0))


def cells_in(words: str) -> set[str]:
    return set(re.findall(r"\b[A-Za-z]\d{1,2}\b", words))


@each_game
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_a_board_and_its_stones_fit_a_telephone(key: str, plies: int, seed: int) -> None:
    game = played(key, plies, seed)
    words = re.split(r"board\s(?:after|before) ", part_of_letter(write_sample(turn(game)), "plain"))[1]
    words = words.partition("To play")[0].partition("  The game: ")[0]
    laid_out = [line for line in words.split("\n") if line.startswith("  ")]
    assert laid_out
    assert [] == [line for line in laid_out if len(line) > LAID_OUT]


@each_game
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 40), st.integers(0, 2**32), WISHES, st.sampled_from([0, 1]))
@example(14, 27750190, Preferences(format="both", board="table", stones=False), 0)  # a row of one stone
def test_no_letter_of_any_game_however_it_is_wished_reads_as_an_order(
    key: str, plies: int, seed: int, preferences: Preferences, seat: int
) -> None:
    game = played(key, plies, seed, preferences)
    assert_no_orders(write_sample(turn(game, seat)), game.state.position.read)


@each_game
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 60), st.integers(0, 2**32))
def test_every_stone_is_told_in_words_in_both_parts(key: str, plies: int, seed: int) -> None:
    game = played(key, plies, seed)
    raw = write_sample(turn(game))
    for subtype in ("plain", "html"):
        words = re.sub(r"\s+", " ", part_as_text(raw, subtype))
        for label, names in count_free(game.state.position):
            assert f"{label}: " in words
            assert cells_in(" ".join(names)) <= cells_in(words)


@pytest.mark.parametrize("board", ["table", "text", "picture"])
def test_the_tiles_that_the_board_shows_are_counted_below_it_and_named_nowhere_else(board: str) -> None:
    raw = write_sample(turn(played("bagel", 3, 4, Preferences(board=board))))
    suits = [names for _, names in played("bagel", 3, 4).state.position.stones()[-4:]]
    told = part_as_text(raw, "plain")
    assert f"Cups (c): {len(suits[2])} cells" in told
    assert 1 == told.count("Cups (c)") and not cells_in(told.partition("Cups")[2]) >= {*suits[3]}


@each_game
def test_the_table_has_a_caption_headers_and_a_name_for_every_stone_in_reading_order(key: str) -> None:
    game = played(key, 9, 4)
    html = part_of_letter(write_sample(turn(game)), "html")
    page = Page(html)
    tags = [tag for tag, _ in page.tags]
    assert 1 == tags.count("caption")
    assert tags.index("table") < tags.index("caption") < tags.index("th")
    fields = [attrs["title"] for tag, attrs in page.tags if tag == "td" and "title" in attrs]
    spots = [
        spot
        for spot in game.state.picture.spots
        if spot.look != "empty" or spot.ground or "last" in spot.marks
    ]
    assert [spot.name for spot in sorted(spots, key=lambda spot: (spot.y, spot.x))] == fields
    assert html.index("</table>") < html.index(
        next(iter(game.state.position.stones()))[0].replace("'", "&#39;")
    )


@each_game
@pytest.mark.parametrize("plies", [0, 9, 20, 40])
def test_the_html_of_a_turn_on_the_usual_board_is_short(key: str, plies: int) -> None:
    html = part_of_letter(write_sample(turn(played(key, plies, 4))), "html")
    assert len(html.encode("ascii", "xmlcharrefreplace")) <= 12 * 1024


@each_game
@pytest.mark.parametrize("plies", [1, 2, 5])
def test_both_parts_tell_all_plies_since_the_readers_last_one(key: str, plies: int) -> None:
    game = played(key, 8, 4)
    made = game.state.plies[-plies:]
    letter = about_game("turn", view(game, 0, HOST), TurnFacts(made[0].entry - 1, len(game.journal)))
    for subtype in ("plain", "html"):
        words = " ".join(part_as_text(write_sample(letter), subtype).split())
        if plies == 1 and len(made[0].move) <= 40:
            assert f"Joao played {made[0].move.removeprefix('play ')}" in words
        for ply in made if plies > 1 else ():
            assert f"move {ply.n}: {ply.move}" in words or f"{ply.move} , move {ply.n}" in words.replace(
                ",", " ,"
            )


@each_game
def test_a_reader_who_wants_signs_gets_them_in_the_html_part_as_in_the_text(key: str) -> None:
    game = played(key, 12, 4, Preferences(board="text"))
    raw = write_sample(turn(game))
    board = "\n".join(f"  {line}".rstrip() for line in draw_in_text(game.state.picture, LAID_OUT - 2))
    html = part_of_letter(raw, "html")
    assert "<table class=board" not in html
    assert board in html.replace("&lt;", "<").replace("&gt;", ">")
    assert board in part_of_letter(raw, "plain")


@each_game
def test_a_reader_who_wants_a_picture_gets_the_drawing_of_the_pages_with_the_stones_in_words(
    key: str,
) -> None:
    raw, usual = (
        write_sample(turn(played(key, 12, 4, Preferences(board=board)))) for board in ("picture", "table")
    )
    (shown,) = [attrs for tag, attrs in Page(part_of_letter(raw, "html")).tags if tag == "img"]
    (sent,) = [part for part in parse_sample(raw).walk() if part.get_content_maintype() == "image"]
    assert f"<{shown['src'].removeprefix('cid:')}>" == sent["Content-ID"]
    assert sent.get_content().startswith(b"\x89PNG")
    assert played(key, 12, 4).state.picture.description == shown["alt"]
    assert '<ul class="stones">' not in part_of_letter(raw, "html")
    assert part_of_letter(usual, "plain") == part_of_letter(raw, "plain")
    assert raw == message_from_bytes(raw, policy=POLICY).as_bytes()


def test_of_many_boards_a_few_are_pictures_and_the_others_tables() -> None:
    reader = replace(BILL, preferences=Preferences(board="picture"))
    html = part_of_letter(write_sample(replace(SAMPLES["bundle-all"], player=reader)), "html")
    assert 3 >= html.count("<img") > 0


def test_without_the_list_of_stones_a_letter_is_shorter_but_loses_nothing_that_stands_nowhere_else() -> None:
    assert "Blocks (x)" not in part_of_letter(
        write_sample(turn(played("bipod", 6, 1, Preferences(stones=False)))), "plain"
    )
    assert "White's cards" in part_of_letter(
        write_sample(turn(played("hexthing", 6, 1, Preferences(stones=False)))), "plain"
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("g1 i1 E1 f2 h2 g3", "g1 i1 E1, f2 h2, g3"),
        ("a4 b1 b3 c2", "a4, b1 b3, c2"),
        ("k1", "k1"),
        ("3W 1D 2D", "3W 1D 2D"),
        ("£66, $44, no Thing", "£66, $44, no Thing"),
        ("", ""),
    ],
)
def test_rows_are_told_apart_by_commas(names: str, told: str) -> None:
    assert [("Stones", told.split())] == punctuate_rows([("Stones", names.split())])
