"""Conditional moves: answers, stops, letters, and limits."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.core.clock.time_control import read_pace
from pbem.core.game.conditional import plan_data, plan_from_data
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import AGREE, DECLINE, OFFER, PLAN, PLY, RESIGN
from pbem.core.letters.letter import Letter
from pbem.core.play.turn import Decision
from tests.people import BILL, JOAO, NOON, SEED_GAME, a_game, asks


def plies(decision: Decision) -> list[tuple[int, str, bool]]:
    """The seat, move and `auto` flag of every new ply."""
    return [
        (entry.seat or 0, entry.data["move"], entry.data.get("auto", False))
        for entry in decision.entries
        if entry.kind == PLY
    ]


def kinds(decision: Decision) -> list[tuple[str, str]]:
    return [(letter.player.name if letter.player else "", letter.kind) for letter in decision.letters]


def after(game: Game, *decisions: Decision) -> Game:
    for decision in decisions:
        assert not decision.refused, decision.refused
        game = game.with_entries(decision.entries)
    return game


def plan(game: Game, seat: int) -> list[str]:
    """A seat's conditional moves, one branch a line."""
    letter = asks(game, seat, "plans").letters[0]  # type: ignore[arg-type]
    assert letter.view is not None
    return [f"{label}: {branch.text}" for label, branch in letter.view.plan]


def to(decision: Decision, name: str, kind: str) -> Letter:
    (letter,) = (x for x in decision.letters if x.kind == kind and x.player and x.player.name == name)
    return letter


def planning(words: str, plies: int = 4) -> Game:
    """Bill plays F2 as ply 5 with conditional moves."""
    game = a_game(SEED_GAME[:plies])
    return after(game, asks(game, 0, f"F2\n{words}"))


# ------------------------------------------------------------------------------------ being followed


def test_a_planned_answer_is_played_in_the_moment_of_the_others_move() -> None:
    decision = asks(planning("if m1 o1 n2 then adopt"), 1, "m1 o1 n2")
    assert [(1, "m1 o1 n2", False), (0, "adopt", True)] == plies(decision)
    assert [("Joao", "receipt")] == kinds(decision)


def test_the_other_hears_of_the_whole_cascade_in_one_letter() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4")
    first = asks(game, 1, "m1 o1 n2\nif adopt then k3 o")
    assert [(1, "m1 o1 n2", False), (0, "adopt", True), (1, "k3 o", True), (0, "x4", True)] == plies(first)
    letter = to(first, "Joao", "receipt")
    assert letter.view is not None
    assert [6, 7, 8, 9] == [ply.n for ply in letter.view.plies_after(letter.told["since"])]


@pytest.mark.parametrize("spelling", ["m1 o1 n2", "n2 m1 o1", "mo1 n2", "o1 m1 n2"])
def test_a_branch_is_found_by_the_position_not_by_the_spelling(spelling: str) -> None:
    game = planning("if mo1 n2 then adopt")
    decision = asks(game, 1, spelling)
    assert [(0, "adopt", True)] == plies(decision)[1:]


def test_any_answers_what_no_other_branch_names() -> None:
    game = planning("if any then adopt\nif m1 o1 n2 then k3 w3")
    assert (0, "adopt", True) == plies(asks(game, 1, "k3"))[1]
    assert (0, "k3 w3", True) == plies(asks(game, 1, "n2 m1 o1"))[1]


def test_any_does_not_mean_that_the_other_adopts() -> None:
    game = planning("if any then k3")
    decision = asks(game, 1, "adopt")
    assert [(1, "adopt", False)] == plies(decision)
    assert "pie" == to(decision, "Bill", "turn").told["stop"].why


def test_adopting_can_be_named() -> None:
    game = planning("if adopt then k3 O\nif any then adopt")
    assert [(1, "adopt", False), (0, "k3 O", True)] == plies(asks(game, 1, "adopt"))


def test_the_rest_of_a_plan_waits_for_the_next_ply() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4\nif any then adopt")
    game = after(game, asks(game, 1, "m1 o1 n2"))
    assert ["1: if k3 o then x4"] == plan(game, 0)
    assert [(1, "k3 o", False), (0, "x4", True)] == plies(asks(game, 1, "k3 o"))


def test_a_ply_that_no_branch_names_ends_the_plan_and_its_owner_is_told() -> None:
    game = planning("if m1 o1 n2 then adopt")
    decision = asks(game, 1, "k3")
    assert [(1, "k3", False)] == plies(decision)
    assert "unnamed" == to(decision, "Bill", "turn").told["stop"].why
    assert [] == plan(after(game, decision), 0)


