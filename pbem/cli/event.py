"""`pbem event`: a director opens, closes and corrects leagues, ladders and matches."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import click

from pbem.app import App
from pbem.cli.common import NUMBER, by_option, command, count_of, open_or_exit, player_or_exit
from pbem.cli.director import HELP_ORDER
from pbem.commands import event_director
from pbem.commands.event_director import EventAct
from pbem.core.events.league import Settings
from pbem.core.events.match import MATCH
from pbem.core.events.table import HALVES
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules
from pbem.core.parsing.director_acts import BY_GAME
from pbem.core.play.director import clean_message, clean_reason
from pbem.outbox.send import send_due
from pbem.outbox.write import queue_letters
from rules.contract import BadOption, Rules

Done = tuple[str, list[Letter]]

reason_option = click.option("--reason", required=True, help="Why, in a line that everybody may read.")
starts_option = click.option(
    "--starts", type=click.DateTime(["%Y-%m-%d"]), required=True, help="The day (00:00 UTC)."
)


@click.group("event", no_args_is_help=True)
def event_command() -> None:
    """Open, close and correct leagues, ladders and matches.

    Each act needs a reason, which the event's page shows. Only `message` takes none: it has words of its own.
    """


def event_act(
    name: str, option: Any = reason_option, clean: Callable[[str], str] = clean_reason
) -> Callable[[Callable[..., Done]], click.Command]:
    """Make a command of one act in a transaction. The wrapped function returns what was done, and letters."""

    def wrap(work: Callable[..., Done]) -> click.Command:
        @option
        @by_option
        @wraps(work)
        def run(reason: str, by: str, **named: Any) -> None:
            reason = clean(reason)
            with open_or_exit() as app:
                now = app.now()
                with app.store.write() as db:
                    done, letters = work(app, EventAct(db, now, reason, by), **named)
                    queue_letters(app, db, letters, now, about=f"event{int(now.timestamp())}")
                click.echo(done)
                app.wake()
                send_due(app)

        made = command(name)(run)
        made.params.sort(key=lambda parameter: HELP_ORDER.get(parameter.name or "", 0))
        event_command.add_command(made)
        return made

    return wrap


@event_act("new")
@click.argument("game")
@click.option("--days", default=Settings.days, show_default=True, help="The length of a season.")
@click.option("--size", default=Settings.size, show_default=True, help="Players of a division, 4 to 10.")
@click.option("--games", default=Settings.at_once, show_default=True, help="A player's games at a time.")
@click.option("--pace", default=Settings.pace, show_default=True, help="The clock, as in a challenge.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--bots", default=0, help="The strongest bot that may take an empty seat; 0 for none.")
@click.option("--unrated", is_flag=True, help="The games change no rating.")
def new_command(
    app: App, act: EventAct, game: str, options: tuple[str, ...], games: int, unrated: bool, **terms: Any
) -> Done:
    """Create a league of GAME. Nobody sees it before `pbem event open`.

    Exit code 1 where it is refused: no such game, terms that no season can have, or there is one already.

    Example:  pbem event new bipod --days 90 --size 6 --games 3 --reason "Our first league."
    """
    rules, named = _read_options(app, game, options)
    settings = Settings(named, at_once=games, rated=not unrated, **terms)
    event = event_director.create(act, rules.key, settings)
    return f"Event {event.id}: {event.title}. `pbem event open {event.id}` opens it.", []


def _read_options(app: App, game: str, options: tuple[str, ...]) -> tuple[Rules, dict[str, str]]:
    """The rules of a game, and these options of it, each NAME=VALUE."""
    rules = find_rules(game, app.offered)
    named = dict(each.partition("=")[::2] for each in options)
    try:
        rules.complete_for(game, named)
    except BadOption as error:
        raise click.UsageError(str(error)) from None
    return rules, named


@event_act("match")
@click.argument("game")
@click.option("--first", required=True, help="The name of a club: a word of 2 to 30 letters.")
@click.option("--second", required=True, help="The name of the other club.")
@starts_option
@click.option("--pace", default=Settings.pace, show_default=True, help="The clock, as in a challenge.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--unrated", is_flag=True, help="The games change no rating.")
def match_command(
    app: App,
    act: EventAct,
    game: str,
    first: str,
    second: str,
    starts: datetime,
    pace: str,
    options: tuple[str, ...],
    unrated: bool,
) -> Done:
    """Create a match of two clubs in GAME, open to join at once.

    Example:  pbem event match bipod --first Lisbon --second Oxford --starts 2026-12-01 --reason "We meet."
    """
    start = starts.replace(tzinfo=UTC)
    rules, named = _read_options(app, game, options)
    settings = Settings(named, pace, rated=not unrated, clubs=(first, second))
    event = event_director.create_match(act, rules.key, settings, start)
    ways = " or ".join(f"`join match {event.id} {club}`" for club in (first, second))
    return f"Event {event.id}: {event.title}. It begins on {start:%Y-%m-%d}. {ways} joins it.", []


@event_act("open")
@click.argument("event", type=NUMBER)
@starts_option
def open_command(_app: App, act: EventAct, event: int, starts: datetime) -> Done:
    """Open the sign-up of EVENT, or set another start before it begins.

    Players are asked a week before the start. The seasons after it open by themselves.

    Example:  pbem event open 1 --starts 2026-12-01 --reason "Enough of us are here."
    """
    start = starts.replace(tzinfo=UTC)
    found = event_director.open_event(act, event, start)
    what = f"match {event}" if found.kind == MATCH else f"{found.rules} league"
    return f"The {found.title} begins on {start:%Y-%m-%d}. `join {what}` joins it.", []


@event_act("close")
@click.argument("event", type=NUMBER)
def close_command(_app: App, act: EventAct, event: int) -> Done:
    """End EVENT as it stands; no other season follows. All its players are told.

    Example:  pbem event close 1 --reason "The server moves."
    """
    found, letters = event_director.close(act, event)
    return f"The {found.title} is closed. {count_of(len(letters), 'player')} will hear of it.", letters


@event_act("award")
@click.argument("event", type=NUMBER)
@click.argument("first")
@click.argument("second")
@click.argument("result", type=click.Choice([*HALVES, BY_GAME]))
def award_command(app: App, act: EventAct, event: int, first: str, second: str, result: str) -> Done:
    """Give the RESULT of two players in EVENT, as FIRST sees it.

    On a ladder this is the result of the last challenge of the two, in a match that of the game in which
    FIRST has the first seat.

    Their game must be over, or not have begun; ratings do not change. Write -- before RESULT if it is -.
    RESULT `game` takes an award back: their game decides again, or begins.

    Example:  pbem event award 1 Bill Joao 1/2 --reason "Our server lost a mail."
    """
    pair = player_or_exit(act.db, first), player_or_exit(act.db, second)
    two = f"{pair[0].name} against {pair[1].name}"
    if result == BY_GAME:
        event_director.take_award_back(act, event, *pair)
        return f"{two} counts as their game says.", event_director.begin_waiting(app, act, event, pair[0].id)
    event_director.award(act, event, *pair, result)
    return f"{two} counts as {result}.", []


@event_act("forfeit")
@click.argument("event", type=NUMBER)
@click.argument("player")
def forfeit_command(app: App, act: EventAct, event: int, player: str) -> Done:
    """Take PLAYER out of EVENT. The games left are forfeits, or go to the standby list.

    On a ladder their open challenges and games count no more.

    Example:  pbem event forfeit 1 Bill --reason "Bill is in hospital."
    """
    found = player_or_exit(act.db, player)
    letters = event_director.forfeit(act, event, found, app.config.bots)
    return f"{found.name} is out of event {event}.", letters


@event_act("reinstate")
@click.argument("event", type=NUMBER)
@click.argument("player")
def reinstate_command(app: App, act: EventAct, event: int, player: str) -> Done:
    """Let PLAYER play on who was taken out of EVENT or left.

    The forfeits are taken back. Games that ended by them begin anew. Not where somebody else has the place.

    Example:  pbem event reinstate 1 Bill --reason "We had the wrong Bill."
    """
    found = player_or_exit(act.db, player)
    letters = event_director.reinstate(act, event, found)
    letters += event_director.begin_waiting(app, act, event, found.id)
    return f"{found.name} plays in event {event} again.", letters


@event_act("message", click.argument("reason", metavar="TEXT"), clean_message)
@click.argument("event", type=NUMBER)
def message_command(_app: App, act: EventAct, event: int) -> Done:
    """Write TEXT to all players of EVENT.

    Example:  pbem event message 1 "The server is off on Sunday. All clocks stop."
    """
    letters = event_director.message(act, event)
    return f"{count_of(len(letters), 'player')} will get it.", letters
