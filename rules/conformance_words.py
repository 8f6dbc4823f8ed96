"""Laws about a game's name, options, sentences and reading. See `rules.conformance`."""

import re
from random import Random

from rules.contract import BadOption, NoMove, Position, RulesError, option_words
from rules.random_play import Broken, RandomGame, hold
from rules.teaching import lesson_position

_CALLED = re.compile(r"[a-z][a-z0-9-]{0,30}(?: [a-z][\w-]{1,30})?")
_KEY = re.compile(r"[a-z][a-z0-9-]{1,30}")
_NAME = re.compile(r"[A-Za-z][\w-]{1,30}(?: [A-Za-z][\w-]{1,30})?")
_OPTION = re.compile(r"[a-z][a-z0-9_-]{0,30}")
TAKEN = frozenset(
    "first second random rated unrated soft none brisk normal leisure postal weekend weekends".split()
    + "a to at in for game of any all with bot bots welcome about my strength up league ladder match".split()
)
"""Words that a challenge or a seek reserves for itself."""

SERVERS_WORDS = (
    "resign/resign yes/draw/draw agreed/accept/decline/undo/claim win/show/moves/games/help/rules/say hello"
    "/note hello/vacation 10 days/back/confirm/take 17/yes/no/game 42/stop/timeout/void"
).split("/")

PROSE = (
    "Thanks for the game/Good luck!/Good game, well played/Hi Bill, nice to meet you./See you tomorrow"
    "/I am away until Monday/Sorry for the delay, I was ill for 3 days./a nice move/I like it/Oh no/OK/I"
    "/Best wishes, Anna/Let me think about it/It is your turn/Sent from my phone/You have won/I pass on that"
    "/On 3 May 2026 at 10:15 Bill wrote:/a game of 20 moves/Where do I play?/Is that a swap?/Ha"
).split("/")
"""Plain sentences as players write them in letters."""
ROUND_A_MOVE = (
    "I think {} was good",
    "Why not {} instead?",
    "You played {} too late",
    "After {} you will win",
)

JUNK = (
    *("", " ", "\u00e9", "\u0130", "\u0131", "\u00df", "\u0661\u0662", "a\u0661", "f\uff12", "a\u0301"),
    *("\U0001f600", "\x00", "\ud800", "a1\u2212b2", "a1\u00a0b2", "\u2028", "1" * 5000, "a" * 5000),
    *("a" + "1" * 5000, "-", "()", "a1-", "a0", "a-1", "z99", "a1 " * 200, "%s", "{}", "\\", "'", '"', "<b>"),
)
"""Lines that each game must survive: letters of other alphabets, lone surrogates, endless words."""


def it_can_be_called(trial: RandomGame) -> None:
    """A challenge can spell the key, name and aliases. Designer, terms, turn and the like are not empty."""
    rules = trial.rules
    for what, word, pattern in (("key", rules.key, _KEY), ("name", rules.name, _NAME)):
        hold(pattern.fullmatch(word) is not None, f"the {what} {word!r} cannot be written in a challenge")
    for word in (rules.key, rules.name.lower(), *rules.aliases, *rules.named):
        may_call = _CALLED.fullmatch(word) is not None and TAKEN.isdisjoint(word.split())
        hold(may_call, f"the word {word!r} does not call a game")
    for word, meant in rules.named.items():
        try:
            rules.complete(meant)
        except BadOption as error:
            raise Broken(f"is called {word!r} with options that it has not: {error}") from None
    for what in ("designer", "terms", "summary", "turn", "version"):
        hold(bool(getattr(rules, what).strip()), f"says nothing of its {what}")


def options_come_back(trial: RandomGame) -> None:
    """Options are complete, in range, and readable from text again. Every position has the same options."""
    rules, options = trial.rules, dict(trial.start.options)
    given = rules.complete(trial.chosen)
    kept = given.keys() <= options.keys() if rules.deals else given.items() <= options.items()
    hold(kept, f"begins with other options than {option_words(given)}")
    hold(rules.may_be_rated(rules.complete({})), "is not rated in its usual size")
    for option in rules.options:
        written = _OPTION.fullmatch(option.name) is not None and option.name not in TAKEN
        hold(written, f"the option {option.name!r} cannot be written in a challenge")
        hold(bool(option.help.strip() and option.range.strip()), f"does not say what {option.name} may be")
        try:
            rules.complete({option.name: "\u2603"})
        except BadOption:
            continue
        raise Broken(f"takes anything for the option {option.name}")
    try:
        again = rules.complete(rules.split_options(option_words(options).split()))
    except BadOption as error:
        again = {"": str(error)}
    hold(again == options, f"its options {option_words(options)!r} cannot be given so: {again}")
    for position in trial.positions:
        hold(dict(position.options) == options, "a position has other options than its game")


def words_of_the_server_are_no_moves(trial: RandomGame) -> None:
    for position in _some(trial):
        for word in SERVERS_WORDS:
            for written in (word, word.upper(), word.capitalize()):
                hold(is_prose(position, written), f"takes the word {written!r} of the server for a move")


