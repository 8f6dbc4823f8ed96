"""The table of command words and their arguments.

A line counts only if it parses as a whole: prose that merely begins with a command word stays prose.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.game.letter_kinds import CATEGORIES
from pbem.core.game.preferences import PREFERENCES
from pbem.core.parsing import arguments
from pbem.core.parsing.arguments import Parser
from pbem.core.parsing.director_acts import read_act
from pbem.core.parsing.reach import REACHES, Reach
from rules import RULES
from rules.notation import join_words


def _words_of_games(behind: str) -> frozenset[str]:
    """Return the words of plies that precede this: "", `cell` or `number`."""
    return frozenset(
        word for rules in RULES.values() for word, follows in rules.words.items() if follows == behind
    )


PLY_WORDS = _words_of_games("")
"""Plies that are words: the game alone knows when they may be played."""
IRREVERSIBLE = PLY_WORDS | frozenset(
    (
        "resign claim accept decline give take address stop confirm forget block draw undo back report direct"
    ).split()
)
"""Irreversible commands. They count only if spelled right, and never directly below prose."""
GAME = re.compile(r"game\s*#?\s?(\d{1,9})\s*:?", re.IGNORECASE)
SAY = re.compile(r"say(?::|\s)\s*(\S.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Row:
    """One command. `usage` holds paragraphs of the help letter, one a line; `ROWS` fills in `topic`.

    Without a `reach` it has its topic's. With `looks` the word alone, or with `all`, only reads.

    Words in braces are filled in for each reader, as `pbem.core.game.examples` has them.

    A word without `usage` stands in another's. `parse` is None where `pbem.core.parsing.mail_orders` reads
    the word, or where it is only a word to ask for.
    """

    usage: str = ""
    parse: Parser | None = None
    topic: str = ""
    reach: Reach | None = None
    looks: bool = False


TOPICS: Mapping[str, str] = {
    "playing": "Playing, in answer to a letter of the game",
    "planning": "Planning ahead, while the other is to play or below your move",
    "looking": "Looking",
    "several": "Several games in one mail",
    "finding": "Finding a game",
    "time": "Time",
    "account": "Your letters and you",
}

_PLAYING = {
    "move": Row(
        "Your move, as the rules have it, such as `{move}`, is played at once. With its number before "
        "it, as in `#{number_of_move} {move}`, it is played as move {number_of_move} or not at all."
    ),
    "adopt": Row("The words `adopt`, `swap` and `pass` are moves too, in games that have them."),
    "resign": Row("With `resign` you give the game up. Before the tenth move we ask once.", arguments.resign),
    "draw": Row(
        "With `draw` you offer a draw; the other answers `accept` or `decline`. The offer lapses when "
        "the other plays on, or after 14 days.",
        arguments.no_arguments,
    ),
    "accept": Row(
        "With `accept` and `decline` you answer what the letter you reply to offers. Where several "
        "things are on offer, write which: `accept draw`, `accept undo`, `accept pause`, or `accept` "
        "and the number of a challenge. Where one thing is asked, `yes` and `no` alone answer it too.",
        arguments.answer,
    ),
    "decline": Row(parse=arguments.answer),
    "undo": Row(
        "With `undo` you take your last move back at once while nobody else has seen it; after that "
        "the other is asked, and answers `accept` or `decline`.",
        arguments.no_arguments,
    ),
    "pause": Row(
        "With `pause 10 days` you ask the other for a pause, up to 30 days long, in which neither "
        "clock runs; the other agrees with `accept pause`.",
        arguments.pause,
    ),
    "give": Row("With `give 2d` or `give 48h` you give the other so much more time.", arguments.give),
    "claim": Row(
        "With `claim win`, `claim draw` or `claim void` you end a game with a soft clock once the "
        "other is out of time.\n"
        "With `claim win proved` you end a game that you have won already, whoever is to move: we look for "
        "a proof, a winning answer to each move of the other. If we find it you win at once. "
        "If not, the other hears nothing, and you cannot try again in that game.",
        arguments.by_pattern(r"(?:an? )?(win|draw|void)(?: game)?( proved)?", "result", "proved"),
    ),
    "bid": Row(
        "In games with bids, write `bid`, a number, `max` and a higher number: we then bid for you up to "
        "the higher one. `plans` shows that limit, and `if clear` removes it."
    ),
    "say": Row(
        "Write `say` and some words to send the words alone, at any time. Without `say` we show them to "
        "you first; answer `send` to send them."
    ),
    "game": Row(
        "With `game {number}` on a line of its own, the lines below it are about game {number}, "
        "whichever letter you answer."
    ),
}
_PLANS = {
    "if": Row(
        "With `if {theirs} then {mine}` you answer {theirs} with {mine} as soon as it is played, without "
        "using your time. Nobody else sees what you have planned.\n"
        "A line may go on: `if {theirs} then {mine} if {theirs2} then {mine2}` answers {theirs2} too, "
        "where that comes after {mine}. Further lines with `if` add to the plan.\n"
        "With `if any then {mine}` you answer every move that no other line names.\n"
        "With `if {theirs} then resign` you give the game up then, with `if draw then accept` you agree "
        "to a draw that is offered."
    ),
    "plans": Row(
        "With `plans` you get what you have planned, with `if clear` we forget all of it.",
        arguments.no_arguments,
    ),
}
_LOOKING = {
    "show": Row(
        "With `show` you get the board, with `show #{last}` the board after move {last}.",
        arguments.show_words,
    ),
    "moves": Row("With `moves` you get all moves of the game.", arguments.no_arguments),
    "try": Row(
        "With `try {now} then {then}` you get the boards after {now} and after {then}. "
        "Nothing is played by it, and nobody else sees it."
    ),
    "hint": Row(
        "With `hint` you get a move and a sentence about it within seconds, where it is your turn in an "
        "unrated game outside leagues, ladders and matches. The game's page says for which moves you had "
        "a hint.",
        arguments.maybe_a_game,
        reach=Reach.GAME,
    ),
    "note": Row(
        "Write `note` and some words to keep them for yourself alone, with all that is below them. With "
        "`notes` you get what you noted.",
        reach=Reach.GAME,
    ),
    "notes": Row(parse=arguments.no_arguments),
    "watch": Row(
        "To watch a game that you do not play in, write `watch` and its number: you get every move. To "
        "end that, write `unwatch` and its number. `watch` alone lists what you watch.\n"
        "With `watch {name}` you watch all games of {name}, those that run and those that begin later. Write "
        "`unwatch` and the name to end that.\n"
        "With `watch {game} league` you get the week's results and the first table each Saturday.",
        arguments.watched,
    ),
    "unwatch": Row(parse=arguments.watched),
    "guess": Row(
        "To guess a move, answer the letter of a game you watch with the move that you expect next, or "
        "write `guess`, the game's number and the move. Nobody sees your guess until that move is made. "
        "Until then another takes its place, and the word none in place of a move withdraws it.",
        arguments.guess,
    ),
    "export": Row(
        "With `export` you are sent the game as a file, your notes included, with `export all` all "
        "your games, and with `export json` data for programs.",
        arguments.export,
    ),
    "rating": Row(
        "With `rating` you get your ratings and results, with `rating {name}` those of {name}, with "
        "`standings` the best in every game, with `standings {game}` those of one.",
        arguments.optional_name,
    ),
    "standings": Row(parse=arguments.with_game(r"GAME?", "game")),
    "puzzle": Row(
        "With `puzzle` you get a board from a game that was played here, on which one move wins, with "
        "`puzzle {game}` one of that game, with `puzzle 7` the one of that number. Answer that letter with "
        "your move. `set puzzles daily` brings one every morning, `set paper on` the Saturday paper.",
        arguments.with_game(r"(?:GAME|#?(\d{1,9}))?", "game", "number#"),
    ),
    "learn": Row(
        "With `learn` you get the lessons of every game, with `learn {game}` the first one of that game that "
        "you have not solved. A lesson is a board and a question; answer that letter with your move, or with "
        "`hint`. You then hear why it is right or wrong, and get the next. With `learn {game} 2` you get "
        "lesson 2, with `learn {game} again` you begin with the first.",
        arguments.learn,
    ),
    "games": Row(
        "With `games` you get your games, each with its number, and the challenges.", arguments.no_arguments
    ),
    "rules": Row(
        "With `rules` you get the rules of the game you answer about, with `rules {game}` those of another.",
        arguments.with_game(r"GAME?", "game"),
    ),
    "help": Row(
        "With `help` you get what is needed most, with `help challenge` what there is to say on a word, with "
        "`help all` everything.",
        arguments.by_pattern(r"([A-Za-z][\w-]{1,30})?", "topic"),
    ),
}
_SEVERAL = {
    "boards": Row(
        "With `boards` you get all boards that wait for you in one letter, with `boards all` those too "
        "that wait for others.\n"
        "To answer it, write `game` and its number on a line of its own and your move below, then the "
        "same for the next game, and so on. We answer all of it in one letter; what is refused in one "
        "game stops nothing in another.",
        arguments.by_pattern(r"(all)?", "every"),
    ),
    "digest": Row(
        "With `digest 7` you get a letter every day at 7 in your zone, with all that happened and all "
        "boards that wait. `digest off` ends it.",
        arguments.by_pattern(r"(?:at )?(off|none|\d{1,2}(?:[:.h]\d\d|h)? ?(?:am|pm)?)?", "hour"),
        reach=Reach.CLOCKS,
        looks=True,
    ),
}
_FINDING = {
    "play": Row(
        "With `play {game}` you ask for a game: the answer has the offers that wait for you to take. "
        "Where there are none, your own offer waits in public.",
        arguments.play,
    ),
    "challenge": Row(
        "With `challenge {name} {game}` you ask {name} for a game. After it you may write options of "
        "the game such as `size=4`, the seat you would like, `first` or `second`, `unrated`, and how "
        "much time there is: `3d/move` for three days a move, `7d+1d<=14d` for seven days and one more "
        "with each move up to fourteen, `brisk`, `normal`, `leisure`, `postal` or `none`. With "
        "`unrated soft` nobody loses by the clock itself.\n"
        "With `challenge bot {game}` you play against the computer at once, with "
        "`challenge bot5 {game}` against its best level, which are bot1 to bot5. People's ratings never "
        "change by such games.\n"
        "With `accept` and `decline` you answer the challenge whose letter you reply to. A number behind "
        "the word says which other challenge you mean.",
        arguments.challenge,
    ),
    "rematch": Row(
        "With `rematch`, in answer to a letter of a game that is over, you ask the other player for the same "
        "game on the same terms, with the seats exchanged.",
        arguments.maybe_a_game,
    ),
    "seek": Row(
        "With `seek {game}` you ask anybody: your seek waits in public for 30 days. Behind it you may "
        "write the same as in a challenge. With `seek {game} bots welcome` the computer takes it after "
        "a day, if nobody else has.\n"
        "With `seek {game} about my strength` only players near to your rating may take it. With "
        "`seek {game} up to 3` your seek waits on after it is taken, until three games of it run, and again "
        "when one of them is over; `withdraw` and its number ends it.",
        arguments.seek,
    ),
    "seeks": Row(
        "With `seeks` you see who waits for a game. Write `take` and a seek's number to begin that game "
        "at once, `withdraw` and a number to take back your own seek or challenge.",
        arguments.no_arguments,
        reach=Reach.READS,
    ),
    "take": Row(parse=arguments.take),
    "withdraw": Row(parse=arguments.optional_number, reach=Reach.PEOPLE),
    "events": Row(
        "With `events` you see the leagues, the ladders and the matches of clubs that you can join or play "
        "in, each with what to write.",
        arguments.no_arguments,
        reach=Reach.READS,
    ),
    "join": Row(
        "With `join {game} league` you join the league of a game: seasons in divisions of four to ten, in "
        "which everybody meets everybody. We ask before each season, and without a `yes` you do not play in "
        "it. With `leave {game} league` you leave it; in a season that runs this forfeits the games left.\n"
        "With `table {game}` you get the table of your division.",
        arguments.event(
            r"(?:the )?GAME(?: KIND)?|(?:the )?match #?(\d{1,9})(?: ([a-z]{2,30}))?", "number", "club"
        ),
    ),
    "leave": Row(
        parse=arguments.event(
            r"(?:(?:the )?GAME(?: KIND)?|(?:the )?match #?(\d{1,9}))?(?: (yes))?", "number", "yes"
        ),
        reach=Reach.FOR_GOOD,
    ),
    "table": Row(
        parse=arguments.event(r"GAME(?: KIND)?|(?:match )?#?(\d{1,9})", "number"), reach=Reach.READS
    ),
    "ladder": Row(
        "With `ladder {game}` you enter the ladder of a game at the bottom. Written again it challenges the "
        "highest player up to four places above you, `ladder {game} {name}` challenges {name}. If they do "
        "not accept within five days, or you win, you change places. With `ladder {game} {name} yes` you "
        "accept the challenge of {name}, with `no` you decline it.\n"
        "With `table {game} ladder` you see the ladder, with `leave {game} ladder` you leave it.",
        arguments.ladder,
    ),
    "limit": Row(
        "With `limit {game} 3` you play at most three such games at once, with `limit {game} none` as "
        "many as you like.",
        arguments.with_game(r"(?:GAME (\d{1,3}|none))?", "game", "most"),
        reach=Reach.CLOCKS,
        looks=True,
    ),
    "block": Row(
        "Write `block` and a player's name to have no challenges and no words between you two, `unblock` "
        "and the name to end that. `block` alone lists whom you blocked.",
        arguments.optional_name,
        reach=Reach.PEOPLE,
        looks=True,
    ),
    "unblock": Row(parse=arguments.one_name, reach=Reach.PEOPLE),
    "report": Row(
        "Write `report` in answer to a letter of a game, and below it what is wrong. The operator then "
        "reads what was said there, and nobody else hears of it.",
        arguments.maybe_a_game,
        reach=Reach.PEOPLE,
    ),
    "direct": Row(
        "The operator may name directors, who help where something went wrong in a game. What they can "
        "decide, by mail too, is at {site}/direct.",
        read_act,
        reach=Reach.ASKS,
    ),
}
_TIME = {
    "clock": Row("Letters about a game, and `show`, say until when there is time and what both clocks show."),
    "vacation": Row(
        "With `vacation {days} days` you stop your clocks at once, with `vacation {dates}` for those "
        "days. `back` ends it, `vacation cancel` takes a later one back, and `vacation` shows how many "
        "days you have left.",
        arguments.vacation,
        looks=True,
    ),
    "back": Row(parse=arguments.no_arguments),
    "remind": Row(
        "With `remind` you see when we remind you of a turn. With `remind 48h 12h` we do it two days and "
        "twelve hours before your time is over, with `remind off` never. With `set quiet 22-7` we do not "
        "do it at night.",
        arguments.remind,
        looks=True,
    ),
    "flag": Row(
        "When your time runs out, days of your vacation are used, five in a row at most. Then you have a "
        "last day, if a turn has three or more. After that you lose on time; with a soft clock the other "
        "writes `claim win`, `claim draw` or `claim void`, or waits."
    ),
    "calendar": Row(
        "The answer to `set all` has the address of a calendar with your deadlines. With `set calendar on` "
        "every reminder brings its deadline for your calendar."
    ),
}
_ACCOUNT = {
    "set": Row(
        "With `set` you see how your letters are, and what you can change: the clock they go by, "
        "plain text or HTML, and whether a move is acknowledged. `set all` tells every setting. "
        "Examples are `set zone Berlin`, `set format text` and `set receipts off`.",
        arguments.set_words,
        looks=True,
    ),
    "stop": Row(
        "With `stop turns` you get no more letters that say it is your turn, with `start turns` you get "
        f"them again. The same works with {join_words(CATEGORIES[1:])}. To stop letters is never to resign.",
        arguments.category,
    ),
    "start": Row(parse=arguments.category),
    "register": Row(
        "A mail with `register Anna`, sent to play@{host} from an address that is new here, asks for "
        "the name Anna. We write to that address, and `yes` in answer to that letter settles it.",
        arguments.register,
        reach=Reach.READS,
    ),
    "confirm": Row(parse=arguments.no_arguments, reach=Reach.READS),
    "address": Row(
        "With `address` you see the addresses that we know as yours.\n"
        "With `address add another@example.com` our letters go there; we ask at your old address and at "
        "the new one first. Write `address drop` and an address to take one away.\n"
        "With `address renew` we refuse answers to all letters you have had so far. Use it when somebody "
        "else has seen one.",
        arguments.address,
        reach=Reach.ASKS,
    ),
    "web": Row(
        "All of this can be set on the web too, at {site}/settings, where a link by mail signs you in."
    ),
    "forget": Row(
        "With `forget me` your name, your addresses and all that is only yours go away from here. We ask "
        "once, and say what becomes of your games.",
        arguments.by_pattern(r"(me)", "who"),
        reach=Reach.ASKS,
    ),
}
ROWS: Mapping[str, Row] = {
    word: replace(row, topic=topic, reach=row.reach or REACHES[topic])
    for topic, rows in zip(
        TOPICS, (_PLAYING, _PLANS, _LOOKING, _SEVERAL, _FINDING, _TIME, _ACCOUNT), strict=True
    )
    for word, row in rows.items()
}
"""One row for each command, in the order of the help; `pbem.actions` has what each does."""


def _point_of(word: str) -> str:
    """Return the row that explains a word, its own or shared."""
    words = list(ROWS)
    return next(other for other in reversed(words[: words.index(word) + 1]) if ROWS[other].usage)


_POINTS: Mapping[str, str] = {
    "adopt": "pass swap",
    "bid": "max guard window offer offers",
    "if": "plan then any conditional conditionals",
    "show": "look looking board",
    "try": "trial",
    "watch": "watched watching",
    "ladder": "ladders",
    "join": "league leagues season seasons division divisions",
    "events": "event match matches club clubs team teams",
    "rating": "ratings",
    "boards": "bundle bundles",
    "digest": "digests",
    "challenge": "seat seats options rated unrated",
    "seek": "strength standing",
    "limit": "limits",
    "block": "blocks",
    "report": "reports abuse",
    "direct": "director directors directing",
    "flag": "soft grace",
    "calendar": "feed",
    "remind": "reminder reminders quiet",
    "clock": "clocks deadline",
    "register": "name",
    "set": "settings letters",
}
"""Words that people ask about, by the row that explains them."""
HELP_WORDS: Mapping[str, tuple[str, ...]] = {
    "all": tuple(ROWS),
    **dict.fromkeys(PREFERENCES, ("set",)),
    **{word: (point,) for point, words in _POINTS.items() for word in words.split()},
    **{topic: tuple(word for word, row in ROWS.items() if row.topic == topic) for topic in TOPICS},
    **{word: (_point_of(word),) for word in ROWS},
}
"""The rows that `help` and a word bring; the tables keep two words together that are explained at once."""
WORDS: Mapping[str, Parser] = {word: row.parse for word, row in ROWS.items() if row.parse is not None}
"""Every word of its own; those of games have their places in the games' rules."""
_ELSEWHERE = frozenset({"say", "note", "move", "game", "try", "if"})
"""Words that have their places in `pbem.core.parsing.mail_orders`."""
KEYWORDS = frozenset(WORDS) | PLY_WORDS | _words_of_games("number") | _ELSEWHERE
"""All words that begin a command: nobody can be called so."""
