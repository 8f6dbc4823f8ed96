"""A wrapped paragraph ends in a single word above a move: only the move counts."""

# ruff: noqa: E501 (sentences are stated as they are)

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice, product
from operator import itemgetter
from textwrap import wrap

import pytest

from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.doubts import IN_A_SENTENCE, OTHER_ORDER, TAKEN_BACK
from pbem.core.parsing.mail_orders import read_orders
from rules import RULES
from tests.amount import some
from tests.mail.clients import mail, two_part_mail
from tests.mail.explain import explain

READER = RULES["bipod"].start().read
MOVE = "f2 f4 g3"
WIDTHS = range(60, 81)
SENTENCES = {
    "en": "Thank you for the last game, it was a pleasure; before I go on let me ask whether you would rather",
    "de": "Vielen Dank für die letzte Partie, sie war ein Vergnügen; bevor ich weiterspiele, frage ich dich, ob",
    "fr": "Merci pour la dernière partie, qui fut un plaisir; avant de continuer je te demande si tu voudrais",
    "es": "Gracias por la última partida, fue un placer; antes de seguir te pregunto si no sería mejor decir",
    "it": "Grazie per l'ultima partita, che è stata un piacere; prima di andare avanti ti chiedo se vorresti",
    "pt": "Obrigado pela última partida, foi um prazer; antes de continuar pergunto se não seria melhor dizer",
    "ru": "Спасибо за последнюю партию, она была удовольствием; прежде чем идти дальше, спрошу, не лучше ли",
    "ja": "先日の対局ありがとうございました大変楽しかったです次の手を打つ前に一つお聞きしたいのですがいっそのこと",
}
ENDS = [
    *sorted(KEYWORDS),
    *(
        "resign yes",
        "accept draw",
        "accept 17",
        "forget me",
        "take 17",
        "block Joao",
        "stop chat",
        "claim win",
    ),
    *(
        "f2",
        "k3 r2",
        "F2",
        "#7 k3",
        "say so",
        "note this",
        "try f2",
        "if f2 then g3",
        "show; resign",
        "give 2d",
    ),
]


def paragraph(lang: str, end: str, width: int) -> str:
    """Wrap words so that `end` is alone on the last line."""
    if lang == "ja":  # two columns each, and no spaces
        return f"{SENTENCES[lang][:8]}\n{''.join(islice(cycle(SENTENCES[lang]), width // 2))}\n{end}"
    lines = wrap(" ".join(islice(cycle(SENTENCES[lang].split()), 40)), width)[:2]
    lines[-1] = lines[-1].ljust(width - len(end.split()[0]), "o")  # wide enough to leave no room
    return "\n".join([*lines, end])


def texts(words: str) -> list[str]:
    """The orders that are carried out without a question."""
    blocks = read_orders(words, marked=True, reader=READER).blocks
    doubts = {IN_A_SENTENCE, OTHER_ORDER, TAKEN_BACK}
    return [command.text for block in blocks if block.doubt not in doubts for command in block.commands]


@pytest.mark.parametrize("end", ENDS)
def test_no_last_word_of_a_wrapped_paragraph_is_carried_out_and_the_move_below_it_is(end: str) -> None:
    for lang, width in some(product(SENTENCES, WIDTHS), 20, itemgetter(0), itemgetter(1)):
        greeting = ("", "Hi Bill,\n", "Hi Bill,\n\n")[width % 3]
        words = f"{greeting}{paragraph(lang, end, width)}\n\n{MOVE}\n\nHave fun!"
        assert (lang, width, [MOVE]) == (lang, width, texts(words))


@pytest.mark.parametrize(
    "end", ["resign", "accept", "adopt", "draw", "undo", "back", "f2", "say so", "games"]
)
def test_nor_where_the_move_stands_directly_below_it_or_there_is_none(end: str) -> None:
    for width in WIDTHS:
        words = paragraph("en", end, width)
        assert [MOVE] == texts(f"{words}\n{MOVE}")
        assert [] == texts(words)


def test_what_was_not_carried_out_is_named() -> None:
    (block,) = read_orders(f"{paragraph('en', 'resign', 72)}\n\n{MOVE}", marked=True, reader=READER).blocks
    assert ['The line "resign" is directly below'] == [remark[:35] for remark in block.remarks]
    assert block.above.endswith("\nresign")
    (alone,) = read_orders(paragraph("en", "resign", 72), marked=True, reader=READER).blocks
    assert (IN_A_SENTENCE, ()) == (alone.doubt, alone.remarks)  # so it is asked about


