"""A game as one moving drawing."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from rules.animation import HEAD, Frame, film
from rules.looks import COLOURS
from rules.picture import Picture, Spot
from tests.web.gallery import example

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ("bagel", "begird", "bipod", "bounders", "hexthing")
USUAL = 72 * 1024
"""Bytes of a usual game's film, before it is packed."""


def spot(name: str, x: int, look: str, *marks: str, y: int = 0) -> Spot:
    return Spot(name, x, y, ".", look, "", frozenset(marks))


def frame(words: str, *spots: Spot) -> Frame:
    return Frame(Picture("g", "t", "every stone", spots), words)


THREE = [
    frame("before", spot("a1", 0, "empty"), spot("b1", 2, "empty")),
    frame("one & two", spot("a1", 0, "light", "last"), spot("b1", 2, "empty")),
    frame("three", spot("a1", 0, "light"), spot("b1", 2, "dark", "last")),
]


@cache
def of_example(key: str) -> str:
    played = example(key)
    position = played.rules.begin(played.position.options, 0)
    frames = [Frame(position.picture(), "before")]
    for number, move in enumerate(played.moves, start=1):
        position = position.play(position.read(move))
        frames.append(Frame(position.picture(), f"{number} {move}"))
    return film(frames, played.rules.name)


def seen_at(drawn: str, moment: float) -> list[str]:
    """The uses and texts that are seen at `moment` (0 to 1), by the film's own style rules."""
    times = {
        name: [
            (float(at) / 100, opacity == "1") for at, opacity in re.findall(r"([\d.]+)%\{opacity:(.)\}", body)
        ]
        for name, body in re.findall(r"@keyframes ([op][\d-]+)\{((?:[\d.]+%\{[^}]*\})+)\}", drawn)
    }
    found = []
    for layer in ElementTree.fromstring(drawn).findall(f"{SVG}g"):
        for piece in layer.iter():
            found += _pieces(piece, times, moment)
    return found


def _pieces(
    group: ElementTree.Element, times: dict[str, list[tuple[float, bool]]], moment: float
) -> list[str]:
    steps = times.get(group.get("class", ""), [(0.0, True)])
    shown = [on for at, on in steps if at <= moment][-1]
    return [_named(each) for each in group if each.tag in (f"{SVG}use", f"{SVG}text") and shown]


def _named(piece: ElementTree.Element) -> str:
    return f"{piece.get('href')} {piece.get('x')}" if piece.tag == f"{SVG}use" else str(piece.text)


def test_every_board_is_seen_at_its_time_with_its_words() -> None:
    drawn = film(THREE, "A game")
    step = 1.1 / (3 * 1.1 + 5)
    hexes = ["#h 0", "#h 34.6"]
    assert sorted(["A game", *hexes, "before"]) == sorted(seen_at(drawn, 0))
    assert sorted(["A game", *hexes, "#light 0", "#last 0", "one & two"]) == sorted(
        seen_at(drawn, 1.5 * step)
    )
    end = sorted(["A game", *hexes, "#light 0", "#dark 34.6", "#last 34.6", "three"])
    assert end == sorted(seen_at(drawn, 2.5 * step))
    assert end == sorted(seen_at(drawn, 1))


def test_where_nothing_moves_the_last_board_stands() -> None:
    drawn = film(THREE, "A game")
    still, moving = drawn.split("@media(prefers-reduced-motion:no-preference)")
    assert "[class^=o]{opacity:0}" in still
    assert ".p2" not in still
    assert "animation" not in still
    assert "infinite" in moving
    tags = re.findall(r'<g class="([op])[\d-]+">(.*?)</g>', drawn)
    assert [("p", "three")] == [
        (kind, words) for kind, piece in tags for words in re.findall(r">(three)<", piece)
    ]


def test_a_film_needs_no_script_and_nothing_from_elsewhere() -> None:
    for key in GAMES:
        drawn = of_example(key)
        assert not re.search(r"<script|\son\w+=|url\(|<image|xlink|href=\"[^#]", drawn)
        assert ["http://www.w3.org/2000/svg"] == re.findall(r"https?://[^\"]*", drawn)


@pytest.mark.parametrize("key", GAMES)
def test_the_film_of_a_usual_game_is_small_and_every_part_it_uses_is_in_it(key: str) -> None:
    drawn = of_example(key)
    assert len(drawn.encode()) < USUAL
    used = set(re.findall(r'href="#([\w-]+)"', drawn))
    assert used <= set(re.findall(r' id="([\w-]+)"', drawn))
    classes = set(re.findall(r'class="([op][\d-]+)"', drawn))
    assert classes == set(re.findall(r"@keyframes ([op][\d-]+)", drawn))


@pytest.mark.parametrize("key", GAMES)
def test_a_film_ends_with_the_board_of_its_last_ply(key: str) -> None:
    picture = example(key).position.picture()
    seen = seen_at(of_example(key), 1)
    assert len(picture.spots) == sum(each.startswith("#h ") for each in seen)
    stones = sum(spot.look in ("light", "dark") for spot in picture.spots)
    assert stones == sum(each.startswith(("#light ", "#dark ")) for each in seen)
    assert [f"{len(example(key).moves)} {example(key).moves[-1]}"] == seen[-1:]


def test_a_film_has_a_dark_dress_and_words_for_ears() -> None:
    drawn = film(THREE, "A <game>")
    assert f'[fill="{COLOURS["paper"][0]}"]{{fill:{COLOURS["paper"][1]}}}' in drawn
    root = ElementTree.fromstring(drawn)
    assert ["A <game>", "three. every stone"] == [root[0].text, root[1].text]


def test_a_game_without_plies_is_one_board() -> None:
    drawn = film(THREE[:1], "A game")
    assert ["A game", "#h 0", "#h 34.6", "before"] == seen_at(drawn, 0)
    assert 'class="p' not in drawn


def test_long_words_are_set_smaller_so_that_they_fit() -> None:
    root = ElementTree.fromstring(film([frame("w" * 90, spot("a1", 0, "empty"))], "A game"))
    (text,) = (each for each in root.iter(f"{SVG}text") if each.text == "w" * 90)
    assert float(text.get("font-size", "14")) < 14
    left, top, *_ = map(float, root.get("viewBox", "").split())
    assert (left, top) < (0, -HEAD)
