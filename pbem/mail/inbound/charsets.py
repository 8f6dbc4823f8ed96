"""Decodes bytes to text: by the declared charset, UTF-8, cp1252 or latin-1."""

import codecs
import re

_ALIASES = {
    "utf-8": "us-ascii ascii ansi_x3.4-1968 unicode-1-1-utf-8 utf8mb4",
    "utf-16": "unicode",
    "utf-7": "x-unicode-2-0-utf-7",
    "cp1252": "iso-8859-1 iso8859-1 latin1",
    "cp1254": "iso-8859-9",
    "iso-8859-8": "iso-8859-8-i iso-8859-8-e",
    "gb18030": "gb2312 gbk x-gbk",
    "cp949": "ks_c_5601-1987 euc-kr windows-949",
    "cp932": "shift_jis shift-jis x-sjis windows-31j",
    "cp874": "windows-874 tis-620 dos-874",
    "mac-roman": "x-mac-roman",
    "mac-latin2": "x-mac-ce",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-greek": "x-mac-greek",
    "mac-turkish": "x-mac-turkish",
    "euc-jp": "x-euc-jp",
}
"""Codecs, each with names in mail that it reads, supersets too (as browsers do, WHATWG Encoding)."""
NAMES = {name: codec for codec, names in _ALIASES.items() for name in names.split()}
FORBIDDEN_CODECS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
"""Python codecs that mail may not name, as they are slow on hostile input or do more than decode text."""
REFUSED_CHARSET = "utf-7"
"""A charset whose ASCII may hide other characters from filters; no mail program has sent it for 20 years."""


JAPANESE = b"\x1b$"
"""The escape to kanji of ISO-2022-JP (RFC 1468), which needs no declared character set to be known."""


def decode_bytes(data: bytes, declared: str = "") -> str:
    return decode_with_codec(data, declared)[1]


def decode_with_codec(data: bytes, declared: str = "") -> tuple[str, str]:
    japanese = "iso2022_jp" if not declared and JAPANESE in data else ""
    for name in filter(None, (codec_of(declared), japanese, "utf-8", "cp1252")):
        try:
            return name, data.decode(name)
        except ValueError:
            continue
    return "latin-1", data.decode("latin-1")


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
    if info is None or not getattr(info, "_is_text_encoding", True):
        return ""
    return "" if info.name.replace("-", "_") in FORBIDDEN_CODECS else info.name
