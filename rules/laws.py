"""What every game promises, as functions that fail when it is not so.

A law takes a game, options as texts and a seed, walks through games of chance and raises `Broken`
with a sentence; `check(rules)` runs them all, so the author of a new game needs this file alone:

    from rules.laws import check
    check(RULES)
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from random import Random
from xml.etree import ElementTree

from rules.contract import (
    Amount,
    Choice,
    Draft,
    Illegal,
    Move,
    NoMove,
    Position,
    Rules,
    RulesError,
    Unreadable,
    replay,
)
from rules.picture import grid, stone_lines, text
from rules.scores import score_lines
from rules.svg import svg

Law = Callable[[Rules, Mapping[str, str], int], None]

CAP = 1000
"""Plies after which a game of chance is left as it stands."""

COLUMNS = 74
"""A letter's 76 less its indent."""

FEW = 40
"""Of a long list of moves, as many as are looked at."""


class Broken(AssertionError):
    """A promise that a game did not keep."""


def _hold(kept: bool, rules: Rules, sentence: str) -> None:
    if not kept:
        raise Broken(f"{rules.name}: {sentence}")


def walk(rules: Rules, chosen: Mapping[str, str], seed: int) -> Iterator[tuple[Position, Move | None]]:
    """The positions of one game of chance with the move made in each, None in the last."""
    rng = Random(seed)
    position = rules.start(chosen, seed)
    for _ in range(CAP):
        if position.outcome:
            break
        move = position.sample(rng)
        yield position, move
        position = position.play(move)
    yield position, None


def offered(position: Position) -> list[Move]:
    """A few of the moves that a position lists, its examples among them."""
    return [*islice(position.moves(), FEW), *map(position.read, position.examples())]


