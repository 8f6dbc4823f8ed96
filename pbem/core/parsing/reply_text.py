"""The player's own words in a mail, without quotes, signatures and our letters.

All patterns are anchored and linear, and lines are bounded, so that no text takes long to read.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, dropwhile, islice, takewhile
from zlib import crc32

from pbem.core.parsing import client_phrases as phrases
from pbem.core.parsing.normalise import MAX_LINE, MAX_LINES, QUOTE_MARK
from pbem.core.redact import without_secrets

MARKER = "##- write your move above this line -##"
"""The marker line in both parts of all our letters; `marker_below` adds the sign of the sentence above it."""
OWN = ""
QUOTED = "quoted"
INTRODUCES = "introduces the quote below it"
LETTER = "introduces a letter that is not marked as quoted: it and all below it are left out"
FIRST_SENTENCE = "our first sentence, above our marker line"
AT_MARKER = "our marker line: it and all below it are our letter"
BANNER = "a mail gateway's warning"
SIGNS = "a signature or footer: it and all below it are left out"
SIGNS_ABOVE = "a signature above a quote"
BELOW = "below what ends the words"
"""Kinds of lines; `""` is the player's own."""


def split_words(text: str) -> tuple[str, str, bool]:
    """Return (the player's own words, words lost to a signature, True if a marker was found).

    Lost words reach nobody, so the player is told of them; words of programs and of our letters are not lost.
    """
    sorted_out, marked = classify_lines(text)
    words = _tidy([line if why == OWN else "" for line, why in sorted_out if why in (OWN, QUOTED)])
    signed = dropwhile(lambda line: line[1] not in (SIGNS, SIGNS_ABOVE), sorted_out)
    lines = [line for line, why in signed if why in (SIGNS, SIGNS_ABOVE, BELOW)]
    lost: list[str] = []
    for at, after, why in _runs(lines, _markers(lines), (LETTER, AT_MARKER), any_own=True):
        if why == OWN or _is_disclaimer(lines, at):
            lost += lines[at:after]
    return words, _tidy(lost), marked


def classify_lines(text: str) -> tuple[list[tuple[str, str]], bool]:
    """Return every line with its kind, and True if a marker was found."""
    lines = _with_usual_marks([line[:MAX_LINE].rstrip() for line in text.split("\n", MAX_LINES)[:MAX_LINES]])
    markers = _markers(lines)
    found: list[tuple[str, str]] = []
    after = 0
    for at, after, why in _runs(lines, markers, (LETTER, AT_MARKER, SIGNS)):
        if why == AT_MARKER:
            before = lines[at].partition("##")[0]
            found += [(before, OWN)] if before else []
            found = _mark_first_sentence(found, lines[at : after + 1])
        found += [(line, why) for line in lines[at:after]]
    return found + [(line, BELOW) for line in lines[after:]], bool(markers)


def _runs(
    lines: Sequence[str], markers: Mapping[int, int], ends: Sequence[str], *, any_own: bool = False
) -> Iterator[tuple[int, int, str]]:
    """Return runs of lines, up to a kind of `ends`, each as (first line, line after the last, kind)."""
    width = _wrap_column(lines)
    at, why = 0, OWN
    while at < len(lines) and why not in ends:
        after, why = _classify_line(lines, at, markers, width, any_own)
        yield at, after, why
        any_own = any_own or (why == OWN and bool(lines[at]))
        at = after


def _classify_line(
    lines: Sequence[str], at: int, markers: Mapping[int, int], width: int, any_own: bool
) -> tuple[int, str]:
    if QUOTE_MARK.match(lines[at]):
        return _after_quote(lines, at, markers, width), QUOTED
    if at in markers:
        return markers[at], AT_MARKER
    after = _after_introduction(lines, at)
    if after > at:
        return after, INTRODUCES if _quote_follows(lines, after) else LETTER
    if not any_own and phrases.BANNER.match(lines[at].strip()[: phrases.MAX_BANNER]):
        return at + 1, BANNER
    bare = lines[at].strip()
    signs = bare.strip("* ") == "--" or _is_machine_line(bare) or _is_disclaimer(lines, at)
    if not signs and not _has_contact_below(lines, at):
        return at + 1, OWN
    below = next((n for n in range(at, len(lines)) if QUOTE_MARK.match(lines[n])), None)
    if any_own or (below is None and bare == "--"):
        return at + 1, SIGNS
    return (at + 1 if below is None else below), SIGNS_ABOVE


