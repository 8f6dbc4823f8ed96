"""The proof of a win: a strategy, its text, and its check, which needs only the rules.

A proof is a list of nodes. A node has plies, each with the number of an earlier node, and the last node is
the proved position. If the winner is to play, one ply is enough; if the other is to play, every legal ply is
needed. A node without plies is the end of a game that the winner has won. Positions that occur again share a
node. There is no cycle, since numbers only go down.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

from rules.contract import SEAT_NAMES, Outcome, Position, RulesError, Seat

MAX_TEXT = 3_000_000
"""The most characters of a proof's plain text that are unpacked."""

Node = tuple[tuple[str, int], ...]
"""The plies of a node, each with the node after it."""


class BadProof(ValueError):
    """A proof is wrong in some point. `str()` is one sentence that names it."""


@dataclass(frozen=True)
class Proof:
    """A strategy with which `seat` wins, or, if `draws` is True, does not lose."""

    seat: Seat
    nodes: tuple[Node, ...]
    draws: bool = False

    def reaches(self, outcome: Outcome) -> bool:
        """True if this end of a game keeps the proof's promise."""
        return outcome.winner == self.seat or (self.draws and outcome.winner is None)

    @property
    def promise(self) -> str:
        return "does not lose" if self.draws else "wins"

    def longest_line(self, node: int) -> tuple[str, ...]:
        """Return the longest line of plies from a node to the end of the game."""
        length, best = [0] * (node + 1), [("", 0)] * (node + 1)
        for number in range(node + 1):  # each after those that it leads to
            for text, after in self.nodes[number]:
                if length[after] >= length[number]:
                    length[number], best[number] = length[after] + 1, (text, after)
        line = list[str]()
        while length[node]:
            text, node = best[node]
            line.append(text)
        return tuple(line)


def check_proof(position: Position, proof: Proof) -> None:
    """Replay a proof by the rules alone. Raise BadProof unless all of it holds from `position`."""
    if not proof.nodes:
        raise BadProof("The proof is empty.")
    reached: dict[int, Position] = {len(proof.nodes) - 1: position}
    for number in reversed(range(len(proof.nodes))):
        here = reached.pop(number, None)
        if here is None:
            raise BadProof(f"Node {number} of the proof is reached from nowhere.")
        for text, after in _follow_all(here, proof, number):
            known = reached.setdefault(_earlier(proof, number, text), after)
            if known is not after and known.key() != after.key():
                raise BadProof(f"Node {number} of the proof: {text} leads to another position.")


def _earlier(proof: Proof, number: int, text: str) -> int:
    """Return the node after a ply, which must be an earlier node."""
    found = dict(proof.nodes[number])[text]
    if not 0 <= found < number:
        raise BadProof(f"Node {number} of the proof: {text} leads to node {found}, which is no earlier one.")
    return found


def _follow_all(position: Position, proof: Proof, number: int) -> list[tuple[str, Position]]:
    """Return a node's plies with the positions after them. Raise BadProof if one is wrong or missing."""
    plies = dict(proof.nodes[number])
    if position.outcome is not None:
        if plies or not proof.reaches(position.outcome):
            raise BadProof(f"Node {number} of the proof: the game is over ({position.outcome.reason}).")
        return []
    if position.to_play == proof.seat:
        return [_play(position, text, number) for text in list(plies)[:1]] or _miss(position, number)
    if not position.complete:
        raise BadProof(f"Node {number} of the proof: not every legal move can be listed there.")
    legal = {str(move): move for move in position.actions()}
    if missing := sorted(legal.keys() ^ plies.keys()):
        raise BadProof(f"Node {number} of the proof: {missing[0]} is legal or proved, but not both.")
    return [(text, position.follow(move)) for text, move in legal.items()] or _miss(position, number)


def _play(position: Position, text: str, number: int) -> tuple[str, Position]:
    try:
        return text, position.play(position.read(text))
    except RulesError as error:
        raise BadProof(f"Node {number} of the proof: {error}") from error


def _miss(position: Position, number: int) -> list[tuple[str, Position]]:
    who = "nobody" if position.to_play is None else SEAT_NAMES[position.to_play]
    raise BadProof(f"Node {number} of the proof: {who} is to play, and no move is proved.")


def write_proof(proof: Proof) -> str:
    """Return the compact text: one line a node, with each ply's distance to its next node."""
    lines = [
        "\t".join(f"{text}={number - after}" for text, after in node)
        for number, node in enumerate(proof.nodes)
    ]
    head = f"{SEAT_NAMES[proof.seat]} {proof.promise}"
    return base64.b64encode(zlib.compress("\n".join([head, *lines]).encode(), 9)).decode()


def read_proof(text: str) -> Proof:
    """Return the proof in a compact text, not yet checked. Raise BadProof."""
    try:
        unpack = zlib.decompressobj()
        plain = unpack.decompress(base64.b64decode("".join(text.split()), validate=True), MAX_TEXT)
        head, *lines = plain.decode().split("\n")
        if unpack.unconsumed_tail or not unpack.eof:
            raise ValueError("longer than any proof of ours")
        seat: Seat = 0 if head.startswith("first ") else 1
        proof = Proof(seat, tuple(map(_read_node, range(len(lines)), lines)), head.endswith("does not lose"))
        if head != f"{SEAT_NAMES[seat]} {proof.promise}":
            raise ValueError("not what a proof begins with")
    except (ValueError, zlib.error) as error:
        raise BadProof("The proof cannot be read.") from error
    return proof


def _read_node(number: int, line: str) -> Node:
    plies = (each.rpartition("=") for each in line.split("\t")) if line else ()
    return tuple((text, number - int(distance)) for text, _, distance in plies)