def test_a_paragraph_broken_at_a_comma_is_no_greeting() -> None:
    words = "It has been a very long fight, and I think that you should now,\nresign"
    assert [] == texts(words)


@pytest.mark.parametrize(
    "words", ["Hi Bill,\nresign", "Good evening!\nresign", "Hi Bill\nresign", "resign", "Well.\n\nresign"]
)
def test_an_order_below_a_greeting_or_an_empty_line_is_carried_out(words: str) -> None:
    assert ["resign"] == texts(words)


GRAVELY = [
    "resign",
    "resign yes",
    "accept",
    "decline",
    "draw",
    "adopt",
    "undo",
    "back",
    "confirm",
    "block Joao",
]


@pytest.mark.parametrize("order", GRAVELY)
def test_a_word_that_cannot_be_taken_back_is_never_taken_from_directly_below_prose(order: str) -> None:
    for above in ("Well played", "I would rather not", "resign,"):
        words = f"{above}\n{order}"
        found = read_orders(words, marked=True, reader=READER)
        assert [] == texts(words)
        asked = any(block.doubt == IN_A_SENTENCE for block in found.blocks)
        assert asked or f'"{order}" is directly below' in found.remarks[-1]


def test_a_move_below_a_short_line_is_carried_out() -> None:
    assert ["k3"] == texts("Here is my move:\nk3")
    assert ["show", "draw"] == texts("A short line\nshow\ndraw")


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_game_named_at_the_end_of_a_paragraph_begins_no_block(lang: str) -> None:
    for width in WIDTHS:
        words = paragraph(lang, "game 7", width)
        found = read_orders(f"{words}\n\nAnd so on.\n\n{MOVE}", marked=True, reader=READER, own=17)
        assert [(None, [MOVE])] == [(b.game, [c.text for c in b.commands]) for b in found.blocks]
        below = read_orders(f"{MOVE}\n{words}", marked=True, reader=READER, own=17)
        assert [(None, f"{words}")] == [(block.game, block.comment) for block in below.blocks]
        unsure = read_orders(f"{words}\n\n{MOVE}", marked=True, reader=READER, own=17)
        assert 'The line "game 7" is directly below' in unsure.problem


def test_a_game_line_below_a_long_comment_begins_a_block_where_a_move_follows() -> None:
    words = f"game 6\n{MOVE}\n{SENTENCES['en'][:70]}\ngame 7\nk3"
    found = read_orders(words, marked=True, reader=READER, reader_of=lambda _number: READER)
    assert [(6, [MOVE]), (7, ["k3"])] == [(b.game, [c.text for c in b.commands]) for b in found.blocks]


# ------------------------------------------------------------------------- as mail programs send it


def sent(words: str, width: int) -> Iterator[tuple[str, bytes]]:
    """Return a mail of wrapped paragraphs, each kind by name."""
    wrapped = "\n\n".join("\n".join(wrap(each, width)) or each for each in words.split("\n\n"))
    flowed = "\n\n".join(" \n".join(wrap(each, width)) for each in words.split("\n\n"))
    html = "".join(f"<p>{each}</p>" for each in words.split("\n\n"))
    quote = "\n\nOn 2 Mar 2026 Bipod #42 <play@games.example.org> wrote:\n> ##- write your move above this line -##\n"
    yield "plain", mail(wrapped + quote)
    yield "flowed", mail(flowed + quote, kind="text/plain; charset=utf-8; format=flowed")
    yield (
        "html",
        mail(
            html + "<blockquote>##- write your move above this line -##</blockquote>",
            kind="text/html; charset=utf-8",
        ),
    )
    yield "both", two_part_mail(wrapped + quote, html)


@pytest.mark.parametrize("end", ["resign", "accept", "adopt", "draw", "undo", "f2", "say so"])
def test_no_program_makes_an_order_of_the_end_of_a_paragraph(end: str) -> None:
    for width in (30, 45, 60, 66, 72, 78):
        words = " ".join(paragraph("en", end, width).split())
        for kind, raw in sent(f"{words}\n\n{MOVE}\n\nHave fun!", width):
            if width < 60 and kind == "plain" and end in ("f2", "say so"):
                continue  # only an HTML part could show that such a short line was broken
            found = explain(raw, "bipod")
            assert (kind, [MOVE], "Have fun!") == (kind, found["orders"], found["comment"])
