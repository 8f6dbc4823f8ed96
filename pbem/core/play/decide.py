"""Turns a player's commands in one game into entries and letters, all commands or none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.core.clock.mail_times import MailTimes
from pbem.core.errors import Refusal
from pbem.core.game.capitals import read_small
from pbem.core.game.conditional import PrivateRefusal
from pbem.core.game.fold import fold
from pbem.core.game.game import Game, first_since
from pbem.core.game.journal import PLY, PRIVATE_KINDS, RESIGN, ROLLBACK, SAY
from pbem.core.game.state import Ply
from pbem.core.game.view import view
from pbem.core.letters.facts import RefusalFacts
from pbem.core.letters.letter import Letter, about_game
from pbem.core.lobby.limits import limit_words, undelivered_sentence
from pbem.core.parsing.line import Command
from pbem.core.parsing.seen_move import seen_move
from pbem.core.play import automatic, offers
from pbem.core.play.notes import MAX_NOTE, note_letter
from pbem.core.play.show import no_such_ply, show_letter, trial_letter, try_out
from pbem.core.play.turn import Decision, Turn, TurnRequest, refuse_stale_move
from pbem.core.play.turn_letters import letters_for_news
from rules.contract import Move, Position, RulesError, Seat, StandingOrder, other

EARLY_PLIES = 10
"""Number of the ply before which a resignation, as a likely mistake, needs confirmation."""

TWO_ENDS = "Your mail gives the game up in two ways; please write one of them."
BY_ROUND = (
    "Your move has the number {n}. Move {due} is due, which is in round {n}, but you may have seen an older "
    "board. To play it now, answer this letter with the move alone."
)
CAPITAL = "{text} was read as {move}, the one move it can be; phones make the first letter a capital."
CHOSEN = (
    "{text} was read as {move}, as you have chosen twice; write `move {text}` to play {text}, or "
    "`set capitals ask` to be asked again."
)
TWO_PLIES = "Your mail holds more than one move, and one is played at a time; please write one."


class _Unclear(Exception):
    def __init__(self, meanings: Mapping[str, Move]) -> None:
        self.meanings = {word: str(move) for word, move in meanings.items()}


def decide(game: Game, request: TurnRequest) -> Decision:
    turn = Turn(request, game, game)
    try:
        _refuse_stale(game, request)
        for command in request.commands:
            turn = VERBS[command.verb](turn, command)
    except PrivateRefusal as refusal:
        return replace(refusal_decision(game, request, str(refusal)), filed="a plan that cannot be kept")
    except Refusal as refusal:
        return refusal_decision(game, request, str(refusal))
    except _Unclear as unclear:
        facts = {"meanings": unclear.meanings, "read": request.read, "comment": request.comment}
        letter = about_game("which", view(game, request.seat, request.site), **facts, again=False)
        return Decision((), game.state, (letter,), "asked which move is meant", meanings=unclear.meanings)
    wait = _undo_window(turn)
    sent, unsent = _words_to_send(turn)
    if unsent and not sent and request.said and not (turn.entries or turn.asks):
        return refusal_decision(game, request, unsent)
    turn = replace(turn, remarks=(*turn.remarks, unsent)) if unsent else turn
    turn = _with_comment(replace(turn, request=replace(request, comment=sent)))
    turn = turn if wait else automatic.add_automatic_entries(turn, request.when.handled)
    words = sent if turn.asks and not turn.entries else ""
    problem = next((trial.problem for _, trial in turn.trials if trial.problem), "")
    letters = _letters(turn)
    return Decision(
        turn.entries, turn.state, letters, problem, turn.asks, words, turn.notes, turn.claims_proof, wait=wait
    )


def _refuse_stale(game: Game, request: TurnRequest) -> None:
    """Raise Refusal for commands about a board before a rollback. Showing and saying are allowed."""
    if all(command.verb in READ_ONLY_COMMANDS for command in request.commands) or request.since is None:
        return
    if (back := first_since(game, request.since, ROLLBACK)) is not None:
        where = f"after move {back.data['ply']}" if back.data["ply"] else "before its first move"
        raise Refusal(
            f"The director has taken the game back to where it was {where} since the letter you answered "
            "was written, so nothing was done; here is the board as it is now."
        )


def _undo_window(turn: Turn) -> timedelta:
    if not any(entry.kind == PLY for entry in turn.entries):
        return timedelta()
    return max(turn.request.undo_window, turn.request.caution_window if turn.remarks else timedelta())


def _words_to_send(turn: Turn) -> tuple[str, str]:
    """Return the words to the other player, and a remark to the writer; words to be confirmed stay whole."""
    request = turn.request
    if request.blocked and request.comment:
        return "", undelivered_sentence(turn.game.seats[turn.seat], turn.opponent)
    waits = turn.asks and not turn.entries and not request.said
    if not request.comment or waits:
        return request.comment, ""
    return limit_words(turn.start, turn.seat, request.comment, request.when.handled)


def refusal_decision(game: Game, request: TurnRequest, sentence: str) -> Decision:
    """Change nothing; send the player the reason and the current board."""
    seen = view(game, request.seat, request.site)
    known = request.since is not None and request.since == seen.entry
    facts = RefusalFacts([sentence], request.read, seen_move=_move_in_slip(game, request), known=known)
    letter = about_game("refused", seen, facts)
    return Decision((), game.state, (letter,), refused=sentence)


def _move_in_slip(game: Game, request: TurnRequest) -> str:
    """Return the move meant by a mail's only command if that is unreadable, such as `w3-O`."""
    command, state = request.commands[0] if len(request.commands) == 1 else None, game.state
    if command is None or command.verb != "move" or command.error is None or state.to_play != request.seat:
        return ""
    return seen_move(command.args["move"], state.position, whole=True)


