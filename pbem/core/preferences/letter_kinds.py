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
class LetterKind:
    """A kind of letter. Without a `category` the letter is always sent; with `answers` it answers a mail.

    A move in the answer to the letter of an `exercise` is no move in a game.
    """

    about: str
    category: Category | None = None
    answers: bool = False
    exercise: bool = False

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
CLUBS = Category(13, "clubs", "that bring news and words from your clubs, and invitations", ("club",))

KINDS: Mapping[str, LetterKind] = {
    "confirm": LetterKind("asks a newcomer to confirm the name and the orders understood", answers=True),
    "newcomer": LetterKind("asks a stranger for a name", answers=True),
    "welcome": LetterKind("the name is registered; what to do next", answers=True),
    "proof": LetterKind("asks whether a mail without a reply address was really the player's"),
    "address": LetterKind(
        "asks once before an address is added or dropped, or all are renewed", answers=True
    ),
    "newaddress": LetterKind("asks a new address whether it is the player's"),
    "addresses": LetterKind("the player's addresses, and what was done with them", answers=True),
    "signin": LetterKind("brings a link to sign in on the web with"),
    "token": LetterKind("the player's token for programs, as asked for", answers=True),
    "forget": LetterKind("asks once before a player is forgotten", answers=True),
    "forgotten": LetterKind("the last letter: the player is forgotten", answers=True),
    "challenge": LetterKind("somebody proposes a game", CHALLENGES),
    "offered": LetterKind("the challenge is on its way", answers=True),
    "simul": LetterKind("the challenges of a simul are on their way", answers=True),
    "invite": LetterKind("an invitation to forward to a friend", answers=True),
    "invited": LetterKind("the invitation is on its way", answers=True),
    "invitation": LetterKind("asks a friend of a player whether they play"),
    "declined": LetterKind("a challenge was declined", CHALLENGES),
    "withdrawn": LetterKind("a seek or a challenge was taken back", CHALLENGES),
    "seek": LetterKind("the seek waits in public", answers=True),
    "play": LetterKind("who would play a game, or that the player's own offer waits", answers=True),
    "seeks": LetterKind("who waits for a game, as asked for", answers=True),
    "suggested": LetterKind("people about the player's strength who would play, as asked for", answers=True),
    "newseeks": LetterKind("new seeks for the player's games", SEEKS),
    "bounds": LetterKind("the player's limits and blocks, as asked for or changed", answers=True),
    "start": LetterKind("the game begins", TURNS),
    "seasonstart": LetterKind("a season begins, with the boards of the player's games", TURNS),
    "turn": LetterKind("the other has played, it is your turn", TURNS),
    "live": LetterKind("what was played while both were on the game's page", TURNS),
    "receipt": LetterKind("what was done with your mail", RECEIPTS, answers=True),
    "result": LetterKind("the game is over", RESULTS),
    "reminder": LetterKind("time runs out in a game", REMINDERS),
    "reminders": LetterKind("time runs out in several games", REMINDERS),
    "flag": LetterKind("somebody's time ran out, and what that brings", TURNS),
    "silent": LetterKind("nothing has happened for long in a game without a clock", TURNS),
    "director": LetterKind("what the director decided or has to say"),
    "proving": LetterKind("what became of the claim of a proved win", answers=True),
    "draw": LetterKind("a draw is offered, or declined"),
    "undo": LetterKind("a move is asked to be taken back, was, or stays"),
    "deal": LetterKind(
        "time is given, or a pause or an end without a result asked for, agreed to or declined"
    ),
    "chat": LetterKind("the other says something", CHAT),
    "refused": LetterKind("nothing was done, and why", answers=True),
    "resign": LetterKind("asks once before an early resignation, or a move that is like one", answers=True),
    "which": LetterKind("asks which move is meant where a phone may have made a capital", answers=True),
    "meant": LetterKind("asks whether orders are meant that words beside them make doubtful", answers=True),
    "show": LetterKind("a board, as asked for", answers=True),
    "tried": LetterKind("the boards that moves would bring, as asked for", answers=True),
    "hint": LetterKind("a move and a sentence about it, as asked for"),
    "moments": LetterKind("three moments of a finished game, as puzzles", MOMENTS, exercise=True),
    "judged": LetterKind("what a bot says of the answers to moments", answers=True, exercise=True),
    "puzzle": LetterKind("a position with one winning move", PUZZLES, exercise=True),
    "solved": LetterKind("whether the answer to a puzzle was right", answers=True, exercise=True),
    "paper": LetterKind("the Saturday paper: what happened here in a week", PAPER),
    "lessons": LetterKind("the lessons of all games, as asked for", answers=True),
    "lesson": LetterKind(
        "a lesson: a board, and a question that a move answers", answers=True, exercise=True
    ),
    "taught": LetterKind(
        "why the answer to a lesson is right or wrong, and the next lesson", answers=True, exercise=True
    ),
    "noted": LetterKind("a private note, as it was kept", answers=True),
    "notes": LetterKind("the player's private notes, as asked for", answers=True),
    "export": LetterKind("the player's games as files, as asked for", answers=True),
    "watching": LetterKind("the games that the player watches, as asked for or changed", answers=True),
    "muted": LetterKind("the games whose letters do not come, as asked for or changed", answers=True),
    "watched": LetterKind("a game that the player watches has gone on", WATCHED),
    "guessed": LetterKind("a guess at the next move of others, as it was sealed", RECEIPTS, answers=True),
    "moves": LetterKind("the moves of a game, as asked for", answers=True),
    "plans": LetterKind("what the player has planned in a game, as asked for", answers=True),
    "rating": LetterKind("a player's ratings and results, as asked for", answers=True),
    "standings": LetterKind("the best in a game, as asked for", answers=True),
    "events": LetterKind("leagues to join, as asked for", answers=True),
    "joined": LetterKind("the player has joined a league, or left it", answers=True),
    "seasonask": LetterKind("asks whether the player plays a season, or leaves it"),
    "leagueweek": LetterKind("the week's results of a league that the player watches", SEASONS),
    "season": LetterKind("a season of the player's begins, goes on, or is over", SEASONS),
    "ladder": LetterKind("a ladder, as the player has changed it or asked for it", answers=True),
    "ladderask": LetterKind("asks whether the player plays a challenge on a ladder"),
    "laddertold": LetterKind("what became of a challenge on a ladder that was not played", SEASONS),
    "match": LetterKind(
        "a match of clubs, as the player has joined it, left it or asked for it", answers=True
    ),
    "matchtold": LetterKind("a match of the player's club begins, cannot begin, or is over", SEASONS),
    "club": LetterKind("the player's clubs, or one of them, as asked for or changed", answers=True),
    "clubleague": LetterKind("a league of a club is made or starts, as asked for", answers=True),
    "clubask": LetterKind("asks about a club: who joins, leaves or is put out, and its matches", CLUBS),
    "clubmatch": LetterKind("asks the members of a club for players of a match", CLUBS),
    "clubtold": LetterKind("somebody has joined a club, or the player organises it", CLUBS),
    "clubsay": LetterKind("an organiser's words to all members of a club", CLUBS),
    "table": LetterKind("the table of a league, as asked for", answers=True),
    "games": LetterKind("the player's games, as asked for", answers=True),
    "botwaits": LetterKind("a bot that cannot move yet"),
    "rules": LetterKind("a game's rules, as asked for", answers=True),
    "help": LetterKind("what one can write", answers=True),
    "mismatch": LetterKind("somebody else used the player's reply address"),
    "expired": LetterKind("the reply address was too old", answers=True),
    "stopped": LetterKind("letters of a category come no more, as asked for", answers=True),
    "unreachable": LetterKind("letters to an opponent come back"),
    "unheard": LetterKind("a letter to an opponent was refused by their mail provider"),
    "reachable": LetterKind("letters go to the player again, who has written", answers=True),
    "settings": LetterKind("how the player wants letters, as asked for or changed", answers=True),
    "bundle": LetterKind("all boards that wait for the player, as asked for", answers=True),
    "receipts": LetterKind("what was done with a mail about several games", answers=True),
    "digest": LetterKind("once a day: what happened, and all boards that wait", DIGESTS),
    "daily": LetterKind("when the digest comes, as set or asked for", answers=True),
    "remind": LetterKind("when reminders come, as set or asked for", answers=True),
    "vacation": LetterKind("the player's days off, as asked for or changed", answers=True),
    "forwarded": LetterKind("brings the operator a mail to postmaster or abuse"),
    "directask": LetterKind("asks a director once before they decide something", answers=True),
    "directed": LetterKind("tells a director what was done", answers=True),
    "moderated": LetterKind("what the operator did about the player's words, name or role, and why"),
    "report": LetterKind("brings the operator words that a player complains of"),
    "reported": LetterKind("the report is with the operator", answers=True),
    "month": LetterKind("tells the operator what happened in a month"),
    "trial": LetterKind("asks for an answer, to see whether letters arrive"),
    "trouble": LetterKind("tells the operator what needs a person"),
    "shunted": LetterKind("tells the operator that a mail could not be handled"),
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
