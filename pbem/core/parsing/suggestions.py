"""Suggestions for mails without a command: words that would have worked. Nothing is carried out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.game.examples import USUAL
from pbem.core.parsing.commands import EXAMPLES
from pbem.core.parsing.misspelled import irreversible_meant
from rules import RULES
from rules.notation import one_slip

MAX_LINES = 3
MAX_LETTERS = 160
_ASIDE = r"(?:(?:ok|okay|well|hi|hello|hey|yes|no|sorry|thanks|thank you|please)[\s,.!]+){0,3}"
_I = r"(?:i(?: would| will| shall|'ll|'d)?(?: like)?(?: to)?|we|let me|let us|let's|can i|may i|i want to)\s+"
_CELLS = r"(?:\W*[A-Za-z]\d{1,2})+\W*"
_BESIDE = rf"(?:(?<=[\s,.!])|(?!{_CELLS}$))"
"""Excludes cells alone on a line: such a line has another fault."""
_ANSWER = "To accept, write the one word `accept` on a line of its own; to refuse, `decline`.{offered}"
_AWAY = "To stop your clocks while you are away, write `vacation {days} days`."
_PAUSE = "To stop both clocks for a week, write `pause 7 days`; the other player is asked.{clock}"
_CHALLENGE = (
    "To ask somebody for a game, write `challenge`, the player's name and the game on one line, such as "
    "`challenge {name} {game}`."
)


@dataclass(frozen=True)
class Suggestion:
    """A sentence about the likely meaning. `order` is the meaning as one order, or "".

    `purpose` tells what the order does, as words to follow `to`.
    """

    text: str = ""
    order: str = ""
    purpose: str = ""


def _one_word(word: str, purpose: str, place: str = "") -> Suggestion:
    return Suggestion(
        f"To {purpose}, write the one word `{word}` on a line of its own.{place}", word, purpose
    )


_RESIGN = _one_word("resign", "give the game up", "{playing}")
_DRAW = _one_word("draw", "offer a draw", "{playing}")
_ANNUL = Suggestion(
    "To end the game without a result, write the one word `annul` on a line of its own; the other is asked."
    "{playing}",
    "annul",
    "ask the other to end the game without a result",
)
_UNDO = Suggestion(
    "To take your last move back, write the one word `undo` on a line of its own; the other is asked.{undo}",
    "undo",
    "take your last move back",
)
_STOP = (
    "To get fewer letters, write `stop turns` or `stop chat`; how to give a game up, `help resign` says. "
    "`set all` brings all that can be chosen. To be removed for good, write `forget me`."
)
_RULES = _one_word("rules", "see the rules")
_GAMES = _one_word("games", "see your games")
_REMATCH = _one_word("rematch", "ask for the same game again", "{over}")
_BEGIN = "To begin a game, write `play {game}`."
_COMPUTER = "To play against the computer at once, write `challenge bot {game}`; {bot} is the easiest."
_GAME = rf"(?:{'|'.join(RULES)})"
_BOT = r"(?:computer|bots?\d?|robot|rechner|ordinateur|ordenador|ordinador|dator)"
_PLAY = r"(?:play|(?:a|new|another) game|spiel\w*|jouer|jugar|jogar|giocare|spelen|spela|spille)"
_OPTION = "Write `{option}={value}`, with the sign = and no space."
_IN_GAME = (
    "Write the word game and the number {number} on a line of their own, and `{word}` on the line below it."
)
_HINT = _one_word("hint", "see a good move in an unrated game", "{playing}")
_SIGN_IN = "To sign in on the web, write your name at {web}/settings; a link then comes by mail."
_PAPER = "To get the Saturday paper by mail, write `set paper on`; the papers are at {web}/paper."
_JOIN = "To join a league, write `join {game} league` alone on a line; `events` lists the leagues there are."
_LADDER = "To play on a ladder, write `ladder {game}` alone on a line."
_LEAVE = (
    "To leave a ladder, write `leave {game} ladder` alone on a line; for a league, `leave {game} league`. "
    "Where a season runs we ask you first."
)
_WHICH_GAME = "The games here are {games}. Write for example `{to} {game}`."
_TOUR = "The points of all players in the leagues of a year are a table at {web}/events."
_GUESSERS = "The page of a game that is over says how many guesses at its moves were right: {web}/games."
_DAILY = "To get a puzzle every morning, write `set puzzles daily`; `set puzzles off` ends it."
_SET = "To change what you get, write `set {setting} {switch}`."
_WITHDRAW = "To take back your own seek or challenge, write `withdraw {own}`; `seeks` shows its number."
_HELP_WORD = "The one word `help` on a line of its own brings all that can be written."
_HELP_ALONE = _one_word("help", "see what you can write")
_EVENTS = _one_word("events", "see the leagues, ladders and matches")
_SUGGEST = _one_word("suggest", "see who would play with you")
_FORGET = Suggestion(
    "To be removed for good, write `forget me`; we ask once more before it is done.",
    "forget me",
    "leave this server for good",
)
_LANGUAGE = (
    "Our letters are in English alone. Moves are the same in every language, and `yes`, `no`, greetings and "
    "words such as `Hilfe` are read in many."
)
_IN_OTHER_LANGUAGES: Mapping[str, str | Suggestion] = {
    r"(?:ich )?gebe?(?: \w+)? auf|aufgeben|(?:j')?abandonne|me rindo|abandono|desisto|mi arrendo"
    r"|abbandono|(?:ik )?geef op|(?:jeg gir|giver|jag ger) opp?|luovutan|poddaję|vzdávám|сдаюсь": _RESIGN,
    r"(?:(?:ich )?biete )?remis|unentschieden|nulle|match nul|tablas|empate|patta|gelijkspel"
    r"|tasapeli|remíza|ничья": _DRAW,
    r"(?:bitte |(?:\w+ ){1,3}zug )?(?:zurück\w*|rückgängig)|annuler|deshacer|desfazer|annulla|ongedaan|ångra"
    r"|angre|kumoa|cofnij|zpět": _UNDO,
    r"(?:\w+ ){0,3}(?:regeln|règles|reglas|regras|regole|spelregels|regler|säännöt|zasady|правила)": (_RULES),
    r"meine (?:spiele|partien)|mes (?:parties|jeux)|mis (?:partidas|juegos)|(?:os )?meus jogos"
    r"|(?:as )?minhas partidas|(?:le )?mie partite|(?:i )?miei giochi|mijn (?:partijen|spellen)"
    r"|min[ae] (?:partier|spel|spil)|omat pelit|moje (?:partie|gry)|мои (?:игры|партии)": _GAMES,
    r"revanche|nochmal|noch ein|otra vez|revancha|rivincita|rewanż|odveta|реванш": _REMATCH,
    r"urlaub|vacances|vacaciones|férias|vacanza|vakantie|ferie|semester|loma|urlop|dovolená|отпуск": _AWAY,
    r"abmelden|abbestellen|keine (?:e-?)?(?:mails?|briefe)|désabonner|darse de baja|uitschrijven": _STOP,
    r"zeig\w*|(?:spiel)?brett": _one_word("show", "see the board", "{playing}"),
    r"(?:hilfe|aide|ayuda|ajuda|aiuto|hulp|hjelp|hjälp|hjælp|apua|pomoc|помощь)\W*$": _HELP_ALONE,
    r"(?:mein )?konto löschen|supprimer (?:mon )?compte|(?:borrar|eliminar) (?:mi )?cuenta"
    r"|(?:apagar|eliminar) (?:a )?(?:minha )?conta|elimina(?:re)? (?:il )?(?:mio )?account": _FORGET,
    r"(?:spieler|joueurs|jugadores|jogadores|giocatori|spelers|spelare|spillere|pelaajat|gracze|игроки"
    r"|(?:wer ist|qui est|quién está|quem está|chi è|wie is|vem är|hvem er) (?:da|online|en ligne"
    r"|en línea|conectado|aqui|in linea|hier|här|her))\W*$": _SUGGEST,
    r"turnier\w*|tournois?|torneos?|torneios?|tornei?|toernooi|turnering|турнир": _EVENTS,
    r"hilfe|wie (?:geht|kann)|was (?:muss|soll|kann)|aide|ayuda|ajuda|aiuto|hulp|hjelp|hjälp|hjælp"
    r"|apua|pomoc|помощь": _HELP_WORD,
}
"""Words of other languages that stand where an English command was meant."""
_PATTERNS: Mapping[str, str | Suggestion] = {
    rf"(?:{_I})?(?:sign|log)[ -]?(?:me )?(?:in|on)\b|(?:login|anmelden|einloggen|passwor[dt])\b": _SIGN_IN,
    r"(?:cancel|delete|remove|withdraw|drop|close)\b.{0,20}\b(?:seek|challenge|offer)\b"
    r"(?:\W*(?P<own>\d{1,9}))?": _WITHDRAW,
    r".{0,40}\b(?:hint|tipp|hinweis|indice|pista|dica|suggerimento|vihje)\b": _HINT,
    r"(?:the )?(?:saturday )?paper\W*$": _PAPER,
    r"(?:(?:delete|remove|close|cancel|erase) (?:my )?(?:account|data|name)|forget (?:about )?me)\W*$": (
        _FORGET
    ),
    r"(?:a |any |the |are there (?:any )?)?tournaments?\W*$": _EVENTS,
    r"(?:please )?(?:cancel|abort|annul|void|abandon) (?:the |this |our |my )?game\W*$": _ANNUL,
    r"(?:(?:list|show|see|find)(?: me)?(?: the| all| other)? |the |all |other )?"
    r"(?:players|opponents?|partners?)\W*$"
    r"|who(?:'s| is| are)? (?:else )?(?:is )?(?:on ?line|(?:out )?there|around|here|active|free|playing)\W*$"
    r"|who (?:would|will|wants to|can) play(?: (?:with )?me)?\W*$|(?:find|suggest) (?:me )?"
    r"(?:an? (?:opponent|player|partner|game)|some(?:body|one)|people|players)(?: to play)?\W*$": _SUGGEST,
    r"(?:language|sprache|langue|idioma|lingua|taal|språk|sprog)\b": _LANGUAGE,
    rf"guessers(?: {_GAME})?\W*$": _GUESSERS,
    r"(?:the )?tour(?: (?:of )?\d{4})?\W*$": _TOUR,
    r".{0,40}\b(?:leave|quit|drop out|withdraw)\b.{0,30}\b(?:leagues?|season|ladder)\b": _LEAVE,
    r".{0,40}\b(?:join|enter|sign up)\b.{0,30}\b(?:leagues?|season)\b|(?:the )?leagues?\W*$": _JOIN,
    r".{0,40}\b(?:join|enter|climb|play)\b.{0,30}\bladder\b|(?:the )?ladders?\W*$": _LADDER,
    r".{0,40}\b(?:daily puzzles?|puzzles? (?:a|each|every) (?:day|morning))\b": _DAILY,
    r"(?P<setting>moments|paper|receipts) (?P<switch>on|off)\W*$": _SET,
    rf"(?:play )?(?:the |a |an |den |der |le |el )?{_BOT}\W*$": _COMPUTER,
    r".{0,60}\b(?:against|with|vs|versus|gegen|contre|contra|contro|tegen|mot|eas\w+|weaker|stronger|better)\b"
    rf".{{0,20}}\b{_BOT}\b": _COMPUTER,
    rf"(?!challeng)(?:.{{0,40}}\b{_PLAY}\b.{{0,30}}\b{_GAME}\b"
    rf"|.{{0,40}}\b{_GAME} (?:{_PLAY}|please|bitte)\b)": _BEGIN,
    r"([\"'`])[^\"'`]{1,60}\1[.,!]?$": (
        "Write it without the marks round it: in letters they only show where a word begins and ends."
    ),
    r"(?P<word>resign|draw|annul|undo|adopt|swap|pass|claim)\W+(?:game\W*)?(?P<number>\d{1,9})\W*$": _IN_GAME,
    r"(?P<word>show|moves|plans|notes|export)\W+(?:of )?game\W*(?P<number>\d{1,9})(?:\W+please)?\W*$": (
        _IN_GAME
    ),
    rf"(?:{_I})?(?:end|stop|finish)\s+(?:my )?vacation\b|(?:my )?vacation (?:is )?(?:end|over)": (
        _one_word("back", "end your vacation", "{away}")
    ),
    rf"(?:{_I})?(?:give up|surrender|concede|forfeit|resign\w*)\b|you win\b|gg\b": _RESIGN,
    r"(?:challenge|seek)\b.*?\b(?P<option>[a-z]{3,10})(?: of|:)? (?P<value>\d{1,4})\b": _OPTION,
    r"(?:challenge|seek)\b.*?\b(?P<value>\d{1,4}) (?P<option>[a-z]{3,10})\b": _OPTION,
    r"(?:please )?send\b.{0,8}$": "To send words alone, write a line such as `say Good luck!`.",
    r"say[.:!]?$": "Write your words behind it on the same line, such as `say Good luck!`.",
    rf"(?:{_I})?(?:(?:what|which|where|how|show|list|see)\s+(?:me\s+)?(?:are\s+)?)?(?:all (?:of )?)?my "
    r"(?:open |current )?games\b|(?:list|show)(?: me)?(?: all)? games\b": _GAMES,
    rf"(?:{_I})?(?:(?:a )?re-?match\b|(?:(?:can|could|shall) we |want to )?play (?:(?:it|this) )?again\b)": (
        _REMATCH
    ),
    rf"(?:{_I})?(?:challeng\w*|(?:want to )?play with|(?:a )?new game)\b": _CHALLENGE,
    rf"(?:{_I})?(?:offer (?:you )?(?:a )?draw|propose a draw|(?:a )?draw\?|is it a draw"
    r"|(?:have |want )?a draw\b)": _DRAW,
    r"(?:un-?subscribe|remove me|stop\b|no more (?:mails?|letters)|leave me)": _STOP,
    rf"(?:{_I})?(?:accept\w*|agree\w*|yes|yep|yeah|sure|gladly|ok|okay|deal|with pleasure)\b": _ANSWER,
    rf"(?:{_I})?(?:declin\w*|refuse|no|nope|not now|rather not)\b": _ANSWER,
    rf"(?:{_I})?pass\b": _one_word("pass", "pass", "{pass}"),
    rf"(?:{_I})?(?:swap|change (?:sides|places))\b|(?:seiten )?(?:tausch(?:en|e|t)?|wechseln)\b": (
        _one_word("swap", "change places where the rules have it", "{swap}")
    ),
    rf"(?:{_I})?adopt\w*\b": _one_word("adopt", "adopt", "{adopt}"),
    r"(?:i am|i'm|we are|am)?\s*back\b(?: home| again)?\W*$": _one_word(
        "back", "end your vacation", "{away}"
    ),
    rf"(?:{_I})?(?:undo|take (?:it|that|this|my move) back)\b": _UNDO,
    rf"{_BESIDE}(?:(?:{_I})?(?:play|move|go|my move(?: is)?|place|put)\s+(?:\w+ )?)?[A-Za-z]\d{{1,2}}\b": (
        "Write the move alone on a line, with no words round it."
    ),
    r"(?:what|where|how|show|explain|read|see|tell|send)\b.{0,40}\brules\b|.{0,80}\brules\b.{0,60}\?": _RULES,
    rf"(?:{_I})?(?:set|change)\s+(?:my )?\w+": (
        "`set all` brings all that can be set, each with the line to write for it."
    ),
    rf"(?P<to>play|learn|ladder)(?! (?:{'|'.join(RULES)})\b)(?: [a-z]{{2,20}}){{0,2}}\W*$": _WHICH_GAME,
    r"game\s*#?\s?\d{1,9}\s*[:,-]?\s+\S": (
        "Write the word game and its number on a line of their own, and the move on the line below it."
    ),
    r"(?:help|how (?:do|can) i|what (?:do|can|should) i|where)\b|\?": _HELP_WORD,
    **{rf"(?:{words})(?!\w)": sentence for words, sentence in _IN_OTHER_LANGUAGES.items()},
}
SUGGESTIONS = [
    (re.compile(_ASIDE + pattern, re.IGNORECASE), said if isinstance(said, Suggestion) else Suggestion(said))
    for pattern, said in _PATTERNS.items()
]

_HELP = "`help {word}` says when it can be written, and how."
_PLACES = re.compile(r"\{(\w+)\}")
MAX_WORDS = 6
MIN_SLIP_LENGTH = 4
_NAMED_GAME = re.compile(rf"\b{_GAME}\b", re.IGNORECASE)
_GREETING = re.compile(r"(?:hi|hello|hey|dear|hallo|hola|olá|bonjour|ciao)\b", re.IGNORECASE)
_CELLS_ONLY = re.compile(_CELLS)
_CHALLENGED = re.compile(
    r".{0,40}?\bchalleng\w*\s+(?:with\s+)?"
    r"(?!(?:you|me|to|the|an?|him|her|them|somebody|someone|anybody|from|for|with)\b)"
    r"([A-Za-z][\w-]{1,19})\b(?![@.]\w)",
    re.IGNORECASE,
)
_NO_BOT = re.compile(r"bot(?![1-5]?\Z)\d+", re.IGNORECASE)
_NUMBERED = ("challenge", "own", "seek")
"""Examples that are numbers; a number in the line takes the place of the example."""


def is_cells_only(words: str) -> bool:
    """True if a line has only cells, perhaps a move in a game that the mail does not name."""
    return any(_CELLS_ONLY.fullmatch(line) for line in _first_nonblank_lines(words))


def suggest(words: str, examples: Mapping[str, str] = USUAL) -> Suggestion:
    """Return a short mail's likely meaning, with an order only if the reader can give the order now.

    `examples` are the examples for this reader.
    """
    lines = _first_nonblank_lines(words)
    if sum(map(len, lines)) > MAX_LETTERS:
        return Suggestion()
    if lines and _GREETING.match(lines[0]):
        lines = [*lines[1:], lines[0]]
    for line in lines:
        for pattern, sentence in SUGGESTIONS:
            if (found := pattern.match(line)) and _names_an_option(found):
                named = _CHALLENGED.match(line)
                name = named[1] if named and named[1].lower() not in RULES else ""
                if _NO_BOT.fullmatch(name):
                    name = examples.get("bot", name)
                games = {"game": game[0].lower()} if (game := _NAMED_GAME.search(line)) else {}
                given = {
                    **examples,
                    **games,
                    **({"name": name} if name else {}),
                    **_lower(found.groupdict()),
                }
                if sentence.text in (_ANSWER, _RESIGN.text) and not _fits(sentence.text, given):
                    return Suggestion()
                order = sentence.order if _fits(sentence.text, given) else ""
                if order == "rules" and games:
                    order = f"rules {games['game']}"
                return replace(sentence, text=_fill(sentence.text, given), order=order)
    return Suggestion(next(filter(None, (_usage_sentence(line, examples) for line in lines)), ""))


def suggest_beginning(examples: Mapping[str, str]) -> str:
    """Suggest the words that begin a game, for a player who has no game."""
    computer = " Against the computer, write `challenge bot {game}`." if "bot" in examples else ""
    return _fill(_BEGIN + computer, examples)


def suggest_absence(examples: Mapping[str, str]) -> str:
    """Suggest the vacation that a player can take now, or a pause to a player without days off."""
    return _fill(_PAUSE if "days" not in examples and "clock" in examples else _AWAY, examples)


def _lower(groups: Mapping[str, str | None]) -> dict[str, str]:
    return {name: text.lower() for name, text in groups.items() if text is not None}


def _fill(sentence: str, examples: Mapping[str, str]) -> str:
    """Fill in a sentence's examples, or refer to `help` on the command if an example is missing."""
    if _fits(sentence, examples):
        return sentence.format(**examples)
    return _HELP.format(word=sentence.split("`")[1].split(" ")[0])


