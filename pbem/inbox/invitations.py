"""Friends who answer an invitation: at the address of its code, or the letter that asked them.

Whoever surely writes from their address is in a game at once. Others are asked once at that address.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.app import App
from pbem.commands import addresses, help, invitations
from pbem.commands.context import (
    Context,
    InvitedFriend,
    KnownPlayer,
    MailOutcome,
    UnknownSender,
    plain_refusal,
)
from pbem.commands.which_game import games_of_letter
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby import invitations as lobby_invitations
from pbem.core.lobby.invitations import Invitation
from pbem.core.lobby.newcomers import lone_name, name_of_address, suggested_name
from pbem.core.parsing.inbound import Mail
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, confirmed_commands, read_orders
from pbem.core.parsing.taken_back import begins_with_yes
from pbem.core.players import Player, same_address
from pbem.core.redact import without_secrets
from pbem.inbox import asked, newcomers
from pbem.inbox.bot_game import BESIDE_A_MOVE
from pbem.inbox.dispatch import carry_out
from pbem.outbox.write import queue_letters
from pbem.store import engine, locks, players
from pbem.store import invitations as rows
from pbem.store.players import Confirmation


def handle_friend(ctx: Context, sender: InvitedFriend) -> MailOutcome:
    """Take in whoever writes to an invitation's address, with any words but a no."""
    inbound, owner = ctx.inbound, sender.player
    if inbound.kind == "refused" or inbound.is_silent or inbound.is_away:
        return MailOutcome("refused", "no person's answer to an invitation")
    found = rows.find_invitation(ctx.db, sender.invitation)
    if owner is not None and found is not None and found.inviter.id == owner.id:
        return _answer_maker(ctx, found, owner, proven=sender.proven)
    if asked.said(ctx) is False or lobby_invitations.says_never(inbound.words):
        return MailOutcome("done", "does not want to play")
    if not sender.proven:
        return _ask(ctx, found, sender)
    return _join(ctx, sender.invitation, sender.address, owner, _name(ctx, sender.address))


def _answer_maker(ctx: Context, found: Invitation, owner: Player, *, proven: bool) -> MailOutcome:
    """Carry out other orders of an invitation's own maker, or say what the letter is for."""
    orders = ctx.words_alone()
    if proven and orders.commands:
        return carry_out(ctx, KnownPlayer(owner), orders)
    return plain_refusal(owner, lobby_invitations.closed_sentence("own", found))


def _ask(ctx: Context, found: Invitation | None, sender: InvitedFriend) -> MailOutcome:
    """Ask at the address whether it plays."""
    owner = sender.player
    address = same_address(owner.address if owner else sender.address)
    locks.advisory_lock(ctx.db, address)
    if owner is None and invitations.is_written_off(ctx, address):
        return MailOutcome("stranger", "wants no invitations")
    try:
        invitation = invitations.check_open(ctx.app, ctx.db, ctx.now, found, owner)
    except Refusal as refusal:
        return _refuse(ctx, address, owner, str(refusal), proven=False)
    if detail := _silence(ctx, invitation, address, owner):
        return MailOutcome("stranger", detail, (), owner)
    name = "" if owner else _name(ctx, address)
    letter = invitations.invitation_letter(ctx, invitation, address, owner, name=name)
    return MailOutcome("done", "asked whether they play", (letter,), owner)


def _silence(ctx: Context, invitation: Invitation, address: str, owner: Player | None) -> str:
    """Return the reason, for the operator, why an address is not asked now, or ""."""
    asked_before = players.open_confirmation(ctx.db, invitations.PURPOSE, address, ctx.now)
    if asked_before is not None and asked_before.data["invitation"] == invitation.id:
        return "asked about this invitation already"
    if ctx.count_letters(address, "invitation"):
        return "asked about an invitation within a day already"
    if owner is not None:
        return ""
    return newcomers.silence(ctx, address, registers=False, orders=True, proven=False)


def _refuse(ctx: Context, address: str, owner: Player | None, problem: str, *, proven: bool) -> MailOutcome:
    """Tell a player why they cannot join; a stranger gets a board against the bot besides."""
    if owner is not None:
        return plain_refusal(owner, problem)
    return newcomers.handle_stranger(ctx, UnknownSender(address, proven), problem)


