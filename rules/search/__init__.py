"""A search that plays every game, at one of five levels.

It knows the contract and what a game says in `Rules.knowledge`, and nothing else.
"""

from rules.search.levels import LEVELS, Level
from rules.search.thinking import Thought, think

__all__ = ["LEVELS", "Level", "Thought", "think"]
