"""The context of one mail: its transaction, contents and games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache, partial
from importlib import import_module
from itertools import takewhile
from pkgutil import iter_modules
from typing import Any

from pbem.app import App
from pbem.core.clock.mail_times import MailTimes
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.view import View, view
from pbem.core.letters.boards import Bundle
from pbem.core.letters.facts import RefusalFacts
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.core.parsing.commands import GAME
from pbem.core.parsing.inbound import Mail
from pbem.core.parsing.line import Command, MoveReader, is_wish_for_hint
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, named_games, read_orders
from pbem.core.parsing.reply_text import first_lines
from pbem.core.parsing.yes_no import without_closing
from pbem.core.players import Player
from pbem.duties import questions
from pbem.mail.authentication.results import Verdict
from pbem.store import engine, games, inbox, outbox
from pbem.store.players import Confirmation
from rules.contract import Seat

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Context:
    """The context of one mail: transaction, parsed mail, and times."""

    app: App
    db: engine.Connection
    inbound: Mail
    when: MailTimes
    checked: Verdict = Verdict.UNKNOWN
    """The result of checking the From."""
    games: dict[int, Game] = field(default_factory=dict)
    as_written: bool = False
    """True if no phone can have made a capital: the mail was made on our own page."""

    @property
    def at(self) -> datetime:
        return self.when.accepted

    @property
    def now(self) -> datetime:
        """The current time, UTC, in whole seconds."""
        return self.when.handled

    def game(self, id: int | None) -> Game | None:
        """A game, loaded once and locked until the mail is handled."""
        if id is None:
            return None
        if id not in self.games and (found := games.load_game(self.db, self.app.games_by_key, id, lock=True)):
            self.games[id] = found
        return self.games.get(id)

    def existing_game(self, id: int) -> Game:
        game = self.game(id)
        if game is None:
            raise Refusal(f"There is no game {id}.")
        return game

    def own_game(self, id: int | None, player: Player) -> tuple[Game, Seat] | None:
        game = self.game(id)
        seat = None if game is None else game.seat_of(player)
        return None if game is None or seat is None else (game, seat)

    def reader(self, id: int | None) -> MoveReader | None:
        game = self.game(id)
        return None if game is None else game.state.position.read

    def orders(self, game: int | None, *, one: bool = True) -> MailCommands:
        return self.read(self.inbound.words, self.inbound.marked, game, one=one)

    def read(self, words: str, marked: bool, game: int | None, *, one: bool = True) -> MailCommands:
        for number in sorted({*named_games(words), *([] if game is None else [game])}):
            self.game(number)
        own = game if one else None
        return read_orders(words, marked=marked, reader=self.reader(game), reader_of=self.reader, own=own)

    def words_alone(self) -> MailCommands:
        return read_orders(self.inbound.words, marked=self.inbound.marked)

    def asks_for_hint(self) -> bool:
        """True if the mail is `hint` alone, about no game."""
        blocks = self.words_alone().blocks
        about = [(block.game, command) for block in blocks for command in block.commands]
        return len(about) == 1 and about[0][0] is None and is_wish_for_hint(about[0][1])

    @property
    def words_about_no_game(self) -> str:
        """The mail's words above its first `game 42`."""
        return "\n".join(
            takewhile(lambda line: not GAME.fullmatch(line.strip()), self.inbound.words.split("\n"))
        )

    def orders_beside(self, answers: Iterable[str]) -> MailCommands:
        """Return the orders in the lines that are none of these answers."""
        lines = self.inbound.words.split("\n")
        for answer in answers:
            at = next((n for n, line in enumerate(lines) if line.strip() == answer.strip()), None)
            if at is not None:
                lines[at] = ""
        return self.read("\n".join(lines), self.inbound.marked, None)

    @property
    def site(self) -> str:
        return self.app.config.host

    def ask(self, purpose: str, address: str, data: Mapping[str, Any], days: int = CONFIRM_DAYS) -> ReplyTo:
        """Store a question to an address; returns its letter's reply address."""
        return questions.ask(self.db, purpose, address, data, self.now, days)

    def count_letters(self, address: str, *kinds: str, within: timedelta = DAY) -> int:
        """Count the letters to an address within a time. Without `kinds`, all count."""
        return outbox.count_letters(self.db, address, self.now - within, kinds or None)


@dataclass(frozen=True)
class MailOutcome:
    """The end of a mail or part: state, code, operator's note, letters.

    `beside` has what else an answer asks for, where anything.
    """

    state: str
    detail: str = ""
    letters: tuple[Letter, ...] = ()
    player: Player | None = None
    game_id: int | None = None
    code: inbox.Code = inbox.Code.NONE
    beside: MailCommands = field(default_factory=MailCommands)

    @property
    def note(self) -> str:
        return inbox.in_words(self.detail, self.code)


