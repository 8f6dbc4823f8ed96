"""The map of first plies, as text or a drawing: a picture with a digit for each cell."""

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from math import floor

from rules import looks
from rules.looks import number as n
from rules.picture import Picture, Spot, text
from rules.svg import at, svg

STEPS = (0.01, 0.02, 0.05, 0.1)
EMPTY = "empty"


@dataclass(frozen=True)
class SwapMap:
    """The board before the first ply, and for each first ply its value for its owner, from 0 to 1."""

    board: Picture
    plies: tuple[tuple[str, float], ...]

    @cached_property
    def step(self) -> float:
        """Return the difference in value between two digits, the smallest for which all values fit."""
        most = max((abs(value - 0.5) for _, value in self.plies), default=0.0)
        return next((step for step in STEPS if most < 5 * step), STEPS[-1])

    def digit(self, value: float) -> int:
        """Return 5 to 9 for a ply worth a swap, or 0 to 4 for another."""
        return min(9, max(0, 5 + floor(round((value - 0.5) / self.step, 6))))

    @property
    def legend(self) -> str:
        return (
            f"In the map a digit stands for a step of {self.step:g}. 5 to 9 are worth a swap, 5 just above"
            " one half; 0 to 4 are not, 4 just below."
        )

    @cached_property
    def _values(self) -> dict[str, float]:
        return {name: value for name, value in self.plies if name in self.board.names}

    @cached_property
    def picture(self) -> Picture:
        """Return the picture with digits as glyphs, without the marks that a deal has put on cells."""
        spots = tuple(self._spot(spot) for spot in self.board.spots)
        return replace(self.board, title=f"Values of first plies, {self.board.title}", spots=spots)

    def _spot(self, spot: Spot) -> Spot:
        value = self._values.get(spot.name)
        if value is None:
            return replace(spot, marks=frozenset())
        words = f"value {value:.2f}, {'worth a swap' if value >= 0.5 else 'not worth a swap'}"
        glyph = str(self.digit(value)).ljust(len(spot.glyph))
        return replace(spot, glyph=glyph, look=EMPTY, ground="", words=words, marks=frozenset())

    title = "Values of first moves"

    @property
    def alt(self) -> str:
        swapped = [name for name, value in self.plies if value >= 0.5]
        told = " ".join(swapped) or "none"
        return f"Map of first plies. Worth a swap, best first: {told}."

    def as_text(self) -> str:
        return text(self.picture)

    def as_svg(self, standalone: bool = False) -> str:
        """Draw the map: red where a swap pays, else blue, and stronger for values farther from one half."""
        picture = replace(self.picture, title=self.alt, description=self.legend)
        drawn = svg(picture, standalone=standalone)
        paint = looks.plain if standalone else looks.themed
        parts = []
        for spot in picture.spots:
            value = self._values.get(spot.name)
            if value is None:
                continue
            x, y = at(picture, spot.x, spot.y)
            digit = self.digit(value)
            colour = "red" if digit > 4 else "blue"
            depth = 0.08 * (digit - 4 if digit > 4 else 5 - digit)
            parts.append(
                f'<circle cx="{n(x)}" cy="{n(y)}" r="14" fill="{paint(colour)}" opacity="{depth:.2f}"/>'
                f'<text x="{n(x)}" y="{n(y + 5)}">{escape(str(digit))}</text>'
            )
        over = (
            f'<g fill="{paint("ink")}" font-size="15" text-anchor="middle" pointer-events="none"'
            f' font-family="system-ui,sans-serif" aria-hidden="true">{"".join(parts)}</g>'
        )
        return f"{drawn.removesuffix('</svg>')}{over}</svg>"