def decide_confirmed(
    game: Game, seat: Seat, words: str, when: MailTimes, site: str, since: int | None = None, move: str = ""
) -> Decision:
    """Decide the confirmed resignation, or `move`. The game had `since` entries at the question."""
    args = {"move": move, "guard": None, "yes": True}
    sure = Command("move", move, args) if move else Command("resign", "resign", {"yes": True})
    return decide(game, TurnRequest(seat, [sure], when, site, since, words))


# Each verb: (turn, command) -> the turn after it, or Refusal.


def _move(turn: Turn, command: Command) -> Turn:
    own = [ply for ply in turn.state.plies[-1:] if turn.before is not None and ply.seat == turn.seat]
    if own and turn.state.to_play != turn.seat:
        if _same_move(turn, own[0], command):
            return turn
        raise Refusal(TWO_PLIES)
    recorded = _recorded_ply(turn, command)
    if recorded is not None:
        return replace(turn, repeated_ply=recorded)
    state = turn.state
    turn.check_running()
    offers.refuse_ply_beside_takeback(turn)
    if state.to_play != turn.seat:
        last = next((ply for ply in reversed(state.plies) if ply.seat == turn.seat), None)
        told = f"your last move, number {last.n}, is recorded as {last.move}" if last else ""
        raise Refusal(f"It is {turn.opponent}'s turn; {told or 'you play after that'}.")
    move, standing, remark = _read_legal_move(state.position, command, turn.request)
    if _ask_about(turn, state.position, move, sure=command.args.get("yes", False)):
        return replace(turn, asks=str(move))
    sure = command.args.get("sure", False)
    if not (sure or turn.request.as_written or remark) and (meanings := state.position.meanings(move)):
        raise _Unclear(meanings)
    remark = remark or (None if sure else state.position.remark(command.args["move"], move))
    left = automatic.remaining_after_manual_ply(state, turn.seat, move)
    turn = replace(turn, asks="" if turn.asks == str(move) else turn.asks)
    turn = turn.add_own(PLY, automatic.ply_data(move, standing, left))
    return replace(turn, remarks=(*turn.remarks, remark)) if remark else turn


