"""The public pages, as a browser gets them."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.core.game.journal import RESIGN, Entry
from pbem.mail.addresses import Token
from pbem.store import bounces, games
from pbem.web import create_app
from rules import RULES, record
from rules.picture import text
from tests.apps import add_game, player
from tests.people import NOON, SEED_GAME
from tests.web.library import ADDRESSES, PUBLIC, a_short_game, add, begin, open_library, play, the_seeds_game
from tests.web.markup import read


def seen(client: FlaskClient, path: str) -> str:
    """The visible text of a page."""
    answer = client.get(path)
    assert 200 == answer.status_code, answer.text
    return read(answer.text).text


def test_the_front_page_says_how_to_begin_with_the_address_filled_in(app: App, client: FlaskClient) -> None:
    page = read(client.get("/").text)
    assert "bipod" in app.offered
    assert not RULES["bipod"].ask_first
    for words in ("play@pbem.example.org", "register Bill", "yes", "play bipod"):
        assert words in page.text
    assert "mailto:play@pbem.example.org?subject=Games&body=register%20YourName" in page.links
    assert "No game has been played here yet" in page.text


def test_at_home_the_front_page_leads_to_the_mailroom(home: FlaskClient) -> None:
    page = read(home.get("/").text)
    assert "/mailroom" in page.links
    assert [] == [link for link in page.links if link.startswith("mailto:")]


def test_the_front_page_shows_what_is_played_and_how_games_ended(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    a_short_game(app)
    begin(app, "Joao", "Anna")
    words = seen(client, "/")
    assert "1 game running, 2 games finished" in words
    assert re.search(r"– Anna [\d?]+ Joao to play", words)
    assert re.search(r"Bill \d+\? – Joao \d+\? Bill won: Joao resigned\.", words)
    assert "Anna won as Blocker: " in words
    assert "Bill Taylor & Joao Neto, 2004" in words


def test_the_list_shows_every_game_and_goes_on_by_number(app: App, client: FlaskClient) -> None:
    for _ in range(25):
        begin(app)
    page = read(client.get("/games").text)
    assert "25 games, 25 running" in page.text
    assert ("#25" in page.text, "#6, " in page.text, "#5, " in page.text) == (True, True, False)
    assert "/games?before=6" in page.links
    page = read(client.get("/games?before=6").text)
    assert "#5, " in page.text
    assert "/games?after=5" in page.links


def test_the_list_keeps_its_choice_from_page_to_page(app: App, client: FlaskClient) -> None:
    for _ in range(21):
        begin(app)
    begin(app, "Anna", "Joao")
    page = read(client.get("/games?player=bill&state=running").text)
    assert "21 games" in page.text
    assert "Anna – Joao" not in page.text
    assert "/games?before=2&player=Bill&state=running" in page.links


def test_a_player_nobody_knows_is_said_with_a_guess(client: FlaskClient) -> None:
    assert "Nobody here is called Jaoo. Did you mean Joao?" in seen(client, "/games?player=Jaoo")


@pytest.mark.parametrize(
    "query", ["before=x", "after=-1", "before=9" * 30, "state=lost", "game=%00", "player="]
)
def test_a_list_that_cannot_be_meant_is_shown_as_far_as_it_can(client: FlaskClient, query: str) -> None:
    assert 200 == client.get(f"/games?{query}").status_code


def test_a_game_shows_every_ply_with_its_player_time_and_comment(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app, {7: "Enough of these blocks."}, said="Are you sure?")
    words, times = seen(client, "/games/1"), dict.fromkeys(range(20), "1 h") | {1: "2 h", 9: "2 h"}
    for ply in game.state.plies:
        told = f"{ply.n} {game.seats[ply.seat].name} {ply.move} {times[ply.n]} · "
        assert f"{told}{(app.now() - ply.at).days} days ago" in words
    assert "adopt 1 h · 29 days ago Enough of these blocks." in words
    assert "Bill wrote, 29 days ago Are you sure?" in words
    assert "Joao wrote, 29 days ago Well played." in words
    assert 'title="Sunday 1 March 2026, 20:00 UTC">29 days ago</time>' in client.get("/games/1").text
    assert "Bill won: Joao resigned." in words
    assert "Blocks (x) g1 i1 m1 o1 E1 f2 h2 n2 x2 F2 g3 w3 f4 j4 x4 e5 u5 f6 r6" in words


def test_a_running_game_says_whose_turn_it_is_and_what_is_owed(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    words = seen(client, "/games/1")
    assert "Joao is to play move 2" in words
    assert "Joao second, to play" in words
    assert "A move is 1 to 3 blocks, or adopt." in words


def test_a_running_game_says_how_to_have_its_plies_by_mail_and_one_that_is_over_does_not(
    app: App, client: FlaskClient
) -> None:
    running, over = (play(app, begin(app), ["f2 f4 g3"]) for _ in range(2))
    add(app, over, "resign", 1, {})
    mail = "mailto:play@pbem.example.org?subject=Games&body=watch%20"
    assert f"{mail}{running.id}" in read(client.get(f"/games/{running.id}").text).links
    assert f"{mail}{over.id}" not in read(client.get(f"/games/{over.id}").text).links


def test_each_ply_has_a_page_with_the_board_as_it_was_then(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app)
    for n in range(20):
        upto = game.state.plies[n - 1].entry if n else 1
        expected = fold(game, upto=upto).picture
        page = client.get(f"/games/1/{n}").text
        assert f"<title>{expected.title}</title><desc>{expected.description}</desc>" in page


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("/games/1", ["/games/1/0", "/games/1/18"]),
        ("/games/1/7", ["/games/1/0", "/games/1/6", "/games/1/8", "/games/1"]),
        ("/games/1/18", ["/games/1/0", "/games/1/17", "/games/1", "/games/1"]),
        ("/games/1/0", ["/games/1/1", "/games/1"]),
    ],
)
def test_first_previous_next_and_last_are_links(
    app: App, client: FlaskClient, path: str, steps: list[str]
) -> None:
    the_seeds_game(app)
    assert steps == re.findall(r'<a class="step" href="([^"]*)"', client.get(path).text)


def test_a_ply_that_is_not_played_yet_says_how_far_the_game_has_come(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2"])
    answer = client.get("/games/1/2")
    assert 404 == answer.status_code
    assert "Game 1 has no move 2 yet: the last one so far is move 1." in read(answer.text).text


@pytest.mark.parametrize(
    "path",
    [
        "/games/7",
        "/games/999999999999",
        "/games/9999999999999999999999",
        "/games/x",
        "/rules/chess",
        "/nowhere",
        "/games/7/3.svg",
        "/games/7.game",
        "/games/7.json",
        "/static/none.css",
        "/static/../base.html",
    ],
)
def test_what_is_not_there_is_said_kindly(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert 404 == answer.status_code
    page = read(answer.text)
    assert "No such page" in page.text
    assert [] == page.all_problems()
    assert "werkzeug" not in answer.text


def test_a_game_of_a_kind_that_is_gone_is_said_so(app: App, client: FlaskClient) -> None:
    gone = replace(RULES["bipod"], key="tripod")
    seats = player(app, "Bill"), player(app, "Joao")
    with app.store.write() as db:
        add_game(db, gone, gone.start().options, 0, seats, True, NOON)
    answer = client.get("/games/1.json")
    assert 404 == answer.status_code
    assert "Game 1 is of a kind that is not played here any more." in answer.text


def test_the_record_of_a_game_replays_to_the_same_end(app: App, client: FlaskClient) -> None:
    game = the_seeds_game(app, {1: "Good {luck}!\nWrite to bill@example.org"})
    answer = client.get("/games/1.game")
    assert 'attachment; filename="bipod-1.game"' == answer.headers["Content-Disposition"]
    played = record.replay(record.read(answer.text))
    assert text(game.state.picture) == text(played.position.picture())
    assert played.outcome is not None
    assert 0 == played.outcome.winner
    lines = answer.text.splitlines()
    assert '[Result "first"]' in lines
    assert '[Ended "resignation"]' in lines
    assert "1 first f2 f4 g3 {Good (luck)! Write to bill@…}" in lines
    assert "second resign {Well played.}" in lines


def test_the_record_of_a_running_game_can_be_taken_home_too(app: App, client: FlaskClient) -> None:
    play(app, begin(app), SEED_GAME[:4])
    answer = client.get("/games/1.game")
    assert '[Result "*"]' in answer.text
    assert 4 == record.replay(record.read(answer.text)).position.ply


def test_the_seed_of_a_dealt_board_is_told_when_the_game_is_over(app: App, client: FlaskClient) -> None:
    places = ("games/1", "games/1/0", "games/1.game", "games/1.json", "api/games/1", "games/1/0.svg")
    game = begin(app, key="bagel", seed=271828182845)
    running = [client.get(f"/{place}") for place in places]
    assert [] == [answer.request.path for answer in running if "271828182845" in answer.text]
    add(app, game, RESIGN, 1, {})
    over = [client.get(f"/{place}") for place in places]
    told = [answer.request.path for answer in over if "271828182845" in answer.text]
    assert told == [f"/{place}" for place in places[:5]]


def test_a_games_data_holds_what_is_public_of_it(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, {7: "Enough."}, said="Sure?")
    data = client.get("/games/1.json").json
    assert data is not None
    assert {"first": "Bill", "second": "Joao"} == data["players"]
    assert ("first", "resignation") == (data["result"], data["outcome"]["how"])
    assert {
        "n": 7,
        "seat": "first",
        "move": "adopt",
        "at": "2026-03-01T20:00:00Z",
        "comment": "Enough.",
        "seconds": 3600,
    } == data["plies"][6]
    assert ["Sure?", "Well played."] == [said["words"] for said in data["said"]]
    assert [] == data["playable"]
    assert {"size": 5, "middle": 5, "rows": 6, "stones": 3} == data["options"]


def test_a_board_by_itself_is_a_whole_svg_file(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    whole, small = client.get("/games/1/7.svg"), client.get("/games/1/7-small.svg")
    for answer in (whole, small):
        assert "image/svg+xml; charset=utf-8" == answer.content_type
        assert "<title>Bipod after move 7</title>" in answer.text
    assert 'class="coordinates"' in whole.text
    assert 'class="coordinates"' not in small.text


def test_players_words_are_shown_as_words_and_nobodys_address_is(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2"], {1: '<script>alert(1)</script> write to "bill@example.org"'})
    add(app, game, "say", 1, {"words": "<img src=x onerror=alert(2)>\n\nJoao <joao@example.net>"})
    for path in ("/", "/games", "/games/1", "/games/1/1", "/games/1.game", "/games/1.json"):
        answer = client.get(path)
        for address in ADDRESSES.values():
            assert address not in answer.text, path
    page = client.get("/games/1").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; write to &#34;bill@…&#34;" in page
    assert "<p>&lt;img src=x onerror=alert(2)&gt;</p><p>Joao &lt;joao@…&gt;</p>" in page


def test_the_directors_reason_gives_nobodys_address_away(app: App, client: FlaskClient) -> None:
    reason = "Joao <joao@example.net> is ill."
    add(app, begin(app), "adjudicate", None, {"result": "first", "reason": reason})
    forms = (".json", ".game", ".record.json", ".svg", "/postcard.svg", "")
    feeds = ("/feeds/results.atom", "/feeds/games/1.atom")
    for path in ("/", "/games", *(f"/games/1{form}" for form in forms), *feeds, "/players/Bill"):
        answer = client.get(path)
        assert (200, False) == (answer.status_code, "joao@example" in answer.text), path


def test_a_ply_taken_back_is_told_of_whoever_made_it(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2"])
    game = add(app, game, "undo", 1, {"to": 2})
    anna, bill = player(app, "Anna"), player(app, "Bill")
    facts = {"player": anna.id, "name": "Anna", "was": bill.id, "old": "Bill", "turn": True}
    add(app, game, "replace", 0, {**facts, "reason": "Bill is ill."})
    with app.store.write() as db:
        games.reseat(db, game, 0, anna)
    assert "1 move taken back 1 Bill f2" in seen(client, "/games/1")


def test_a_page_that_has_not_changed_is_not_sent_again(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2"])
    for path in ("/", "/games", "/games/1", "/games/1/1", "/games/1/1.svg", "/games/1.json", "/rules/bipod"):
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (304, b"") == (again.status_code, again.data), path
    tag = client.get("/games/1").headers["ETag"]
    play(app, game, ["g3"])
    assert 200 == client.get("/games/1", headers={"If-None-Match": tag}).status_code


@pytest.mark.parametrize("query", ["before=1", "after=2", "before=1&state=running"])
def test_a_list_that_has_ended_goes_back_to_its_first_game(app: App, client: FlaskClient, query: str) -> None:
    begin(app)
    begin(app)
    page = client.get(f"/games?{query}").text
    assert "There are no more in this direction" in page
    assert "The first game is still to be played" not in page
    assert "/games?state=running" in page or "state" not in query


@pytest.mark.parametrize(
    ("word", "place"),
    [("y", "/rules/begird#y"), ("Hex", "/rules/hex#hex"), ("havannah10", "/rules/havannah#havannah10")],
)
def test_another_name_of_a_game_leads_to_its_rules(client: FlaskClient, word: str, place: str) -> None:
    found = client.get(f"/rules/{word}")
    assert (301, place) == (found.status_code, found.headers["Location"])
    assert 'id="y"' in client.get("/rules/begird").text


def test_a_game_that_is_not_on_offer_any_more_still_has_its_rules_and_figures(
    app: App, client: FlaskClient
) -> None:
    the_seeds_game(app)
    there = with_settings(app, games=("begird",))
    assert "No new games of Bipod are begun here" in there.get("/rules/bipod").text
    for path in ("/standings/bipod", "/feeds/rules/bipod.atom", "/api/standings/bipod", "/api/rules/bipod"):
        assert 200 == there.get(path).status_code, path
    assert 404 == there.get("/rules/chess").status_code
    assert '<option value="bipod" selected>' in there.get("/games?game=bipod").text
    assert "No new games" not in client.get("/rules/bipod").text


def with_settings(app: App, **changed: Any) -> FlaskClient:
    """The pages after a restart with other settings."""
    return create_app(replace(app, config=replace(app.config, **changed))).test_client()


TOLD = ({"host": "games.example.org"}, {"site": "https://games.example.org"}, {"games": ("bipod",)})
"""Settings that appear on pages."""


@pytest.mark.parametrize("changed", TOLD, ids=lambda changed: next(iter(changed)))
def test_who_has_pages_gets_them_anew_once_the_server_is_called_otherwise(
    app: App, client: FlaskClient, changed: dict[str, Any]
) -> None:
    begin(app)
    then = with_settings(app, **changed)
    for path in ("/games/1", "/rules", "/rules/bipod", "/study"):
        known = {"If-None-Match": client.get(path).headers["ETag"]}
        assert 200 == then.get(path, headers=known).status_code, path


def test_who_has_records_gets_them_anew_once_another_key_signs_them(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    then = with_settings(app, secret="t" * 32)
    for path in ("/games/1.game", "/games/1.record.json", "/records/all.games"):
        had = client.get(path)
        now = then.get(path, headers={"If-None-Match": had.headers["ETag"]})
        assert (200, True) == (now.status_code, now.data != had.data), path


def test_pages_about_games_say_when_they_last_changed(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2"])
    for path in ("/", "/games", "/games/1", "/games/1/0", "/games/1.game"):
        assert "Sun, 01 Mar 2026 14:00:00 GMT" == client.get(path).headers["Last-Modified"], path


@pytest.mark.parametrize(
    "path", ["/seeks", "/standings/bagel", "/records/all.json", "/feeds/rules/bagel.atom", "/"]
)
def test_what_may_change_without_a_date_is_not_known_by_one(client: FlaskClient, path: str) -> None:
    dated = {"If-Modified-Since": client.get(path).headers["Last-Modified"]}
    assert 200 == client.get(path, headers=dated).status_code


def test_a_game_that_is_over_is_known_by_its_date_and_one_that_goes_on_is_not(
    app: App, client: FlaskClient
) -> None:
    ended = the_seeds_game(app)
    begin(app)
    asked = [
        (path, client.get(path).headers["Last-Modified"]) for path in ("/games/1/words", "/games/2/words")
    ]
    codes = [client.get(path, headers={"If-Modified-Since": date}).status_code for path, date in asked]
    assert [304, 200] == codes
    before = {"If-Modified-Since": asked[0][1]}
    later = add(app, ended, "say", 0, {"words": "Another one?"})
    assert 200 == client.get("/games/1/words", headers=before).status_code
    with app.store.write() as db:  # dated earlier, as the mail travelled long
        said = Entry(len(later.journal) + 1, NOON, "say", 1, {"words": "Gladly."})
        games.append_entries(db, later, fold(later.with_entries([said])), [said])
    assert 200 == client.get("/games/1/words", headers=before).status_code


def test_nothing_of_a_game_is_kept_unasked_as_a_director_may_open_it_again(
    app: App, client: FlaskClient
) -> None:
    game = the_seeds_game(app)
    for path in ("/games/1", "/games/1/7", "/games/1.json", "/games/1.game", "/games/1/7.svg"):
        assert "public, no-cache" == client.get(path).headers["Cache-Control"], path
    tag = client.get("/games/1/7.svg").headers["ETag"]
    entry = game.state.plies[5].entry
    add(app, game, "rollback", None, {"ply": 6, "entry": entry, "reason": "Move 7 was not Bill's."})
    assert 404 == client.get("/games/1/7.svg", headers={"If-None-Match": tag}).status_code


def test_what_is_said_after_the_end_is_seen_by_who_has_the_page_already(
    app: App, client: FlaskClient
) -> None:
    game = the_seeds_game(app)
    tags = {path: client.get(path).headers["ETag"] for path in ("/games/1", "/games/1.json")}
    add(app, game, "say", 0, {"words": "Another one?"})
    for path, tag in tags.items():
        assert "Another one?" in client.get(path, headers={"If-None-Match": tag}).text, path


def test_pages_travel_packed_and_a_game_in_under_60_kb(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, dict.fromkeys(range(1, 20), "Words to the other player. " * 8))
    plain, packed = client.get("/games/1"), client.get("/games/1", headers={"Accept-Encoding": "gzip"})
    assert "gzip" == packed.headers["Content-Encoding"]
    assert plain.data == gzip.decompress(packed.data)
    assert plain.headers["ETag"] == packed.headers["ETag"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    wire = sum(
        len(client.get(path, headers={"Accept-Encoding": "gzip"}).data) for path in read(plain.text).loads
    )
    assert len(packed.data) + wire < 60_000


def test_static_files_are_kept_until_they_change(client: FlaskClient) -> None:
    (sheet,) = (path for path in read(client.get("/").text).loads if "base.css" in path)
    answer = client.get(sheet)
    assert "text/css; charset=utf-8" == answer.content_type
    assert "public, max-age=31536000, immutable" == answer.headers["Cache-Control"]
    assert "public, no-cache" == client.get("/static/base.css").headers["Cache-Control"]
    assert 304 == client.get(sheet, headers={"If-None-Match": answer.headers["ETag"]}).status_code


PATHS = ("/", "/games", "/games/1", "/games/1/7", "/games/2", "/rules", "/rules/bipod", "/nowhere", "/status")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_forbids_what_pages_do_not_need(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app)
    begin(app)
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert ("nosniff", "no-referrer") == (headers["X-Content-Type-Options"], headers["Referrer-Policy"])
    assert "Set-Cookie" not in headers


@pytest.mark.parametrize("path", PATHS[:-1])
def test_every_page_is_well_made(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app, {3: "Hm.\n\nWell."}, said="Sure?")
    begin(app)
    answer = client.get(path)
    page = read(answer.text)
    assert [] == page.all_problems()
    assert answer.text.startswith('<!doctype html>\n<html lang="en">')


@pytest.mark.slow
def test_every_link_within_the_pages_leads_somewhere(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    begin(app)
    found, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        answer = client.get(path, follow_redirects=True)
        assert 200 == answer.status_code, path
        found.add(path)
        if answer.mimetype == "text/html":
            page = read(answer.text)
            targets = {link.partition("#")[0] for link in (*page.links, *page.loads)}
            ours = {target for target in targets if target.startswith("/")} - found
            waiting += ours - set(waiting)
    assert {"/games/1/0", "/games/1.game", "/rules/bipod"} <= {path.partition("?v=")[0] for path in found}


def test_the_rules_page_draws_its_examples_and_lets_the_rules_answer(client: FlaskClient) -> None:
    answer = client.get("/rules/bipod")
    page = read(answer.text)
    assert 6 == answer.text.count('<svg xmlns="http://www.w3.org/2000/svg" class="board bipod"')
    assert "f7: there is no row 7; column f has rows 2, 4 and 6." in page.text
    assert "no terms" in page.text
    for option in RULES["bipod"].options:
        assert option.help in page.text


def test_every_game_on_offer_has_a_page_of_rules(app: App, client: FlaskClient) -> None:
    for key, rules in app.offered.items():
        words = seen(client, f"/rules/{key}")
        assert rules.designer in words
        assert rules.terms in words
        assert rules.turn in words


def test_a_game_without_drawn_rules_shows_their_text(tmp_path: Path, sqlite_url: str) -> None:
    own = tmp_path / "own"
    (own / "rules").mkdir(parents=True)
    (own / "rules" / "bipod.html").write_text('{% include "rules_as_text.html" %}')
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_TEMPLATES=str(own))
    page = read(create_app(app).test_client().get("/rules/bipod").text)
    app.close()
    assert "a game by Bill Taylor and Joao Neto, 2004" in page.text


def test_a_page_that_fails_says_it_is_our_mistake_and_nothing_else(tmp_path: Path, sqlite_url: str) -> None:
    own = tmp_path / "own"
    (own / "web").mkdir(parents=True)
    (own / "web" / "games.html").write_text("{{ 1 // 0 }}")
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_TEMPLATES=str(own))
    answer = create_app(app).test_client().get("/games")
    app.close()
    assert 500 == answer.status_code
    assert "Our mistake" in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert "no-store" == answer.headers["Cache-Control"]


def test_without_its_database_the_site_says_so_and_asks_for_patience(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    client = create_app(app).test_client()
    app.close()
    (tmp_path / "pbem.sqlite").unlink()
    (tmp_path / "pbem.sqlite").mkdir()
    answer = client.get("/games")
    assert (503, "10") == (answer.status_code, answer.headers["Retry-After"])
    assert "Not just now" in answer.text
    assert 200 == client.get("/rules/bipod").status_code
    down = client.get("/status")
    assert (503, "down") == (down.status_code, down.json and down.json["status"])


def test_the_log_of_a_database_that_is_gone_holds_no_token(
    tmp_path: Path, sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    token = app.addressing.sign_token(Token("unsubscribe", (1, 0, 0)))
    client = create_app(app).test_client()
    app.close()
    (tmp_path / "pbem.sqlite").unlink()
    (tmp_path / "pbem.sqlite").mkdir()
    assert 503 == client.get(f"/unsubscribe/{token}").status_code
    assert "unsubscribing.ask: the database does not answer" in caplog.text
    assert token not in caplog.text


def test_a_player_whose_mail_comes_back_is_marked_while_the_game_runs(app: App, client: FlaskClient) -> None:
    begin(app)
    words = "Mail to Bill comes back."
    before = client.get("/games/1")
    assert words not in read(before.text).text
    with app.store.write() as db:
        bounces.suspend_address(db, ADDRESSES["Bill"], NOON)
    after = client.get("/games/1", headers={"If-None-Match": before.headers["ETag"]})
    assert 200 == after.status_code
    assert words in read(after.text).text
    assert "1 game, 1 running. Mail to Bill comes back;" in seen(client, "/games?player=bill")
    assert "comes back" not in seen(client, "/games?player=Joao")
    with app.store.write() as db:
        bounces.lift_suspensions(db, player(app, "Bill"))
    assert words not in seen(client, "/games/1")


def test_that_mail_to_the_other_comes_back_now_is_seen_by_who_has_the_page(
    app: App, client: FlaskClient
) -> None:
    begin(app)
    with app.store.write() as db:
        bounces.suspend_address(db, ADDRESSES["Bill"], NOON)
    before = client.get("/games/1")
    with app.store.write() as db:
        bounces.lift_suspensions(db, player(app, "Bill"))
        bounces.suspend_address(db, ADDRESSES["Joao"], NOON + timedelta(days=1))
    after = client.get("/games/1", headers={"If-None-Match": before.headers["ETag"]})
    assert "Mail to Joao comes back." in after.text


def test_a_game_that_is_over_says_nothing_of_mail_that_comes_back(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    with app.store.write() as db:
        bounces.suspend_address(db, ADDRESSES["Joao"], NOON)
    assert "comes back" not in seen(client, "/games/1")


def test_a_game_page_shows_what_waits_for_an_answer_and_when_the_clocks_stand(
    app: App, client: FlaskClient
) -> None:
    game = add(app, begin(app), "offer", 0, {})
    game = add(app, game, "ask-pause", 0, {"days": 5})
    page = seen(client, f"/games/{game.id}")
    assert "Bill has offered a draw; the offer is open until 15 March 2026" in page
    assert "Bill has asked for a pause of 5 days; it can be agreed to until 8 March 2026" in page
    game = add(app, game, "pause", 1, {"until": "2126-03-09T00:00:00+00:00"})
    page = seen(client, f"/games/{game.id}")
    assert "As both agreed, the clocks are stopped from 1 March 2026, 16:00 until 9 March 2126" in page
    assert "asked for a pause" not in page
    game = add(app, game, "flag", 0, {"flag": "2026-03-20T00:00:00+00:00"})
    assert "Bill has been out of time since 20 March 2026" in seen(client, f"/games/{game.id}")


def test_names_have_ratings_beside_them_and_those_that_are_provisional_say_so(
    app: App, client: FlaskClient
) -> None:
    the_seeds_game(app)
    for path in ("/", "/games", "/games/1", "/players/Bill"):
        page = client.get(path).text
        assert re.search(r'title="provisional: [^"]+">1\d\d\d\?</span>', page), path
    assert re.search(r"Rated yes: Bill 1500 → 16\d\d, Joao 1500 → 13\d\d", seen(client, "/games/1"))


def test_a_page_is_another_once_a_player_has_another_rating(app: App, client: FlaskClient) -> None:
    the_seeds_game(app)
    known = {"If-None-Match": client.get("/games/1").headers["ETag"]}
    assert 304 == client.get("/games/1", headers=known).status_code
    the_seeds_game(app)
    assert 200 == client.get("/games/1", headers=known).status_code


@pytest.mark.parametrize("key", ["bagel", "begird", "bipod", "bounders", "hexthing"])
def test_rules_begin_with_a_table_of_their_contents(client: FlaskClient, key: str) -> None:
    text = client.get(f"/rules/{key}").text
    listed = re.findall(r'<li><a href="#([\w-]+)">(.+)</a></li>', text)
    assert re.findall(r'<h2 id="([\w-]+)">(.+)</h2>', text) == [*listed, ("glance", "At a glance")]
    assert len(listed) >= 6
