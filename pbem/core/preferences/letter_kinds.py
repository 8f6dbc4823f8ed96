"""The table of all letters and their categories: one row each."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.errors import Refusal
from rules.notation import join_words


@dataclass(frozen=True)
class Category:
    """Letters that players can stop. `number` stands in unsubscribe addresses, so none changes."""

    number: int
    name: str
    says: str
    aliases: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that mean it, its singular among them."""
        return (self.name, self.name.removesuffix("s"), *self.aliases)


@dataclass(frozen=True)
class Kind:
    """A kind of letter. One without a `category` is always sent; one that `answers` answers a mail."""

    about: str
    category: Category | None = None
    answers: bool = False

    @property
    def stop(self) -> str:
        return self.category.name if self.category else ""


TURNS = Category(0, "turns", "that say a game has begun or it is your turn")
CHALLENGES = Category(1, "challenges", "that bring you challenges, or say that yours was declined")
CHAT = Category(
    2, "chat", "that hold nothing but another player's words", ("words", "messages", "talk", "chats")
)
RECEIPTS = Category(3, "receipts", "that only say your move was made")
RESULTS = Category(4, "results", "that say how a game has ended")
REMINDERS = Category(5, "reminders", "that remind you of a deadline")
DIGESTS = Category(6, "digests", "that bring all your games at once")
WATCHED = Category(7, "watched", "that tell of games you watch", ("watching",))
MOMENTS = Category(8, "moments", "that bring three moments of a finished game of yours")
PUZZLES = Category(9, "puzzles", "that bring you a puzzle a day")
SEEKS = Category(10, "seeks", "that tell of new seeks for your games")
SEASONS = Category(11, "seasons", "that tell how your leagues, ladders and matches go")
PAPER = Category(12, "paper", "that bring you the Saturday paper", ("papers", "saturday"))