def _tidy(lines: Sequence[str]) -> str:
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1]):
            kept.append(line.rstrip())
    return "\n".join(kept).strip("\n")


def first_lines(words: str, most: int = 5) -> list[str]:
    """Return the first lines with text, cut to 72 characters each, to show a player what was found."""
    filled = [line.strip() for line in without_secrets(words).split("\n") if line.strip()]
    return [line if len(line) <= 72 else f"{line[:69]}..." for line in filled[:most]]


_GROUPWISE = re.compile(r">>> ?[^>].{2,300}[^>] ?>>>$")
_SQUASHED_OUT = re.compile(r"[\s>|*_]+")
_SQUASHED_MARKER = "-writeyourmoveabovethisline-"
WRAPPED_AT = 70
"""Programs that wrap quoted lines do so here or farther right."""
LETTER_WIDTH = 78
NARROW_QUOTE, NARROWEST, NARROW = 5, 20, 44
"""Least lines, least and greatest width of a quote that tells its wrap column; our letters are wider."""


def _markers(lines: Sequence[str]) -> dict[int, int]:
    """Find marker lines, also wrapped, quoted or indented, as {first line: line after the last}."""
    found: dict[int, int] = {}
    for at, line in enumerate(lines):
        if "##" not in line and "write" not in line.lower():
            continue
        squashed = [_SQUASHED_OUT.sub("", part).lower() for part in lines[at : at + 4]]
        start = "".join(squashed).find(_SQUASHED_MARKER)
        if 0 <= start < len(squashed[0]):
            lengths = list(accumulate(map(len, squashed)))
            end = at + 1 + bisect_left(lengths, start + len(_SQUASHED_MARKER))
            while end < len(lines) and end - at < 4 and _SQUASHED_OUT.sub("", lines[end]) in ("#", "##"):
                end += 1
            found[at] = end
    return found


_CODE = re.compile(r"thisline-##([a-z]{4})")
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
"""No word, no cell and no suit is made of these alone."""
MAX_SENTENCE = 8
"""Lines that a program may break our first sentence into."""
MAX_SENTENCE_LETTERS = 500


def marker_below(sentence: str) -> str:
    """Return the marker line for a sentence, with four letters that identify the sentence as ours."""
    return MARKER + _code_of(sentence)


