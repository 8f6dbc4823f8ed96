"""`/settings`: signing in by a mailed link, and changing preferences."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from pbem.app import App
from pbem.core.game.journal import SAY
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import CATEGORIES
from pbem.duties.signin import LINKS_PER_HOUR, send_links
from pbem.store import limits, moderation, players, tables, vacations
from pbem.web import create_app
from pbem.web.pages.preference_forms import SWITCHES, TICKS
from tests.apps import player
from tests.web.library import ADDRESSES, add, begin
from tests.web.markup import read
from tests.web.signing_in import SITE, asked_for_link, get, letters, send, sign_in

BILL = ADDRESSES["Bill"]


def later(app: App, by: timedelta) -> FlaskClient:
    """A browser at the same server after some time."""
    then = app.now() + by
    return create_app(replace(app, clock=lambda: then)).test_client()


# Signing in.


@pytest.mark.parametrize("who", ["Bill", "bill", BILL, f" {BILL.upper()} "])
def test_a_player_asks_by_name_or_address_and_signs_in_by_the_letters_link(
    app: App, client: FlaskClient, who: str
) -> None:
    send(client, "/settings", who=who)
    assert 1 == send_links(app)
    (letter,) = letters(app, BILL)
    assert "Sign in on the web, Bill" == letter.header("Subject")
    link = re.search(rf"{SITE}(/settings/in/\S+)", letter.text)
    assert link is not None
    assert "Sign in as Bill?" in get(client, link[1]).text
    answer = send(client, link[1], page=link[1])
    assert 303 == answer.status_code
    page = read(get(client, "/settings").text)
    assert "Bill Sign out" in page.text
    assert [] == page.all_problems()


def test_the_pages_of_the_door_are_whole(app: App, client: FlaskClient) -> None:
    link = asked_for_link(app, client)
    for answer in (
        get(client, "/settings"),
        send(client, "/settings", who="Bill"),
        get(client, link),
        get(client, "/settings/in/none"),
    ):
        assert [] == read(answer.text).all_problems()
        assert ("no-store", "no-referrer") == (
            answer.headers["Cache-Control"],
            answer.headers["Referrer-Policy"],
        )


def test_whoever_is_known_and_whoever_is_not_get_the_same_page_for_the_same_work(
    app: App, client: FlaskClient
) -> None:
    statements: list[str] = []
    from sqlalchemy import event

    event.listen(
        app.store.engine,
        "before_cursor_execute",
        lambda conn, cursor, statement, *rest: statements.append(statement),
    )
    done = []
    for who in ("Bill", "Nobody", BILL, "nobody@example.org"):
        statements.clear()
        answer = send(client, "/settings", who=who)
        done.append((answer.status_code, answer.text.partition("<main")[2], tuple(statements)))
    assert 1 == len(set(done))
    assert 4 == send_links(app)
    assert [] == letters(app, "nobody@example.org")


def test_what_was_typed_is_not_kept(app: App, client: FlaskClient) -> None:
    for who in ("Bill", "nobody@example.org"):
        send(client, "/settings", who=who)
    send_links(app)
    with app.store.read() as db:
        assert [""] == list(db.scalars(select(tables.signins.c.asked)))


def test_looking_at_the_link_signs_nobody_in_however_often(app: App, client: FlaskClient) -> None:
    link = asked_for_link(app, client)
    robot = create_app(app).test_client()
    for method in (robot.get, robot.head, robot.get):
        assert 200 == method(link, base_url=SITE).status_code
    assert "Send me a link" in get(robot, "/settings").text
    send(client, link, page=link)
    assert "Sign out" in get(client, "/settings").text


def test_a_link_works_once(app: App, client: FlaskClient) -> None:
    link = asked_for_link(app, client)
    send(client, link, page=link)
    thief = create_app(app).test_client()
    assert 410 == get(thief, link).status_code
    answer = send(thief, link)
    assert (410, None) == (answer.status_code, answer.headers.get("Location"))
    assert "This link no longer works" in answer.text


def test_a_link_is_good_for_a_quarter_of_an_hour(app: App, client: FlaskClient) -> None:
    link = asked_for_link(app, client)
    assert 200 == get(later(app, timedelta(minutes=14, seconds=59)), link).status_code
    late = later(app, timedelta(minutes=15))
    assert 410 == get(late, link).status_code
    assert 410 == send(late, link).status_code


def test_a_reply_address_signs_nobody_in(app: App, client: FlaskClient) -> None:
    asked_for_link(app, client)
    reply = letters(app, BILL)[-1].header("Reply-To")
    token = re.search(r"\+([a-z2-7]+)@", reply)
    assert token is not None
    assert 410 == get(client, f"/settings/in/{token[1]}").status_code


def test_links_of_an_hour_are_few_whoever_asks(app: App) -> None:
    for _ in range(LINKS_PER_HOUR + 3):
        send(create_app(app).test_client(), "/settings", who="Bill")
    send_links(app)
    assert LINKS_PER_HOUR == len(letters(app, BILL))


def test_a_client_that_asks_very_often_is_asked_to_wait(app: App, client: FlaskClient) -> None:
    answers = [send(client, "/settings", who="Bill").status_code for _ in range(12)]
    assert [200] * 10 + [429] * 2 == answers
    assert 200 == send(later(app, timedelta(hours=1)), "/settings", who="Bill").status_code


# The session.


def test_the_cookie_is_for_this_host_alone_and_not_for_scripts(app: App, client: FlaskClient) -> None:
    link = asked_for_link(app, client)
    cookie = send(client, link, page=link).headers["Set-Cookie"]
    name, _, rest = cookie.partition("=")
    assert "__Host-pbem_session" == name
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"} <= set(rest.split("; "))
    assert "Domain" not in rest


def test_only_the_digest_of_a_session_is_kept(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    cookie = client.get_cookie("__Host-pbem_session", "pbem.example.org")
    assert cookie is not None
    with app.store.read() as db:
        kept = [
            str(value)
            for table in (tables.sessions, tables.signins)
            for row in db.execute(select(table))
            for value in row
        ]
    assert not any(cookie.value in value for value in kept)


def test_a_session_that_was_there_before_is_not_taken_over(app: App, client: FlaskClient) -> None:
    client.set_cookie("__Host-pbem_session", "a" * 32, domain="pbem.example.org", secure=True)
    sign_in(app, client)
    cookie = client.get_cookie("__Host-pbem_session", "pbem.example.org")
    assert cookie is not None
    assert "a" * 32 != cookie.value


def test_a_session_lasts_thirty_days(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    cookie = client.get_cookie("__Host-pbem_session", "pbem.example.org")
    assert cookie is not None
    for days, words in ((29, "Sign out"), (30, "Send me a link")):
        browser = later(app, timedelta(days=days))
        browser.set_cookie("__Host-pbem_session", cookie.value, domain="pbem.example.org", secure=True)
        assert words in get(browser, "/settings").text


def test_signing_out_ends_this_session_and_everywhere_all(app: App, client: FlaskClient) -> None:
    other, third = create_app(app).test_client(), create_app(app).test_client()
    for browser in (client, other, third):
        sign_in(app, browser)
    assert "In 3 browsers" in get(client, "/settings").text
    kept = client.get_cookie("__Host-pbem_session", "pbem.example.org")
    assert kept is not None
    send(client, "/settings/out")
    client.set_cookie("__Host-pbem_session", kept.value, domain="pbem.example.org", secure=True)
    assert "Send me a link" in get(client, "/settings").text
    assert "In 2 browsers" in get(other, "/settings").text
    send(other, "/settings/out", everywhere="1")
    assert "Send me a link" in get(third, "/settings").text


def test_renewed_reply_addresses_end_every_session(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    with app.store.write() as db:
        players.revoke_addresses(db, player(app, "Bill"))
    assert "Send me a link" in get(client, "/settings").text


def test_nothing_is_changed_without_a_session_or_without_the_forms_mark(
    app: App, client: FlaskClient
) -> None:
    stranger = create_app(app).test_client()
    assert 410 == send(stranger, "/settings/change/letters", zone="Berlin").status_code
    sign_in(app, client)
    for mark in ("", "0" * 64):
        data = {"mark": mark, "zone": "Berlin"}
        assert 400 == client.post("/settings/change/letters", base_url=SITE, data=data).status_code
    assert "UTC" == player(app, "Bill").preferences.zone


def test_the_mark_of_one_session_is_not_good_in_another(app: App, client: FlaskClient) -> None:
    from tests.web.signing_in import mark

    old = mark(sign_in(app, client).text)
    send(client, "/settings/out")
    sign_in(app, client, "Joao")
    answer = client.post("/settings/change/letters", base_url=SITE, data={"mark": old, "zone": "Berlin"})
    assert 400 == answer.status_code
    assert "UTC" == player(app, "Joao").preferences.zone


# Changing.


def bill(app: App) -> Player:
    return player(app, "Bill")


def test_how_letters_look_is_set_at_once_by_the_commands_of_mail(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    answer = send(
        client,
        "/settings/change/letters",
        zone="berlin",
        format="text",
        board="text",
        stones="off",
        undo="10",
    )
    assert "/settings?saved=letters#letters" == answer.headers["Location"]
    preferences = bill(app).preferences
    assert ("Europe/Berlin", "text", "text", False, 10) == (
        preferences.zone,
        preferences.format,
        preferences.board,
        preferences.stones,
        preferences.undo,
    )
    page = get(client, answer.headers["Location"]).text
    assert "Saved: the next letter comes so." in page
    assert 'value="Europe/Berlin"' in page
    assert 1 == len(letters(app, BILL))  # the sign-in link; the page shows the rest


def test_what_mail_would_refuse_the_page_refuses_and_nothing_of_the_form_is_kept(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    answer = send(client, "/settings/change/letters", format="text", zone="Berln")
    assert 422 == answer.status_code
    page = read(answer.text)
    assert "No time zone is called Berln. Did you mean" in page.text
    assert "<code>Europe/Berlin</code>" in answer.text
    assert 'value="Berln"' in answer.text
    assert [] == page.all_problems()
    assert "both" == bill(app).preferences.format


@pytest.mark.parametrize(
    ("key", "field", "typed", "sentence"),
    [
        ("letters", "zone", "Berln", "Did you mean <code>Europe/Berlin</code>"),
        (
            "letters",
            "zone",
            "nowhere",
            "<code>Europe/Berlin</code>, <code>New York</code> or <code>UTC+2</code>",
        ),
        ("kinds", "seeks", "chess", "<code>on</code>, <code>bipod bounders</code> or <code>off</code>"),
        ("letters", "undo", "90", "write <code>10m</code> or <code>off</code>"),
        ("reminders", "quiet", "night", "write <code>22-7</code> or <code>off</code>"),
        ("reminders", "remind", "soon", "<code>soon</code> cannot be read here: write <code>2d 12h</code>"),
        ("reminders", "remind", "90d", "write <code>48h 12h</code>"),
        ("limits", "most-bipod", "-1", "<code>-1</code> cannot be read here: write <code>3</code>"),
        ("vacation", "days", "some", "<code>some</code> cannot be read here: write <code>3</code>"),
        ("block", "name", "", "Please fill this in first."),
        ("block", "name", "Nobody", "Nobody"),
        ("add", "address", "Joao", "Joao"),
    ],
)
def test_a_refused_field_says_what_to_write_in_it(
    app: App, client: FlaskClient, key: str, field: str, typed: str, sentence: str
) -> None:
    sign_in(app, client)
    answer = send(client, f"/settings/change/{key}", **{field: typed})
    assert 422 == answer.status_code
    page = read(answer.text)
    assert [] == page.all_problems()
    told = re.search(r'<p class="problem" id="problem" role="alert">(.*?)</p>', answer.text)
    assert told is not None
    assert sentence in told[1]
    assert not re.search(r"<code>(?:set|remind|limit|vacation|block)\b", told[1])
    (wrong,) = re.findall(r'<input[^>]*aria-invalid="true"[^>]*>', answer.text)
    assert f'name="{field}"' in wrong
    assert f'value="{typed}"' in wrong
    assert 'aria-describedby="problem' in wrong


def test_letters_of_a_kind_are_stopped_and_begun_again(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    send(client, "/settings/change/kinds", wanted=["turns", "results", "reminders"])
    unticked = set(TICKS) - {"turns", "results", "reminders"}
    assert unticked == bill(app).stopped, "each category without a switch has a tick on the page"
    send(client, "/settings/change/kinds", wanted=["turns", "chat"])
    assert "chat" not in bill(app).stopped
    assert "results" in bill(app).stopped


def test_ticks_stay_as_they_were_sent_beside_a_field_that_is_refused(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    refused = send(client, "/settings/change/kinds", wanted=["turns"], seeks="chess")
    assert 422 == refused.status_code
    assert ["turns"] == re.findall(r'name="wanted" value="(\w+)" checked', refused.text)


def test_reminders_quiet_hours_and_the_digest_are_set(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    send(client, "/settings/change/reminders", remind="2d 12h", quiet="23-6", digest="7", calendar="on")
    preferences = bill(app).preferences
    assert ("48h 12h", "23-6", 7, True) == (
        preferences.remind,
        preferences.quiet,
        preferences.digest,
        preferences.calendar,
    )
    send(client, "/settings/change/reminders", remind="48h 12h", quiet="23-6", digest="off", calendar="on")
    assert bill(app).preferences.digest is None


def test_days_off_are_taken_ended_planned_and_cancelled(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    send(client, "/settings/change/vacation", days="3")
    page = get(client, "/settings").text
    assert "You are on vacation until" in page
    send(client, "/settings/change/back")
    assert "You are on vacation" not in get(client, "/settings").text
    send(client, "/settings/change/vacation", **{"from": "2026-05-01", "to": "2026-05-04"})
    assert "Planned:" in get(client, "/settings").text
    send(client, "/settings/change/cancel")
    assert "Planned:" not in get(client, "/settings").text
    with app.store.read() as db:
        taken = vacations.vacations_of_players(db, [bill(app).id])[bill(app).id]
    assert all(block.begins <= app.now() for block in taken)


def test_days_off_are_told_in_the_players_own_zone(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    send(client, "/settings/change/letters", zone="Berlin")
    send(client, "/settings/change/vacation", **{"from": "2026-05-01", "to": "2026-05-04"})
    page = " ".join(get(client, "/settings").text.split())
    assert "Planned: Friday 1 May 2026, 00:00 CEST to Tuesday 5 May 2026, 00:00 CEST" in page


def test_every_kind_of_letter_can_be_stopped_and_none_is_stopped_unseen(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    page = get(client, "/settings").text
    ticks = re.findall(r'name="wanted" value="([a-z]+)"', page)
    assert sorted(CATEGORIES) == sorted([*ticks, *SWITCHES.values()])
    for field in SWITCHES:
        assert 1 == page.count(f'name="{field}"')


def fields_of(page: str, section: str) -> dict[str, list[str]]:
    """Return what a browser sends for a form that nobody has changed."""
    part = page.partition(f'<section id="{section}"')[2].partition("</section>")[0]
    found: dict[str, list[str]] = {}
    for select_, options in re.findall(r'<select[^>]*name="([^"]+)">(.*?)</select>', part, re.DOTALL):
        values = re.findall(r'value="([^"]*)"( selected)?', options)
        found[select_] = [next((value for value, on in values if on), values[0][0])]
    for tag in re.findall(r"<input[^>]*>", part):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and value and ("checkbox" not in tag or "checked" in tag):
            found.setdefault(name[1], []).append(value[1])
    return found


@pytest.mark.parametrize("stopped", [set(), {"paper", "puzzles", "seeks", "digests", "reminders", "chat"}])
@pytest.mark.parametrize("on", [False, True])
def test_a_form_saved_as_it_was_shown_stops_and_starts_nothing(
    app: App, client: FlaskClient, stopped: set[str], on: bool
) -> None:
    page = sign_in(app, client).text
    if on:
        kept = {"paper": "on", "puzzles": "daily", "seeks": "bipod"}
        send(client, "/settings/change/kinds", wanted=sorted(CATEGORIES), **kept)
        send(client, "/settings/change/reminders", remind="48h", digest="7")
    with app.store.write() as db:
        for category in stopped:
            players.set_category_stopped(db, bill(app), category)
    before = bill(app)
    for section in ("kinds", "letters", "reminders"):
        page = get(client, "/settings").text
        answer = send(client, f"/settings/change/{section}", **fields_of(page, section))
        assert 303 == answer.status_code
    assert before == bill(app)


def test_letters_stopped_by_their_address_are_off_on_the_page_and_start_from_there(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    send(client, "/settings/change/kinds", wanted=sorted(CATEGORIES), paper="on")
    send(client, "/settings/change/reminders", digest="7")
    with app.store.write() as db:
        for category in ("paper", "digests"):
            players.set_category_stopped(db, bill(app), category)
    page = get(client, "/settings").text
    assert ["off"] == fields_of(page, "kinds")["paper"]
    assert ["off"] == fields_of(page, "reminders")["digest"]
    send(client, "/settings/change/kinds", wanted=sorted(CATEGORIES), paper="on")
    send(client, "/settings/change/reminders", digest="7")
    assert not {"paper", "digests"} & bill(app).stopped


def test_days_off_that_there_are_not_are_refused(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    for form in (
        {"days": "200"},
        {"days": "some"},
        {"from": "", "to": ""},
        {"from": "2020-01-01", "to": "x"},
    ):
        assert 422 == send(client, "/settings/change/vacation", **form).status_code


@pytest.mark.parametrize(
    ("form", "sentence", "field"),
    [
        ({"days": "3", "from": "2026-05-01", "to": "2026-05-04"}, "but not the days and a date", "days"),
        ({"days": "3", "to": "2026-05-04"}, "but not the days and a date", "days"),
        ({"from": "2026-05-01"}, "Fill in both dates", "to"),
        ({"to": "2026-05-04"}, "Fill in both dates", "from"),
        ({}, "Fill in the days from now, or both dates.", "days"),
        ({"from": "2026-05-04", "to": "2026-05-01"}, "A vacation ends after it begins", "to"),
    ],
)
def test_days_off_are_days_or_two_dates(
    app: App, client: FlaskClient, form: dict[str, str], sentence: str, field: str
) -> None:
    sign_in(app, client)
    answer = send(client, "/settings/change/vacation", **form)
    assert 422 == answer.status_code
    assert sentence in answer.text
    assert re.search(rf'name="{field}"[^>]* aria-invalid="true"', answer.text)
    with app.store.read() as db:
        assert () == vacations.vacations_of_players(db, [bill(app).id])[bill(app).id]


def test_limits_and_blocks_are_set_and_lifted(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    send(client, "/settings/change/limits", **{"most-bipod": "3"})
    send(client, "/settings/change/block", name="joao")
    with app.store.read() as db:
        own = limits.limits_of_player(db, bill(app))
    assert ({"bipod": 3}, ("Joao",)) == (own.limits, own.blocked_names)
    assert "Lift the block" in get(client, "/settings").text
    send(client, "/settings/change/unblock", name="Joao")
    send(client, "/settings/change/limits", **{"most-bipod": ""})
    with app.store.read() as db:
        own = limits.limits_of_player(db, bill(app))
    assert ({}, ()) == (own.limits, own.blocked_names)


@pytest.mark.parametrize(
    ("key", "form"),
    [
        ("block", {"name": "Joao\nforget me"}),
        ("limits", {"most-bipod": "3; forget me"}),
        ("limits", {"most-nothing": "3"}),
        ("letters", {"zone": "x" * 5000}),
        ("add", {"address": "bill@work.example\nbcc: everybody@example.org"}),
        ("add", {"address": ""}),
        ("spare", {"spare": "bill@spare.example\nforget me"}),
        ("block", {"name": "<b>Joao</b>"}),
        ("reminders", {"remind": "me of everything"}),
    ],
)
def test_a_form_is_one_command_and_no_more_whatever_is_typed(
    app: App, client: FlaskClient, key: str, form: dict[str, str]
) -> None:
    sign_in(app, client)
    assert 422 == send(client, f"/settings/change/{key}", **form).status_code
    assert 1 == len(letters(app, BILL))


def test_a_spare_address_is_asked_for_by_letter_and_shown_once_it_has_answered(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    send(client, "/settings/change/spare", spare="bill@spare.example")
    assert "A spare address?" == letters(app, BILL)[-1].header("Subject")
    with app.store.write() as db:
        players.add_address(db, bill(app), "bill@spare.example", app.now())
        players.set_preference(db, bill(app), "spare", "bill@spare.example")
    page = read(get(client, "/settings").text)
    assert "bill@spare.example (spare)" in page.text
    assert [] == page.all_problems()
    with ZipFile(BytesIO(send(client, "/settings/export").data)) as taken:
        assert "bill@spare.example" == json.loads(taken.read("account.json"))["spare_address"]


def test_a_new_address_is_asked_for_by_letter_and_changed_by_the_answer_alone(
    app: App, client: FlaskClient
) -> None:
    sign_in(app, client)
    send(client, "/settings/change/add", address="bill@work.example")
    assert "Letters to another address?" == letters(app, BILL)[-1].header("Subject")
    assert [] == letters(app, "bill@work.example")
    assert {BILL} == bill(app).addresses
    assert "We have sent you a letter that asks once more" in get(client, "/settings?saved=add").text


def test_questions_by_letter_are_few_within_an_hour(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    answers = [send(client, "/settings/change/forget").status_code for _ in range(10)]
    assert [303] * 8 + [429] * 2 == answers


def test_what_there_is_not_cannot_be_changed(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    assert 404 == send(client, "/settings/change/name", name="x").status_code


def test_a_page_that_shows_who_is_signed_in_is_kept_by_no_cache(app: App, client: FlaskClient) -> None:
    visitor = create_app(app).test_client()
    before = {path: get(visitor, path).data for path in ("/", "/games", "/rules")}
    sign_in(app, client)
    mine = {path: get(client, path) for path in before}
    assert {"no-store"} == {page.headers["Cache-Control"] for page in mine.values()}
    assert all("Content-Encoding" not in page.headers for page in mine.values())
    assert before == {path: get(visitor, path).data for path in before}


def test_whoever_hears_the_days_off_hears_that_three_fields_belong_together(
    app: App, client: FlaskClient
) -> None:
    page = sign_in(app, client).text
    together = page.partition('role="group" aria-label="Days off to take"')[2].partition("</div>")[0]
    assert ["days", "from", "to"] == re.findall(r'<input id="s-(\w+)"', together)


def test_whoever_hears_the_buttons_hears_what_each_saves(app: App, client: FlaskClient) -> None:
    saved = re.findall(r">Save(.*?)</button>", sign_in(app, client).text)
    assert 5 == len(saved) == len(set(saved))


# Reporting words.


def test_words_of_a_game_are_reported_by_who_is_signed_in_and_reach_the_operator(
    app: App, client: FlaskClient
) -> None:
    add(app, begin(app), SAY, 1, {"words": "You are a fool."})
    sign_in(app, client)
    page = read(get(client, "/settings/report/1").text)
    assert [] == page.all_problems()
    answer = send(client, "/settings/report/1", page="/settings/report/1", why="He does so\r\neach time.")
    assert (303, "/settings/report/1?sent=1") == (answer.status_code, answer.headers["Location"])
    assert "Your report has reached the operator" in get(client, "/settings/report/1?sent=1").text
    with app.store.read() as db:
        (act,) = moderation.latest_acts(db, 9)
    assert ("report", "Bill", 1, "He does so\neach time.") == (act.kind, act.by, act.game_id, act.reason)
    assert 404 == get(client, "/settings/report/77").status_code
    for _ in range(5):
        answer = send(client, "/settings/report/1", page="/settings/report/1", why="")
    assert 422 == answer.status_code
    assert "You have sent 5 reports within a day" in answer.text
    away = create_app(app).test_client()
    assert 410 == send(away, "/settings/report/1", page="/settings", why="").status_code