def test_an_answer_after_any_that_cannot_be_played_stops_the_plan_with_the_reason() -> None:
    game = planning("if any then k3")
    decision = asks(game, 1, "k3")
    assert [(1, "k3", False)] == plies(decision)
    stop = to(decision, "Bill", "turn").told["stop"]
    assert ("illegal", "k3") == (stop.why, stop.answer)
    assert "k3" in stop.reason


def test_what_goes_on_below_any_is_judged_when_it_comes_to_it() -> None:
    game = planning("if any then adopt if k3 o then k3 o if x4 then y3 O")
    game = after(game, asks(game, 1, "m1 o1 n2"))
    decision = asks(game, 1, "k3 o")
    assert [(1, "k3 o", False)] == plies(decision)
    assert "illegal" == to(decision, "Bill", "turn").told["stop"].why


def test_a_planned_resignation_ends_the_game_at_once() -> None:
    decision = asks(planning("if adopt then resign"), 1, "adopt")
    assert [PLY, RESIGN] == [entry.kind for entry in decision.entries]
    assert [("Joao", "result"), ("Bill", "result")] == kinds(decision)
    assert decision.state.ending is not None
    assert ("resignation", 1) == (decision.state.ending.how, decision.state.ending.winner)


def test_the_plies_of_a_plan_cost_no_time_and_gain_none() -> None:
    game = planning("if m1 o1 n2 then adopt")
    game = replace(game, time_control=read_pace("7d+1d<=14d"))
    late = NOON + timedelta(days=3)
    played = after(game, asks(game, 1, "m1 o1 n2", at=late))
    clocks = [each.clock for each in (game, played)]
    assert clocks[0].banks[0] == clocks[1].banks[0]
    assert (1, late) == (clocks[1].running, clocks[1].since)


def test_a_plan_is_no_ply_of_ones_own_so_the_next_letter_tells_of_all_that_it_played() -> None:
    game = planning("if m1 o1 n2 then adopt")
    game = after(game, asks(game, 1, "m1 o1 n2"))
    letter = to(asks(game, 1, "k3 o"), "Bill", "turn")
    assert letter.view is not None
    made = letter.view.plies_after(letter.told["since"])
    assert ["m1 o1 n2", "adopt", "k3 o"] == [ply.move for ply in made]


# ------------------------------------------------------------------------------------ offers of a draw


def test_an_offer_of_a_draw_stops_the_plan() -> None:
    game = planning("if any then adopt")
    for words in ("m1 o1 n2\ndraw", "draw\nm1 o1 n2"):
        decision = asks(game, 1, words)
        assert [(1, "m1 o1 n2", False)] == plies(decision)
        assert "draw" == to(decision, "Bill", "turn").told["stop"].why
        assert "adopt" == to(decision, "Bill", "turn").told["stop"].answer
    offered = after(game, asks(game, 1, "draw"))
    assert [(1, "m1 o1 n2", False)] == plies(asks(offered, 1, "m1 o1 n2"))


def test_an_offer_declined_before_the_other_plays_leaves_the_plan_as_it_was() -> None:
    game = planning("if any then adopt")
    game = after(game, asks(game, 1, "draw"))
    game = after(game, asks(game, 0, "decline"))
    assert (0, "adopt", True) == plies(asks(game, 1, "m1 o1 n2"))[1]


def test_a_stopped_plan_goes_on_when_its_owner_plays_what_it_would_have_played() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4")
    game = after(game, asks(game, 1, "m1 o1 n2\ndraw"))
    assert ["1: if k3 o then x4"] == plan(after(game, asks(game, 0, "adopt")), 0)
    assert [] == plan(after(game, asks(game, 0, "k3 w3")), 0)


@pytest.mark.parametrize("words", ["draw", "m1 o1 n2\ndraw", "draw\nm1 o1 n2"])
def test_a_draw_can_be_agreed_to_ahead(words: str) -> None:
    game = planning("if draw then accept\nif any then adopt")
    decision = asks(game, 1, words)
    assert decision.state.ending is not None
    assert "agreement" == decision.state.ending.how
    assert {AGREE, OFFER} <= {entry.kind for entry in decision.entries}
    assert [("Joao", "result"), ("Bill", "result")] == kinds(decision)