def _code_of(sentence: str) -> str:
    number = crc32("".join(filter(str.isalnum, sentence.lower())).encode("utf-8", "replace"))
    base = len(_CONSONANTS)
    return "".join(_CONSONANTS[number // base**place % base] for place in range(4))


def _mark_first_sentence(above: list[tuple[str, str]], marker: Sequence[str]) -> list[tuple[str, str]]:
    """Mark our first sentence in unquoted lines above a marker."""
    code = _CODE.search(_SQUASHED_OUT.sub("", "".join(marker)).lower())
    for at in range(len(above)) if code else ():
        after = _after_sentence([line for line, _ in above[at : at + MAX_SENTENCE]], code[1] if code else "")
        if after:
            ours = [(line, FIRST_SENTENCE) for line, _ in above[at : at + after]]
            return [*above[:at], *ours, *above[at + after :]]
    return above


def _after_sentence(lines: Sequence[str], code: str) -> int:
    """Count the first lines that are this code's sentence, else 0. A heading may have a blank line below."""
    said = ""
    for number, line in enumerate(lines if lines[0].strip() else (), 1):
        said += line
        if len(said) > MAX_SENTENCE_LETTERS:
            return 0
        if _code_of(said) == code:
            return number
    return 0


_INITIALS = re.compile(r"\s{0,8}([^\W\d_][\w.-]{0,19}>) ?##- write", re.IGNORECASE)


def _with_usual_marks(lines: list[str]) -> list[str]:
    """The lines, with prefixes such as `B> ` replaced by `>`.

    The Bat! and Supercite quote so; our own marker line shows which prefix this mail has.
    """
    found = next(filter(None, map(_INITIALS.match, lines)), None)
    if found is None:
        return lines
    mark = found[1]
    return [f">{bare[len(mark) :]}" if (bare := line.lstrip()).startswith(mark) else line for line in lines]


def _after_quote(lines: Sequence[str], at: int, markers: Mapping[int, int], width: int) -> int:
    """Return the line after the quoted one at `at`, and after its wrapped end without a quote mark."""
    line = lines[at]
    if _GROUPWISE.match(line) and not _quote_follows(lines, at + 1):
        return len(lines)
    after = max(at + 1, markers.get(at, 0))
    for always in (True, False) if width <= NARROW else (False,):
        end = _after_wrapped_rest(lines, after, line, 0 if always else width)
        closed = end < len(lines) and QUOTE_MARK.match(lines[end])
        if closed or (width < WRAPPED_AT and not always):
            return end
    return after


def _after_wrapped_rest(lines: Sequence[str], at: int, line: str, width: int) -> int:
    """Skip lines from `at` that look like a quoted line's wrapped end.

    The first word of each such line would have made the line above too wide (always so with `width` 0), and
    all lines together fit the width of our letters.
    """
    long = len(line.lstrip("> |"))
    while at < len(lines) and lines[at].strip() and not QUOTE_MARK.match(lines[at]):
        long += 1 + len(lines[at])
        if long > LETTER_WIDTH or len(line) + 1 + len(lines[at].split(maxsplit=1)[0]) <= width:
            break
        line, at = lines[at], at + 1
    return at


def _wrap_column(lines: Sequence[str]) -> int:
    """The column where the quoting program wraps: its widest quoted line."""
    widths = [len(line) for line in lines if QUOTE_MARK.match(line) and " " in line.strip("> |")]
    if len(widths) < NARROW_QUOTE or max(widths) < NARROWEST:
        return WRAPPED_AT
    return min(WRAPPED_AT, max(widths))


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    below = next(filter(str.strip, lines[at:]), "")
    return QUOTE_MARK.match(below) is not None


_RULE = re.compile(r"\s*_{20,}\s*$")
_SEPARATOR = re.compile(r"\s{0,4}([-=~_]{3,}) ?\"?[^\W_]")
_ADDRESS_ALONE = re.compile(r"\s{0,8}[^\s<>@]{1,64}@[^\s<>@]{1,253}$")
_SEPARATOR_ENDS = ("--", "==", "~~", "__")
_LABEL = re.compile(r"[\s*]{0,6}([^\W\d_][^:\n@]{0,30}?)\s{0,2}\*?:\*?(\s|$)?")
HEADER_LINES = 14
ATTRIBUTION_LINES = 3
MAX_ATTRIBUTION = 400


def _after_introduction(lines: Sequence[str], at: int) -> int:
    line = lines[at]
    if not line.strip():
        return at
    below = next((n for n in range(at + 1, len(lines)) if lines[n].strip()), len(lines))
    if _is_separator(line):
        return max(at + 1, _after_headers(lines, below), _after_attribution(lines, below))
    if _ADDRESS_ALONE.match(line):  # Foxmail puts the writer's own above the header lines
        after = _after_headers(lines, below)
        return after if after > below else at
    return max(_after_headers(lines, at), _after_attribution(lines, at))


def _is_separator(line: str) -> bool:
    """True if it is `-----Original Message-----` in any language, underscores, `Begin forwarded message:`."""
    line = line.replace("&nbsp;", " ")
    if _RULE.match(line) or phrases.FORWARDED_LINES_PATTERN.match(line.lstrip()):
        return True
    match = _SEPARATOR.match(line)
    if match is None or len(line) > MAX_ATTRIBUTION or not line.rstrip(": ").endswith(_SEPARATOR_ENDS):
        return False
    return len(match[1]) > 3 or " message" in line.lower() or phrases.WROTE_VERBS.search(line) is not None


def _after_headers(lines: Sequence[str], at: int) -> int:
    """The line after a header block (From, Von, 发件人 …), else `at`."""
    known = labels = loose = 0
    address = False
    end = at
    for number in range(at, min(at + HEADER_LINES, len(lines))):
        line = lines[number][:300]
        match = _LABEL.match(line)
        is_known = match is not None and match[1].strip(" *").lower() in phrases.HEADER_LABELS
        if match is not None and (is_known or (match[2] is not None and match[1].count(" ") < 3)):
            known += is_known
            labels += 1
            address = address or "@" in line
            loose = 0
            end = number + 1
        elif number == at or QUOTE_MARK.match(line) or loose > 1 or not (known or line.strip()):
            break  # an unknown label above a blank line is the player's own: `Mein Zug: f2`
        else:
            loose += 1
            end = number + 1 if line.strip() and lines[number - 1].strip() else end
    if known >= 2 or (address and labels >= 2 and (known or labels >= 3)):
        return end
    return at


def _after_attribution(lines: Sequence[str], at: int) -> int:
    """Return the line after an `On … wrote:` of up to three lines at `at`, else `at`."""
    for count in range(1, ATTRIBUTION_LINES + 1):
        group = lines[at : at + count]
        if len(group) < count or not group[-1].strip() or QUOTE_MARK.match(group[-1]):
            return at
        if count > 1 and not _may_open_attribution(group[0]):
            return at
        quote_follows = _quote_follows(lines, at + count)
        opens = [phrases.ATTRIBUTION_OPENINGS.match(each.lstrip()) for each in group[:2]]
        if count > 1 and opens[1] and not opens[0] and _is_attribution(group[1:], quote_follows):
            return at
        if _is_attribution(group, quote_follows):
            return at + count
    return at


def _may_open_attribution(line: str) -> bool:
    line = line[:300].strip()
    if phrases.ATTRIBUTION_OPENINGS.match(line) or phrases.ADDRESS.search(line) or line.endswith("<"):
        return True
    return phrases.MOMENT.search(line) is not None and ("," in line or "#" in line)


def _is_attribution(group: Sequence[str], quote_follows: bool) -> bool:
    text = " ".join(line.strip() for line in group)
    if len(text) > MAX_ATTRIBUTION or not text.endswith((":", ">")):
        return False
    signs = sum(map(bool, (phrases.ADDRESS.search(text), phrases.MOMENT.search(text), quote_follows)))
    if text.endswith(">"):
        return signs == 3
    return signs > 1 or (signs == 1 and phrases.WROTE_VERBS.search(text) is not None)


PARAGRAPH_LINES = 12


def _is_machine_line(bare: str) -> bool:
    """True if the whole line comes from a telephone or mail program, one of which is named in each piece."""
    if len(bare) > phrases.MAX_SIGNATURE or not phrases.SIGNATURE.match(bare):
        return False
    pieces = [piece for piece in phrases.PIECE_SEPARATORS.split(bare) if piece.strip()]
    return all(
        phrases.MACHINE_NAMES.search(piece) and len(piece.split()) <= phrases.PIECE_WORDS for piece in pieces
    )


def _has_contact_below(lines: Sequence[str], at: int) -> bool:
    """True if `Mit freundlichen Grüßen` has a telephone number below, as in business mails."""
    if at == 0 or len(lines[at]) > phrases.MAX_SIGNATURE or not phrases.CLOSING.fullmatch(lines[at]):
        return False
    below = takewhile(lambda n: not _begins_a_quote(lines, n), range(at + 1, len(lines)))
    filled = [lines[n] for n in islice(below, 2 * phrases.CLOSED_LINES) if lines[n].strip()]
    return any(map(phrases.CONTACT.search, filled[: phrases.CLOSED_LINES]))


def _begins_a_quote(lines: Sequence[str], at: int) -> bool:
    return bool(QUOTE_MARK.match(lines[at])) or "##-" in lines[at] or _after_introduction(lines, at) > at


def _is_disclaimer(lines: Sequence[str], at: int) -> bool:
    bare = lines[at].strip()
    if len(bare) < phrases.FOOTER_SHORTEST or not phrases.FOOTER.match(bare[:200]):
        return False
    paragraph = takewhile(str.strip, lines[at : at + PARAGRAPH_LINES])
    return any(phrases.DISCLAIMER_WORDS.search(line[:400]) for line in paragraph)
