"""Pages of players and standings, whose cost does not grow."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.game.journal import AGREE, RESIGN, TIMEOUT
from pbem.core.lobby.challenges import opening_entry
from pbem.core.parsing.arguments import BOTH_SEATS
from pbem.core.ratings.statistics import Share
from pbem.store import challenges, games, vacations
from pbem.web import charts
from pbem.web.charts import Bar, CurvePoint
from rules import RULES
from tests.apps import JOAO, add_game, last_words, player
from tests.people import NOON, SEED_PLIES
from tests.web.library import ADDRESSES, add, begin, play
from tests.web.markup import read
from tests.web.signing_in import get, send, sign_in

OPENED = ["f2 f4 g3", *SEED_PLIES[1:4]]
PAGES = ("/players", "/players/Bill", "/standings", "/standings/bipod", "/standings/begird")


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert 200 == answer.status_code
    found = read(answer.text)
    assert [] == found.all_problems()
    return found.text


def bill_beats_joao(app: App, times: int = 1) -> None:
    for _ in range(times):
        add(app, play(app, begin(app), OPENED), RESIGN, 1, {})


@pytest.mark.parametrize("path", PAGES)
def test_a_server_without_any_game_says_what_to_do(client: FlaskClient, path: str) -> None:
    assert "None" not in page(client, path).replace("None at present", "").replace("None yet", "")


@pytest.mark.parametrize("path", PAGES)
def test_no_address_stands_on_any_page(app: App, client: FlaskClient, path: str) -> None:
    bill_beats_joao(app)
    text = client.get(path).text
    assert [] == [address for address in ADDRESSES.values() if address in text]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_a_reader_has_is_not_sent_again(app: App, client: FlaskClient, path: str) -> None:
    bill_beats_joao(app)
    first = client.get(path)
    assert first.last_modified is not None
    assert 304 == client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code
    add(app, play(app, begin(app, "Anna", "Bill"), OPENED), RESIGN, 0, {})
    changed = client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code
    assert (304 if path == "/standings/begird" else 200) == changed


def test_a_player_has_his_results_and_his_rating_with_a_question_mark(app: App, client: FlaskClient) -> None:
    bill_beats_joao(app)
    text = page(client, "/players/Bill")
    assert "Bipod 1662? 1 0 0 1" in text
    assert "Here since 1 March 2026" in text
    assert "Bill won: Joao resigned" in text


def test_who_has_played_much_stands_in_the_table_without_a_question_mark(
    app: App, client: FlaskClient
) -> None:
    for n in range(24):
        add(app, play(app, begin(app), OPENED), RESIGN, 0 if n % 4 == 0 else 1, {})
    text = page(client, "/standings/bipod")
    table, _, figures = text.partition("Who begins")
    assert "1 Bill" in table
    assert table.index("Bill") < table.index("Joao")
    assert "?" not in table
    assert "First won 75% of the 24 games" in figures
    assert "It helps to begin." in figures
    assert "f2 f4 g3 24 100.0%" in figures


def test_a_provisional_rating_is_in_no_place(app: App, client: FlaskClient) -> None:
    bill_beats_joao(app)
    text = page(client, "/standings/bipod")
    assert "Nobody has a sure rating yet" in text
    assert re.search(r"– Bill 1662\? 1 .* – Joao 1338\? 1 ", text)


def test_provisional_ratings_stand_in_the_one_table_where_they_belong(app: App, client: FlaskClient) -> None:
    for n in range(24):
        add(app, play(app, begin(app), OPENED), RESIGN, 0 if n % 4 == 0 else 1, {})
    add(app, play(app, begin(app, "Anna", "Joao"), OPENED), RESIGN, 0, {})
    table = page(client, "/standings/bipod").partition("Who begins")[0]
    rows = re.findall(r"(\d+|–) (Bill|Joao|Anna) (\d{4}\??)", table)
    assert {("1", "Bill"), ("2", "Joao"), ("–", "Anna")} == {(place, name) for place, name, _ in rows}
    assert sorted((int(rating.strip("?")) for *_, rating in rows), reverse=True) == [
        int(rating.strip("?")) for *_, rating in rows
    ]
    below_bill = page(client, "/standings/bipod?below=Bill")
    assert [("–" if name == "Anna" else "2", name) for _, name, _ in rows if name != "Bill"] == [
        (place, name) for place, name, _ in re.findall(r"(\d+|–) (Joao|Anna) (\d{4}\??)", below_bill)
    ]


def test_a_table_that_has_ended_goes_back_to_its_top(app: App, client: FlaskClient) -> None:
    for n in range(24):
        add(app, play(app, begin(app), OPENED), RESIGN, 0 if n % 4 == 0 else 1, {})
    text = page(client, "/standings/bipod?below=Joao")
    assert "Nobody else has a sure rating yet" in text
    assert "From the top" in text
    assert "2 Joao" in page(client, "/standings/bipod?below=Bill")
    assert 404 == client.get("/standings/bipod?below=Anna").status_code


def test_a_list_of_names_that_has_ended_goes_back_to_the_first(client: FlaskClient) -> None:
    text = page(client, "/players?after=Zoe")
    assert "Nobody’s name comes after Zoe." in text
    assert "From the first" in text
    assert "The first could be you" not in text


def test_of_a_single_win_no_share_is_told(app: App, client: FlaskClient) -> None:
    bill_beats_joao(app)
    figures = page(client, "/standings/bipod").partition("Who begins")[2]
    assert "The only win so far went to first." in figures
    assert "no difference" not in figures
    assert "1 game finished; the only win went to whoever was first." in page(client, "/standings")


def test_draws_are_no_wins_for_whoever_begins(app: App, client: FlaskClient) -> None:
    add(app, play(app, begin(app), OPENED), AGREE, 0, {})
    assert "Every game so far was drawn." in page(client, "/standings/bipod")


def test_turns_out_of_time_are_told(app: App, client: FlaskClient) -> None:
    rules = RULES["bipod"]
    with app.store.write() as db:
        seats = (player(app, "Bill"), player(app, "Joao"))
        options = rules.start().options
        game = add_game(db, rules, options, 0, seats, True, NOON, read_pace("3d/move"))
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    game = play(app, begun, ["f2 f4 g3", *SEED_PLIES[1:5]])
    flag = (NOON + timedelta(days=4)).isoformat()
    add(app, game, TIMEOUT, 1, {"flag": flag})
    assert "Every one of 3 turns with a clock was made in time" in page(client, "/players/Bill")
    assert "66.7% of 3 turns with a clock were made in time" in page(client, "/players/Joao")


def test_a_vacation_is_told(app: App, client: FlaskClient) -> None:
    with app.store.write() as db:
        week = Vacation(NOON + timedelta(days=40), NOON + timedelta(days=47))
        vacations.store_vacation(db, player(app, "Bill").id, week)
    assert "On vacation from 10 April 2026, 12:00 to 17 April 2026, 12:00." in page(client, "/players/Bill")


def test_games_of_a_player_go_on_from_page_to_page_and_none_is_missing(app: App, client: FlaskClient) -> None:
    for n in range(45):
        first, second = ("Bill", "Joao") if n % 2 else ("Joao", "Bill")
        add(app, begin(app, first, second), RESIGN, 1, {})
    seen: list[str] = []
    path = "/players/Bill"
    while path:
        found = read(client.get(path).text)
        seen += [link for link in found.links if link.startswith("/games/") and link.count("/") == 2]
        path = next((link for link in found.links if "before=" in link), "")
    assert 45 == len({*seen})


def test_an_unknown_player_is_not_found_and_one_in_capitals_is(client: FlaskClient) -> None:
    assert 404 == client.get("/players/Bil").status_code
    assert "Bill" in client.get("/players/Bil").text
    assert 200 == client.get("/players/bill").status_code


def test_players_are_found_by_how_their_names_begin(client: FlaskClient) -> None:
    assert ["/players/Bill"] == [
        link for link in read(client.get("/players?name=bI").text).links if "/players/" in link
    ]
    assert "Nobody’s name begins with %" in page(client, "/players?name=%25")


def test_an_unknown_games_standings_are_not_found(client: FlaskClient) -> None:
    assert 404 == client.get("/standings/chess").status_code
    assert 404 == client.get("/standings/Bipod").status_code, "one page has one address"


@pytest.mark.parametrize("query", ["?before=x", "?before=999999999999", "?before=-1"])
def test_a_wrong_number_in_an_address_harms_nothing(client: FlaskClient, query: str) -> None:
    page(client, f"/players/Bill{query}")


def test_pictures_say_in_words_what_they_show() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    spots = [CurvePoint(moment, 1500, 100), CurvePoint(moment + timedelta(days=31), 1620, 80)]
    assert "From 1500 on 1 January 2026 to 1620 on 1 February 2026" in charts.curve_chart("c", "Curve", spots)
    assert "From 1500 on 1 January 2026" in charts.curve_chart("c", "Curve", spots[:1])
    assert "The most are 3, at b." in charts.bar_chart("b", "Bars", [Bar("a", 0), Bar("b", 3)])
    assert "50%, with 95 % certainty between 40% and 60%." in charts.share_chart("s", "Share", Share(50, 100))


def test_nothing_in_a_picture_is_taken_for_markup() -> None:
    assert "<b>" not in charts.bar_chart("b", "<b>", [Bar("<b>", 1)])


def test_players_are_found_by_the_game_that_they_have_played(app: App, client: FlaskClient) -> None:
    bill_beats_joao(app)
    found = page(client, "/players?game=bipod")
    assert "By name, who have played Bipod" in found
    assert ("Bill" in found, "Joao" in found, "Anna" in found) == (True, True, False)
    assert "Nobody like that has finished a game of Begird." in page(client, "/players?game=begird")
    assert "Joao" not in page(client, "/players?game=bipod&name=b")


def test_who_has_moved_lately_stands_above_the_names_last_first(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2", "g3", "h4"])
    play(app, begin(app, "Anna", "Bill", key="begird"), ["a1"])

    def lately(path: str) -> list[str]:
        text = page(client, path)
        told = text.partition("Moved lately")[2].partition("By name")[0]
        return re.findall(r"(Bill|Joao|Anna) none yet 2\d days ago", told)

    assert ["Bill", "Joao", "Anna"] == lately("/players")
    assert ["Anna"] == lately("/players?game=begird")
    assert [] == lately("/players?name=b") == lately("/players?after=A")
    assert "Bill none yet 29 days ago" in page(client, "/players?name=b")


def test_another_player_is_challenged_on_their_page(app: App, client: FlaskClient) -> None:
    player(app, "Joao")
    sign_in(app, client)
    assert "Play with Joao" in get(client, "/players/Joao").text
    assert "Play with Bill" not in get(client, "/players/Bill").text
    terms = {"game": "begird", "time": "brisk", "rated": "unrated", "seat": "second", "words": "Shall we?"}
    answer = send(client, "/lobby/challenge/Joao", page="/players/Joao", **terms)
    assert (303, "/players/Joao") == (answer.status_code, answer.headers["Location"])
    assert "You asked Joao for Begird" in get(client, "/players/Joao").text
    assert "Shall we?" in last_words(app, JOAO)
    assert 404 == send(client, "/lobby/challenge/Joao", page="/players/Joao", game="chess").status_code
    again = send(client, "/lobby/challenge/Joao", page="/players/Joao", **terms)
    assert 422 == again.status_code


def test_a_pair_of_games_is_asked_for_on_their_page(app: App, client: FlaskClient) -> None:
    player(app, "Joao")
    sign_in(app, client)
    terms = {"game": "bipod", "time": "", "weekends": "", "rated": "", "seat": "pair", "words": "Twice?"}
    assert 303 == send(client, "/lobby/challenge/Joao", page="/players/Joao", **terms).status_code
    with app.store.read() as db:
        (asked,) = challenges.open_challenges(db, app.games_by_key, player(app, "Bill"), app.now())
    assert BOTH_SEATS == asked.seats
    assert "Twice?" in last_words(app, JOAO)


def test_a_player_is_blocked_and_unblocked_on_their_page(app: App, client: FlaskClient) -> None:
    player(app, "Joao")
    sign_in(app, client)
    send(client, "/lobby", page="/players/Joao", order="block Joao")
    page = get(client, "/players/Joao").text
    assert "You have blocked Joao" in page and "Play with Joao" not in page
    send(client, "/lobby", page="/players/Joao", order="unblock Joao")
    assert "Play with Joao" in get(client, "/players/Joao").text