def test_a_draw_can_be_declined_ahead_and_the_plan_goes_on() -> None:
    game = planning("if draw then decline\nif any then adopt")
    decision = asks(game, 1, "m1 o1 n2\ndraw")
    assert [PLY, OFFER, DECLINE, PLY] == [entry.kind for entry in decision.entries]
    assert [("Joao", "receipt"), ("Bill", "draw")] == kinds(decision)
    assert "turned down" == decision.letters[0].told["draw"]
    alone = asks(game, 1, "draw")
    assert [("Joao", "receipt"), ("Bill", "draw")] == kinds(alone)
    assert ["1: if draw then decline", "2: if any then adopt"] == plan(after(game, alone), 0)


# ------------------------------------------------------------------------------------ keeping one


def test_a_plan_is_shown_to_its_owner_alone() -> None:
    game = planning("if mo1 n2 then adopt if k3 o then x4\nif any then resign")
    shown = ["1: if m1 o1 n2 then adopt", "1.1: if k3 o then x4", "2: if any then resign"]
    assert shown == plan(game, 0)
    assert [] == plan(game, 1)
    assert [("Bill", "receipt")] == kinds(asks(game, 0, "if"))


def test_a_plan_can_be_made_after_the_move_and_the_other_hears_nothing() -> None:
    game = a_game(SEED_GAME[:5])
    decision = asks(game, 0, "if k3 then adopt\nif m1 then adopt")
    assert [PLAN] == [entry.kind for entry in decision.entries]
    assert [("Bill", "receipt")] == kinds(decision)


def test_further_lines_add_to_the_plan_and_a_shared_beginning_is_one_branch() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4")
    game = after(game, asks(game, 0, "if n2 mo1 then adopt if y3 O then x2"))
    assert ["1: if m1 o1 n2 then adopt", "1.1: if k3 o then x4", "1.2: if y3 O then x2"] == plan(game, 0)


def test_the_same_line_again_changes_nothing() -> None:
    game = planning("if m1 o1 n2 then adopt")
    again = asks(game, 0, "if o1 m1 n2 then adopt")
    assert () == again.entries
    assert [("Bill", "receipt")] == kinds(again)


def test_the_same_mail_again_is_already_recorded_before_and_after_the_plan_was_followed() -> None:
    words = "F2\nif m1 o1 n2 then adopt"
    game = planning("if m1 o1 n2 then adopt")
    later = after(game, asks(game, 1, "m1 o1 n2"))
    for each in (game, later):
        again = asks(each, 0, words, since=5)
        assert ((), "") == (again.entries, again.refused)
        assert 5 == again.letters[0].told["already"].n


def test_another_answer_to_the_same_move_is_refused_until_the_plan_is_cleared() -> None:
    game = planning("if m1 o1 n2 then adopt")
    other = asks(game, 0, "if mo1 n2 then k3")
    assert ((), True) == (other.entries, 'it is answered by "adopt" already' in other.refused)
    assert ["1: if m1 o1 n2 then k3"] == plan(after(game, asks(game, 0, "if clear\nif mo1 n2 then k3")), 0)


def test_clearing_forgets_it_all() -> None:
    game = planning("if m1 o1 n2 then adopt")
    cleared = after(game, asks(game, 0, "if clear"))
    assert [] == plan(cleared, 0)
    assert [(1, "m1 o1 n2", False)] == plies(asks(cleared, 1, "m1 o1 n2"))
    assert () == asks(cleared, 0, "IF CLEAR").entries


def test_a_plan_ends_with_the_game() -> None:
    game = planning("if m1 o1 n2 then adopt")
    resigned = after(game, asks(game, 1, "resign yes"))
    assert [] == plan(resigned, 0)
    assert "The game is over: Joao resigned." == asks(resigned, 0, "if k3 then adopt").refused


def test_a_refold_of_the_journal_gives_the_same_plans() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4\nif any then adopt")
    assert game.state.conditional_moves == fold(game).conditional_moves
    planned = game.state.conditional_moves[0]
    assert planned is not None
    assert planned.plan == plan_from_data(json.loads(json.dumps(plan_data(planned.plan))))


def test_a_plan_moves_nothing_that_others_can_count() -> None:
    game = a_game(SEED_GAME[:5])
    planned = after(game, asks(game, 0, "if k3 then adopt"))
    played, unplanned = (asks(each, 1, "m1") for each in (planned, game))
    seen = [to(each, "Bill", "turn").view for each in (played, unplanned)]
    assert seen[0] is not None
    assert seen[1] is not None
    assert (seen[0].entry, seen[0].fingerprint) == (seen[1].entry, seen[1].fingerprint)


