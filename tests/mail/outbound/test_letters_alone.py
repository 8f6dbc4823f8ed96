"""From a letter alone: whose move it is, until when, and what to write.

The reader here knows no game and no code: only the text part, and what the sentences say.
"""

from __future__ import annotations

import re

import pytest

from pbem.core.game.clock_display import clock_display
from pbem.core.letters.boards import letter_with_boards
from pbem.core.letters.letter import Letter
from pbem.core.parsing.line import read_line
from pbem.core.parsing.yes_no import read_yes_no
from pbem.core.preferences.letter_kinds import KINDS
from pbem.mail.outbound.times import time as in_words
from tests.mail.letters import SAMPLES, part_of_letter, sample_bytes, sample_headers, write_sample
from tests.mail.sample_values import boards_of, several_games
from tests.people import BILL, NOON, asks

NAMES = r"(Bill|Joao|Anna|bot3)"
MINE = (
    r"It is your turn(?: in the game)?, move (\d+)",
    r"Your move, \w+: .*? You play move (\d+)",
    r"you play move (\d+)",
    r"Your time for move (\d+) has run out",
)
THEIRS = (
    rf"It is {NAMES}'s turn(?: in the game)?, move (\d+)",
    rf"{NAMES} is first and plays move (\d+)",
    rf"{NAMES}'s time for move (\d+) has run out",
)
MOMENT = r"(\w+day \d{1,2} \w+(?: \d{4})?, \d\d:\d\d [\w+:-]+)"
UNTIL = (
    rf"(?:You have|(?:Bill|Joao|Anna) has) until {MOMENT};",
    rf"not moved by {MOMENT},",
    rf"If nothing happens here until {MOMENT}, the game is closed",
)
MOVES = (
    r'Answer with your move, such as "([^"]+)"',
    r'answer this letter with your move at the top, on a line of its own, for example "([^"]+)"',
)
QUESTION = r'[Aa]nswer(?: this letter)?(?: with)?(?: the one word)?(?: the words)? "([^"]+)"'

OF_A_GAME = {
    name: letter for name, letter in SAMPLES.items() if letter.view is not None and letter.kind != "result"
}
RUNNING = {
    name: letter
    for name, letter in OF_A_GAME.items()
    if letter.view.game.state.ending is None and letter.player.preferences.format != "html"
}
each_running = pytest.mark.parametrize("name", RUNNING)
NOT_SEATED_NOW = {"director-replace-leaving"}
"""Their reader plays in the game no more: From says whose move it is."""


def words_of(letter: Letter) -> str:
    return " ".join(part_of_letter(sample_bytes(letter), "plain").split())


def first_found(patterns: tuple[str, ...], words: str) -> re.Match[str] | None:
    found = [match for pattern in patterns if (match := re.search(pattern, words))]
    return min(found, key=lambda match: match.start(), default=None)


@each_running
def test_a_letter_of_a_running_game_says_whose_move_it_is(name):
    letter = RUNNING[name]
    if name in NOT_SEATED_NOW:
        assert letter.view.to_play.name in sample_bytes(letter).decode().partition("\n")[0]
        return
    state, words = letter.view.game.state, words_of(letter)
    above = words.partition("The board ")[0]
    mine, theirs = first_found(MINE, above), first_found(THEIRS, above)
    number = str(len(state.plies) + 1)
    if state.to_play == letter.view.seat:
        assert (number, None) == (mine and mine[1], theirs)
    else:
        assert (None, (letter.view.name(state.to_play), number)) == (mine, theirs and theirs.groups())


@each_running
def test_a_letter_of_a_running_game_says_until_when(name):
    letter, view = RUNNING[name], RUNNING[name].view
    shown = clock_display(view.game, sample_headers(letter).date)
    said = first_found(UNTIL, words_of(letter))
    if view.is_earlier or shown is None or view.state.flagged or name in NOT_SEATED_NOW:
        expected = None
    else:
        expected = shown.deadline and in_words(shown.deadline, letter.player.preferences.zone, NOON)
    if view.state.flagged and letter.kind == "flag":
        expected = in_words(letter.told["until"], letter.player.preferences.zone, NOON)
    assert expected == (said and said[1])


