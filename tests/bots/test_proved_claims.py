"""`claim win proved`: what is proved ends the game, what is not is told to nobody else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from click.testing import CliRunner

from pbem.app import App
from pbem.bots.jobs import PROOFS, do_one
from pbem.cli.records import MARKS, verify_command
from pbem.core.play.proved import decide_proved
from pbem.core.records.record import examine_record, record_of
from pbem.duties import budget
from pbem.store import bots
from rules import record
from rules.contract import Seat
from rules.search.proof import BadProof, write_proof
from rules.search.prove import prove_win
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    last_letter,
    last_words,
    letters,
    load,
    player,
    register,
    reply,
    writes,
)
from tests.rules.solver import Solver
from tests.snapshots import once


def play_until_won(app: App, seat: Seat) -> None:
    once(app, ("proved", seat), lambda: _play_until_won(app, seat))


def _play_until_won(app: App, seat: Seat) -> None:
    """Small Begird: the players move until `seat` has won, though the board does not show it yet."""
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao begird islands=3 side=4 first unrated none")
    assert "done" == writes(app, JOAO, "accept")
    solver, wanted = Solver(), 1.0 - seat
    for who in (BILL, JOAO) * 3:
        position = load(app).state.position
        if position.ply > 4 and solver.value(position) == wanted:
            return
        best = next(
            (move for move in position.actions() if solver.value(position.follow(move)) == wanted),
            position.actions()[0],
        )
        assert "done" == writes(app, who, str(best))
    assert load(app).state.ending is None


@pytest.fixture
def won(app: App) -> App:
    """Game 1, won for Bill and still going on."""
    play_until_won(app, 0)
    return app


def test_a_proved_win_ends_the_game_and_the_loser_can_replay_the_proof(won: App) -> None:
    assert "done" == writes(won, BILL, "claim win proved\n\nSorry, Joao!")
    assert "We look for a proof, Bill." in last_words(won, BILL)
    assert "not done: Sorry, Joao!" in last_words(won, BILL)
    heard = len(letters(won, JOAO))
    assert do_one(won)
    ending = load(won).state.ending
    assert ending is not None
    assert ("proof", 0) == (ending.how, ending.winner)
    assert "You have won, Bill." in last_words(won, BILL)
    assert "Bill claimed that the game was won, and we have proved it" in last_words(won, JOAO)
    assert "/games/1/proof" in last_letter(won, JOAO).text
    assert heard + 1 == len(letters(won, JOAO))


@pytest.mark.parametrize("claimant", [0, 1])
def test_the_side_to_move_and_the_side_that_waits_can_claim(app: App, claimant: Seat) -> None:
    play_until_won(app, claimant)
    who = (BILL, JOAO)[claimant]
    if load(app).state.to_play == claimant:
        position = load(app).state.position
        proof = prove_win(position, claimant, 100_000)
        assert proof is not None
        writes(app, who, proof.nodes[-1][0][0])
        if load(app).state.ending is not None:
            return
    assert load(app).state.to_play == 1 - claimant
    writes(app, who, "claim win proved")
    do_one(app)
    ending = load(app).state.ending
    assert ending is not None
    assert claimant == ending.winner


def test_what_is_not_proved_is_told_to_nobody_else_and_is_the_only_try(won: App) -> None:
    heard = len(letters(won, JOAO))
    writes(won, JOAO, "claim win proved")
    assert do_one(won)
    assert "Not proved, Joao." in last_words(won, JOAO)
    assert "Not proved" in last_letter(won, JOAO).text
    bill = len(letters(won, BILL))
    assert load(won).state.ending is None
    writes(won, JOAO, "claim win proved")
    assert "You have had your one try to prove a win in game 1" in last_words(won, JOAO)
    assert not do_one(won)
    assert bill == len(letters(won, BILL))
    assert heard + 3 == len(letters(won, JOAO))


def test_a_move_in_between_costs_no_try(won: App) -> None:
    writes(won, BILL, "claim win proved")
    mover = (BILL, JOAO)[load(won).state.to_play or 0]
    writes(won, mover, str(load(won).state.position.actions()[-1]))
    if load(won).state.ending is None:
        assert do_one(won)
        assert "A move was made since your claim, Bill." in last_words(won, BILL)
        assert load(won).state.ending is None
        writes(won, BILL, "claim win proved")
        assert "We look for a proof, Bill." in last_words(won, BILL)


def test_a_claim_is_asked_for_once_at_a_time_and_alone(won: App) -> None:
    writes(won, BILL, "claim win proved")
    writes(won, BILL, "claim win proved")
    assert "We look for your proof in game 1 already" in last_words(won, BILL)
    writes(won, BILL, "claim win proved\nsay Well played")
    assert 'Please write "claim win proved" in a mail of its own' in last_words(won, BILL)
    writes(won, BILL, "claim draw proved")
    assert "A win alone can be proved" in last_words(won, BILL)


def test_whoever_has_had_their_share_of_the_day_has_no_proof_looked_for(won: App, clock: Clock) -> None:
    with won.store.write() as db:
        bots.add_seconds(db, player(won, "Bill").id, budget.seconds_of_player(won), won.now())
    assert "refused" == writes(won, BILL, "claim win proved")
    assert "used up their time to think for you today" in last_words(won, BILL)
    clock.pass_by(days=1)
    assert "done" == writes(won, BILL, "claim win proved")


def test_plain_claims_stay_for_soft_clocks(won: App) -> None:
    writes(won, BILL, "claim win")
    assert "Only a soft clock leaves anything to claim" in last_words(won, BILL)
    assert '"claim win proved" asks for a proof' in last_words(won, BILL)


@pytest.mark.parametrize("step", ["claim job", "compute job"])
def test_a_killed_process_ends_the_game_once(won: App, clock: Clock, step: str) -> None:
    def dies(now: str) -> None:
        if now == step:
            raise KeyboardInterrupt

    writes(won, BILL, "claim win proved")
    with pytest.raises(KeyboardInterrupt):
        do_one(replace(won, step=dies))
    assert load(won).state.ending is None
    clock.pass_by(minutes=11)
    assert do_one(won, PROOFS)
    assert "proof" == getattr(load(won).state.ending, "how", None)
    assert not do_one(won, PROOFS)


def test_a_proof_of_another_position_ends_nothing(won: App) -> None:
    """The check in the transaction is by the rules alone, whatever the search has said."""
    game = load(won)
    position = game.state.position
    proof = prove_win(position, 0, 100_000)
    assert proof is not None
    later = position.follow(position.actions()[0])
    other_ = prove_win(later, 0, 100_000)
    if other_ is not None:
        with pytest.raises(BadProof):
            decide_proved(game, 0, write_proof(other_), won.now(), "localhost")
    with pytest.raises(BadProof):
        decide_proved(game, 1, write_proof(proof), won.now(), "localhost")
    with pytest.raises(BadProof):
        decide_proved(game, 0, "", won.now(), "localhost")


def test_the_record_holds_the_proof_and_its_check_replays_it(won: App) -> None:
    writes(won, BILL, "claim win proved")
    do_one(won)
    text = record.write(record_of(load(won), "localhost"))
    found = {each.what: each for each in examine_record(record.read(text), None)}
    assert found["proof"].good
    assert found["end"].good
    assert "first, by proof" == found["end"].sentence
    said = CliRunner().invoke(verify_command, ["-"], input=text).output
    assert re.search(rf"^  proof +{MARKS[True]} ", said, re.MULTILINE)
    tag = next(line for line in text.split("\n") if line.startswith("[Proof"))
    for broken in (text.replace(tag, ""), text.replace(tag, tag[:60] + '"]')):
        again = {each.what: each for each in examine_record(record.read(broken), None)}
        assert again["proof"].good is False
    lost = text.replace('[Result "first"]', '[Result "second"]')
    again = {each.what: each for each in examine_record(record.read(lost), None)}
    assert again["proof"].good is False


class TestWithoutBots:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOTS": "off"}

    def test_nothing_is_proved_and_a_sentence_says_so(self, won: App) -> None:
        writes(won, BILL, "claim win proved")
        assert "No win is proved here, for the bots are off" in last_words(won, BILL)