def _names_an_option(found: re.Match[str]) -> bool:
    """True if the line names an option of some game, or no option at all."""
    word = found.groupdict().get("option")
    names = (option.name for rules in RULES.values() for option in rules.options)
    return word is None or word.lower() in names


def _first_nonblank_lines(words: str) -> list[str]:
    lines = (" ".join(line.split()).lstrip("¿¡") for line in words.split("\n"))
    return [line for line in lines if line][:MAX_LINES]


def _usage_sentence(line: str, examples: Mapping[str, str]) -> str:
    words = line.split()
    word = words[0].lower().strip(".,:;!?")
    meant = word if word in EXAMPLES else _misspelled_word(word)
    if not meant or len(words) > MAX_WORDS:
        return ""
    possible = [each for each in EXAMPLES[meant] if _fits(each, examples)]
    if number := re.search(r"\b\d{1,9}\b", line):
        examples = {**examples, **dict.fromkeys(_NUMBERED, number[0])}
    written = " or ".join(f"`{example}`" for example in possible).format(**examples)
    asked = f"With {meant}" if meant == word else f"Did you mean {meant}? If so"
    return f"{asked}, write {written}; `help {meant}` says more." if possible else _HELP.format(word=meant)


def _fits(text: str, examples: Mapping[str, object]) -> bool:
    """True if the examples have all that the text's braces name."""
    return {*_PLACES.findall(text)} <= examples.keys()


def _misspelled_word(word: str) -> str:
    if len(word) < MIN_SLIP_LENGTH:
        return ""
    near = [each for each in EXAMPLES if one_slip(word, each)]
    return near[0] if len(near) == 1 else irreversible_meant(word) or ""
