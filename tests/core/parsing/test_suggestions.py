"""Hints for a mail without a command: the word probably meant."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.game.examples import USUAL
from pbem.core.parsing.commands import EXAMPLES, IRREVERSIBLE
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.suggestions import SUGGESTIONS, suggest
from rules import RULES
from tests.quickness import quick

READER = RULES["bipod"].start().read

EVERY = {**USUAL, **dict.fromkeys(("challenge", "seek", "own", "other", "watched", "muted"), "17")}
EVERY |= {"blocked": "Joao", "watched_name": "Joao", "offer": "draw"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("what are my games?", "`games`"),
        ("show me my games", "`games`"),
        ("I'd like a draw", "`draw`"),
        ("I want to play bipod against the computer", "`challenge bot bipod`"),
        ("computer", "`challenge bot bipod`"),
        ("Can I play an easier bot?", "bot1 is the easiest"),
        ("Ich möchte gegen den Computer spielen", "`challenge bot bipod`"),
        ("sign in", "/settings"),
        ("How do I log in?", "`help`"),
        ("I'd like to log in please", "/settings"),
        ("Can you give me a hint please?", "`hint`"),
        ("Kannst du mir einen Tipp geben?", "`hint`"),
        ("paper", "`set paper on`"),
        ("Join a league", "`join bipod league`"),
        ("I would like to join the bagel league", "`join bagel league`"),
        ("league", "`events`"),
        ("leave bipod league tomorrow", "`leave bipod ladder`"),
        ("withdraw bipod league", "`leave bipod league`"),
        ("I must drop out of the season, sorry", "`leave bipod ladder`"),
        ("Can I play on the ladder?", "`ladder bipod`"),
        ("ich möchte Begird spielen", "`play begird`"),
        ("can we play bagel?", "`play bagel`"),
        ("I don't know. What are the rules? Where is the edge?", "`rules`"),
        ("say", "`say Good luck!`"),
        ("challenge joao bounders size 4", "`size=4`"),
        ("challenge bot1 begird 9 islands", "`islands=9`"),
        ("challenge bot1 begird bitte mit 9 Inseln", "`challenge bot1 begird`"),
        ("Seiten tauschen", "`swap`"),
        ("Tausch", "`swap`"),
        ("challenge bipod", "`challenge Joao bipod`"),
        ("challenge joao in group 4", "`challenge joao bipod`"),
        ("I resign", "`resign`"),
        ("I resign.", "`resign`"),
        ("Sorry, I give up!", "`resign`"),
        ("I'd like to resign, well played", "`resign`"),
        ("you win", "`resign`"),
        ("yes", "`accept`"),
        ("ok I accept", "`accept`"),
        ("OK", "`accept`"),
        ("Accepted!", "`accept`"),
        ("Sure, why not", "`accept`"),
        ("no thanks", "`decline`"),
        ("I would rather not", "`decline`"),
        ("challenge joao", "`challenge joao bipod`"),
        ("I challenge Anna!", "`challenge Anna bipod`"),
        ("Can I challenge you to a game?", "`challenge Joao bipod`"),
        ("rematch?", "`rematch`"),
        ("Can we play again?", "`rematch`"),
        ("I offer a draw", "`draw`"),
        ("draw?", "`draw`"),
        ("unsubscribe", "`stop turns`"),
        ("STOP", "`stop turns`"),
        ("Please remove me from your list", "`stop turns`"),
        ("I pass", "`pass`"),
        ("I adopt", "`adopt`"),
        ("swap sides please", "`swap`"),
        ("My move is f2", "alone on a line"),
        ("I play f2, what now", "alone on a line"),
        ("e5 draw", "alone on a line"),
        ("hi, f2", "alone on a line"),
        ("game 2 e5", "on a line of their own"),
        ("Game 2: accept", "on a line of their own"),
        ('"accept"', "without the marks"),
        ("'draw'.", "without the marks"),
        ("f6 - what do you think of it?", "alone on a line"),
        ("set colour blue", "`set all`"),
        ("How do I play this?", "`help`"),
        ("Hi Joao,\n\nI resign", "`resign`"),
        ("acept", "Did you mean accept?"),
        ("resing", "Did you mean resign?"),
        ("dwar", "Did you mean draw?"),
        ("calim win", "`claim win`"),
        ("claim victory", "`claim win`"),
        ("give knight", "`give 2d`"),
        ("remind 9d 1m", "`remind 48h 12h`"),
        ("vacation next week", "`vacation 7 days`"),
        ("limit bagel", "`limit bipod 3`"),
        ("take it", "`take 17`"),
        ("Please remove me from your list", "`forget me`"),
        ("show game 3", "the number 3 on a line of their own, and `show`"),
        ("moves of game 12, please", "the number 12 on a line of their own, and `moves`"),
        ("vacation end", "`back`"),
        ("I want to end my vacation", "`back`"),
        ("withdraw it, please", "`withdraw 17`"),
        ("cancel seek 14", "`withdraw 14`"),
        ("Please cancel my challenge", "`withdraw 17`"),
        ("daily puzzle", "`set puzzles daily`"),
        ("a puzzle every day please", "`set puzzles daily`"),
        ("moments off", "`set moments off`"),
        ("paper on", "`set paper on`"),
        ("play bot", "`challenge bot bipod`"),
        ("learn bipod three", "`learn bipod 2`"),
        ("play chess", "bagel, hexthing. Write for example `play bipod`."),
        ("learn chess", "`learn bipod`"),
        ("Ladder chess", "`ladder bipod`"),
        ("take 12 please", "`take 12`"),
        ("challenge bot9", "`challenge bot1 bipod`"),
        ("Take the second one!", "`take 17`"),
        ("watch Joao play", "`watch 17`"),
    ],
)
def test_a_mail_that_means_a_command_without_writing_it_is_told_the_word(words: str, told: str) -> None:
    assert () == read_orders(words, marked=True, reader=READER).blocks
    assert told in suggest(words, EVERY).text


@pytest.mark.parametrize(
    "words",
    [
        "",
        "The weather is fine here and we shall go to the sea tomorrow.",
        "Resignation is far from my mind; " * 8,
        "Block after block he built a wall there.",
        "f2",
        "f2 f4, g3.",
        "Nothing to say.\nStill nothing.\nAnd more of it.\nI resign",
    ],
)
def test_of_other_mails_nothing_is_guessed(words: str) -> None:
    assert "" == suggest(words).text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Hi bot,\n\nI adopt the blocking side please.", "the one word `adopt`"),
        ("hello computer!\n\nI offer a draw", "the one word `draw`"),
        ("I am back!", "To end your vacation, write the one word `back`"),
        (
            "Resign 9",
            "Write the word game and the number 9 on a line of their own, and `resign` on the line below it.",
        ),
        ("I want to leave the ladder", "`leave bipod ladder`"),
    ],
)
def test_a_greeting_a_number_and_a_ladder_lead_to_the_right_word(words: str, told: str) -> None:
    assert told in suggest(words, {**EVERY, "game": "bipod"}).text


def test_the_word_in_a_hint_is_a_command_where_it_is_one_by_itself() -> None:
    filled = {**EVERY, "option": "size", "value": 4, "word": "resign", "number": 9, "to": "learn"}
    filled |= {"setting": "moments", "switch": "off"}
    for _, meant in SUGGESTIONS:
        for text in re.findall("`([^`]+)`", meant.text.format(**filled)):
            assert (
                text == "challenge"
                or text in ("swap", "pass", "adopt", "size=4", "yes", "no", "Hilfe")
                or (read_orders(text, marked=True, reader=READER).blocks)
            )


@pytest.mark.parametrize(
    "example", [each for word in EXAMPLES if word not in ("swap", "pass", "black") for each in EXAMPLES[word]]
)
def test_what_is_suggested_for_a_word_can_be_written(example: str) -> None:
    assert "" == read_orders(example.format(**EVERY), marked=True, reader=READER).problem


@pytest.mark.parametrize("word", sorted(IRREVERSIBLE))
def test_who_slips_in_a_word_whose_effect_cannot_be_taken_back_is_asked_whether_they_meant_it(
    word: str,
) -> None:
    assert () == read_orders(f"{word[:-1]}x", marked=True, reader=READER).blocks
    told = suggest(f"{word[:-1]}x").text
    assert any(way in told for way in (f"`{word}`", f"mean {word}?", f"`help {word}`"))


@given(st.text(max_size=400))
def test_any_words_get_a_suggestion_or_none_at_once(words: str) -> None:
    assert "{" not in quick(1, partial(suggest, words)).text


@pytest.mark.parametrize("words", ["ok " * 50, "I would like to " * 10, "please, " * 20, "challenge " * 15])
def test_words_said_over_and_over_take_no_time(words: str) -> None:
    quick(0.05, partial(suggest, words))
