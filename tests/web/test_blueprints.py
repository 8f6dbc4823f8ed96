"""Pages are found by being there, and say themselves what the lists about all pages have of them."""

from __future__ import annotations

from pathlib import Path

from pbem.web import create_app
from pbem.web.blueprints import MenuLink, Pages, all_pages, menu
from tests.web.library import PUBLIC, open_again, open_library


def test_the_pages_of_every_module_are_found_once() -> None:
    names = [pages.name for pages in all_pages()]
    assert {"archive", "api", "settings", "mailroom", "intake"} <= set(names)
    assert len(set(names)) == len(names)


def test_a_page_of_development_is_in_no_public_server(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url)
    assert "mailroom" in create_app(app).blueprints
    app.close()
    public = open_again(tmp_path, sqlite_url, **PUBLIC)
    assert "mailroom" not in create_app(public).blueprints
    public.close()


def test_what_a_blueprint_says_is_there(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url)
    rules = list(create_app(app).url_map.iter_rules())
    known, paths = {rule.endpoint for rule in rules}, {rule.rule for rule in rules}
    for pages in all_pages():
        assert {f"{pages.name}.{name}" for name in pages.rates} <= known, pages.name
        assert {link.path for link in pages.nav} <= paths, pages.name
        games = {path.replace("{game}", "<key>") for path in pages.sitemap}
        assert games <= paths, pages.name
    app.close()


def test_a_menu_has_its_links_by_their_places() -> None:
    late = Pages("late", __name__, nav=[MenuLink("/z", "Z", 9), MenuLink("/foot", "Foot", 1, "foot")])
    early = Pages("early", __name__, nav=[MenuLink("/a", "A", 2)])
    assert ["/a", "/z"] == [link.path for link in menu([late, early, object()], "head")]
    assert ["/foot"] == [link.path for link in menu([late, early], "foot")]
    assert [] == menu([], "own")
