"""Reads yes and no as a player's only words, in several languages."""

import re
from collections.abc import Iterable, Mapping, Sequence

from pbem.core.parsing.client_phrases import CLOSING

WORDS: Mapping[str, tuple[str, str]] = {
    "English": (
        "yes|y|yep|yeah|yup|ok|okay|sure|i am sure|i'm sure|sounds good|of course|gladly|with pleasure|fine|"
        "fine with me|agreed|i agree|deal|right|confirm|confirmed|i confirm|accept|accepted|i accept|i do|"
        "do it|please do|go ahead|absolutely|certainly|👍",
        "no|n|nope|nah|no way|never|not now|not today|rather not|decline|declined|i decline|refuse|i refuse|"
        "don't|do not|👎",
    ),
    "German": (
        "ja|jawohl|klar|gerne?|einverstanden|in ordnung|passt|passt so|stimmt|genau|bestätigt|bestätige|"
        "ich bestätige|ich stimme zu|angenommen|annehmen|ich nehme an",
        "nein|nee|leider nein|leider nicht|lieber nicht|doch nicht|abgelehnt|ablehnen|ich lehne ab",
    ),
    "French": ("oui|d'accord|volontiers|bien sûr|avec plaisir|je confirme|j'accepte", "non|je refuse"),
    "Spanish": ("sí|si|claro|vale|de acuerdo|confirmo|acepto|con gusto", "mejor no|no acepto"),
    "Portuguese": ("sim|claro|está bem|aceito|de acordo|com prazer", "não|nao|não aceito|agora não"),
    "Italian": ("sì|si|va bene|certo|d'accordo|accetto|volentieri", "meglio di no|rifiuto"),
    "Dutch": ("ja|graag|akkoord|prima|goed|ik bevestig", "nee|liever niet"),
    "Scandinavian": ("ja|jo|jepp|gerne|gärna|javisst|enig", "nej|nei|helst ikke"),
    "Finnish": ("kyllä|joo|juu|sopii", "ei"),
    "Polish": ("zgoda|potwierdzam", "nie"),
    "Czech": ("ano|souhlasím|potvrzuji", "ne"),
    "Russian": ("да|хорошо|согласен|согласна|ладно", "нет"),
}
"""The phrases for yes and for no, as patterns."""
POLITE = (
    "please|thanks|thank you|thank you very much|many thanks|thx|sorry|hi|hello|cheers|best|regards|"
    "best regards|kind regards|bitte|danke|vielen dank|hallo|gruß|lg|viele grüße|s'il vous plaît|"
    "s'il te plaît|merci|bonjour|désolée?|cordialement|bises|por favor|gracias|hola|saludos|obrigad[oa]|olá|"
    "abraço|per favore|grazie|ciao|saluti|alsjeblieft|alstublieft|dank je|groetjes?|tack|takk?|hilsen|"
    "kiitos|proszę|dziękuję|pozdrawiam|prosím|děkuji|пожалуйста|спасибо"
)
"""Phrases that may stand beside either."""
MAX_ANSWER = 80
MAX_SIGNED = 3
"""Maximum words of a name below a closing."""
_NAME = re.compile(r"[\w.-]*\w")
_NAME_OR_SIGNS = re.compile(r"[\w.-]+")
_SIGNED = re.compile(rf"(?P<words>.*\w)[\s,.!-]+(?P<name>{_NAME.pattern})\W*")
"""An answer with the writer's name behind it, as `ja, Lena`."""
_THANKS = re.compile(
    r"\W*(?:(?:many )?thanks|thank you|thx|danke|merci|gracias|grazie|obrigad[oa])[\s,]+"
    r"(?P<name>[\w. -]{1,60})\W*",
    re.IGNORECASE,
)


def _only(which: int) -> re.Pattern[str]:
    """Return a pattern for yes (0) or no (1), with polite words."""
    phrases = "|".join(dict.fromkeys("|".join(both[which] for both in WORDS.values()).split("|")))
    either = "|".join(sorted(f"{phrases}|{POLITE}".split("|"), key=len, reverse=True))
    # possessive, so that a long row of these words is read once
    return re.compile(rf"(?=.*(?<![\w'])(?:{phrases})(?![\w']))(?:(?:{either})(?![\w'])\W*+)++")


_UNSURE = re.compile(r"\b(?:yeah|yea|sure|ok|okay|yes|oh)\W+right\b|\bno tak\b")
"""Phrases of disbelief, and the Polish `No tak`, which is closer to a yes."""
_YES, _NO = _only(0), _only(1)


def is_unsure(words: str) -> bool:
    """True if a yes in the words is said in disbelief."""
    return _UNSURE.search(words.lower()) is not None


def read_yes_no(words: str, names: Iterable[str] = ()) -> bool | None:
    """Return True for yes, False for no, and None if the words have more than that and the player's name."""
    words = without_closing(words, names)
    text = " ".join(words.lower().replace("\u2019", "'").split()).lstrip("\"'* ")
    if len(text) > MAX_ANSWER or "?" in text or is_unsure(text):
        return None
    called = {word for word in _called(names) if not (_YES.fullmatch(word) or _NO.fullmatch(word))}
    while (signed := _SIGNED.fullmatch(text)) and signed["name"] in called:
        text = signed["words"]
    yes, no = _YES.fullmatch(text), _NO.fullmatch(text)
    return None if bool(yes) == bool(no) else bool(yes)


def without_closing(words: str, names: Iterable[str]) -> str:
    """Remove `Viele Grüße` at the end, and the writer's name alone."""
    called = _called(names)
    lines = [line for line in words.split("\n") if line.strip()]
    if len(lines) > 1 and (called.issuperset(_words(lines[-1])) or _is_signed(lines, called)):
        lines.pop()
    last = lines[-1] if len(lines) > 1 and len(lines[-1]) <= MAX_ANSWER else ""
    closing = CLOSING.fullmatch(last) or _THANKS.fullmatch(last)
    if closing and called.issuperset(_words(closing["name"] or "")):
        lines.pop()
    return "\n".join(lines)


def _called(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in _words(name)}


def _words(line: str) -> list[str]:
    return _names(line.lower())


def _names(line: str) -> list[str]:
    """Return all that `_NAME` would find, quickly in any line."""
    return [name for each in _NAME_OR_SIGNS.findall(line) if (name := each.rstrip(".-"))]


def _is_signed(lines: Sequence[str], called: set[str]) -> bool:
    """True if the writer's longer name is the last line, below a closing."""
    words = _names(lines[-1])
    a_name = len(words) <= MAX_SIGNED and all(word[0].isupper() for word in words)
    return a_name and not called.isdisjoint(_words(lines[-1])) and bool(CLOSING.fullmatch(lines[-2]))


def read_choice(words: str, choices: Mapping[str, str]) -> str:
    """Return the word of `choices` in the first line, alone or with its meaning, or ""."""
    line = re.sub(rf"\b(?:{POLITE})\b", " ", words.strip().partition("\n")[0].lower())
    said = re.findall(r"\w+", line)
    named = [word for word in choices if word in said]
    fits = len(named) == 1 and {*said} <= {named[0], *choices[named[0]].lower().split()}
    return named[0] if fits else ""


def is_polite(word: str) -> bool:
    return bool(re.fullmatch(POLITE, word.lower()))