# ------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("if f2 then k3", 'In "if f2 then k3" of your plan, f2'),
        ("if k3 then k3", 'In "if k3 then k3" of your plan, k3'),
        ("if f7 then k3", 'In "if f7 then k3" of your plan, f7: there is no row 7'),
        ("if k3 then adopt if m1 o then k3", 'In "if m1 o then k3" of your plan, k3'),
        ("if k3 then accept", 'write "if draw then" before it'),
        ("if draw then k3", 'the offer of a draw is answered by "accept" or "decline"'),
        ("if k3 then resign if m1 then k5", "nothing can come after that"),
        ("if k3 then resign then adopt", "nothing can come after you have resigned"),
        ("if k3 then adopt then m1 o", "it would be the other's turn"),
        ("if k3 than adopt", "This line begins like a plan and is none"),
        ("if k3", "This line begins like a plan and is none"),
        ("if k3 then", "This line begins like a plan and is none"),
        ("fi k3 then adopt", "This line begins like a plan and is none"),
        ("if any than k3", "This line begins like a plan and is none"),
        ("\nGood luck!\nif k3 then adopt", "I found a plan among the words"),
        ("say Good luck!\nif k3 then adopt", "I found a plan among the words"),
        ("\nGood luck!\nif k3 than adopt\nif k3 then adopt", "I found a plan among the words"),
        ("\nGood luck!\nif m1 then adopt; if k3 then adopt", "I found a plan among the words"),
        ("\nHello Joao,\nEven if you see it coming, if k3 then k3", "I found a plan among the words"),
        ("\nHello Joao,\nWhen you are back: if k3 then k3", "I found a plan among the words"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_the_move_above_it(words: str, reason: str) -> None:
    decision = asks(a_game(SEED_GAME[:4]), 0, f"F2\n{words}")
    assert () == decision.entries
    assert reason in decision.refused
    assert [("Bill", "refused")] == kinds(decision)
    assert "f2" not in decision.filed
    assert "k3" not in decision.filed


@pytest.mark.parametrize(
    ("key", "words", "reason"),
    [
        ("bipod", "F2\nif any then F2", "F2 is taken"),
        ("bipod", "F2\nif any then k3 o", "k3 o: nobody has adopted yet"),
        ("begird", "k15\nif any then k15", "k15 is taken"),
        ("begird", "k15\nif any then swap", "swap: sides are exchanged on move 2 or not at all"),
        ("bounders", "g11\nif any then g11", "g11 is taken"),
        ("bounders", "g11\nif any then swap", "swap: sides are exchanged on move 2 or not at all"),
        ("bagel", "g6\nif any then g6 a2", "g6 is taken"),
        ("hexthing", "play 3S bid 3\nif any then bid 51", "bid 51: you have $50"),
        ("hexthing", "play 3S bid 3\nif any then bid 5 max 60", "you have $50"),
        ("hexthing", "play 3S bid 3\nif any then play 3S", "play 3S"),
    ],
)
def test_an_answer_to_any_that_nothing_of_the_other_makes_possible_is_refused(
    key: str, words: str, reason: str
) -> None:
    game = a_game(SEED_GAME[:4]) if key == "bipod" else a_game(key=key)
    decision = asks(game, 0, words)
    assert () == decision.entries
    assert decision.refused.startswith('In "if any then ')
    assert reason in decision.refused


def test_an_answer_to_any_that_one_ply_of_the_other_makes_possible_is_kept() -> None:
    game = a_game(key="hexthing")
    game = after(game, asks(game, 0, "play 3S bid 3\nif any then take e5"))
    assert [(1, "pass", False), (0, "take e5", True)] == plies(asks(game, 1, "pass"))
    stop = to(asks(game, 1, "bid 4"), "Bill", "turn").told["stop"]
    assert ("illegal", "take e5") == (stop.why, stop.answer)


PIES = [("begird", "k15", "k13", "j10"), ("bounders", "g11", "f9", "g3"), ("bagel", "g6", "c1 e3", "a2 a4")]


@pytest.mark.parametrize(("key", "opening", "reply", "others"), PIES)
def test_a_swap_stops_a_plan_for_any_and_can_be_named(
    key: str, opening: str, reply: str, others: str
) -> None:
    game = a_game(key=key)
    stopped = after(game, asks(game, 0, f"{opening}\nif any then {reply}"))
    assert [(1, others, False), (0, reply, True)] == plies(asks(stopped, 1, others))
    decision = asks(stopped, 1, "swap")
    assert [(1, "swap", False)] == plies(decision)
    assert "pie" == to(decision, "Bill", "turn").told["stop"].why
    named = after(game, asks(game, 0, f"{opening}\nif swap then {reply}"))
    assert [(1, "swap", False), (0, reply, True)] == plies(asks(named, 1, "swap"))


def test_a_pause_that_the_other_asks_for_stops_no_plan() -> None:
    game = replace(a_game(SEED_GAME[:4]), time_control=read_pace("normal"))
    game = after(game, asks(game, 0, "F2\nif m1 o1 n2 then adopt"))
    decision = asks(game, 1, "pause 5 days\nm1 o1 n2")
    assert [(1, "m1 o1 n2", False), (0, "adopt", True)] == plies(decision)
    assert 5 == after(game, decision).state.offers["pause"].entry.data["days"]
    assert ("Bill", "deal") in kinds(decision)


def test_at_ones_own_turn_one_plays_instead() -> None:
    refused = asks(a_game(SEED_GAME[:4]), 0, "if k3 then adopt").refused
    assert refused.startswith("It is your turn")


def test_a_plan_for_a_board_that_is_gone_is_refused() -> None:
    game = a_game(SEED_GAME[:5])
    assert "The other has played since" in asks(game, 0, "if k3 then adopt", since=3).refused
    assert "" == asks(game, 0, "if k3 then adopt", since=5).refused
    assert "" == asks(game, 0, "if clear", since=1).refused


def test_while_a_draw_is_offered_nothing_is_planned() -> None:
    game = a_game(SEED_GAME[:5])
    offered = after(game, asks(game, 1, "draw"))
    assert asks(offered, 0, "if any then adopt").refused.startswith("Joao offers a draw")


def test_a_plan_below_a_move_goes_no_deeper_than_ten_answers() -> None:
    deep = " ".join(f"if any then {move}" for move in "k3 m3 o3 q3 s3 u3 w3 y3 A3 k5 m5".split())
    game = a_game(SEED_GAME[:5])
    assert "at most 10 answers deep" in asks(game, 0, deep).refused
    ten = deep.rpartition(" if ")[0]
    assert "" == asks(game, 0, ten).refused


def test_a_plan_holds_fifty_answers_and_no_more() -> None:
    game = a_game(SEED_GAME[:5])
    cells = [str(move) for move in game.state.position.moves() if str(move) != "adopt"][:51]
    for cell in cells[:50]:
        game = after(game, asks(game, 0, f"if {cell} then adopt"))
    assert 50 == len(plan(game, 0))
    assert "at most 50 answers" in asks(game, 0, f"if {cells[50]} then adopt").refused


# ------------------------------------------------------------------------------------ words and secrets


def test_words_below_a_plan_alone_go_to_nobody_unless_they_are_said() -> None:
    game = a_game(SEED_GAME[:5])
    quiet = asks(game, 0, "if k3 then adopt\n\nHe will never see it.")
    assert [("Bill", "receipt")] == kinds(quiet)
    assert quiet.letters[0].told["unsent"]
    spoken = asks(game, 0, "if k3 then adopt\nsay Good luck!")
    assert [("Bill", "receipt"), ("Joao", "chat")] == kinds(spoken)


def test_words_below_a_move_and_its_plan_go_with_the_move() -> None:
    game = a_game(SEED_GAME[:4])
    decision = asks(game, 0, "F2\nif k3 then adopt\n\nYour turn!")
    assert "Your turn!" == decision.entries[0].data["comment"]
    assert "Your turn!" in str(to(decision, "Joao", "turn").view.plies_after(0))  # type: ignore[union-attr]


def test_a_letter_to_the_other_has_nothing_of_the_plan() -> None:
    game = a_game(SEED_GAME[:4])
    decision = asks(game, 0, "F2\nif k3 then C3\nif any then resign")
    letter = to(decision, "Joao", "turn")
    assert letter.view is not None
    assert [] == letter.view.plan
    assert "C3" not in str(letter.facts)
    assert "C3" not in str(letter.view.state.plies)


def test_both_sides_can_plan_and_the_plans_meet() -> None:
    game = planning("if m1 o1 n2 then adopt if k3 o then x4 if y3 O then x2")
    game = after(game, asks(game, 1, "m1 o1 n2"))
    decision = asks(game, 1, "k3 o\nif x4 then y3 O if x2 then v2 O")
    assert ["k3 o", "x4", "y3 O", "x2", "v2 O"] == [move for _seat, move, _auto in plies(decision)]
    assert [("Joao", "receipt"), ("Bill", "turn")] == kinds(decision)
    assert (BILL, JOAO) == (decision.letters[1].player, decision.letters[0].player)
