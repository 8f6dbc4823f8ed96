"""Letters say what matters in few lines, and their boards can be played from as text."""

from __future__ import annotations

import re
from html import unescape

import pytest

from pbem.core.game.examples import USUAL
from pbem.core.game.view import view
from pbem.core.letters.facts import TurnFacts
from pbem.core.letters.letter import about_game, to_player
from pbem.core.parsing.commands import ROWS, TOPICS
from pbem.core.parsing.reply_text import MARKER
from pbem.mail.outbound.style_block import style_block
from rules import RULES
from tests.mail.letters import SAMPLES, part_of_letter, sample_bytes, write_sample
from tests.mail.sample_values import OFFERED
from tests.people import BILL, HOST, a_game

SCREEN = 30
"""Lines of text that a telephone shows at once, or nearly."""


def text_of(name: str) -> str:
    return part_of_letter(sample_bytes(SAMPLES[name]), "plain")


def flat(name: str) -> str:
    return " ".join(text_of(name).split())


def help_on(topic: str) -> str:
    letter = to_player("help", BILL, topic=topic, offered=OFFERED, examples=USUAL)
    return " ".join(part_of_letter(write_sample(letter), "plain").split())


# --------------------------------------------------------------------------------------------- short


def test_help_is_one_screen():
    assert len(text_of("help").splitlines()) <= SCREEN
    assert '"help all"' in flat("help")


def test_help_on_a_word_is_that_point_alone():
    assert "you stop your clocks at once" in help_on("vacation")
    assert "remind" not in help_on("vacation")
    assert len(help_on("vacation")) < 700
    assert "you answer what the letter you reply to offers" in help_on("decline")
    assert "how your letters are" not in help_on("zone")
    assert "a large city" in help_on("zone")


def test_help_all_is_everything():
    everything = unescape(help_on("all"))
    for topic in TOPICS.values():
        assert topic.partition(",")[0].upper() in everything
    for row in ROWS.values():
        for usage in filter(None, row.usage.format(host=HOST, site=f"https://{HOST}", **USUAL).split("\n")):
            assert usage.replace("`", '"') in everything


def test_help_on_a_game_names_its_rules():
    assert 'answer "rules bipod" for the rules of bipod' in help_on("bipod")


def test_what_is_set_is_answered_in_two_lines():
    words = text_of("settings-changed").partition("  On the web")[0]
    assert "zone is now America/New_York" in " ".join(words.split())
    assert 'Answer "set" to see how all your letters are.' in words
    said = [line for line in words.splitlines() if line and not line.startswith(MARKER)]
    assert len(said) <= 3


def test_a_list_that_goes_on_is_indented():
    assert "\n      and 2D to d5 ($20), 1S to e6" in text_of("turn-hexthing")


def test_cells_that_may_not_be_played_are_counted():
    assert "Not balanced (-): 8 cells" in flat("turn-bounders")
    assert "Cut off (:): 9 cells" in flat("turn")


def test_fingerprint_and_rules_are_one_line_at_the_end():
    last = text_of("turn").rstrip().splitlines()[-1]
    assert f"  Rules: https://{HOST}/rules/bipod (fingerprint:811ca1c4)" == last


@pytest.mark.parametrize("name", ["turn", "turn-bagel", "turn-hexthing", "refused", "reminder"])
def test_the_buttons_are_directly_below_the_board(name):
    html = part_of_letter(sample_bytes(SAMPLES[name]), "html")
    below = re.sub(r"\s", "", html.partition("</table>")[2])
    assert re.match(r'<p[^>]*><a[^>]*href="mailto:[^"]*">Writeyourmove</a>', below)
    assert 1 == html.count(">Write your move</a>")


# -------------------------------------------------------------------------------------------- offers


def test_an_offer_is_at_the_top_with_its_words_and_not_in_the_foot_again():
    words = flat("turn-draw")
    offer = words.index('Bill offers a draw: answer "accept draw" or "decline draw".')
    assert words.index(MARKER) < offer < words.index("The board after move 5")
    assert 1 == words.count("15 March")
    assert "offered a draw" not in words
    html = part_of_letter(sample_bytes(SAMPLES["turn-draw"]), "html")
    assert "body=accept%20draw" in html.partition("<table")[0]
    assert "body=decline%20draw" in html.partition("<table")[0]