@each_running
def test_what_a_letter_says_to_write_is_done_when_it_is_sent(name):
    letter, words = RUNNING[name], words_of(RUNNING[name])
    view = letter.view
    if letter.reply.use == "confirm":
        written = re.search(QUESTION, words)
        assert written
        assert read_yes_no(written[1]) or written[1] in ("send", "small")
        return
    if view.offers and letter.kind in ("draw", "undo", "deal"):
        assert_done(letter, re.search(QUESTION, words)[1])
    if not view.your_turn or view.is_earlier:
        return
    written = first_found(MOVES, words)
    assert written, "no move to write"
    (answer,) = assert_done(letter, written[1])
    assert answer.view.plies_after(len(view.game.journal))[0].seat == view.seat


def assert_done(letter: Letter, written: str) -> list[Letter]:
    """Send it back: it is read whole, and done."""
    view = letter.view
    decision = asks(view.game, view.seat, written, at=sample_headers(letter).date)
    answers = [each for each in decision.letters if each.player == letter.player]
    assert answers
    assert {"refused", "which"}.isdisjoint(each.kind for each in answers)
    assert decision.entries
    return answers[:1]


# ------------------------------------------------------------------------------------ several games

BOARDS = {name: letter for name, letter in SAMPLES.items() if letter.told.get("boards")}


@pytest.mark.parametrize("name", sorted(set(BOARDS) - {"watching", "digest"}))
def test_a_letter_of_several_games_says_it_of_each(name):
    letter, parts = BOARDS[name], words_of(BOARDS[name]).split("GAME ")[1:]
    assert len(parts) == len(letter.told["boards"])
    for view, part in zip(letter.told["boards"], parts, strict=True):
        due = "your move {}" if view.your_turn else f"move {{}} is {view.opponent.name}'s."
        assert part.startswith(f"{view.game.id}, ")
        assert due.format(view.next_ply) in part
        said = first_found(UNTIL, part)
        assert (view.deadline and in_words(view.deadline, "UTC", NOON)) == (said and said[1])
        if view.your_turn:
            written = re.search(r'Legal here, for example, is "([^"]+)"', part)
            assert written
            assert asks(view.game, view.seat, written[1], at=sample_headers(letter).date).entries


def test_an_offer_among_several_boards_is_answered_with_the_number_of_its_game():
    mine, theirs, _ = several_games()
    offered = theirs.with_entries(asks(theirs, 1, "draw").entries)
    letter = letter_with_boards("bundle", BILL, boards_of([mine, offered]), every=True)
    raw = write_sample(letter)
    words = " ".join(part_of_letter(raw, "plain").split())
    said = 'Joao offers a draw: answer "game 43" and on the next line "accept draw" or "decline draw".'
    assert said in words
    assert "body=game%2043%0D%0Aaccept%20draw" in part_of_letter(raw, "html")


# --------------------------------------------------------------------------------- all other kinds

NOTHING_TO_WRITE = frozenset(
    "forgotten forwarded judged moderated month report reported shunted signin trouble unheard unreachable "
    "rating withdrawn".split()
)
"""Kinds that ask for no answer: they tell something, or ask for something other than a mail."""


def test_a_letter_of_every_other_kind_has_a_word_to_write_or_needs_none():
    lacking = set()
    for name, letter in SAMPLES.items():
        if letter.kind not in NOTHING_TO_WRITE and name not in RUNNING:
            quoted = re.findall(r'"([^"]+)"', words_of(letter))
            if not any(read_yes_no(each) or read_line(each, None) for each in quoted):
                lacking.add(name)
    assert {"newcomer", "newcomer-late", "newcomer-name"} == lacking  # a name
    assert set(KINDS) == {letter.kind for letter in SAMPLES.values()}