def answer(ctx: Context, question: Confirmation, owner: Player | None) -> MailOutcome:
    """Take in a friend whose address was asked. Answers that say neither yes nor no are asked again."""
    if question.used_at is not None:
        return _answered_before(ctx, question, owner)
    if ctx.inbound.kind == "refused" or ctx.inbound.is_silent or ctx.inbound.is_away:
        return MailOutcome("refused", "no person's answer to an invitation")
    found = rows.find_invitation(ctx.db, question.data["invitation"])
    if (closed := _declined(ctx, question)) is not None:
        return closed
    if found is None or _agrees(ctx, question, found):
        name = _name(ctx, question.address, question.data["name"])
        return _join(ctx, question.data["invitation"], question.address, owner, name, question)
    if ctx.count_letters(question.address) >= ctx.app.config.unproven_per_day:
        return MailOutcome("refused", "no letters are left today for the question about an invitation")
    try:
        invitations.check_open(ctx.app, ctx.db, ctx.now, found, owner)
        data = question.data
        letter = invitations.invitation_letter(
            ctx, found, question.address, owner, name=data["name"], cold=data["cold"], unclear=True
        )
    except Refusal as refusal:
        return _refuse(ctx, question.address, owner, str(refusal), proven=True)
    return MailOutcome("refused", "an invitation answered without yes", (letter,), owner)


def _declined(ctx: Context, question: Confirmation) -> MailOutcome | None:
    """Close the question if the answer is no; nobody is told."""
    never = lobby_invitations.says_never(ctx.inbound.words)
    declines = any(command.verb == "decline" for command in ctx.words_alone().commands)
    if not (never or declines or asked.said(ctx) is False):
        return None
    players.use_confirmation(ctx.db, question, ctx.now)
    if never:
        invitations.write_off(ctx, question.address)
    return MailOutcome("done", "wants no invitations" if never else "does not want to play")


def _agrees(ctx: Context, question: Confirmation, found: Invitation) -> bool:
    """True for a yes, a name, or a move on the board that was shown."""
    words = ctx.inbound.words
    verbs = {command.verb for command in confirmed_commands(ctx.words_alone())}
    if verbs & {"confirm", "accept", "register"} or asked.said(ctx, question.data["name"]):
        return True
    return begins_with_yes(words) or bool(lone_name(words)) or bool(_first_moves(ctx, found))


def _first_moves(ctx: Context, found: Invitation) -> bool:
    try:
        seek = invitations.seek_of(ctx.app, found)
    except Refusal:
        return False
    if seek is None:
        return False
    position = invitations.first_board(seek, found)
    orders = read_orders(ctx.inbound.words, marked=ctx.inbound.marked, reader=position.read)
    return any(command.verb == "move" for command in orders.commands)


def _name(ctx: Context, address: str, offered: str = "") -> str:
    """Return a free name: the one in the words, else the one offered, else one like the writer's."""
    words = ctx.inbound.words
    written = [each.args["name"] for each in ctx.words_alone().commands if each.verb == "register"]
    named = next(filter(None, reversed(written)), "")
    named = named or ("" if ctx.inbound.subject_alone else lone_name(words))
    if not written and (asked.said(ctx) is not None or begins_with_yes(words)):
        named = ""
    usual = offered or suggested_name(ctx.inbound.sender_name, "") or name_of_address(address)
    names = (newcomers.free_name(ctx, each) for each in (named, usual, "Player") if each)
    return next(filter(None, names), "")


def _join(
    ctx: Context,
    number: int,
    address: str,
    owner: Player | None,
    name: str,
    question: Confirmation | None = None,
) -> MailOutcome:
    """Take a friend in, after registering whoever is new. Where that cannot be, nothing is changed."""
    locks.advisory_lock(ctx.db, "register")
    try:
        with ctx.db.begin_nested():
            friend = owner or newcomers.add_newcomer(ctx, name, address)
            words = _words_for_inviter(ctx)
            letters = invitations.join(ctx, number, friend, words)
    except Refusal as refusal:
        return _refuse(ctx, address, owner, str(refusal), proven=True)
    except engine.Conflict:
        return MailOutcome("refused", "registered a moment ago")
    game = _game_of(letters)
    if question is not None:
        players.use_confirmation(ctx.db, question, ctx.now)
        players.change_confirmation(ctx.db, question, {**question.data, "game": game})
    if owner is None:
        letters = [help.welcome(ctx, friend, again=False).telling(more=True), *letters]
    detail = f"{friend.name} joins an invitation"
    played = _play(ctx, friend, game) if game else ()
    return MailOutcome("done", detail, (*letters, *played), friend, game or None)


def _game_of(letters: Sequence[Letter]) -> int:
    """Return the game that has begun, or 0 where a friend joined a club alone."""
    return next((letter.view.game.id for letter in letters if letter.view is not None), 0)


