"""A player's commands in a game: recorded, repeated, refused, answered."""

from __future__ import annotations

import pytest

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.fold import fold
from pbem.core.game.journal import PLY, RESIGN, SAY
from pbem.core.play.decide import decide_confirmed
from pbem.core.play.turn import Decision
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks


def kinds(decision: Decision) -> list[tuple[str, str]]:
    """The players and kinds of all letters."""
    return [(letter.player.name if letter.player else "", letter.kind) for letter in decision.letters]


def test_a_legal_move_is_recorded_and_both_get_the_board() -> None:
    decision = asks(a_game(), 0, "f2 f4 g3", since=1)
    assert [(PLY, 0, {"move": "f2 f4 g3"})] == [(e.kind, e.seat, e.data) for e in decision.entries]
    assert [("Bill", "receipt"), ("Joao", "turn")] == kinds(decision)


def test_the_time_of_a_ply_is_the_time_the_mail_was_accepted() -> None:
    (entry,) = asks(a_game(), 0, "f2", since=1, at=NOON.replace(second=7)).entries
    assert NOON.replace(second=7) == entry.at


def test_words_below_a_move_travel_with_the_ply_to_the_opponent() -> None:
    decision = asks(a_game(), 0, "f2\n\nGood luck, Joao!", since=1)
    assert {"move": "f2", "comment": "Good luck, Joao!"} == decision.entries[0].data
    assert "Good luck, Joao!" == decision.letters[1].view.state.plies[0].comment


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("f7", "f7: there is no row 7; column f has rows 2, 4 and 6."),
        ("k1", "k1 is taken (the left start)."),
        (
            "k3 o",
            "k3 o: nobody has adopted yet, so there is no Runner; now a move is 1 to 3 blocks, or adopt.",
        ),
    ],
)
def test_a_move_that_cannot_be_played_changes_nothing_and_says_why(words: str, sentence: str) -> None:
    decision = asks(a_game(), 0, words, since=1)
    assert () == decision.entries
    assert [("Bill", "refused")] == kinds(decision)
    assert [words] == decision.letters[0].told["read"]
    assert sentence == decision.refused


def test_all_or_nothing_a_wrong_second_command_undoes_the_first() -> None:
    decision = asks(a_game(), 0, "f2\nshow #9", since=1)
    assert () == decision.entries
    assert "There is no move 9 yet; the next one is move 2." == decision.refused


def test_it_is_the_others_turn_and_nothing_happens() -> None:
    decision = asks(a_game(["f2"]), 0, "g3")
    assert () == decision.entries
    assert "It is Joao's turn; your last move, number 1, is recorded as f2." == decision.refused


# Repeated mails: the same move for the same ply.


@pytest.mark.parametrize("since", [1, 2, None])
def test_the_same_move_again_is_already_recorded(since: int | None) -> None:
    decision = asks(a_game(["f2 f4"]), 0, "f2 f4", since=since)
    assert () == decision.entries
    assert [("Bill", "receipt")] == kinds(decision)
    assert "f2 f4" == decision.letters[0].told["already"].move


def test_the_same_move_in_another_spelling_is_already_recorded() -> None:
    assert asks(a_game(["m1 o1"]), 0, "mo1", since=1).letters[0].told["already"].n == 1


def test_the_same_move_with_its_parts_in_another_order_is_already_recorded() -> None:
    game = a_game(["f2 f4", "g3"])
    assert asks(game, 0, "f4 f2", since=1).letters[0].told["already"].n == 1
    assert "recorded as f2 f4, and that does not change" in asks(game, 0, "f4 f6", since=1).refused


def test_the_same_move_again_after_the_answer_is_already_recorded() -> None:
    decision = asks(a_game(["f2", "g3"]), 0, "f2", since=1)
    assert () == decision.entries
    assert 1 == decision.letters[0].told["already"].n


def test_another_move_for_a_recorded_ply_is_refused_with_the_recorded_one() -> None:
    decision = asks(a_game(["f2", "g3"]), 0, "f4", since=1)
    assert () == decision.entries
    assert "Your move 1 is recorded as f2, and that does not change." == decision.refused


def test_a_move_sent_to_an_older_plys_address_is_refused_with_the_board_of_now() -> None:
    game = a_game(["f2", "g3"])
    decision = asks(game, 0, "i1", since=2)
    assert () == decision.entries
    assert decision.refused.startswith("Move 2 was Joao's (g3), so the board has changed")
    assert 2 == decision.letters[0].view.state.position.ply


def test_words_sent_to_an_older_plys_address_still_arrive() -> None:
    decision = asks(a_game(["f2", "g3"]), 0, "say sorry, I am slow", since=1)
    assert [(SAY, {"words": "sorry, I am slow"})] == [(e.kind, e.data) for e in decision.entries]
    assert [("Bill", "receipt"), ("Joao", "chat")] == kinds(decision)


