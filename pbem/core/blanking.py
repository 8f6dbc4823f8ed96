"""Out of a text that others will read: reply addresses and links of ours, which are credentials; hosts.

Patterns are anchored to what every such address or link begins with, and run in linear time. Values only.
"""

from __future__ import annotations

import re

_TOKEN_ADDRESS = re.compile(
    r"(?:play|bounce)(?:[+.=-]|%2B)[a-z0-9]{16,64}(?:\s?@\s?[^\s<>\"']{1,255})?", re.IGNORECASE
)
_SECRET_PAGE = re.compile(r"(?:unsubscribe|compose|calendar|settings/in)/[a-z2-7]{16,64}", re.IGNORECASE)
_LINK = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"']{1,998}", re.IGNORECASE)
_SECRET = re.compile(r"[A-Za-z0-9_=-]{20}")
_HOST_OF_ADDRESS = re.compile(r"(?<=[^\s@])@(?:[\w-]+\.)*[\w-]*\w")
"""Looked for from the `@` on, so that a long word without one costs nothing."""
HIDDEN_ADDRESS, HIDDEN_LINK = "[address removed]", "[link removed]"


def without_secrets(text: str) -> str:
    """`text` with reply addresses, and links that hold a long secret, blanked out."""
    text = _LINK.sub(lambda link: HIDDEN_LINK if _SECRET.search(link[0]) else link[0], text)
    return _SECRET_PAGE.sub(HIDDEN_LINK, _TOKEN_ADDRESS.sub(HIDDEN_ADDRESS, text))


def masked(words: str) -> str:
    """A player's words without the hosts of mail addresses: what is public is read by robots too."""
    return _HOST_OF_ADDRESS.sub("@…", words)
