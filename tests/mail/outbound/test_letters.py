"""Whole letters and their parts: their look, and answers to them."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes
from html import unescape
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote

import pytest

from pbem.core.game.examples import USUAL
from pbem.core.game.view import view
from pbem.core.letters.facts import RefusalFacts, TurnFacts
from pbem.core.letters.letter import about_game, to_player
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.reply_text import MARKER
from pbem.mail.outbound import marks
from pbem.mail.outbound.render import environments, faults_of_templates
from pbem.resources import folders
from rules import RULES
from rules.picture import text
from tests.mail.letters import (
    POLICY,
    SAMPLES,
    Page,
    first_words_of,
    letters_in,
    part_as_text,
    part_of_letter,
    write_sample,
)
from tests.mail.sample_values import HOUSE, OFFERED, TOKEN
from tests.people import BILL, HOST, SEED_GAME, a_game, asks
from tests.plain_words import old_words

# ---------------------------------------------------------------------------------------- golden


# --------------------------------------------------------------------------------- the text part


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("turn", "Your move, Joao: Bill played F2."),
        ("turn-timed", "Your move, Joao: Bill played F2; 8 days and 18 hours left."),
        ("receipt", "Done, Bill: your move 5 is F2. It is Joao's turn, move 6."),
        ("result-won", "You have won, Bill. Joao resigned."),
        ("refused", "This could not be done, Bill: f7: there is no row 7; column f has rows 2, 4 and 6."),
        ("reminder", "A reminder, Bill: Joao played E1; 2 days and 4 hours left."),
    ],
)
def test_what_a_list_of_mails_shows_says_what_happened_or_what_to_do(name, sentence):
    raw = write_sample(SAMPLES[name])
    assert letters_in(sentence) == letters_in(first_words_of(raw))
    assert f"{sentence}\n\n{MARKER}" in part_of_letter(raw, "plain").replace("\n", " ").replace("  ", "\n\n")


@pytest.mark.parametrize(
    ("name", "sender"),
    [
        ("turn", "Your move: Bipod #42"),
        ("receipt", "Joao's move: Bipod #42"),
        ("result-won", "You won: Bipod #42"),
        ("result-lost", "You lost: Bipod #42"),
        ("result-draw", "Drawn: Bipod #42"),
        ("result-void", "Void: Bipod #42"),
        ("reminder", "2 days left: Bipod #42"),
        ("flag-grace", "1 day left: Bipod #42"),
        ("draw-turned-down", "Joao's move: Bipod #42"),
        ("draw", "A draw offered: Bipod #42"),
        ("watched-over", "Bill won: Bipod #42"),
        ("watched", "Bill's move: Bipod #42"),
        ("bundle", "2 boards wait: games at pbem.example.org"),
        ("help", "Games at pbem.example.org"),
    ],
)
def test_from_says_the_state_first_and_the_subject_stays(name, sender):
    letter = SAMPLES[name]
    message = message_from_bytes(write_sample(letter), policy=POLICY)
    assert sender == message["From"].addresses[0].display_name
    assert f"play@{HOST}" == message["From"].addresses[0].addr_spec
    if letter.view:
        assert letter.view.game.title == message["Subject"]


def test_boards_are_seven_bit_and_stand_two_columns_in():
    board = dedent(text(a_game(SEED_GAME).state.picture, last=True))
    words = part_of_letter(write_sample(SAMPLES["result-won"]), "plain")
    assert board.isascii()
    assert "\n".join(f"  {line}" for line in board.split("\n")) in words


def test_a_turn_letter_tells_in_order_whose_turn_what_was_played_said_the_board_and_how_to_answer():
    words = part_of_letter(write_sample(SAMPLES["turn"]), "plain")
    places = [
        words.index(piece)
        for piece in (
            "Your move, Joao: Bill played F2.",
            MARKER,
            "You play move 6",
            "Bill: Your turn. I wonder",
            "The board after move 5, F2:",
            "______",
            "Blocks (x): ",
            '"k3", "k3 w3" or "adopt"',
            f"https://{HOST}/games/42",
        )
    ]
    assert sorted(places) == places


def test_the_example_in_a_turn_letter_is_legal():
    for plies in range(len(SEED_GAME)):
        game = a_game(SEED_GAME[:plies])
        seat = game.state.to_play
        words = part_of_letter(
            write_sample(about_game("turn", view(game, seat, HOST), TurnFacts(1, 1))), "plain"
        )
        examples = re.search(r"for example (.*?)\. What", " ".join(words.split()))
        found = re.findall(r'"([^"]+)"', examples[1])
        assert found
        for example in found:
            assert None is game.state.position.problem(game.state.position.read(example))


@pytest.mark.parametrize("key", RULES)
def test_whoever_wrote_no_order_is_shown_three_plies_that_are_legal_now(key):
    for moves in ([], [str(next(RULES[key].start({}).moves()))]):
        game = a_game(moves, key=key)
        seen = view(game, game.state.to_play, HOST)
        raw = write_sample(about_game("refused", seen, RefusalFacts(["No."], found=["What now?"])))
        words = (
            " ".join(part_of_letter(raw, "plain").split()).partition("for example ")[2].partition(". What")[0]
        )
        found = re.findall(r'"([^"]+)"', words)
        assert 3 == len(set(found))
        for example in found:
            assert None is game.state.position.problem(game.state.position.read(example))
            assert f">{example}</code>" in part_of_letter(raw, "html")


def test_a_newcomer_is_told_nothing_of_what_the_stranger_wrote():
    for name in ("confirm", "confirm-words", "newcomer", "newcomer-orders"):
        assert "Bill" not in part_of_letter(write_sample(SAMPLES[name]), "plain")


# --------------------------------------------------------------------------------- the HTML part


def mailtos(name: str) -> list[str]:
    page = Page(part_of_letter(write_sample(SAMPLES[name]), "html"))
    return [link for link in page.links if link.startswith("mailto:")]


def test_the_html_board_has_a_name_for_every_stone_and_headers():
    game = a_game(SEED_GAME)
    page = Page(part_of_letter(write_sample(SAMPLES["result-won"]), "html"))
    fields = [attrs for tag, attrs in page.tags if tag == "td" and "title" in attrs]
    spots = [spot for spot in game.state.picture.spots if spot.look != "empty"]
    assert [spot.name for spot in spots] == [attrs["title"] for attrs in fields]
    assert 6 == sum(attrs.get("scope") == "row" for _, attrs in page.tags)
    assert 33 == sum(attrs.get("scope") == "col" for _, attrs in page.tags)


def test_the_last_ply_stands_out_in_the_html_board():
    page = Page(part_of_letter(write_sample(SAMPLES["turn"]), "html"))
    marked = [a["title"] for tag, a in page.tags if tag == "td" and "last" in (a.get("class") or "").split()]
    assert ["F2"] == marked


def test_links_begin_a_mail_to_the_reply_address_with_what_may_be_played_now():
    links = [
        link
        for link in Page(part_of_letter(write_sample(SAMPLES["turn"]), "html")).links
        if link.startswith("mailto:")
    ]
    subject = "Re%3A%20Bipod%20%2342%3A%20Bill%20-%20Joao"
    assert [
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}",
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}&body=adopt",
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}&body=resign",
    ] == links


def test_no_link_offers_a_ply_that_the_game_does_not_have_now():
    bodies = [unquote(link.partition("&body=")[2]) for link in mailtos("turn-blocker")]
    assert ["", "resign"] == bodies


def test_what_a_player_wrote_is_never_html():
    said = asks(a_game(SEED_GAME[:4]), 0, 'F2\n\n<script>alert("x")</script> & <b>bold</b> {{ 7 * 7 }}')
    html = part_of_letter(write_sample(next(x for x in said.letters if x.kind == "turn")), "html")
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;bold&lt;/b&gt; {{ 7 * 7 }}" in html
    assert "<script" not in html


# ------------------------------------------------------------- a letter that comes back, and answers


# ------------------------------------------------------------------------------------- templates


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_there_is_help_on_every_word_that_is_offered(word):
    letter = to_player("help", BILL, topic=word, offered=OFFERED, examples=USUAL)
    for subtype in ("plain", "html"):
        words = part_as_text(write_sample(letter), subtype)
        assert "no help on" not in words
        assert "what there is to say on" in " ".join(words.split())


def test_words_in_any_script_come_through():
    said = "Olá João! Привет. 你好，世界。 שלום 🙂"
    letter = about_game("chat", view(a_game(), 1, HOST), words=said)
    raw = write_sample(letter)
    assert said in part_of_letter(raw, "plain")
    assert said in unescape(part_of_letter(raw, "html"))
    assert raw.isascii()


def test_an_operators_own_template_is_used(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text(
        "Subject: {{ view.game.title }}\n\n{{ marker }}\n\nMove, {{ to }}!\n"
    )
    words = part_of_letter(write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path)), "plain")
    assert f"Move, Joao!\n\n{MARKER}" == words.strip()[:-4]


def test_a_template_that_asks_for_what_nobody_gave_is_logged_and_ours_takes_its_place(tmp_path, caplog):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text("Subject: x\n\n{{ nonsense }}\n")
    assert write_sample(SAMPLES["turn"]) == write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))
    assert "own templates cannot make a letter turn, so ours do: 'nonsense' is undefined" in caplog.text


def test_all_templates_can_be_loaded():
    letters, frames = environments()
    for path in (folders()[0] / "mail").iterdir():
        if path.suffix != ".css":
            shelf = frames if path.suffix == ".html" else letters
            assert shelf.get_template(f"mail/{path.name}").name


def test_an_operators_own_template_makes_both_parts(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text(
        "Subject: {{ view.game.title }}\n\n{{ marker }}\n\n# Move, {{ to }}:\nwrite `show` **now**.\n"
    )
    raw = write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))
    assert f'Move, Joao: write "show" now.\n\n{MARKER}' == part_of_letter(raw, "plain").strip()[:-4]
    said = part_of_letter(raw, "html")
    assert '<h1>Move, Joao</h1>\n<p>Write "<code>show</code>" <b>now</b>.</p>' in said


OWN_HTML = """{% extends "mail/_layout.html" %}
{% block letter %}
<h1>Move, {{ to }}!</h1>
<p>For example {{ examples(view.examples) }}, or {{ answer("resign") }}.</p>
{{ board(view.state.picture, "Now") }}
{{ buttons("resign") }}
{{ player_words("<b>Hm</b>", "Bill") }}
{% endblock %}
"""


def own_folder(folder: Path, **templates: str) -> Path:
    (folder / "mail").mkdir()
    for name, source in templates.items():
        (folder / "mail" / f"{name}.html").write_text(source)
    return folder


def test_an_operators_own_html_template_makes_the_html_part_alone(tmp_path):
    own = own_folder(tmp_path, turn=OWN_HTML)
    raw, ours = (write_sample(SAMPLES["turn"], replace(HOUSE, templates=each)) for each in (own, None))
    assert {} == faults_of_templates(own)
    assert part_of_letter(ours, "plain") == part_of_letter(raw, "plain")
    said = html = part_of_letter(raw, "html")
    assert "<h1>Move, Joao!</h1>" in said
    assert 'For example "<code>k3</code>",' in said
    assert "title=F2" in said
    assert "<b>Bill:</b> &lt;b&gt;Hm&lt;/b&gt;" in said
    link = f"mailto:play+{TOKEN}@{HOST}?subject=Re%3A%20Bipod%20%2342%3A%20Bill%20-%20Joao&body=resign"
    assert [link, link] == [each for each in Page(html).links if each.startswith("mailto:")]


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("turn", '{% include "mail/_board.html" %}', "there is no mail/_board.html"),
        ("turn", "{% if %}", "Expected an expression"),
        ("turn", "{{ to | shouted }}", "shouted"),
        ("turn", "{{ mailto(reply_to, to) }}", "there is no mailto()"),
        ("turn", '<p class="loud">{{ to }}</p>', "no class 'loud'"),
        ("trun", "<p>{{ to }}</p>", "no letter has this name"),
    ],
)
def test_an_own_html_template_that_cannot_be_used_is_named_and_ours_takes_its_place(
    tmp_path, name, source, fault
):
    own = own_folder(tmp_path, **{name: source})
    ((path, told),) = faults_of_templates(own).items()
    assert f"mail/{name}.html" == path
    assert f"{own}/mail/{name}.html is not used: " in told
    assert fault in told
    ours = write_sample(SAMPLES["turn"])
    assert ours == write_sample(SAMPLES["turn"], replace(HOUSE, templates=own))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("Subject: x\n\n{% if %}\n", "line 3: Expected an expression"),
        ("Subject: x\n{{ to | shouted }}\n", "shouted"),
        ('Subject: x\n{% include "mail/_borad.txt" %}\n', "there is no mail/_borad.txt"),
        ("Subject: x\n{{ marker }}\n{{ nobody_gave_this }}\n", ""),
    ],
)
def test_an_own_text_that_cannot_be_used_is_named_and_ours_takes_its_place(tmp_path, source, fault):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/turn.txt").write_text(source)
    found = faults_of_templates(tmp_path)
    assert bool(fault) == bool(found)
    assert fault in found.get("mail/turn.txt", "")
    assert write_sample(SAMPLES["turn"]) == write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))


def test_an_own_page_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web/front.html").write_text("<p>\n{% endif %}")
    assert "web/front.html cannot be shown: line 2: " in faults_of_templates(tmp_path)["web/front.html"]


def test_what_own_html_templates_include_is_used(tmp_path):
    own = own_folder(tmp_path, turn='{% include "mail/_hello.html" %}', _hello="<p>Hello, {{ to }}.</p>")
    assert {} == faults_of_templates(own)
    raw = write_sample(SAMPLES["turn"], replace(HOUSE, templates=own))
    assert "Hello, Joao." in part_of_letter(raw, "html")


def test_no_capital_letter_is_forced_on_a_name():
    template = "Subject: x\n\n# So:\n{{ name }} plays.\n\n# Then:\nyour turn, {{ name }}.\n"
    letters, _ = environments()
    rendered = letters.from_string(template).render(name="joao").partition("\n")[2]
    _, html, _ = marks.html_of(rendered, "", None)
    assert "<h1>So</h1>\n<p>joao plays.</p>\n<h1>Then</h1>\n<p>Your turn, joao.</p>" == html


# ------------------------------------------------------------------------ the same words in both parts


def test_the_welcome_and_the_page_of_rules_say_which_help_is_allowed():
    allowed = (
        "Your own notes, books, {} and lessons are always allowed. Use no engine and no hints in rated games."
    )
    letter = part_of_letter(write_sample(SAMPLES["welcome"]), "plain")
    assert allowed.format('"try"') in " ".join(letter.split())
    assert allowed.format("<code>try</code>") in Path("templates/web/all_rules.html").read_text()


PAGES = [*Path("templates/web").rglob("*.html"), *Path("templates/rules").glob("*.[ht][tx][mt]*")]


@pytest.mark.parametrize("path", sorted(PAGES), ids=str)
def test_a_page_has_plain_words_and_calls_a_players_move_a_move(path):
    words = re.sub(r"\{[{%#].*?[}%#]\}|<[^>]*>", " ", path.read_text(), flags=re.DOTALL)
    shown = re.findall(r'(?:title|aria-label|alt|content)="([^"{]*)', path.read_text())
    assert [] == old_words(" ".join([words, *shown]))