def _ask_about(turn: Turn, position: Position, move: Move, *, sure: bool) -> bool:
    gives_up = position.gives_up(move) is not None
    if sure and not gives_up:
        raise Refusal(f"{move}: this needs no yes; write {move} alone.")
    if gives_up and turn.asks not in ("", str(move)):
        raise Refusal(TWO_ENDS)
    if turn.asks not in ("", RESIGN) and not gives_up:
        raise Refusal(TWO_PLIES)
    return gives_up and not sure


def _read_legal_move(
    position: Position, command: Command, request: TurnRequest
) -> tuple[Move, StandingOrder | None, str | None]:
    """Return a legal move with its standing order, and a remark on a capital that was read small."""
    text, sure = command.args["move"], command.args.get("sure", False) or request.as_written
    small = None if sure else read_small(position, text)
    try:
        move, standing = _read_move(position, command)
        if (sentence := position.problem(move)) is not None:
            raise Refusal(sentence)
    except Refusal:
        if small is None:
            raise
        return *small, CAPITAL.format(text=text, move=small[0])
    if request.small and not sure and "small" in (meanings := position.meanings(move)):
        return meanings["small"], None, CHOSEN.format(text=text, move=meanings["small"])
    return move, standing, None


def _read_move(position: Position, command: Command) -> tuple[Move, StandingOrder | None]:
    if command.error is not None:
        raise Refusal(str(command.error))
    try:
        return position.split(position.read(command.args["move"]))
    except RulesError as error:
        raise Refusal(str(error)) from None


def _recorded_ply(turn: Turn, command: Command) -> Ply | None:
    """Return the ply that an earlier copy of the command made, or None. Raises Refusal for any other ply."""
    plies = turn.state.plies
    meant = _meant_ply(turn, command)
    if meant == len(plies) + 1:
        last = plies[-1] if plies and turn.before is None and command.args.get("guard") is None else None
        mine = last is not None and last.seat == turn.seat != turn.state.to_play
        return last if mine and last is not None and _same_move(turn, last, command) else None
    if not 1 <= meant <= len(plies):
        turn.check_running()
        raise Refusal(f"The next move is number {len(plies) + 1}; there is no move {meant} to play now.")
    ply = plies[meant - 1]
    if ply.seat != turn.seat:
        raise Refusal(
            f"Move {ply.n} was {turn.opponent}'s ({ply.move}), so the board has changed since the letter you "
            "answered; here is the board as it is now."
        )
    if _same_move(turn, ply, command):
        return ply
    raise Refusal(f"Your move {ply.n} is recorded as {ply.move}, and that does not change.")


def _meant_ply(turn: Turn, command: Command) -> int:
    since, meant = turn.request.since, _next_ply_of_letter(turn)
    if (guard := command.args.get("guard")) is not None and (since is None or meant not in guard):
        meant = _numbered_ply(turn, command, guard)
    if meant > len(turn.state.plies):
        refuse_stale_move(turn)
    return meant


def _numbered_ply(turn: Turn, command: Command, guard: Sequence[int]) -> int:
    """Return the ply that a number means by itself. A number that fits only as a round is asked about."""
    n, plies, due = guard[0], turn.state.plies, len(turn.state.plies) + 1
    if n == due or len(guard) == 1:
        return n
    if 1 <= n < due and plies[n - 1].seat == turn.seat and _same_move(turn, plies[n - 1], command):
        return n
    if due in guard and turn.state.to_play != turn.seat:
        return due
    if due in guard:
        raise Refusal(BY_ROUND.format(n=n, due=due))
    raise Refusal(f"Your move has the number {n}, but move {due} is due, in round {(due + 1) // 2}.")


def _same_move(turn: Turn, ply: Ply, command: Command) -> bool:
    """True if the command is the recorded ply, with its parts in any order."""
    before = fold(turn.game, upto=ply.entry - 1).position
    try:
        small = None if command.args.get("sure") else read_small(before, command.args["move"])
        if small is not None and str(small[0]) == ply.move:
            return True
        move, _ = _read_move(before, replace(command, error=None))
        if str(move) == ply.move:
            return True
        return before.problem(move) is None and before.follow(move) == before.follow(before.read(ply.move))
    except (Refusal, RulesError):
        return False


