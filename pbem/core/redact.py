"""Removal of secrets and of mail hosts from texts for others. It takes linear time."""

import re

_TOKEN_ADDRESS = re.compile(
    r"(?:play|bounce)(?:[+.=-]|%2B)[a-z0-9]{16,64}(?:\s?@\s?[^\s<>\"']{1,255})?", re.IGNORECASE
)
_SECRET_PAGE = re.compile(
    r"(?:unsubscribe|compose|calendar|moments|settings/in)/[a-z2-7]{16,64}", re.IGNORECASE
)
_LINK = re.compile(r"\b(?:https?://|mailto:)[^\s<>\"']{1,998}", re.IGNORECASE)
_SECRET = re.compile(r"[A-Za-z0-9_=-]{20}")
_HOST_OF_ADDRESS = re.compile(r"(?<=[^\s@])@(?:[\w-]+\.)*[\w-]*\w")
"""The host of a mail address, from its `@` on. So a long word without one costs nothing."""
HIDDEN_ADDRESS, HIDDEN_LINK = "[address removed]", "[link removed]"


def without_secrets(text: str) -> str:
    """`text` without reply addresses and without links that hold a long secret."""
    text = _LINK.sub(lambda link: HIDDEN_LINK if _SECRET.search(link[0]) else link[0], text)
    return _SECRET_PAGE.sub(HIDDEN_LINK, _TOKEN_ADDRESS.sub(HIDDEN_ADDRESS, text))


def mask_hosts(words: str) -> str:
    """Words without the hosts of mail addresses, since robots read public pages."""
    return _HOST_OF_ADDRESS.sub("@…", words)
