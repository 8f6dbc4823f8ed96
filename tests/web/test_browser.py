"""Pages in a real browser: stepping through games, and the mailroom."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.core.game.journal import SAY
from tests.amount import amount
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE
from tests.people import SEED_GAME
from tests.web.gallery import stored
from tests.web.library import BLOCKED, a_short_game, add, begin, the_seeds_game
from tests.web.library import play as play_on

pytestmark = pytest.mark.chromium


def caption(page: Page, words: str) -> None:
    expect(page.locator("figcaption")).to_have_text(words)


def test_the_arrow_keys_step_through_a_game_without_loading_pages(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=DESKTOP)
    page.goto(f"{serve(app)}/games/1")
    page.evaluate("window.here = true")
    caption(page, "Move 19 of 19: Bill, j4")
    for key, words, path in (
        ("ArrowLeft", "Move 18 of 19: Joao, o5 O", "/games/1/18"),
        ("ArrowLeft", "Move 17 of 19: Bill, r6", "/games/1/17"),
        ("ArrowRight", "Move 18 of 19: Joao, o5 O", "/games/1/18"),
        ("Home", "Before the first of 19 moves", "/games/1/0"),
        ("ArrowLeft", "Before the first of 19 moves", "/games/1/0"),
        ("ArrowRight", "Move 1 of 19: Bill, f2 f4 g3", "/games/1/1"),
        ("End", "Move 19 of 19: Bill, j4", "/games/1"),
    ):
        page.keyboard.press(key)
        caption(page, words)
        expect(page).to_have_url(re.compile(f"{path}$"))
    assert page.evaluate("window.here")
    assert 19 == page.locator(".plies li").count()


def test_a_word_wider_than_a_telephone_is_broken(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = add(app, begin(app), SAY, 0, {"words": "awordof" * 40})
    play_on(app, game, SEED_GAME[:2], {2: "awordof" * 40})
    page = open_page(viewport=TELEPHONE)
    page.goto(f"{serve(app)}/games/1")
    assert 2 == page.get_by_text("awordof").count()
    assert TELEPHONE["width"] == page.evaluate("document.documentElement.scrollWidth")
    page.goto(f"{page.url}/words")
    assert TELEPHONE["width"] == page.evaluate("document.documentElement.scrollWidth")


def test_a_ply_in_the_list_shows_its_board_and_keeps_the_focus(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=TELEPHONE)
    page.goto(f"{serve(app)}/games/1")
    page.evaluate("window.here = true")
    page.get_by_role("link", name="7 Bill adopt").click()
    caption(page, "Move 7 of 19: Bill, adopt")
    expect(page.locator(".plies li.here")).to_contain_text("adopt")
    assert "7" == page.evaluate("document.activeElement.dataset.ply")
    assert page.evaluate("window.here")
    page.get_by_text("The board in words").click()
    page.get_by_role("link", name="Next").click()
    caption(page, "Move 8 of 19: Joao, k3 o")
    expect(page.locator(".stones dd").last).to_be_visible()
    expect(page.locator("[aria-live]").filter(has_text="k3 o")).to_have_count(1)


def test_without_scripts_every_step_is_a_page(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=TELEPHONE, java_script_enabled=False)
    page.goto(f"{serve(app)}/games/1")
    for name, words in (
        ("Previous", "Move 18 of 19: Joao, o5 O"),
        ("Start", "Before the first of 19 moves"),
        ("Next", "Move 1 of 19: Bill, f2 f4 g3"),
        ("Last", "Move 19 of 19: Bill, j4"),
    ):
        page.get_by_role("link", name=name, exact=False).and_(page.locator(".step")).click()
        caption(page, words)


def test_a_newcomer_plays_a_whole_game_in_the_mailroom_on_a_telephone(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    site = serve(at_home)
    page = open_page(viewport=TELEPHONE)
    page.goto(f"{site}/")
    page.get_by_role("link", name="Open the mailroom").click()
    for address, name in (("carl@example.org", "Carl"), ("dora@example.org", "Dora")):
        page.goto(f"{site}/mailroom/new")
        page.get_by_label("From").fill(address)
        page.get_by_label("The mail").fill(f"register {name}")
        send(page)
        page.get_by_role("link", name="yes", exact=True).click()
        expect(page.get_by_label(f"Your answer, as {address}")).to_have_value("yes")
        send(page)
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.goto(f"{site}/mailroom/box/carl@example.org")
    play(page, "carl@example.org", "challenge Dora bipod first size=3 middle=3 rows=4")
    read_next(page)
    page.get_by_role("link", name="accept", exact=True).click()
    send(page)
    for number, move in enumerate(BLOCKED):
        read_next(page)
        play(page, ("carl@example.org", "dora@example.org")[number % 2], move)
        assert page.evaluate("document.documentElement.scrollWidth") == TELEPHONE["width"]
    expect(page.locator(".sent")).to_contain_text("the result")
    page.get_by_role("link", name="The game on the web").click()
    expect(page.locator(".outcome")).to_contain_text("Dora won as Blocker")
    caption(page, "Move 4 of 4: Dora, adopt")
    page.go_back()
    page.get_by_role("link", name="As HTML").click()
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_be_visible()


def send(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".sent")).to_contain_text("Your mail was taken")


def play(page: Page, address: str, words: str) -> None:
    page.get_by_label(f"Your answer, as {address}").fill(words)
    send(page)


def read_next(page: Page) -> None:
    """Open the letter that the other player got."""
    page.locator(".sent .across").click()
    page.wait_for_load_state()


# ---------------------------------------------------------------------- films, fingers and paper

GAMES = ("bagel", "begird", "bipod", "bounders", "hexthing")

SWIPE = """([from, to]) => {
  const board = document.querySelector(".desk figure svg");
  const at = ([clientX, clientY]) => new Touch({ identifier: 1, target: board, clientX, clientY });
  const send = (kind, place, held) => board.dispatchEvent(new TouchEvent(kind, {
    bubbles: true, touches: held ? [at(place)] : [], changedTouches: [at(place)] }));
  send("touchstart", from, true);
  send("touchend", to, false);
}"""

SEEN = """() => [...document.querySelectorAll("svg text")]
  .filter((each) => {
    for (let e = each; e; e = e.parentElement) if (getComputedStyle(e).opacity === "0") return false;
    return true;
  }).map((each) => each.textContent)"""


def swipe(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    page.evaluate(SWIPE, [list(start), list(end)])


def test_a_finger_across_the_board_steps_and_one_along_the_page_does_not(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=TELEPHONE, has_touch=True)
    page.goto(f"{serve(app)}/games/1")
    swipe(page, (100, 400), (220, 410))
    caption(page, "Move 18 of 19: Joao, o5 O")
    swipe(page, (100, 400), (220, 400))
    caption(page, "Move 17 of 19: Bill, r6")
    for elsewhere in ((100, 600), (130, 400), (200, 470)):
        swipe(page, (100, 400), elsewhere)
    swipe(page, (220, 400), (100, 390))
    caption(page, "Move 18 of 19: Joao, o5 O")
    expect(page).to_have_url(re.compile("/games/1/18$"))


def test_beside_the_board_the_list_goes_along(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    stored(app, "bounders")
    page = open_page(viewport=DESKTOP)
    page.goto(f"{serve(app)}/games/1")
    expect(page.locator(".plies li.here")).to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".plies li.here")).to_contain_text("78")
    expect(page.locator(".plies li.here")).to_be_in_viewport()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".plies li.here")).to_contain_text("f5")
    expect(page.locator(".plies li.here")).to_be_in_viewport()
    assert 0 == page.evaluate("scrollY")
    assert page.evaluate("document.documentElement.scrollHeight < 3 * innerHeight")


def test_a_film_plays_in_the_browser_under_its_own_policy_and_rests_for_who_asks(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    site = serve(app)
    page = open_page(viewport=DESKTOP, reduced_motion="no-preference")
    page.goto(f"{site}/games/1.svg")
    page.evaluate("for (const each of document.getAnimations()) { each.pause(); each.currentTime = 2400; }")
    assert ["Bipod #1: Bill – Joao", "2 · Joao: e5 g1"] == page.evaluate(SEEN)
    page.evaluate("for (const each of document.getAnimations()) each.currentTime = 26500;")
    assert ["Bipod #1: Bill – Joao", "Bill won: Joao resigned"] == page.evaluate(SEEN)
    calm = open_page(viewport=DESKTOP, reduced_motion="reduce")
    calm.goto(f"{site}/games/1.svg")
    assert 0 == calm.evaluate("document.getAnimations().length")
    assert ["Bipod #1: Bill – Joao", "Bill won: Joao resigned"] == calm.evaluate(SEEN)


def test_a_film_works_as_a_picture_in_a_page(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=DESKTOP)
    page.goto(f"{serve(app)}/games/1")
    wide = page.evaluate(
        """async () => { const film = new Image(); film.src = "/games/1.svg"; await film.decode();
        document.querySelector("figure").replaceChildren(film); return film.naturalWidth; }"""
    )
    assert wide >= 480
    first = page.locator("figure img").screenshot()
    for _ in range(40):
        if first != page.locator("figure img").screenshot():
            return
        page.wait_for_timeout(250)
    pytest.fail("the film stands still")


def test_on_paper_the_plies_stand_and_there_is_nothing_to_press(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app, {7: "Enough."})
    page = open_page(viewport=DESKTOP)
    page.goto(f"{serve(app)}/games/1")
    page.emulate_media(media="print")
    for gone in ("nav.steps", ".top nav", ".hint", "details.stones", ".away"):
        expect(page.locator(gone).first).to_be_hidden()
    for there in (".plies li >> nth=18", ".desk svg.board", ".board .stones > g", "h1", "blockquote"):
        expect(page.locator(there).first).to_be_visible()
    columns = {round(box["x"]) for each in page.locator(".plies li").all() if (box := each.bounding_box())}
    assert 2 <= len(columns)


@pytest.mark.parametrize(("viewport", "scripts"), [(DESKTOP, True), *amount([], [(TELEPHONE, False)])])
def test_games_are_searched_for(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    scripts: bool,
) -> None:
    the_seeds_game(app)
    a_short_game(app)
    page = open_page(viewport=viewport, java_script_enabled=scripts)
    page.goto(f"{serve(app)}/games")
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_label("Game", exact=True).select_option("Bipod")
    page.get_by_label("One player, or two").fill("Joao")
    page.get_by_text("More to search by").click()
    page.get_by_label("Ended by").select_option("resignation")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".count")).to_contain_text("1 game")
    expect(page.locator(".row")).to_contain_text("Joao resigned")
    page.get_by_label("More than").fill("19")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".count")).to_contain_text("No game like that")
    expect(page.get_by_label("One player, or two")).to_have_value("Joao")


@pytest.mark.parametrize(("viewport", "scheme"), [(TELEPHONE, "dark"), *amount([], [(DESKTOP, "light")])])
def test_all_five_games_fit_and_are_easy_to_read(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    scheme: str,
) -> None:
    plies = [len(stored(app, key).state.plies) for key in GAMES]
    site = serve(app)
    page = open_page(viewport=viewport, color_scheme=scheme)
    for number, last in enumerate(plies, start=1):
        for n in amount((last,), (0, last // 2, last)):
            page.goto(f"{site}/games/{number}/{n}")
            where = f"{GAMES[number - 1]} {n}"
            assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"], where
            assert [] == page.evaluate(FAINT_TEXT), where
            assert [] == page.evaluate(SMALL_TARGETS), where


def test_without_scripts_a_story_can_be_read_and_stepped_through(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    stored(app, "hexthing")
    page = open_page(viewport=TELEPHONE, java_script_enabled=False)
    page.goto(f"{serve(app)}/games/1/6")
    caption(page, "Move 6 of 80: Joao, bid 20")
    expect(page.locator(".told").first).to_contain_text("White plays 3S to g4, a Buy")
    page.get_by_role("link", name="8 Bill take e2").click()
    caption(page, "Move 8 of 80: Bill, take e2")


def test_a_game_plays_by_itself_until_it_ends_or_somebody_stops_it(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    a_short_game(app)
    page = open_page(viewport=DESKTOP)
    page.clock.install()
    page.goto(f"{serve(app)}/games/1")
    watch = page.locator("a[data-play]")
    watch.click()
    page.clock.run_for(50)
    caption(page, "Before the first of 4 moves")
    expect(watch).to_have_text("Stop")
    for words in ("Move 1 of 4: Bill, e1 q1 f2", "Move 2 of 4: Anna, h2 j2"):
        page.clock.run_for(1200)
        caption(page, words)
    watch.press("Enter")
    expect(watch).to_have_text("Play all moves")
    page.clock.run_for(5000)
    caption(page, "Move 2 of 4: Anna, h2 j2")
    watch.click()
    for wait, words in ((50, "Move 3 of 4: Bill, n2 p2"), (1200, "Move 4 of 4: Anna, adopt")):
        page.clock.run_for(wait)
        caption(page, words)
    expect(watch).to_have_text("Play all moves")
    watch.click()
    page.clock.run_for(50)
    caption(page, "Before the first of 4 moves")
    page.keyboard.press("ArrowRight")
    caption(page, "Move 1 of 4: Bill, e1 q1 f2")
    page.clock.run_for(5000)
    caption(page, "Move 1 of 4: Bill, e1 q1 f2")


def test_whoever_hears_a_game_hears_each_step_and_no_caption_twice(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    the_seeds_game(app)
    page = open_page(viewport=DESKTOP)
    page.goto(f"{serve(app)}/games/1/0")
    heard = page.get_by_role("navigation", name="Moves").last.aria_snapshot()
    assert 'link "Start" [disabled]\n  - link "Previous" [disabled]\n  - link "Next":' in heard
    for path in ("/games/1/1", "/"):
        page.goto(page.url.removesuffix("/games/1/0").removesuffix("/games/1/1") + path)
        heard = page.get_by_role("figure").aria_snapshot()
        assert 1 == heard.count("Bill")
