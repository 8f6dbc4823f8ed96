"""Blueprints of pages, which are found by being there.

Every value `pages` of type `Pages` in a module below this package is one; nothing else lists pages.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Literal

from flask import Blueprint

Menu = Literal["head", "own", "foot"]
"""The menus of every page: its head, the reader's own pages beside it, and its foot."""
RateKind = Literal["page", "poll", "search", "feed", "large", "none"]


@dataclass(frozen=True)
class MenuLink:
    """A link in a menu; lower places come first."""

    path: str
    words: str
    place: int
    menu: Menu = "head"


class Pages(Blueprint):
    """A blueprint and its rows in the lists about all pages.

    In `sitemap`, `{game}` stands for each game on offer. `robots` are paths closed to robots. `rates` has the
    kind of rate limit by function, where it is not "page". `development` keeps it from public servers.
    """

    def __init__(
        self,
        name: str,
        module: str,
        *,
        url_prefix: str | None = None,
        nav: Collection[MenuLink] = (),
        sitemap: Collection[str] = (),
        robots: Collection[str] = (),
        rates: Mapping[str, RateKind] | None = None,
        development: bool = False,
    ) -> None:
        super().__init__(name, module, url_prefix=url_prefix)
        self.nav, self.sitemap, self.robots = nav, sitemap, robots
        self.rates, self.development = rates or {}, development


@cache
def all_pages() -> tuple[Pages, ...]:
    """Return the blueprints of all modules in this package, by name."""
    package = import_module(__package__)
    modules = [import_module(each.name) for each in walk_packages(package.__path__, f"{__package__}.")]
    return tuple(each.pages for each in modules if isinstance(getattr(each, "pages", None), Pages))


def menu(found: Iterable[object], name: Menu) -> list[MenuLink]:
    links = [link for pages in found if isinstance(pages, Pages) for link in pages.nav if link.menu == name]
    return sorted(links, key=lambda link: link.place)
