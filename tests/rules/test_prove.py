"""Proofs: as the exhaustive solver says, refused once they are changed, never of the unknown."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace
from random import Random

import pytest

from rules import RULES
from rules.contract import Position, Seat, other
from rules.games.bagel.position import BagelPosition
from rules.search.proof import BadProof, Node, Proof, check_proof, read_proof, write_proof
from rules.search.prove import Search, prove_win, settle
from tests.amount import amount
from tests.rules import late_proofs
from tests.rules.solver import Solver, late_position

SOLVED = [
    ("begird", {"islands": "3", "side": "4"}, 8),
    ("bounders", {"size": "3"}, 8),
    ("bipod", {"size": "3", "middle": "2", "rows": "3"}, 8),
    ("bagel", {}, 7),
]
"""Boards with the most empty cells from which the solver takes a moment."""


def won_position(seed: int = 1) -> tuple[Position, Proof]:
    """A late position that the seat to move has won, with its proof."""
    for each in range(seed, seed + 40):
        position = late_position(RULES["begird"], {"islands": "3", "side": "4"}, each, 8)
        assert position is not None and position.to_play is not None
        proof = prove_win(position, position.to_play, 20_000)
        if proof and len(proof.nodes) > 12:
            return position, proof
    raise AssertionError("no seed has a position that is won")


@pytest.mark.parametrize(("key", "options", "empty"), SOLVED)
def test_what_is_proved_is_what_the_solver_says(key, options, empty) -> None:
    for seed in range(amount(6, 35)):
        position = late_position(RULES[key], options, seed, empty)
        if position is None:
            continue
        value = Solver().value(position)
        wins: tuple[tuple[Seat, bool], ...] = ((0, value == 1), (1, value == 0))
        for seat, won in wins:
            proof = settle(position, seat, 100_000)
            assert proof is not None
            assert (proof.seat, proof.draws) == ((seat, False) if won else (other(seat), True))
            assert bool(prove_win(position, seat, 100_000)) == won


@pytest.mark.parametrize("key", late_proofs.BOARDS)
def test_no_proof_of_a_late_position_is_false(key: str) -> None:
    """Positions of random games and of games of the bot."""
    count = late_proofs.count_proofs(key, amount(4, 80), seed=2)
    assert 0 == count.false
    assert count.proofs > count.positions
    assert count.won and count.lost


def test_a_false_proof_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def settle_wrongly(position: Position, seat: Seat, max_nodes: int) -> Proof | None:
        proof = settle(position, seat, max_nodes)
        return proof and replace(proof, seat=other(proof.seat), draws=False)

    monkeypatch.setattr(late_proofs, "settle", settle_wrongly)
    monkeypatch.setattr(late_proofs, "check_proof", lambda position, proof: None)
    count = late_proofs.count_proofs("begird", 20)
    assert count.proofs == count.false > 0


@pytest.mark.parametrize("options", [{}, {"size": "5"}])
def test_a_bound_of_the_score_says_what_the_solver_says(options: dict[str, str]) -> None:
    bound, told = RULES["bagel"].knowledge.winner, 0
    assert bound is not None
    for seed in range(amount(12, 300)):
        position = late_position(RULES["bagel"], options, seed, amount(5, 7))
        while position is not None and position.outcome is None:
            if (winner := bound(position)) is not None:
                told += 1
                assert Solver().value(position) == 1.0 - winner
            position = position.follow(position.sample(Random(seed)))
    assert told > 10


def test_a_proof_with_a_bound_goes_on_to_the_end_and_takes_fewer_nodes() -> None:
    rules, fewer = RULES["bagel"], 0
    plain = replace(rules, knowledge=replace(rules.knowledge, winner=None))
    for seed in range(6):
        position = late_position(rules, {}, seed, 7)
        assert isinstance(position, BagelPosition) and position.to_play is not None
        slow = Search(position.to_play)
        quick = Search(position.to_play)
        found, same = quick.settle(position, 50_000), slow.settle(replace(position, rules=plain), 50_000)
        assert found is not None and same is not None
        assert (found.seat, found.draws) == (same.seat, same.draws)
        check_proof(replace(position, rules=plain), found)
        assert quick.left >= slow.left
        fewer += quick.left > slow.left
    assert fewer > 3


def test_a_wrong_bound_proves_nothing() -> None:
    rules = RULES["bagel"]
    liar = replace(rules, knowledge=replace(rules.knowledge, winner=lambda position: 0))
    for seed in range(20):
        position = late_position(rules, {}, seed, 5)
        assert isinstance(position, BagelPosition)
        if Solver().value(position) == 0.0:
            assert settle(replace(position, rules=liar), 0, 50_000) is None
            return
    raise AssertionError("the second seat has won nowhere")


def test_a_search_uses_what_it_found_in_other_positions_and_goes_on_where_it_stopped() -> None:
    position, proof = won_position()
    alone, shared, calls = Search(proof.seat), Search(proof.seat), 0
    found = None
    while found is None and calls < 10_000:
        found, calls = shared.settle(position, 20), calls + 1
    assert calls > 1
    assert found is not None
    check_proof(position, found)
    assert alone.settle(position, 20_000) is not None
    for move in position.actions():
        again = alone.settle(position.follow(move), 20_000)
        fresh = settle(position.follow(move), proof.seat, 20_000)
        assert again is not None and fresh is not None
        assert (again.seat, again.draws) == (fresh.seat, fresh.draws)


@pytest.mark.parametrize("mutation", range(6))
def test_a_changed_proof_is_refused(mutation: int) -> None:
    position, proof = won_position()
    check_proof(position, proof)
    rng, nodes = Random(mutation), list(proof.nodes)
    wide = [n for n, node in enumerate(nodes) if len(node) > 1]
    one = [n for n, node in enumerate(nodes) if len(node) == 1]
    ends = [n for n, node in enumerate(nodes) if not node]

    def without_a_reply() -> Proof:
        n = rng.choice(wide)
        nodes[n] = nodes[n][1:]
        return replace(proof, nodes=tuple(nodes))

    def for_the_other() -> Proof:
        return replace(proof, seat=other(proof.seat))

    def without_the_end() -> Proof:
        return replace(proof, nodes=(*(node for node in nodes[:-1]), ()))

    def in_a_circle() -> Proof:
        n = rng.choice(wide)
        nodes[n] = tuple((text, n) for text, _ in nodes[n])
        return replace(proof, nodes=tuple(nodes))

    def with_a_move_on_a_taken_cell() -> Proof:
        n = rng.choice(one)
        taken = next(cell for _, cells in position.stones() for cell in cells)
        nodes[n] = ((taken, nodes[n][0][1]),)
        return replace(proof, nodes=tuple(nodes))

    def ended_too_early() -> Proof:
        n = rng.choice(wide)
        nodes[n] = tuple((text, ends[0]) for text, _ in nodes[n])
        return replace(proof, nodes=tuple(nodes))

    mutations = (
        without_a_reply,
        for_the_other,
        without_the_end,
        in_a_circle,
        with_a_move_on_a_taken_cell,
        ended_too_early,
    )
    with pytest.raises(BadProof):
        check_proof(position, mutations[mutation]())


def test_no_proof_holds_for_a_position_that_is_not_won() -> None:
    """Nodes are changed by chance, and the proof of one position is shown for others."""
    _, proof = won_position()
    rng = Random(3)
    for seed in range(amount(25, 600)):
        position = late_position(RULES["begird"], {"islands": "3", "side": "4"}, seed, 7)
        assert position is not None
        if Solver().value(position) == 1 - proof.seat:
            continue
        nodes: list[Node] = list(proof.nodes)
        for n in rng.sample(range(len(nodes)), rng.randrange(4)):
            nodes[n] = tuple((text, rng.randrange(len(nodes))) for text, _ in nodes[n])
        with pytest.raises(BadProof):
            check_proof(position, replace(proof, nodes=tuple(nodes)))


def test_a_position_whose_moves_are_not_all_listed_is_not_proved() -> None:
    """Before adopting, three blocks may be laid, and a search tries one."""
    start = RULES["bipod"].start({"size": "3", "rows": "3"})
    assert not start.complete
    assert settle(start, 1, 3_000) is None
    leaf = Proof(1, ((), (("a1", 0),)))
    with pytest.raises(BadProof, match="not every legal move"):
        check_proof(start, leaf)


def test_nothing_is_proved_without_enough_nodes_or_time() -> None:
    start = RULES["begird"].start({"islands": "9"})
    assert settle(start, 0, 500) is None
    assert settle(start, 0, 10**9, seconds=0.05) is None


def test_the_text_of_a_proof_is_read_as_it_was_written() -> None:
    position, proof = won_position()
    text = write_proof(proof)
    assert read_proof(text) == proof
    assert read_proof(f"{text[:20]}\n  {text[20:]}") == proof
    for broken in ("", "nonsense", text[:-8], text[4:]):
        with pytest.raises(BadProof, match="cannot be read"):
            read_proof(broken)
    check_proof(position, read_proof(text))


def test_a_packed_text_is_not_unpacked_without_end() -> None:
    text = base64.b64encode(zlib.compress(b"first wins" + b"\n" * 50_000_000, 9)).decode()
    with pytest.raises(BadProof, match="cannot be read"):
        read_proof(text)


def test_an_end_of_the_game_is_its_own_proof() -> None:
    position, proof = won_position()
    while position.outcome is None:
        proof_now = prove_win(position, proof.seat, 20_000)
        assert proof_now is not None
        text = proof_now.nodes[-1][0][0]
        position = position.play(position.read(text))
    ended = prove_win(position, proof.seat, 10)
    assert ended == Proof(proof.seat, ((),))
    assert prove_win(position, other(proof.seat), 10) is None
