"""A search that plays every game, at one of five levels.

The search uses only the contract and what a game declares in `Rules.knowledge`.
"""

from rules.search.levels import LEVELS, Level
from rules.search.thinking import Thought, think

__all__ = ["LEVELS", "Level", "Thought", "think"]
