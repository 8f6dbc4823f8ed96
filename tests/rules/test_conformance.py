"""Every game keeps every law, on its usual board and on unusual ones; and the laws notice offenders."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from pkgutil import iter_modules
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.parsing.line import read_line
from rules import RULES, games
from rules.conformance import LAWS, check, obey
from rules.conformance_words import junk_is_refused
from rules.draft import Choice, Draft
from rules.games.bipod.position import BipodPosition
from rules.random_play import Broken, RandomGame
from rules.record import read, replay, write
from rules.stone_reading import Cells
from tests.amount import amount, some
from tests.rules import faults, mutants
from tests.rules.mutants import PEGS

FAULTS = {**mutants.FAULTS, **faults.FAULTS}

GOLDEN = Path(__file__).parent / "golden"

UNUSUAL = {
    "atoll": [{"size": "7"}, {"size": "19", "pie": "no"}],
    "bagel": [
        {"layout": "b" * 9 + "g" * 9 + "c" * 9 + "r" * 9},
        {"size": "5"},
        {"size": "5", "layout": "bgcr" * 15},
        {"pie": "no"},
    ],
    "begird": [
        {"islands": "3", "side": "4"},
        {"islands": "9", "side": "19"},
        {"islands": "27"},
        {"islands": "21"},
        {"islands": "51", "side": "18"},
    ],
    "bipod": [
        {"size": "3", "middle": "2", "rows": "3", "stones": "1"},
        {"size": "8", "rows": "9", "stones": "5"},
        {"size": "3", "middle": "8", "rows": "9"},
    ],
    "bounders": [
        {"size": "3"},
        {"size": "4", "scoring": "basic", "pie": "yes"},
        {"size": "5", "scoring": "half"},
        {"size": "11", "pie": "no"},
    ],
    "breakthrough": [{"size": "5"}, {"size": "7"}],
    "gomoku": [{"size": "7"}, {"size": "9", "opening": "free"}, {"size": "8", "overline": "wins"}],
    "havannah": [{"size": "4"}, {"size": "10"}],
    "hex": [{"size": "3"}, {"size": "19"}],
    "gonnect": [{"size": "5"}, {"size": "9"}],
    "hadron": [{"size": "7"}, {"size": "11"}],
    "hexthing": [
        {"bids": "3", "money": "999"},
        {"money": "0"},
        {"board": "BS" * 18 + "B"},
        {"things": "a1,a2,a3,a4,g1,g2,g3", "board": "C" * 18 + "S" + "B" * 18},
    ],
    "reversi": [{"size": "4"}, {"size": "4", "start": "free"}, {"size": "10", "start": "free"}],
    "unlur": [{"size": "4"}, {"size": "10"}],
}
"""Options by game that take it to its edges."""

LEAST_GAMES, MAX_GAMES, SECONDS = amount(1, 2), 300, amount(0.0, 1.0)
"""All laws are tried on so many random games of a setup, or on as many as fit into the time."""

GAMES = some([(key, chosen) for key in RULES for chosen in ({}, *UNUSUAL.get(key, ()))], 10, itemgetter(0))
"""The setups, in a short run two of a game."""


@pytest.mark.parametrize(
    ("key", "chosen"), GAMES, ids=["-".join([key, *chosen.values()]) for key, chosen in GAMES]
)
def test_every_game_keeps_every_law(key: str, chosen: dict[str, str], subtests: pytest.Subtests) -> None:
    until = process_time() + SECONDS
    for seed in range(MAX_GAMES):
        if seed >= LEAST_GAMES and process_time() > until:
            break
        trial = RandomGame(RULES[key], chosen, seed, is_command)
        for law in LAWS:
            with subtests.test(law=law.__name__, seed=seed):
                obey(law, trial)


def is_command(line: str) -> bool:
    """True for a command of the server. The games do not know them."""
    return read_line(line, None) is not None


whole_game = cache(lambda key: RandomGame(RULES[key]))


@pytest.mark.parametrize("key", RULES)
@given(junk=st.text(max_size=120), plies=st.integers(0, 12))
def test_junk_is_refused_with_a_sentence_in_every_game(key, junk, plies):
    positions = whole_game(key).positions
    junk_is_refused(positions[min(plies, len(positions) - 1)], junk)


class Offender(BipodPosition):
    """A Bipod that breaks a promise, and whose positions stay what they are."""

    @classmethod
    def of(cls, position):
        return cls(
            GAMES_OF_OFFENDERS[cls],
            position.options,
            position.ply,
            position.cells,
            position.laid,
            position.adopted,
        )

    @classmethod
    def game(cls):
        bipod = RULES["bipod"]
        return replace(bipod, setup=lambda rules, options, seed: cls.of(bipod.begin(options, seed)))

    def follow(self, move):
        return self.of(super().follow(move))


class Forgetful(Offender):
    """Tells nothing but who has adopted."""

    def data(self):
        return {"adopted": self.adopted}


class Gracious(Offender):
    """Offers a start to be blocked."""

    def moves(self):
        yield from super().moves()
        if not self.outcome:
            yield Cells(("k1",))


class Wordy(Offender):
    """Beside its board stands a line that can be taken for a move."""

    def notes(self):
        return ["f2 f4 g3"]


class Endless(Offender):
    """Has nothing to say about how it ended."""

    def __post_init__(self):
        super().__post_init__()
        if self.outcome:
            object.__setattr__(self, "outcome", replace(self.outcome, reason=""))


class Misleading(Offender):
    """Lets a start be clicked, which may not be blocked."""

    def draft(self, text):
        if text or self.outcome:
            return super().draft(text)
        return Draft("", tuple(Choice(name, f"Block {name}", name) for name in ("k1", *self.playable())))


class Reluctant(Offender):
    """Has one cell to begin with, whatever else may be played."""

    def draft(self, text):
        draft = super().draft(text)
        return draft if text else replace(draft, choices=draft.choices[:1])


class Aimless(Offender):
    """Has clicks that never come to a ply."""

    def draft(self, text):
        more = () if self.outcome or text else (Choice("f", "Column f"),)
        return Draft(text, more, back="" if text else None)


GAMES_OF_OFFENDERS = {
    cls: cls.game() for cls in (Forgetful, Gracious, Wordy, Endless, Misleading, Reluctant, Aimless)
}


@pytest.mark.parametrize(
    ("offender", "complaint"),
    [
        (Forgetful, "Bipod: data.. is the same in two positions"),
        (Gracious, "Bipod: offers k1: "),
        (Wordy, "Bipod: takes a line that it shows for a move: f2 f4 g3"),
        (Endless, "Bipod: ended without a reason"),
        (Misleading, "Bipod: offers 'k1' and refuses it: "),
        (Reluctant, "Bipod: .* cannot be clicked"),
        (Aimless, "Bipod: clicks lead to 'f' and no further"),
    ],
)
def test_a_game_that_breaks_a_law_is_found_out(offender, complaint):
    with pytest.raises(Broken, match=complaint):
        check(GAMES_OF_OFFENDERS[offender], games=1)


def test_the_small_game_that_faults_are_put_into_keeps_every_law():
    check(PEGS, games=5, is_command=is_command)
    check(PEGS, {"holes": "3"}, games=5, is_command=is_command)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_deliberate_fault_breaks_a_law_that_names_it(fault):
    rules, complaint = FAULTS[fault]
    with pytest.raises(Broken, match=complaint):
        check(rules, is_command=is_command)


@pytest.mark.parametrize("key", [module.name for module in iter_modules(games.__path__)])
def test_every_game_has_a_whole_game_on_record_that_is_replayed_to_its_end(key):
    path = GOLDEN / f"{key}.game"
    assert path.exists(), f"put a whole game on record into {path}"
    record = read(path.read_text())
    played = replay(record)
    assert played.rules is RULES[key]
    assert played.outcome is not None
    assert played.moves == replay(read(write(record))).moves
