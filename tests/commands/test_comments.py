"""Comments on finished games: what the journal, a writer's own data and the players' home have of them."""

from __future__ import annotations

import json
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest

from pbem.app import App
from pbem.commands.comments import add_comment
from pbem.commands.export import account_zip
from pbem.core.errors import Refusal
from pbem.core.events.table import FORFEIT_WIN
from pbem.core.game.journal import TIMEOUT
from pbem.core.play.comments import MAX_COMMENTS_A_DAY
from pbem.store import game_lists, games, remarks
from pbem.store.erase import erase_player
from tests.apps import ANNA, DAY, JOAO, Clock, begin, ending, load, player, register, sound, writes
from tests.inbox.seasons import all_games, begun, current, going

pytestmark = pytest.mark.each_database
WORDS = "The turning point."


@pytest.fixture
def over(app: App) -> App:
    """Game 1 of Bill and Joao is over; Anna is here too."""
    begin(app, "none", plies=4)
    writes(app, JOAO, "resign")
    writes(app, JOAO, "yes")
    assert ending(app) is not None
    register(app, ANNA, "Anna")
    return app


def comment(app: App, name: str, words: str = WORDS, ply: int = 2) -> None:
    add_comment(app, player(app, name), 1, ply, words)


def to_read(app: App, name: str, since: timedelta = DAY) -> dict[int, int]:
    with app.store.read() as db:
        return remarks.unanswered_comments(db, player(app, name), app.now() - since)


def tag(app: App) -> str:
    with app.store.read() as db:
        fresh = game_lists.freshness(db, 1)
    assert fresh is not None
    return fresh.tag


def test_the_journal_and_a_writer_s_own_data_have_a_comment_once(over: App) -> None:
    comment(over, "Anna")
    comment(over, "Anna")
    [written] = sound(over).state.comments
    assert (2, "Anna", WORDS) == (written.after, written.name, written.words)
    with ZipFile(BytesIO(account_zip(over, player(over, "Anna")))) as zip:
        [own] = json.loads(zip.read("account.json"))["comments"]
    assert (1, 2, WORDS) == (own["game"], own["ply"], own["words"])


def test_a_forgotten_writer_s_name_goes_and_pages_are_others_than_before(over: App) -> None:
    comment(over, "Anna")
    before = tag(over)
    with over.store.write() as db:
        erase_player(db, player(over, "Anna"), None)
    assert "Anna" != load(over).state.comments[0].name
    assert before != tag(over)


def test_comments_wait_for_the_players_until_they_answer_or_a_while_has_passed(
    over: App, clock: Clock
) -> None:
    comment(over, "Anna")
    comment(over, "Bill", "I know.")
    assert ({}, {1: 2}, {}) == (to_read(over, "Bill"), to_read(over, "Joao"), to_read(over, "Anna"))
    comment(over, "Anna", "And this one?", 4)
    assert ({1: 1}, {1: 3}) == (to_read(over, "Bill"), to_read(over, "Joao"))
    clock.pass_by(days=2)
    assert {} == to_read(over, "Joao")


def test_the_comments_of_a_day_have_a_limit(over: App, clock: Clock) -> None:
    for number in range(MAX_COMMENTS_A_DAY):
        comment(over, "Anna", f"{number}")
    with pytest.raises(Refusal, match="wait until tomorrow"):
        comment(over, "Anna")
    clock.pass_by(days=1, seconds=1)
    comment(over, "Anna")


@pytest.mark.parametrize(("number", "ply"), [(1, 99), (9, 1)])
def test_there_is_no_comment_on_what_was_not_played(over: App, number: int, ply: int) -> None:
    with pytest.raises(Refusal, match="There is no move"):
        add_comment(over, player(over, "Anna"), number, ply, WORDS)


def test_a_forfeit_in_a_league_stays_one_when_somebody_comments_on_it(app: App, clock: Clock) -> None:
    begun(app, clock, 4)
    event = current(app).id
    game = load(app, going(app, event, 1)[0].game or 0)
    flag = game.next_entry(app.now(), TIMEOUT, 1, {"flag": app.now().isoformat(), "void": True})
    with app.store.write() as db:
        games.append_entries(db, game, game.with_entries([flag]).state, [flag])
    before = [each.score for each in all_games(app, event)]
    assert FORFEIT_WIN in before
    add_comment(app, game.seats[0], game.id, 0, "A pity.")
    assert before == [each.score for each in all_games(app, event)]