def _words_for_inviter(ctx: Context) -> str:
    """Return the words of an answer that says yes and more."""
    words = ctx.inbound.words
    goes = asked.said(ctx) is None and begins_with_yes(words) and not ctx.words_alone().commands
    return without_secrets(words).strip() if goes else ""


def _play(ctx: Context, friend: Player, number: int) -> tuple[Letter, ...]:
    """Play the move in an answer, if the friend is first and there is nothing else in it."""
    own = ctx.own_game(number, friend)
    if own is None or own[0].state.to_play != own[1]:
        return ()
    reader = own[0].state.position.read
    found = read_orders(ctx.inbound.words, marked=ctx.inbound.marked, reader=reader)
    verbs = {command.verb for command in found.commands}
    if "move" not in verbs or not verbs <= BESIDE_A_MOVE:
        return ()
    moves = tuple(command for command in found.commands if command.verb == "move")
    return carry_out(ctx, KnownPlayer(friend, number), MailCommands((GameBlock(number, moves),))).letters


def _answered_before(ctx: Context, question: Confirmation, owner: Player | None) -> MailOutcome:
    """Answer a second mail to the same letter: orders are for the game that it brought."""
    game = question.data.get("game")
    if owner is None or game is None:
        return MailOutcome("done", "answered before")
    orders = ctx.orders(game) if game else MailCommands()
    if orders.commands:
        return carry_out(ctx, KnownPlayer(owner, game, 1, games=games_of_letter(ctx, game)), orders)
    return plain_refusal(owner, lobby_invitations.closed_sentence("in", _invitation(ctx, question), game))


def _invitation(ctx: Context, question: Confirmation) -> Invitation | None:
    return rows.find_invitation(ctx.db, question.data["invitation"])


def ask_from_page(app: App, number: int, typed: str, name: str) -> None:
    """Ask at an address typed on a page, once. Raises Refusal; nothing tells whether a letter goes out."""
    address, now = addresses.parse_address(typed), app.now()
    if address.rpartition("@")[2] == app.config.host.lower():
        raise Refusal(f"{address} is an address of this server itself; letters cannot go there.")
    with app.store.write() as db:
        mail = Mail("person", sender=address, words=f"register {name}" if name else "")
        ctx = Context(app, db, mail, same_moment(now))
        found = rows.find_invitation(db, number)
        invitations.check_open(app, db, now, found, None)
        owner = players.player_by_address(db, address)
        if owner is None or found is None or owner.id != found.inviter.id:
            outcome = _ask(ctx, found, InvitedFriend(number, address, owner, proven=False))
            letters = [each for each in outcome.letters if each.kind == "invitation"]
            queue_letters(app, db, letters, now, about=f"w{app.rng.getrandbits(64):x}")
    app.wake()


def join_from_page(app: App, number: int, player: Player) -> int:
    """Take in whoever is signed in; returns the game's number, or 0. Raises Refusal."""
    now = app.now()
    with app.store.write() as db:
        friend = players.player_by_id(db, player.id)
        if friend is None or friend.gone:
            raise Refusal("There is no such player any more.")
        ctx = Context(app, db, Mail("person", sender=friend.address), same_moment(now))
        letters = invitations.join(ctx, number, friend)
        queue_letters(app, db, letters, now, about=f"w{app.rng.getrandbits(64):x}")
    app.wake()
    return _game_of(letters)


def answer_all(ctx: Context, sender: UnknownSender) -> MailOutcome | None:
    """Take a stranger's answer to the inviter's own mail, with our address in Cc, for that to our letter."""
    if not sender.proven:
        return None
    address = same_address(sender.address)
    question = players.open_confirmation(ctx.db, invitations.PURPOSE, address, ctx.now)
    found = None if question is None else _invitation(ctx, question)
    if question is None or found is None or not _agrees(ctx, question, found):
        return None
    return answer(ctx, question, None)


def as_order(ctx: Context, player: Player) -> Context:
    """Return a mail that proposes a game to one other, with us in To or Cc, as `invite`.

    Raises Refusal where several others got the mail.
    """
    others = lobby_invitations.other_recipients(ctx.inbound.to, player, ctx.site)
    game = lobby_invitations.proposed_game(ctx.inbound.words) if others else ""
    if not game or f"@{ctx.site}".lower() not in ctx.inbound.to.lower():
        return ctx
    if len(others) > 1:
        raise Refusal(
            f"Your mail went to {len(others)} others, and an invitation is for one, so nobody was written "
            f"to. `invite {len(others)} {game}` brings a letter to forward to them."
        )
    order = f"invite {others[0]} {game}"
    return replace(ctx, inbound=replace(ctx.inbound, words=order, marked=False, signature_text=""))
