"""Words that letters, pages and help avoid. Players make moves; nobody stands and nothing is told."""

import re

_OLD = (
    r"\bply\b",
    r"\bplies\b",
    "nothing of your own to read",
    "is a move or a command",
    "stood above your orders",
    "stands? (?:behind|below|directly|by itself|on your clock)",
    "is told with its deadline",
    r"nobody(?: else)? is told",
    "has been told of it",
    "ends? by itself",
    "grace of",
    "so you do by playing on",
    "next move, whoever makes it",
    "no words go between",
    "no more go now",
    "should the two of you like",
    "it was the last letter about",
    "you play as",
    "fault of ours",
    "it is put aside",
    "is still answered, and so is one",
    r"clocks? (?:of this game )?stands?\b",
    ", standing (?:for|until)",
    r"(?:you|they|he|she|players?|letters|words) stand\b",
)
OLD_WORDS = re.compile("|".join(_OLD), re.IGNORECASE)


def old_words(text: str) -> list[str]:
    return OLD_WORDS.findall(" ".join(text.split()))