def _resign(turn: Turn, command: Command) -> Turn:
    turn.check_running()
    if turn.asks not in ("", RESIGN):
        raise Refusal(TWO_ENDS)
    if not command.args.get("yes") and (_next_ply_of_letter(turn) < EARLY_PLIES or _is_late(turn)):
        return replace(turn, asks=RESIGN)
    return replace(turn, asks="").add_own(RESIGN, {})


def _is_late(turn: Turn) -> bool:
    """True if the opponent has played since the answered letter, as when a mail is sent twice."""
    since = turn.request.since
    return since is not None and first_since(turn.start, since, PLY, other(turn.seat)) is not None


def _next_ply_of_letter(turn: Turn) -> int:
    """Return the ply that was due when the answered letter was written."""
    since, plies = turn.request.since, turn.state.plies
    late = None if since is None else first_since(turn.start, since, PLY)
    return next((ply.n for ply in plies if late is not None and ply.entry == late.n), len(plies) + 1)


def _look(turn: Turn, command: Command) -> Turn:
    if problem := no_such_ply(turn.state, command):
        raise Refusal(problem)
    return replace(turn, looks=(*turn.looks, command))


def _try(turn: Turn, command: Command) -> Turn:
    trial = try_out(turn.state.position, command.args["moves"])
    if trial.problem and (len(turn.request.commands) > 1 or turn.request.said):
        raise Refusal(f"{trial.problem} That was to be tried, so nothing of your mail was done.")
    return replace(turn, trials=(*turn.trials, (command, trial)))


def _note(turn: Turn, command: Command) -> Turn:
    """Add a private note, which is no entry, since both players can read the journal."""
    words = command.args["words"]
    if len(words) > MAX_NOTE:
        raise Refusal(
            f"A note may have {MAX_NOTE} characters; this one has {len(words)}, so it was not kept."
        )
    return replace(turn, notes=(*turn.notes, words))


READ_ONLY_COMMANDS = frozenset({"show", "moves", "plans", "try", "note"})

OFFER_ANSWERS = frozenset({"accept", "decline"})

VERBS: Mapping[str, Callable[[Turn, Command], Turn]] = {
    "move": _move,
    "resign": _resign,
    **offers.AGREEMENTS,
    "show": _look,
    "moves": _look,
    "try": _try,
    "note": _note,
    "plan": automatic.apply_conditional_line,
    "plans": _look,
}


def _with_comment(turn: Turn) -> Turn:
    request = turn.request
    if not request.comment:
        return turn
    own = [e for e in turn.entries if e.kind in (PLY, RESIGN) and not e.data.get("auto")]
    carrier = own[-1] if own else None
    if carrier is None:
        if not request.said and not any(entry.kind not in PRIVATE_KINDS for entry in turn.entries):
            return replace(turn, words_unsent=turn.planned and turn.repeated_ply is None)
        return turn.add_own(SAY, {"words": request.comment})
    spoken = replace(carrier, data={**carrier.data, "comment": request.comment})
    entries = (spoken if entry is carrier else entry for entry in turn.entries)
    return replace(turn, game=turn.start.with_entries(entries))


def _letters(turn: Turn) -> tuple[Letter, ...]:
    mine = view(turn.game, turn.seat, turn.request.site)
    letters = [show_letter(mine, command) for command in turn.looks]
    letters += [trial_letter(mine, *trial) for trial in turn.trials]
    letters += [note_letter(mine, words) for words in turn.notes]
    if turn.asks:
        move, position = "" if turn.asks == RESIGN else turn.asks, turn.state.position
        why = position.gives_up(position.read(move)) if move else ""
        letters.append(about_game("resign", mine, move=move, why=why, late=not move and _is_late(turn)))
    if turn.entries or turn.repeated_ply or turn.planned:
        letters += letters_for_news(turn, mine)
    return tuple(letters)