KINDS: Mapping[str, Kind] = {
    "confirm": Kind("asks a newcomer to confirm the name and the orders understood", answers=True),
    "newcomer": Kind("asks a stranger for a name", answers=True),
    "welcome": Kind("the name is registered; what to do next", answers=True),
    "proof": Kind("asks whether a mail without a reply address was really the player's"),
    "address": Kind("asks once before an address is added or dropped, or all are renewed", answers=True),
    "newaddress": Kind("asks a new address whether it is the player's"),
    "addresses": Kind("the player's addresses, and what was done with them", answers=True),
    "signin": Kind("brings a link to sign in on the web with"),
    "forget": Kind("asks once before a player is forgotten", answers=True),
    "forgotten": Kind("the last letter: the player is forgotten", answers=True),
    "challenge": Kind("somebody proposes a game", CHALLENGES),
    "offered": Kind("the challenge is on its way", answers=True),
    "declined": Kind("a challenge was declined", CHALLENGES),
    "withdrawn": Kind("a seek or a challenge was taken back", CHALLENGES),
    "seek": Kind("the seek waits in public", answers=True),
    "play": Kind("who would play a game, or that the player's own offer waits", answers=True),
    "seeks": Kind("who waits for a game, as asked for", answers=True),
    "newseeks": Kind("new seeks for the player's games", SEEKS),
    "bounds": Kind("the player's limits and blocks, as asked for or changed", answers=True),
    "start": Kind("the game begins", TURNS),
    "turn": Kind("the other has played, it is your turn", TURNS),
    "receipt": Kind("what was done with your mail", RECEIPTS, answers=True),
    "result": Kind("the game is over", RESULTS),
    "reminder": Kind("time runs out in a game", REMINDERS),
    "reminders": Kind("time runs out in several games", REMINDERS),
    "flag": Kind("somebody's time ran out, and what that brings", TURNS),
    "silent": Kind("nothing has happened for long in a game without a clock", TURNS),
    "director": Kind("what the director decided or has to say"),
    "proving": Kind("what became of the claim of a proved win", answers=True),
    "draw": Kind("a draw is offered, or declined"),
    "undo": Kind("a move is asked to be taken back, was, or stays"),
    "deal": Kind("time is given, or a pause asked for, agreed to or declined"),
    "chat": Kind("the other says something", CHAT),
    "refused": Kind("nothing was done, and why", answers=True),
    "resign": Kind("asks once before an early resignation, or a move that is like one", answers=True),
    "which": Kind("asks which move is meant where a phone may have made a capital", answers=True),
    "meant": Kind("asks whether orders are meant that words beside them make doubtful", answers=True),
    "show": Kind("a board, as asked for", answers=True),
    "tried": Kind("the boards that moves would bring, as asked for", answers=True),
    "hint": Kind("a move and a sentence about it, as asked for"),
    "moments": Kind("three moments of a finished game, as puzzles", MOMENTS),
    "judged": Kind("what a bot says of the answers to moments", answers=True),
    "puzzle": Kind("a position with one winning move", PUZZLES),
    "solved": Kind("whether the answer to a puzzle was right", answers=True),
    "paper": Kind("the Saturday paper: what happened here in a week", PAPER),
    "lessons": Kind("the lessons of all games, as asked for", answers=True),
    "lesson": Kind("a lesson: a board, and a question that a move answers", answers=True),
    "taught": Kind("why the answer to a lesson is right or wrong, and the next lesson", answers=True),
    "noted": Kind("a private note, as it was kept", answers=True),
    "notes": Kind("the player's private notes, as asked for", answers=True),
    "export": Kind("the player's games as files, as asked for", answers=True),
    "watching": Kind("the games that the player watches, as asked for or changed", answers=True),
    "watched": Kind("a game that the player watches has gone on", WATCHED),
    "guessed": Kind("a guess at the next move of others, as it was sealed", RECEIPTS, answers=True),
    "moves": Kind("the moves of a game, as asked for", answers=True),
    "plans": Kind("what the player has planned in a game, as asked for", answers=True),
    "rating": Kind("a player's ratings and results, as asked for", answers=True),
    "standings": Kind("the best in a game, as asked for", answers=True),
    "events": Kind("leagues to join, as asked for", answers=True),
    "joined": Kind("the player has joined a league, or left it", answers=True),
    "seasonask": Kind("asks whether the player plays a season, or leaves it"),
    "leagueweek": Kind("the week's results of a league that the player watches", SEASONS),
    "season": Kind("a season of the player's begins, goes on, or is over", SEASONS),
    "ladder": Kind("a ladder, as the player has changed it or asked for it", answers=True),
    "ladderask": Kind("asks whether the player plays a challenge on a ladder"),
    "laddertold": Kind("what became of a challenge on a ladder that was not played", SEASONS),
    "match": Kind("a match of clubs, as the player has joined it, left it or asked for it", answers=True),
    "matchtold": Kind("a match of the player's club begins, cannot begin, or is over", SEASONS),
    "table": Kind("the table of a league, as asked for", answers=True),
    "games": Kind("the player's games, as asked for", answers=True),
    "botwaits": Kind("a bot that cannot move yet"),
    "rules": Kind("a game's rules, as asked for", answers=True),
    "help": Kind("what one can write", answers=True),
    "mismatch": Kind("somebody else used the player's reply address"),
    "expired": Kind("the reply address was too old", answers=True),
    "stopped": Kind("letters of a category come no more, as asked for", answers=True),
    "unreachable": Kind("letters to an opponent come back"),
    "unheard": Kind("a letter to an opponent was refused by their mail provider"),
    "reachable": Kind("letters go to the player again, who has written", answers=True),
    "settings": Kind("how the player wants letters, as asked for or changed", answers=True),
    "bundle": Kind("all boards that wait for the player, as asked for", answers=True),
    "receipts": Kind("what was done with a mail about several games", answers=True),
    "digest": Kind("once a day: what happened, and all boards that wait", DIGESTS),
    "daily": Kind("when the digest comes, as set or asked for", answers=True),
    "remind": Kind("when reminders come, as set or asked for", answers=True),
    "vacation": Kind("the player's days off, as asked for or changed", answers=True),
    "forwarded": Kind("brings the operator a mail to postmaster or abuse"),
    "directask": Kind("asks a director once before they decide something", answers=True),
    "directed": Kind("tells a director what was done", answers=True),
    "moderated": Kind("what the operator did about the player's words, name or role, and why"),
    "report": Kind("brings the operator words that a player complains of"),
    "reported": Kind("the report is with the operator", answers=True),
    "month": Kind("tells the operator what happened in a month"),
    "trouble": Kind("tells the operator what needs a person"),
    "shunted": Kind("tells the operator that a mail could not be handled"),
}

_CATEGORIES = sorted(
    {kind.category for kind in KINDS.values() if kind.category}, key=lambda each: each.number
)
CATEGORIES = tuple(category.name for category in _CATEGORIES)
"""Unsubscribe categories, in the order of unsubscribe addresses."""
CATEGORY_SENTENCES: Mapping[str, str] = {category.name: category.says for category in _CATEGORIES}

_BY_WORD = {word: category.name for category in _CATEGORIES for word in category.words}
EVERY = ("all", "everything")
CATEGORY_WORDS = (*_BY_WORD, *EVERY)


def categories_of(word: str) -> tuple[str, ...]:
    """The letter categories that a word means, `all` of them included. Raises Refusal."""
    small = word.lower()
    if small in EVERY:
        return CATEGORIES
    if small in _BY_WORD:
        return (_BY_WORD[small],)
    ways = join_words([f"`stop {category}`" for category in CATEGORIES], "or")
    raise Refusal(f"There are no letters called {word}: write {ways}.")
