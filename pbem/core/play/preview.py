"""Previews a ply composed on a web page: the ply is decided like a mail's, and the result discarded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from textwrap import wrap

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.game import Game, first_since
from pbem.core.game.journal import PLY
from pbem.core.parsing.line import MAX_MOVE, Command, read_line
from pbem.core.parsing.mail_orders import MailCommands
from pbem.core.play.decide import decide
from pbem.core.play.turn import TurnRequest
from pbem.core.redact import without_secrets
from rules.contract import Position, RulesError, Seat, other
from rules.draft import Draft

PREVIEW_WINDOW = timedelta(minutes=1)
"""An undo window for previews, which keeps the opponent's conditional moves hidden."""
PLIES_ONLY = (
    "`{text}` is no move; from this page a move alone can be sent. Write `{text}` in a mail, or sign in and "
    "use the buttons on the game's page."
)
MAX_LINE = 900
TOO_LONG = f"A move has at most {MAX_MOVE} characters."


@dataclass(frozen=True)
class MovePreview:
    """A ply so far, as typed and as read. A ply with a `problem` cannot be sent and has an empty draft."""

    text: str
    draft: Draft
    problem: str = ""
    remark: str = ""
    after: Position | None = None
    gives_up: str = ""
    """The reason why the ply loses at once, if the game asks for confirmation of such a ply."""
    loses: str = ""
    """The reason why the game is lost for the player after the ply."""

    @property
    def complete(self) -> bool:
        return self.after is not None


@dataclass(frozen=True)
class Composition:
    """A composed ply's player, and the game as they see it. The link's letter knew `since` entries."""

    game: Game
    seat: Seat
    since: int
    site: str
    at: datetime


def closed_sentence(composition: Composition) -> str:
    state = composition.game.state
    if state.ending is not None:
        return f"The game is over: {state.ending.reason}."
    plies = state.position.examples()[:1]
    moves = [Command("move", ply, {"move": ply, "guard": None}) for ply in plies]
    sentence = _refusal_sentence(composition, moves)
    if sentence or first_since(composition.game, composition.since, PLY) is None:
        return sentence
    return "The board has changed since the letter that this link came with; here is the board as it is now."


def preview_move(composition: Composition, text: str) -> MovePreview:
    text = text.strip()
    position = composition.game.state.position
    try:
        command = _command(position, text) if text else None
        ply = text if command is None else command.args["move"]
        draft = position.draft(ply)
    except RulesError as error:
        return MovePreview(text, position.draft(""), problem=str(error))
    if command is None or not draft.complete:
        return MovePreview(text, draft)
    if problem := _refusal_sentence(composition, [command]):
        return MovePreview(text, position.draft(""), problem)
    move = position.read_ply(ply)
    after, gives_up = position.follow(move), position.gives_up(move) or ""
    end = after.outcome
    loses = gives_up or (end.reason if end is not None and end.winner == other(composition.seat) else "")
    remark, asked = position.remark(ply, move) or "", "" if command.args.get("yes") else gives_up
    return MovePreview(text, draft, "", remark, after, asked, loses)


def preview_on_board(position: Position, text: str) -> MovePreview:
    """Preview a ply on a board, judged by the rules alone."""
    text = text.strip()
    if len(text) > MAX_MOVE:
        return MovePreview("", position.draft(""), problem=TOO_LONG)
    try:
        draft = position.draft(text)
        after = position.play(position.read(draft.text)) if draft.complete else None
    except RulesError as error:
        return MovePreview(text, position.draft(""), problem=str(error))
    return MovePreview(text, draft, after=after)


def _command(position: Position, text: str) -> Command | None:
    """Return the one ply in a mail's line, or None for prose. Raises RulesError for other commands."""
    if len(text) > MAX_MOVE:
        raise RulesError(TOO_LONG)
    found = read_line(text, position.read)
    if found is None:
        return None
    if found.said is not None or len(found.commands) != 1 or found.commands[0].verb != "move":
        raise RulesError(PLIES_ONLY.format(text=text))
    return found.commands[0]


def possible_orders(composed: Composition, lines: Iterable[str]) -> list[str]:
    """Return the lines that could be carried out now, each alone."""
    reader = composed.game.state.position.read
    found = {line: read_line(line, reader) for line in lines}
    return [line for line, read in found.items() if read and not _refusal_sentence(composed, read.commands)]


def _refusal_sentence(composed: Composition, commands: Sequence[Command]) -> str:
    when = same_moment(composed.at)
    request = TurnRequest(
        composed.seat, commands, when, composed.site, composed.since, undo_window=PREVIEW_WINDOW
    )
    return decide(composed.game, request).refused


def are_orders_alone(
    orders: MailCommands, lines: Sequence[str], verbs: frozenset[str], words: str, own: int
) -> bool:
    """True if a mail has only these orders of its game, and perhaps the words for the other player."""
    if orders.problem or len(orders.blocks) != 1:
        return False
    block = orders.blocks[0]
    if block.game not in (None, own) or block.above or block.remarks or block.doubt:
        return False
    read = [command.text for command in block.commands]
    known = all(command.verb in verbs for command in block.commands)
    return known and read == list(lines) and block.comment == words_as_sent(words)


def words_as_sent(words: str) -> str:
    """Return words as the other player gets them, with a mail's maximum line length (RFC 5322 2.1.1)."""
    lines = words.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    short = [part.rstrip() for line in lines for part in wrap(line, MAX_LINE) or [""]]
    return without_secrets("\n".join(short).strip("\n"))
