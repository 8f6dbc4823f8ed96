"""Limits of players' words by mail, day and game; cuts are told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, SAY, Entry
from pbem.core.lobby.limits import MAX_WORDS, MAX_WORDS_A_DAY, MAX_WORDS_A_GAME
from pbem.core.play.decide import decide_confirmed
from pbem.core.play.turn import Decision
from tests.mail.letters import part_of_letter, write_sample
from tests.people import HOST, NOON, a_game, asks

LINE = "It was a dark and stormy night; the rain fell in torrents.\n"
LONG = (LINE * 400)[: MAX_WORDS - 30] + "\nand THIS is the last word of it " + LINE * 300
FULL = (LINE * 400)[: MAX_WORDS - 9].rstrip().ljust(MAX_WORDS, "x")
HOUR = timedelta(hours=1)


def told(decision: Decision) -> str:
    """The writer's notice of words that were not sent."""
    (letter, *_) = decision.letters
    return " ".join(letter.told.get("remarks") or letter.told.get("problems") or [])


def said(game: Game, *ats: timedelta, words: str = FULL) -> Game:
    """The game after so many words of Bill's, said so often."""
    for after in ats:
        game = game.with_entries([Entry(len(game.journal) + 1, NOON + after, SAY, 0, {"words": words})])
    return game


def test_a_mail_brings_so_many_words_and_its_writer_is_told_from_where_on_nobody_has_them() -> None:
    decision = asks(a_game(), 0, f"f2\n\n{LONG}", since=1)
    kept = decision.entries[0].data["comment"]
    assert ("f2", LONG[: len(kept)]) == (decision.entries[0].data["move"], kept)
    assert MAX_WORDS - 40 < len(kept) <= MAX_WORDS
    rest = LONG[len(kept) :].strip()
    assert (
        f"One mail brings Joao {MAX_WORDS} characters at most, and yours held {len(LONG.strip())}. The first "
        f'{len(kept)} have gone; the last {len(rest)} have not, from "{" ".join(rest[:40].split())}" on.'
    ) == told(decision)
    assert kept == decision.letters[1].view.state.plies[0].comment


def test_no_word_is_cut_in_two_unless_it_never_ends() -> None:
    assert asks(a_game(), 0, f"f2\n\n{LONG}").entries[0].data["comment"].endswith("the last word of")
    endless = "\n".join("x" * 900 for _ in range(9))
    assert 3603 == len(asks(a_game(), 0, f"say {endless}").entries[0].data["words"])


def test_words_of_just_that_length_go_whole_and_nothing_is_remarked() -> None:
    decision = asks(a_game(), 0, f"f2\n\n{FULL}")
    assert (FULL, "") == (decision.entries[0].data["comment"], told(decision))


def test_the_letter_says_it_to_the_writer() -> None:
    text = part_of_letter(write_sample(asks(a_game(), 0, f"f2\n\n{LONG}").letters[0]), "plain")
    assert f"One mail brings Joao {MAX_WORDS} characters at most" in " ".join(text.split())


def test_who_says_too_much_within_a_day_still_moves() -> None:
    game = said(a_game(), *(n * HOUR for n in range(5)))
    decision = asks(game, 0, "f2\n\nAnd another thing.", at=NOON + 5 * HOUR)
    assert [(PLY, {"move": "f2"})] == [(entry.kind, entry.data) for entry in decision.entries]
    assert (
        f"Your words have not gone to Joao: in one game each player can say {MAX_WORDS_A_DAY} characters "
        "within 24 hours, and with these you would have said more. Moves are made all the same."
    ) == told(decision)


@pytest.mark.parametrize(("later", "kept"), [(23 * HOUR, 0), (25 * HOUR, 1)])
def test_a_day_later_there_is_room_again(later: timedelta, kept: int) -> None:
    game = said(a_game(), *[timedelta()] * 5)
    decision = asks(game, 0, f"say {FULL}", at=NOON + later)
    assert (kept, "receipt" if kept else "refused") == (len(decision.entries), decision.letters[0].kind)
    assert ("within 24 hours" in told(decision)) == (not kept)


def test_what_the_other_says_is_not_counted() -> None:
    game = said(a_game(["f2"]), *[timedelta()] * 5)
    assert "Quite." == asks(game, 1, "say Quite.", at=NOON + HOUR).entries[0].data["words"]


def test_a_game_holds_so_many_words_of_one_player_and_no_more() -> None:
    often = MAX_WORDS_A_GAME // len(FULL)
    game = said(a_game(), *(timedelta(days=n) for n in range(often)))
    decision = asks(game, 0, f"f2\n\n{FULL}", at=NOON + timedelta(days=often + 9))
    assert {"move": "f2"} == decision.entries[0].data
    assert f"in one game each player can say {MAX_WORDS_A_GAME} characters" in told(decision)


def test_words_with_a_resignation_that_is_asked_about_wait_whole_and_are_bounded_then() -> None:
    asked = asks(a_game(), 0, f"resign\n\n{LONG}")
    assert ("resign", LONG.strip()) == (asked.asks, asked.words)
    done = decide_confirmed(a_game(), 0, asked.words, same_moment(NOON), HOST)
    assert len(done.entries[0].data["comment"]) <= MAX_WORDS
    assert "One mail brings Joao" in told(done)


def test_words_said_beside_a_resignation_that_is_asked_about_are_bounded_at_once() -> None:
    decision = asks(a_game(), 0, f"resign\nsay {LONG}")
    assert "resign" == decision.asks
    assert len(decision.entries[0].data["words"]) <= MAX_WORDS
    (receipt,) = (letter for letter in decision.letters if letter.kind == "receipt")
    assert "One mail brings Joao" in receipt.told["remarks"][0]


def test_words_that_go_to_nobody_come_back_to_their_writer_in_part() -> None:
    above = (LINE * 300).strip()
    decision = asks(a_game(), 0, f"{above}\n\nf2\n")
    shown = decision.letters[0].untold.above
    assert len(shown) < MAX_WORDS + 50
    assert shown.endswith(f"(and {len(above) - shown.rindex(chr(10))} more characters)")


def test_a_whole_game_of_talk_is_folded() -> None:
    game = said(a_game(["f2"]), *[timedelta(days=n) for n in range(9)])
    assert 9 == len(fold(game).said)
