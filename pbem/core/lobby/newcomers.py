"""A newcomer's name, and the orders given before registering, none of them in the newcomer's own words."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.core.errors import Refusal
from pbem.core.lobby.challenges import find_rules
from pbem.core.parsing.client_phrases import CLOSING
from pbem.core.parsing.line import Command, read_line
from pbem.core.parsing.yes_no import is_polite
from pbem.core.players import BOT_LEVELS, MAX_NAME, PROGRAM_END, bot_level, is_program_name, name_fault
from rules import RULES, find, find_near
from rules.contract import BadOption, Rules, option_words

FIRST_GAME = "challenge bot begird islands=9"
"""A small board, one stone a move, and no capitals."""
MAX_NAMED = 500
"""The characters of a mail in which a game's name is looked for."""
MAX_ORDERS = 3
"""Maximum orders kept with a question; no stranger needs more to begin."""
LEARNING = ("learn", "puzzle", "rules")
"""Commands that bring something to read or to answer, with or without a game's name."""
NO_NAMES = frozenset(
    "a am an and are as at at be because but can do first for from here how if in is it just later me myself "
    "now of on only or our please so the then there this to today too under us want we what when who why "
    "with would you unsubscribe remove cancel info maybe send small large "
    "ich wir wie was wer wo hilfe regeln spielen mitspielen anmelden anmeldung registrieren abmelden "
    "abbestellen weiter gut super toll gern dank vielen guten tag morgen abend moin servus nicht und oder "
    "leider urlaub viele liebe grüße gruß gruss gruesse mfg lg".split()
)
"""Words that follow `register` in prose, and those that answer other letters."""
_IN_A_SENTENCE = re.compile(
    r"(?:\bregister|\bname(?: is| ist|:)|\bcall me|\bbe called|\bich hei(?:ß|ss)e|\bnennt mich)"
    r"(?: (?:me|as|with|under|by|the|my|name|is)\b){0,4}[ :\"'(<]{1,4}([^\W\d_][\w-]{0,60})",
    re.IGNORECASE,
)
_ASKED = frozenset({"take", "play", "seek", "challenge", *LEARNING})
_UNREAD = re.compile(rf"(?:play|learn|ladder) (?!{'|'.join(RULES)})[a-z]{{3,20}}", re.IGNORECASE)
"""A line such as `learn chess`, which is no command."""
_CELL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}")
_WORDS_OF_A_NAME = re.compile(r"[\w-]{1,60}(?: [\w-]{1,60}){0,2}")
_FIRST_NAME = re.compile(r"[^\W\d_][\w-]{1,60}")
CLOSED_NAME = 3
"""Maximum lines of a closing such as `Viele Grüße` with the writer's name."""
_PLEASE = re.compile(r",? (?:bitte|please)\b[\s.!]*$", re.IGNORECASE)
_TO_ASCII = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae"}
    | {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "œ": "oe", "đ": "d", "Đ": "D", "ı": "i"}
)
"""Letters as passports write them (ICAO 9303), if removing an accent is not enough."""
TRIED_NUMBERS = range(2, 20)


@dataclass(frozen=True)
class Wish:
    """The wanted name and the orders in canonical words. `sure`: the name was given with `register`.

    `guessed`: the writer asked for no name. `left_out`: the writer asked for more, which cannot be done.
    `shown`: the one of the orders that a move carries out and a yes does not, or "".
    """

    name: str = ""
    sure: bool = False
    guessed: bool = False
    orders: tuple[str, ...] = ()
    left_out: bool = False
    shown: str = ""


def read_wish(words: str, commands: Sequence[Command], offered: Mapping[str, Rules]) -> Wish:
    """Read a newcomer's wish: the newest name, and each order that can be understood without a player."""
    asked = {canonical_order(command, offered): None for command in commands if command.verb in _ASKED}
    orders = tuple(filter(None, asked))
    unread = {line.strip() for line in words.split("\n")} - {command.text for command in commands}
    wish = Wish(
        orders=orders[:MAX_ORDERS],
        left_out=len(orders) < len(asked) or any(map(_UNREAD.fullmatch, unread)),
    )
    written = [command.args["name"] for command in commands if command.verb == "register"]
    names = [name for name in written if name]
    guesses = [found[1] for found in _IN_A_SENTENCE.finditer(words) if found[1].lower() not in NO_NAMES]
    if names and (not guesses or names[-1].startswith(guesses[-1])):
        return replace(wish, name=names[-1], sure=True)
    return replace(wish, name=guesses[-1] if guesses else "")


