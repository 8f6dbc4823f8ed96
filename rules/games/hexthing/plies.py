"""Hexagonal Thing's plies as values: `lot 1N 2U bid 5`, `play 2U bid 3`, `pass put c3`.

What a player writes may hold standing orders too (`max 20`, a `take` for an auction still open); they
are read into the same value, and `standing` takes them out again before anything is played.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Act:
    """One ply: at most one of lot, play, stay and pass, then what goes with it; `str()` is canonical."""

    lot: tuple[str, ...] = ()
    """Cards put up for auction, in the order of `CARDS`."""
    play: str = ""
    """The card played."""
    word: str = ""
    """`stay` or `pass`."""
    bid: int | None = None
    offer: int | None = None
    change: tuple[str, int] | None = None
    """`("£", 20)`: twenty pounds into dollars."""
    limit: int | None = None
    """`max` behind a bid, `min` behind an offer: a standing order."""
    naming: tuple[str, str] | None = None
    """`("take", "e5")` or `("put", "c3")`."""
    coin: str = field(default="", compare=False)
    """`£` or `$` where it was written with a bid or an offer, which do without."""

    def __str__(self) -> str:
        parts = []
        if self.lot:
            parts.append(f"lot {' '.join(self.lot)}")
        if self.play:
            parts.append(f"play {self.play}")
        if self.word:
            parts.append(self.word)
        if self.bid is not None:
            parts.append(f"bid {self.bid}")
        if self.offer is not None:
            parts.append(f"offer {self.offer}")
        if self.change is not None:
            parts.append(f"change {self.change[0]}{self.change[1]}")
        if self.limit is not None:
            parts.append(f"{'min' if self.offer is not None else 'max'} {self.limit}")
        if self.naming is not None:
            parts.append(" ".join(self.naming))
        return " ".join(parts)

    @property
    def verb(self) -> str:
        """What kind of ply this is: lot, play, stay, pass, bid, offer, take or put."""
        if self.lot or self.play:
            return "lot" if self.lot else "play"
        if self.word:
            return self.word
        if self.bid is not None or self.offer is not None:
            return "offer" if self.bid is None else "bid"
        return self.naming[0] if self.naming else ""

    @property
    def price(self) -> int | None:
        """What is bid or offered."""
        return self.offer if self.bid is None else self.bid

    @property
    def bare(self) -> Act:
        """The ply without a limit, and without a naming that goes with something else."""
        if self.limit is None and (self.naming is None or self.verb in ("take", "put")):
            return self
        return replace(self, limit=None, naming=None)


STAY = Act(word="stay")
PASS = Act(word="pass")
