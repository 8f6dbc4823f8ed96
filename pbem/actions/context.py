"""The context of one mail: its transaction, contents and games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbem.app import App
from pbem.core.clock.mail_times import MailTimes
from pbem.core.game.game import Game
from pbem.core.letters.boards import Bundle
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.core.parsing.inbound import Inbound
from pbem.core.parsing.line import Command, MoveReader
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, named_games, read_orders
from pbem.core.players import Player
from pbem.mail.authentication.results import Verdict
from pbem.store import confirmations, games
from pbem.store.confirmations import Confirmation
from pbem.store.engine import Connection
from pbem.store.inbox import Code, in_words


@dataclass(frozen=True)
class Context:
    """The context of one mail: transaction, parsed mail, and the moments that count."""

    app: App
    db: Connection
    inbound: Inbound
    when: MailTimes
    checked: Verdict = Verdict.UNKNOWN
    """The result of checking the From."""
    games: dict[int, Game] = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        return self.when.accepted

    @property
    def now(self) -> datetime:
        """The current time, UTC, in whole seconds."""
        return self.when.handled

    @property
    def mail(self) -> int | None:
        return self.when.mail

    def game(self, id: int) -> Game | None:
        """A game, loaded once and locked until the mail is handled."""
        if id not in self.games:
            found = games.load_game(self.db, self.app.games_by_key, id, lock=True)
            if found is None:
                return None
            self.games[id] = found
        return self.games[id]

    def reader(self, id: int) -> MoveReader | None:
        game = self.game(id)
        return None if game is None else game.state.position.read

    def orders(self, game: int | None, *, one: bool = True) -> MailCommands:
        """The commands in the mail, about `game` unless it names another.

        `one`: text below this game's own number belongs to the text above it.
        """
        return self.read(self.inbound.words, self.inbound.marked, game, one=one)

    def read(self, words: str, marked: bool, game: int | None, *, one: bool = True) -> MailCommands:
        for number in sorted({*named_games(words), *([] if game is None else [game])}):
            self.game(number)
        reader = self.reader(game) if game is not None else None
        own = game if one else None
        return read_orders(words, marked=marked, reader=reader, reader_of=self.reader, own=own)

    def words_alone(self) -> MailCommands:
        """The commands of somebody without games; no game is loaded."""
        return read_orders(self.inbound.words, marked=self.inbound.marked)

    @property
    def site(self) -> str:
        return self.app.config.host

    def ask(self, purpose: str, address: str, data: Mapping[str, Any]) -> int:
        """Store a question to an address; returns its number for the reply address."""
        until = self.now + timedelta(days=CONFIRM_DAYS)
        return confirmations.add_confirmation(self.db, purpose, address, data, self.now, until).id


@dataclass(frozen=True)
class Disposition:
    """The end of a mail: its state and code, a note for the operator, the letters that come of it."""

    state: str
    detail: str = ""
    letters: tuple[Letter, ...] = ()
    player: Player | None = None
    game_id: int | None = None
    code: Code = Code.NONE

    @property
    def note(self) -> str:
        return in_words(self.detail, self.code)


@dataclass(frozen=True)
class KnownPlayer:
    """A player, proven. `game` and `since` (a journal entry) come from the reply address, if any;
    `about` is the challenge that the letter replied to was about (0: none). `bundle` is the letter with
    several boards that was answered. `written` is when the letter was, as far as its address tells; of a
    mail without a reply address, when it was itself. Such a mail counts `once`, whoever brings it again.
    `bound` is the one game that the secret they wrote to stands for, None where more than that vouches for
    them."""

    player: Player
    game_id: int | None = None
    since: int | None = None
    about: int = 0
    bundle: Bundle | None = None
    written: datetime | None = None
    once: bool = False
    bound: int | None = None


@dataclass(frozen=True)
class Answering:
    """Somebody who answers a question of ours from the address it was sent to."""

    confirmation: Confirmation


@dataclass(frozen=True)
class UnverifiedPlayer:
    """A registered address in the From, and nothing that shows it is really its owner who writes."""

    player: Player
    game_id: int | None
    since: int | None = None


@dataclass(frozen=True)
class UnknownSender:
    """An address that nobody has registered; `proven` where it is known to be the writer's."""

    address: str
    proven: bool = False


@dataclass(frozen=True)
class Rejected:
    """Nothing is done for this mail; at most the owner of the reply address hears of it."""

    state: str
    detail: str
    letters: tuple[Letter, ...] = ()
    player: Player | None = None


@dataclass(frozen=True)
class Unsubscribing:
    """A player who wants no more letters of a category, by the address that every such letter gives."""

    player: Player
    category: str


Sender = Unsubscribing | KnownPlayer | Answering | UnverifiedPlayer | UnknownSender | Rejected


class EarlierMailPending(Exception):
    """An earlier mail must be handled, or fetched, first."""


Handler = Callable[[Context, KnownPlayer, GameBlock, Command], list[Letter]]
"""(context, sender, the command's block, the command) -> letters. Raises Refusal."""