def test_an_offer_that_the_letter_does_not_begin_with_is_in_its_foot():
    assert "Bill has offered a draw; the offer is open until" in flat("undo-asked-draw")
    assert "asked to take move 3 back" not in flat("undo-asked-draw")


# -------------------------------------------------------------------------------------------- boards


def test_the_last_move_is_in_brackets():
    assert ".(x)   2\n" in text_of("turn")
    assert ".(X). . ." in text_of("turn-begird")
    assert "g(O)\n" in text_of("turn-bagel")


def test_begirds_islands_are_told_apart_from_row_numbers():
    words = text_of("turn-begird")
    assert "[   1   |   2   ]\n" in words
    assert re.search(r"\n +18 \[15\] (\. ){9}\[3\]\n", words)
    assert "  Islands: [1] to [15]\n" in words


def test_small_letters_on_a_won_board_are_explained():
    moves = ["a1", "d4", "e5", "c3", "e4", "c2", "e3", "b1", "e2", "d1", "e1"]
    game = a_game(moves, key="begird", islands="3", side="5")
    words = part_of_letter(write_sample(about_game("turn", view(game, 0, HOST), TurnFacts(0, 0))), "plain")
    assert "      x O . O(X)\n" in words
    assert "  Islands: [1] to [3]\n  A black stone outside the winning group: x\n" in words
    assert "outside the winning group" not in text_of("turn-begird")


def test_hexagonal_thing_has_a_legend_and_the_hex_that_each_card_leads_to():
    words = flat("turn-hexthing")
    assert "Bu Buy, Se Sell, Ch Change, and JV Just Visiting" in words
    assert "White can play: 1W to c6 (Change), 3W to a4 (£10)" in words


def test_after_a_swap_the_receipt_says_which_side_is_yours():
    assert "You are Black from now on." in flat("receipt-swap")
    assert "from now on" not in flat("receipt")


# ---------------------------------------------------------------------------------------------- dark


def brightness(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("look", ["dark", "black-pawn"])
def test_a_dark_stone_is_seen_on_both_papers(look, theme):
    """In the dark its rim sets it off, as on the pages; a light stone has no such rim."""
    letter = f'<p class="paper"></p><td class={look}></td><td class=light></td>'
    sheet = style_block(letter).partition("@media")[0 if theme == "light" else 2]
    paper, light, stone = (
        re.search(rf"{name}[^{{}}]*\{{[^}}]*background:(#\w{{6}})", sheet)[1]
        for name in (r"\.paper", r"td\.light", rf"td\.{look}")
    )
    rim = re.search(rf"td\.{look}[^{{}}]*\{{border:2px solid (#\w{{6}})", sheet)[1]
    assert contrast(paper, rim) >= 3
    assert contrast(light, stone) >= 3
    assert contrast("#FBF8F1", stone) >= 4.5


@pytest.mark.parametrize("key", RULES)
def test_every_game_says_what_to_write_near_its_top(key):
    game = a_game((), key=key)
    letter = about_game("turn", view(game, game.state.to_play, HOST), TurnFacts(0, 0))
    words = part_of_letter(write_sample(letter), "plain").split("The board", 1)[0]
    assert f'Answer with your move, such as "{view(game, 0, HOST).examples[0]}",' in " ".join(words.split())


@pytest.mark.parametrize("name", ["receipts-done", "receipts-settled", "receipts-undo"])
def test_below_the_heading_of_each_game_its_sentence_begins_with_a_capital(name):
    html = part_of_letter(sample_bytes(SAMPLES[name]), "html")
    begun = re.findall(r"</h2>\s*<p[^>]*>(.)", html)
    assert len(begun) == text_of(name).count("DONE in game")
    assert all(sign.isupper() for sign in begun)