# The ply number as a guard.


def test_a_guarded_move_is_played_when_the_number_is_the_next_ply() -> None:
    assert "f2" == asks(a_game(), 0, "#1 f2").entries[0].data["move"]


def test_a_guard_for_a_later_ply_is_refused() -> None:
    told = "The next move is number 2; there is no move 3 to play now."
    assert told == asks(a_game(["f2"]), 1, "#3 i1").refused


def test_a_guarded_move_in_a_game_that_is_over_hears_so() -> None:
    game = a_game(["f2"])
    over = game.with_entries(asks(game, 1, "resign yes").entries)
    assert "The game is over: Joao resigned." == asks(over, 1, "#3 i1").refused


# Numbers by plies and by rounds: `5.` is ply 5, or a ply of round 5.

FIVE = ["f2", "g3", "i1", "h2", "F2"]


@pytest.mark.parametrize(
    ("plies", "since", "number"),
    [(0, 1, "1."), (1, 2, "1..."), (1, 2, "1."), (1, 2, "2."), (2, 3, "2."), (4, 5, "3."), (4, None, "5.")],
)
def test_a_number_that_fits_in_either_counting_plays_the_move(
    plies: int, since: int | None, number: str
) -> None:
    found = asks(a_game(FIVE[:plies]), plies % 2, f"{number} u5", since=since)
    assert ["u5"] == [entry.data["move"] for entry in found.entries]


def test_a_number_that_fits_in_no_counting_is_refused() -> None:
    told = "Your move has the number 2, but move 5 is due, in round 3."
    assert told == asks(a_game(FIVE[:4]), 0, "2. u5", since=5).refused


def test_without_a_letters_address_a_number_that_fits_by_round_alone_is_asked_about() -> None:
    found = asks(a_game(FIVE[:4]), 0, "3. u5")
    assert () == found.entries
    assert "Move 5 is due, which is in round 3" in found.refused


def test_a_number_of_the_letters_ply_that_was_played_since_is_stale() -> None:
    assert "Move 2 was Joao's (g3)" in asks(a_game(FIVE[:2]), 0, "1... u5", since=2).refused


def test_a_numbered_move_sent_again_is_a_repeat() -> None:
    assert 1 == asks(a_game(["f2"]), 0, "1. f2").letters[0].told["already"].n


def test_a_guard_for_the_ply_just_made_tells_a_repeat_from_a_new_move() -> None:
    game = a_game(["f2"])
    assert 1 == asks(game, 0, "#1 f2").letters[0].told["already"].n
    assert "Your move 1 is recorded as f2, and that does not change." == asks(game, 0, "#1 g3").refused


# Resigning.


def test_an_early_resignation_is_asked_about_once_and_changes_nothing() -> None:
    decision = asks(a_game(["f2"]), 1, "resign", since=2)
    assert () == decision.entries
    assert "resign" == decision.asks
    assert [("Joao", "resign")] == kinds(decision)


def test_an_early_resignation_with_yes_is_not_asked_about() -> None:
    decision = asks(a_game(["f2"]), 1, "resign yes", since=2)
    assert [RESIGN] == [entry.kind for entry in decision.entries]


def test_a_confirmed_resignation_ends_the_game() -> None:
    decision = decide_confirmed(a_game(["f2"]), 1, "Well played.", same_moment(NOON), HOST)
    assert decision.state.ending is not None
    assert ("resignation", 0) == (decision.state.ending.how, decision.state.ending.winner)


def test_from_the_tenth_ply_on_resign_is_enough_out_of_turn_too() -> None:
    decision = asks(a_game(SEED_GAME[:9]), 0, "resign")
    assert [RESIGN] == [entry.kind for entry in decision.entries]
    assert [("Bill", "result"), ("Joao", "result")] == kinds(decision)


def test_a_resignation_in_answer_to_an_old_letter_is_asked_about() -> None:
    game, since = a_game(SEED_GAME[:12]), 11  # the letter of ply 10
    seat = game.state.plies[10].seat
    own = a_game(SEED_GAME[:11])  # a receipt is for the board before the move
    assert [RESIGN] == [entry.kind for entry in asks(own, seat, "resign", since=since).entries]
    young = a_game(SEED_GAME[:9])
    assert "resign" == asks(young, young.state.plies[8].seat, f"resign\n{SEED_GAME[8]}", since=9).asks
    for words in ("resign", f"resign\n{SEED_GAME[10]}"):
        decision = asks(game, seat, words, since=since)
        assert ("resign", ()) == (decision.asks, decision.entries)
        assert decision.letters[0].told["late"]
    assert [RESIGN] == [entry.kind for entry in asks(game, seat, "resign yes", since=since).entries]
    assert [RESIGN] == [entry.kind for entry in asks(game, seat, "resign", since=since + 2).entries]