def plain_sentences_are_no_moves(trial: RandomGame) -> None:
    """No sentence of a letter is read as a move, not even one around a move."""
    for position in _some(trial):
        around = (form.format(move) for move in position.examples() for form in ROUND_A_MOVE)
        for line in (*PROSE, *around):
            for written in (line, line.lower()):
                hold(is_prose(position, written), f"takes the sentence {written!r} for a move")


def words_of_plies_are_read(trial: RandomGame) -> None:
    """The words that a server must know begin plies. The pie rule's words are among them."""
    rules, start = trial.rules, trial.start
    cell = start.picture().spots[0].name
    for word, follows in rules.words.items():
        hold(follows in ("", "cell", "number"), f"says that {follows!r} follows the word {word}")
        line = " ".join((word, *{"cell": [cell], "number": ["3"]}.get(follows, [])))
        hold(not is_prose(start, line), f"has the word {word} for a ply, and {line!r} is none")
    for word in rules.pie_words:
        hold(rules.words.get(word) == "", f"has {word!r} of the pie rule, which is no word of a ply")


def what_is_told_of_it_is_no_move(trial: RandomGame) -> None:
    """No quoted line of the rules, terms or summary is read as a move."""
    start, rules = trial.start, trial.rules
    for line in "\n".join((rules.text, rules.terms, rules.summary, rules.turn)).splitlines():
        hold(is_prose(start, line.strip()), f"takes a line of its rules for a move: {line.strip()}")


def what_is_told_of_it_is_no_command(trial: RandomGame) -> None:
    """No line about a game is read as a command, since letters are quoted back."""
    rules = trial.rules
    told = [rules.name, rules.designer, rules.text, rules.terms, rules.summary, rules.turn]
    told += [text for option in rules.options for text in (option.help, option.range)]
    for lesson in rules.lessons:
        told += [lesson.title, lesson.teaches, lesson.question, lesson.hint, *lesson.right.values()]
    for position in _some(trial):
        told += [position.picture().title, *position.notes()]
    for line in "\n".join(told).splitlines():
        hold(not trial.is_command(line.strip()), f"tells a line that is a command: {line.strip()}")


def junk_is_refused(position: Position, junk: str) -> None:
    """Any text is a move or draft, or is refused by a RulesError with a sentence."""
    for take in (lambda: position.problem(position.read(junk)), lambda: position.draft(junk)):
        try:
            answer = take()
        except RulesError as error:
            answer = str(error)
        except Exception as error:
            raise Broken(f"cannot bear {junk[:40]!r}: {type(error).__name__}: {error}") from error
        wordless = isinstance(answer, str) and not answer.strip()
        hold(not wordless, f"refuses {junk[:40]!r} without a sentence")


def anything_may_be_written(trial: RandomGame) -> None:
    """Junk, and moves with a part missing or too many, are refused with a sentence."""
    rng = Random(trial.seed)
    for position in _some(trial):
        spoilt = [
            junk
            for move in position.examples()
            for junk in (move[: rng.randrange(len(move) + 1)], f"{move}\u00e9", f"{move} {move}")
        ]
        for junk in (*JUNK, *spoilt):
            junk_is_refused(position, junk)


def lessons_have_legal_answers(trial: RandomGame) -> None:
    """The boards of lessons can be reached. Answers and replies are legal and in canonical spelling."""
    for lesson in trial.rules.lessons:
        position = lesson_position(trial.rules, lesson)
        hold(bool(lesson.right), f"has no right answer to the lesson {lesson.title!r}")
        both = lesson.right.keys() & lesson.wrong.keys()
        hold(not both, f"calls {' '.join(both)} right and wrong in the lesson {lesson.title!r}")
        for text in (*lesson.right, *lesson.wrong):
            _holds_legal(position, text)
        for text, wrong in lesson.wrong.items():
            if wrong.reply:
                _holds_legal(position.play(position.read(text)), wrong.reply)


def _holds_legal(position: Position, text: str) -> None:
    move = position.read(text)
    hold(str(move) == text, f"writes {text} in a lesson, which is {move}")
    problem = position.problem(move)
    hold(problem is None, f"has {text} as an answer in a lesson, but: {problem}")


def _some(trial: RandomGame) -> list[Position]:
    positions = trial.positions
    return [positions[0], positions[len(positions) // 2], positions[-1]]


def is_prose(position: Position, line: str) -> bool:
    try:
        position.read(line)
    except RulesError as error:
        return isinstance(error, NoMove)
    return False


LAWS = (
    it_can_be_called,
    options_come_back,
    words_of_the_server_are_no_moves,
    plain_sentences_are_no_moves,
    words_of_plies_are_read,
    what_is_told_of_it_is_no_move,
    what_is_told_of_it_is_no_command,
    anything_may_be_written,
    lessons_have_legal_answers,
)