def lone_name(words: str) -> str:
    """Return the name that is an answer's only text beside greeting and closing, or ""; a move is none."""
    lines = [line.strip(" \"'*.!") for line in words.split("\n") if line.strip()]
    if len(lines) > 1 and lines[0].endswith(","):
        lines = lines[1:]
    ends = next((at for at, line in enumerate(lines) if at and CLOSING.fullmatch(line)), len(lines))
    lines = lines[:ends] if len(lines) - ends <= CLOSED_NAME else lines
    if len(lines) != 1 or not _WORDS_OF_A_NAME.fullmatch(lines[0]):
        return ""
    parts = lines[0].split()
    if all(map(_CELL.fullmatch, parts)) or any(is_polite(word) or word.lower() in NO_NAMES for word in parts):
        return ""
    return lines[0]


def suggested_name(sender_name: str, words: str) -> str:
    """Return the writer's first name from the From header, or else from the mail's last line, or ""."""
    surname, comma, first = sender_name.partition(",")
    lines = [line.strip() for line in words.split("\n") if line.strip()]
    signed = lone_name(lines[-1]) if len(lines) > 1 and lines[-1][0].isupper() else ""
    word = next(iter((first if comma else surname).split() or signed.split()), "").strip("\"'.")
    return lone_name(word) if _FIRST_NAME.fullmatch(word) else ""


def name_of_address(address: str) -> str:
    """Return a name from the part before the @: `nina.roth@example.com` gives Nina."""
    local = re.split(r"[._+@\d-]+", address.lstrip("._+-0123456789"))[0]
    return local[:1].upper() + local[1:]


def first_game(words: str, offered: Mapping[str, Rules]) -> str:
    """Return the order for a newcomer's first game: the game that they name, or else an easy one, or ""."""
    named = (find(word) for word in re.findall(r"[^\W_]{2,30}", words[:MAX_NAMED]))
    key = next((game.key for game in named if game is not None and game.key in offered), "")
    if key:
        return f"challenge bot {key}"
    return FIRST_GAME if "begird" in offered else f"challenge bot {next(iter(offered))}" if offered else ""


def name_with_please(words: str) -> str:
    """Return the name, still to be confirmed, in an answer such as `Heike bitte!`, or ""."""
    return lone_name(_PLEASE.sub("", words))


def offered_name(asked: str, keywords: frozenset[str], is_free: Callable[[str], bool]) -> str:
    """Return a free name like the one asked for, or ""."""
    plain = (
        unicodedata.normalize("NFKD", unicodedata.normalize("NFC", asked).translate(_TO_ASCII))
        .encode("ascii", "ignore")
        .decode()
    )
    first, *more = re.findall(r"[\w-]+", plain) or [""]
    stem = "".join((first, *(word[:1].upper() + word[1:] for word in more))).lstrip("0123456789_-")
    end = PROGRAM_END if is_program_name(stem) else ""  # a program's name stays one
    stem, most = stem[: stem.lower().rindex(end)] if end else stem, MAX_NAME - len(end)
    names = (f"{stem[:most]}{end}", *(f"{stem[: most - 2]}{end}{number}" for number in TRIED_NUMBERS))
    return next((name for name in names if not name_fault(name, keywords) and is_free(name)), "")


def canonical_order(command: Command, offered: Mapping[str, Rules]) -> str:
    """Return a game order in canonical words, made from the parsed arguments, or ""."""
    args = command.args
    if command.verb == "take":
        return f"take {args['number']}"
    called = args.get("player", "")
    if command.verb not in _ASKED or args.get("address"):
        return ""
    level = bot_level(called)
    if called and (name_fault(called, frozenset()) if level is None else level not in BOT_LEVELS):
        return ""
    try:
        near = find_near(args["game"])
        rules = find_rules(near.key if near else args["game"], offered) if args["game"] else None
        if rules is None or command.verb in LEARNING:
            which = command.verb, rules.key if rules else "", str(args.get("number") or "")
            return " ".join(filter(None, which))
        options = rules.complete_for(args["game"], args["options"])
    except (Refusal, BadOption):
        return ""
    terms = [args["pace"], "" if args["rated"] else "unrated", "soft" if args.get("soft") else ""]
    if args.get("said_rated") and bot_level(called) is not None:
        terms.append("rated")
    if args.get("welcome"):
        terms.append(f"{'bots' if args['welcome'] == 'bot' else args['welcome']} welcome")
    if args.get("near"):
        terms.append("about my strength")
    if args.get("up_to") is not None:
        terms.append(f"up to {args['up_to']}")
    written = {**rules.named.get(args["game"].lower(), {}), **args["options"]}
    chosen = {name: options[name] for name in written if name in options}
    seat = "" if args["seats"] == "random" else args["seats"]
    verb = "challenge" if called else command.verb
    parts = (verb, called, rules.key, option_words(chosen), *terms, seat)
    return " ".join(filter(None, parts))


def read_kept(orders: Sequence[str]) -> Iterator[Command]:
    """The commands of orders in canonical words."""
    for order in orders:
        if (line := read_line(order, None)) is not None:
            yield from line.commands