@dataclass(frozen=True)
class KnownPlayer:
    """A proven player. `game_id` and `since` (a journal entry) come from the reply address, if any.

    `about` is the challenge of the letter answered (0: none), `bundle` the letter with several boards.
    `written` is the time of that letter, or of a mail without a reply address; such a mail counts `once`,
    whoever sends it again. `games` are those of the letter, the only ones in which a mail may play that does
    not prove its writer; None is for one that does. `known` tells how many entries of a game the writer
    knew. `sure`: the player has confirmed these very orders. `watched` is the number of plies that a letter
    of the watched game `game_id` showed.
    """

    player: Player
    game_id: int | None = None
    since: int | None = None
    about: int = 0
    bundle: Bundle | None = None
    written: datetime | None = None
    once: bool = False
    games: frozenset[int] | None = None
    known: Mapping[int, int] = field(default_factory=dict)
    sure: bool = False
    watched: int | None = None


@dataclass(frozen=True)
class UnverifiedPlayer:
    """A writer from a registered address without proof that it is theirs."""

    player: Player
    game_id: int | None
    since: int | None = None


@dataclass(frozen=True)
class UnknownSender:
    """An address that nobody has registered. `proven` says that it is surely the writer's."""

    address: str
    proven: bool = False


@dataclass(frozen=True)
class InvitedFriend:
    """A writer to an invitation's address, who may be a player. `proven`: From is surely theirs."""

    invitation: int
    address: str
    player: Player | None
    proven: bool


@dataclass(frozen=True)
class NeverAgain:
    """Somebody who wants no invitation any more, at the address with this number."""

    invited: int


@dataclass(frozen=True)
class Unsubscribing:
    """A player who wants no more letters of a category. The address in such a letter says so."""

    player: Player
    category: str


_Guest = InvitedFriend | NeverAgain | UnverifiedPlayer | UnknownSender
Sender = Unsubscribing | KnownPlayer | Confirmation | _Guest | MailOutcome
"""The sender of a mail, or the question they answer, or a disposition if nothing is done for them."""


def plain_refusal(owner: Player, problem: str) -> MailOutcome:
    """Refuse what a question's owner wrote, in a letter without a game."""
    return MailOutcome("refused", problem, (refused_letter(owner, [problem]),), owner)


def refused_letter(
    player: Player,
    problems: Sequence[str],
    *,
    seen: View | None = None,
    read: Sequence[str] = (),
    found: Sequence[str] = (),
    about: int = 0,
    seen_move: str = "",
    known: bool = False,
) -> Letter:
    facts = RefusalFacts(problems, read, found, seen_move, known=known)
    if seen is not None:
        return about_game("refused", seen, facts)
    return to_player("refused", player, facts, about=about)


@dataclass(frozen=True)
class MailPart:
    """A mail's part: one block of commands, with context and writer."""

    ctx: Context
    sender: KnownPlayer
    block: GameBlock

    @property
    def player(self) -> Player:
        return self.sender.player

    @property
    def number(self) -> int | None:
        """The number of the part's game: named above it, else the mail's."""
        return self.block.game if self.block.game is not None else self.sender.game_id

    @property
    def own(self) -> tuple[Game, Seat] | None:
        return self.ctx.own_game(self.number, self.player)

    def refuse(
        self, problems: Sequence[str], read: Sequence[str] = (), *, board: bool = True, seen_move: str = ""
    ) -> MailOutcome:
        """Make a refusal with its reason. With `board` it shows the game that the part is about."""
        ctx, sender = self.ctx, self.sender
        names = (self.player.name, ctx.inbound.sender_name)
        found = () if read else first_lines(without_closing(ctx.inbound.words, names))
        seen = view(*self.own, ctx.site) if board and self.own else None
        write = partial(refused_letter, self.player, problems, seen=seen, read=read, found=found)
        known = seen is not None and sender.since is not None and sender.since == seen.entry
        letter = write(about=sender.about, seen_move=seen_move, known=known)
        if sender.bundle is not None and seen is None:
            letter = replace(letter, reply=ReplyTo("bundle", sender.bundle.id))
        return MailOutcome("refused", " / ".join(problems), (letter,), sender.player, sender.game_id)


@dataclass(frozen=True)
class Request(MailPart):
    """One command of a part, for its handler."""

    command: Command

    @property
    def args(self) -> Mapping[str, Any]:
        return self.command.args

    def answer(self, kind: str, **facts: Any) -> list[Letter]:
        return [to_player(kind, self.player, **facts)]


Handler = Callable[[Request], list[Letter]]
"""The function of a command word, which may raise Refusal."""
_handlers: dict[str, Handler] = {}


def handles(word: str) -> Callable[[Handler], Handler]:
    """Mark the function of a command word."""

    def mark(handler: Handler) -> Handler:
        _handlers[word] = handler
        return handler

    return mark


@cache
def handlers() -> Mapping[str, Handler]:
    """Return the handlers of commands not about one game, from this package."""
    for module in iter_modules(import_module(__package__).__path__, f"{__package__}."):
        import_module(module.name)
    return _handlers