def a_seed_deals_the_same(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """Options and seed settle the starting position, ply 0, with somebody to play."""
    start = rules.start(chosen, seed)
    _hold(start == rules.start(chosen, seed), rules, f"seed {seed} dealt two different positions")
    _hold(start.ply == 0, rules, f"the game began at ply {start.ply}")
    _hold(start.to_play is not None, rules, "nobody is to play at the start")
    _hold(start.rules is rules, rules, "the position names other rules")


def somebody_can_move_until_the_end(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """Without an outcome there is a seat to play and a move for it; with one there is neither."""
    for position, _ in walk(rules, chosen, seed):
        over = position.outcome is not None
        _hold(over == (position.to_play is None), rules, "the seat to play and the outcome disagree")
        _hold(over != any(True for _ in position.moves()), rules, "moves and the outcome disagree")
        _hold(over != bool(position.examples()), rules, "examples and the outcome disagree")
        _hold(not (over and position.playable()), rules, "cells may be played after the end")


def what_is_offered_is_legal(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """Listed moves, examples and samples may be played; `playable` names each cell once."""
    for position, move in walk(rules, chosen, seed):
        for offer in offered(position) + ([] if move is None else [move]):
            _hold(position.problem(offer) is None, rules, f"offers {offer}: {position.problem(offer)}")
        _hold(len(position.examples()) <= 3, rules, "gives more than three examples")
        names = position.playable()
        _hold(len(names) == len(set(names)), rules, "names a playable cell twice")


def reading_undoes_writing(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """`read(str(move)) == move`, and the canonical text is read in any position of the game."""
    start = rules.start(chosen, seed)
    for position, move in walk(rules, chosen, seed):
        for offer in offered(position) + ([] if move is None else [move]):
            _hold(position.read(str(offer)) == offer, rules, f"reads {offer} as another move")
            _hold(str(position.read(str(offer))) == str(offer), rules, f"{offer} has two spellings")
            _hold(start.read(str(offer)) == offer, rules, f"reads {offer} otherwise at the start")


def play_leaves_the_old_position(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """Playing gives a new position, one ply on, and changes nothing of the old one."""
    for position, move in walk(rules, chosen, seed):
        if move is None:
            continue
        before = json.dumps(position.data()), text(position.picture())
        after = position.play(move)
        _hold(
            before == (json.dumps(position.data()), text(position.picture())),
            rules,
            f"{move} changed the past",
        )
        _hold(after.ply == position.ply + 1, rules, f"{move} did not count as one ply")
        _hold(after == position.follow(move), rules, f"play and follow disagree about {move}")


def nothing_follows_the_end(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """After the end every move is Illegal, whatever it is."""
    made: list[Move] = []
    for position, move in walk(rules, chosen, seed):
        if move is not None:
            made += [move, *offered(position)]
        elif position.outcome:
            for late in made:
                _refused(rules, position, late)


def _refused(rules: Rules, position: Position, move: Move) -> None:
    try:
        position.play(move)
    except Illegal:
        return
    raise Broken(f"{rules.name}: {move} was played after the end")


def the_journal_is_the_game(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """The canonical texts, played again from the start, lead to the same position."""
    texts = []
    for position, move in walk(rules, chosen, seed):
        if move is not None:
            texts.append(str(move))
        else:
            again = replay(rules.start(chosen, seed), texts)
            _hold(again == position, rules, "the same moves led to another position")
            _hold(again.outcome == position.outcome, rules, "the same moves led to another outcome")


def data_comes_back(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """`restore(data())` is the same position, after a trip through JSON too."""
    for position, _ in walk(rules, chosen, seed):
        data = json.loads(json.dumps(position.data()))
        _hold(data == position.data(), rules, "data() does not survive JSON")
        restored = rules.restore(data)
        _hold(restored == position, rules, f"restore() gave another position at ply {position.ply}")
        _hold(restored.outcome == position.outcome, rules, "restore() gave another outcome")


def pictures_can_be_drawn(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """As 7-bit text of at most 74 columns, as well-formed SVG, as a table of even rows."""
    for position, _ in walk(rules, chosen, seed):
        picture = position.picture()
        for drawn in (text(picture), text(picture, last=True)):
            for line in drawn.splitlines():
                _hold(line.isascii() and line.isprintable(), rules, f"draws with more than 7 bits: {line}")
                _hold(len(line) <= COLUMNS, rules, f"draws {len(line)} columns")
                _hold(line == line.rstrip(), rules, f"draws spaces at the end of: {line}")
        ElementTree.fromstring(svg(picture, links={spot.name: "/" for spot in picture.spots}))
        table = grid(picture)
        for cells in (*table.head, *(row.cells for row in table.rows)):
            _hold(sum(cell.span for cell in cells) == table.width, rules, "its table has uneven rows")


def what_is_shown_is_no_move(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """No line of a board, of scores, of stones or of notes can be taken for a move when quoted."""
    for position, _ in walk(rules, chosen, seed):
        picture = position.picture()
        shown = [text(picture), text(picture, last=True), *score_lines(position.scores())]
        shown += [*stone_lines(position.stones()), *position.notes()]
        for line in "\n".join(shown).splitlines():
            try:
                position.read(line)
            except NoMove:
                continue
            except Unreadable:
                pass
            raise Broken(f"{rules.name}: takes a line that it shows for a move: {line}")


def games_end(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """A game of chance comes to its end. (A game that need not end is exempt from this law alone.)"""
    *_, (last, _) = walk(rules, chosen, seed)
    if not rules.ends and last.outcome is None:
        return
    _hold(last.outcome is not None, rules, f"a game of seed {seed} has not ended after {CAP} plies")
    _hold(bool(last.outcome and last.outcome.reason), rules, "ended without a reason")


# ---------------------------------------------------------------------------------------- composing


def what_is_clicked_is_legal(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """Every click leads on, and clicks at random end in a ply that may be played."""
    for position, rng in _looked_at(rules, chosen, seed):
        text = ""
        for _ in range(CLICKS):
            draft = _drafted(rules, position, text)
            _hold_draft(rules, position, draft)
            ways: list[Choice | Amount] = [*draft.choices, *draft.amounts]
            for way in rng.sample(ways, min(len(ways), FEW_CLICKS)):
                _drafted(rules, position, _after(way, rng))
            if (draft.complete and rng.random() < 0.5) or not ways:
                break
            text = _clicked(draft, rng)
        clickable = position.outcome is None and text
        _hold(draft.complete or not clickable, rules, f"clicks lead to {text!r} and no further")


def every_ply_can_be_clicked(rules: Rules, chosen: Mapping[str, str], seed: int) -> None:
    """From nothing, by choices and amounts, to any ply; a game that offers no choice at all is exempt."""
    for position, rng in _looked_at(rules, chosen, seed):
        draft = _drafted(rules, position, "")
        if position.outcome is None and (draft.choices or draft.amounts):
            move = str(position.sample(rng))
            _hold(_can_be_clicked(position, move), rules, f"{move} cannot be clicked")


CLICKS = 60
"""After so many clicks a ply should have come about."""

FEW_CLICKS = 6
"""Of all that a draft offers, as many are tried."""

WATCHED = 12
"""Positions of a game of chance that are looked at, beside its first two and its last."""


def _looked_at(rules: Rules, chosen: Mapping[str, str], seed: int) -> Iterator[tuple[Position, Random]]:
    """Some positions of a game of chance, its beginning and its end among them, and chance for each."""
    rng = Random(seed)
    positions = [position for position, _ in walk(rules, chosen, seed)]
    numbers = {0, 1, len(positions) - 1, *(rng.randrange(len(positions)) for _ in range(WATCHED))}
    yield from ((positions[number], rng) for number in sorted(numbers) if number < len(positions))


def _after(way: Choice | Amount, rng: Random) -> str:
    """The ply's text after a choice, or after an amount by chance, the least and the most now and then."""
    if isinstance(way, Choice):
        return way.text
    number = rng.choice((way.least, way.most, rng.randint(way.least, way.most)))
    return f"{way.before}{number}{way.after}"


def _clicked(draft: Draft, rng: Random) -> str:
    """What a click by chance makes of a draft: one that goes on from its text, where there is any.

    Controls and amounts are few and cells may be many, so each kind is as likely as the other.
    """
    if draft.amounts and (not draft.choices or rng.random() < 0.5):
        return _after(rng.choice(draft.amounts), rng)
    onward = [each for each in draft.choices if each.text.startswith(f"{draft.text} ")] or draft.choices
    controls = [each for each in onward if not each.cell]
    return rng.choice(controls if controls and rng.random() < 0.5 else onward).text


def _drafted(rules: Rules, position: Position, text: str) -> Draft:
    """The draft of what a click led to."""
    try:
        draft = position.draft(text)
    except RulesError as error:
        raise Broken(f"{rules.name}: offers {text!r} and refuses it: {error}") from None
    _hold(draft.text == text, rules, f"offers {text!r} and makes {draft.text!r} of it")
    return draft


def _hold_draft(rules: Rules, position: Position, draft: Draft) -> None:
    """Whether a draft says what is awaited, names cells that there are, and is complete when legal."""
    text, on_board = draft.text, {spot.name for spot in position.picture().spots}
    cells = [choice.cell for choice in draft.choices if choice.cell]
    _hold(len(cells) == len(set(cells)), rules, f"has two meanings for one cell after {text!r}")
    _hold(on_board.issuperset(cells), rules, f"offers cells that are not drawn after {text!r}")
    labels = [choice.label for choice in draft.choices] + [amount.label for amount in draft.amounts]
    _hold(all(map(str.strip, labels)), rules, f"has a click without a name after {text!r}")
    _hold(
        all(each.least <= each.first <= each.most for each in draft.amounts),
        rules,
        f"asks too much after {text!r}",
    )
    _hold((draft.back is None) == (text == ""), rules, f"has no way back from {text!r}, or one from nothing")
    if draft.back is not None:
        _drafted(rules, position, draft.back)
    if draft.complete:
        move, _ = position.split(position.read(text))
        _hold(position.problem(move) is None, rules, f"calls {text!r} complete: {position.problem(move)}")
    if position.outcome is not None:
        _hold(not (draft.choices or draft.amounts), rules, "has something to click after the end")


def _can_be_clicked(position: Position, move: str) -> bool:
    """Whether a way leads to `move` along texts of which every word is one of the ply's."""
    wanted, numbers = Counter(move.split()), [int(n) for n in re.findall(r"-?[0-9]+", move)]
    seen, ahead = {""}, [""]
    while ahead:
        draft = position.draft(ahead.pop())
        if draft.complete and str(position.split(position.read(draft.text))[0]) == move:
            return True
        texts = [choice.text for choice in draft.choices]
        for each in draft.amounts:
            texts += [f"{each.before}{n}{each.after}" for n in numbers if each.least <= n <= each.most]
        fresh = {text for text in texts if text not in seen and Counter(text.split()) <= wanted}
        seen |= fresh
        ahead += sorted(fresh, reverse=True)
    return False


def junk_is_refused(position: Position, junk: str) -> None:
    """Whatever is written or drafted is taken as a move or refused by a RulesError with a sentence."""
    for taken in (_problem_of, _draft_of):
        try:
            sentence = taken(position, junk)
        except RulesError as error:
            sentence = str(error)
        if sentence is not None and not sentence.strip():
            raise Broken(f"{position.rules.name}: refuses {junk!r} without a sentence")


def _problem_of(position: Position, junk: str) -> str | None:
    return position.problem(position.read(junk))


def _draft_of(position: Position, junk: str) -> None:
    position.draft(junk)


LAWS: tuple[Law, ...] = (
    a_seed_deals_the_same,
    somebody_can_move_until_the_end,
    what_is_offered_is_legal,
    reading_undoes_writing,
    play_leaves_the_old_position,
    nothing_follows_the_end,
    the_journal_is_the_game,
    data_comes_back,
    what_is_clicked_is_legal,
    every_ply_can_be_clicked,
    pictures_can_be_drawn,
    what_is_shown_is_no_move,
    games_end,
)


def check(rules: Rules, chosen: Mapping[str, str] | None = None, games: int = 3) -> None:
    """Holds `rules` to every law over `games` games of chance each; raises Broken."""
    for law in LAWS:
        for seed in range(games):
            law(rules, chosen or {}, seed)