def test_a_mail_that_ends_the_game_and_asks_for_more_does_neither_and_says_so() -> None:
    game = a_game(FIVE[:2])
    offered = game.with_entries(asks(game, 1, "draw").entries)
    refused = asks(offered, 0, "accept\ne2").refused
    assert (
        "Your mail would end the game, but holds more to be done in it; please write one of them." == refused
    )
    assert asks(offered, 0, "accept").state.ending is not None


@pytest.mark.parametrize("answer", ["accept", "accept draw", "decline"])
def test_a_move_beside_an_answer_to_an_offer_is_refused_by_a_true_sentence(answer: str) -> None:
    game = a_game(FIVE[:2])
    offered = game.with_entries(asks(game, 1, "draw").entries)
    refused = asks(offered, 0, f"h4\n{answer}").refused
    assert refused.startswith(f"Your mail makes a move and holds `{answer.split()[0]}` to an offer")


def test_the_winner_by_resignation_is_named_with_the_side() -> None:
    game = a_game(SEED_GAME)
    ending = asks(game, 1, "resign").state.ending
    assert ending is not None
    assert (0, "Blocker", "Joao resigned") == (ending.winner, ending.side, ending.reason)


@pytest.mark.parametrize("words", ["f2", "resign"])
def test_after_the_end_nothing_can_be_played(words: str) -> None:
    game = a_game(SEED_GAME)
    ended = game.with_entries(asks(game, 1, "resign").entries)
    assert "The game is over: Joao resigned." == asks(ended, 0, words).refused


def test_after_the_end_players_may_still_talk() -> None:
    game = a_game(SEED_GAME)
    ended = game.with_entries(asks(game, 1, "resign").entries)
    assert [("Bill", "receipt"), ("Joao", "chat")] == kinds(asks(ended, 0, "say thank you"))


# The commands `show` and `moves`.


def test_show_and_moves_answer_the_asker_alone_and_change_nothing() -> None:
    decision = asks(a_game(["f2"]), 0, "show\nmoves")
    assert () == decision.entries
    assert [("Bill", "show"), ("Bill", "moves")] == kinds(decision)


def test_show_with_a_number_shows_the_board_after_that_ply() -> None:
    (letter,) = asks(a_game(["f2", "g3"]), 0, "show #1").letters
    assert letter.view is not None
    assert 1 == letter.view.state.position.ply


def test_show_0_shows_the_empty_board() -> None:
    (letter,) = asks(a_game(["f2", "g3"]), 0, "show #0").letters
    assert letter.view is not None
    assert 0 == letter.view.state.position.ply


def test_a_capital_that_a_phone_made_is_remarked_upon() -> None:
    (receipt, _turn) = asks(a_game(), 0, "F2", since=1).letters
    (remark,) = receipt.told["remarks"]
    assert "F2" in remark and "f2" in remark


# The fold.


def test_the_seed_game_folds_to_its_end() -> None:
    game = a_game(SEED_GAME)
    state = fold(game.with_entries(asks(game, 1, "resign\n\nWell played.").entries))
    assert 19 == len(state.plies)
    assert ["Well played."] == [said.words for said in state.said]
    assert state.to_play is None


def test_a_reply_address_is_of_the_journal_entry_its_letter_was_written_at() -> None:
    (receipt, turn) = asks(a_game(), 0, "f2", since=1).letters
    assert (2, 2) == (receipt.reply.entry, turn.reply.entry)
    assert (BILL.address, JOAO.address) == (receipt.address, turn.address)


# Two plies in one mail.


def test_a_move_written_twice_in_one_mail_is_played_once() -> None:
    decision = asks(a_game(), 0, "f2\nf2", since=1)
    assert ["f2"] == [entry.data["move"] for entry in decision.entries]


@pytest.mark.parametrize("words", ["f2\nf4", "#1 f2\n#2 f4"])
def test_two_plies_in_one_mail_are_refused_with_the_truth(words: str) -> None:
    decision = asks(a_game(), 0, words, since=1)
    assert () == decision.entries
    assert decision.refused.startswith("Your mail holds more than one move")


def test_a_guard_for_the_opponents_ply_is_no_repeat_of_ones_own() -> None:
    decision = asks(a_game(["f2"]), 0, "#2 f2")
    assert decision.refused.startswith("It is Joao's turn")


def test_words_with_an_early_resignation_wait_with_it() -> None:
    assert "Thank you." == asks(a_game(["f2"]), 1, "resign\n\nThank you.", since=2).words
