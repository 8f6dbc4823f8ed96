"""Decodes bytes to text, for any declared character set.

Tries in order: the declared set if it is a text encoding, UTF-8, cp1252, latin-1. Nothing here raises.
"""

import codecs
import re

NAMES = {
    # Name in mail -> the codec that also reads its supersets (as browsers do, WHATWG Encoding).
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "tis-620": "cp874",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "unicode-1-1-utf-7": "utf-7",
    "x-unicode-2-0-utf-7": "utf-7",
    "windows-949": "cp949",
    "dos-874": "cp874",
    "x-mac-ce": "mac-latin2",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-greek": "mac-greek",
    "x-mac-turkish": "mac-turkish",
    "hz-gb-2312": "hz",
    "x-euc-jp": "euc-jp",
    "unicode-1-1-utf-8": "utf-8",
    "utf8mb4": "utf-8",
    "unicode": "utf-16",
}
FORBIDDEN_CODECS = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)
"""Python codecs that mail may not name. They are slow on hostile input, or do more than decode text."""
REFUSED_CHARSET = "utf-7"
"""A character set that is refused: its plain letters may hide others from filters.

No mail program has sent it for twenty years. The sender is asked to send the mail again.
"""
FALLBACK_CHARSETS = ("utf-8", "cp1252")


def decode_bytes(data: bytes, declared: str = "") -> str:
    """Decode `data` by the declared set, else the first that fits."""
    return decode_with_codec(data, declared)[1]


def decode_with_codec(data: bytes, declared: str = "") -> tuple[str, str]:
    for name in (codec_of(declared), *FALLBACK_CHARSETS):
        if name:
            try:
                return name, data.decode(name)
            except (UnicodeError, ValueError):
                continue
    return "latin-1", data.decode("latin-1", "replace")


def codec_of(declared: str) -> str:
    """Return the Python text codec for a declared character set, or ""."""
    name = re.sub(r"[^a-z0-9_.-]", "", declared[:60].lower().split(";")[0])
    name = NAMES.get(name, name.removeprefix("cp-") if name.startswith("cp-") else name)
    if name.isdigit():
        name = f"cp{name}"
    try:
        info = codecs.lookup(name) if name else None
    except (LookupError, ValueError):
        return ""
    if (
        info is None
        or info.name.replace("-", "_") in FORBIDDEN_CODECS
        or not getattr(info, "_is_text_encoding", True)
    ):
        return ""
    return info.name
