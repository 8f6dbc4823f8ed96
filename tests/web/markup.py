"""A strict reader of pages: elements closed, references met."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
INLINE = frozenset("a abbr b code em i kbd span strong time".split())
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "list")
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src"}


@dataclass
class Page(HTMLParser):
    """A parsed page with its problems."""

    problems: list[str] = field(default_factory=list)
    ids: Counter[str] = field(default_factory=Counter)
    wanted: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    labelled: set[str] = field(default_factory=set)
    fields: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.texts.append("" if tag in INLINE else " ")
        if tag not in VOID:
            self.open.append(tag)
        self._refer(given)
        self._look_closer(tag, given)
        if len(given) < len(attrs):
            self.problems.append(f"<{tag}> has an attribute twice")

    def _refer(self, given: dict[str, str | None]) -> None:
        """Record an element's id, and the ids it refers to."""
        if given.get("id"):
            self.ids[str(given["id"])] += 1
        self.wanted += [each for name in REFERENCES if name in given for each in str(given[name]).split()]
        if "for" in given:
            self.labelled.add(str(given["for"]))

    def _look_closer(self, tag: str, given: dict[str, str | None]) -> None:
        """Record an element's links, files and requests."""
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag == "a":
            self.links.append(str(given.get("href")))
        if tag in LOADED and given.get("rel") not in ("canonical", "alternate"):
            self.loads.append(str(given.get(LOADED[tag])))
        if tag == "img" and "alt" not in given:
            self.problems.append("an image has no alt")
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.fields.append((tag, given))
        for name in given:
            if name == "style" or name.startswith("on"):
                self.problems.append(f"<{tag} {name}=…> would need unsafe-inline")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style") and data.strip():
            self.problems.append(f"<{self.open[-1]}> stands in the page itself")
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All text of the page, with single blanks."""
        return " ".join("".join(self.texts).split())

    def all_problems(self) -> list[str]:
        """Every problem as a sentence."""
        found = list(self.problems)
        found += [f"{tag} is never closed" for tag in self.open]
        found += [f"id {name} stands {number} times" for name, number in self.ids.items() if number > 1]
        found += [f"nothing has the id {name}" for name in self.wanted if name not in self.ids]
        found += [
            f"{tag} {given.get('name')} has no label"
            for tag, given in self.fields
            if given.get("id") not in self.labelled
        ]
        if self.headings.count(1) != 1:
            found.append(f"{self.headings.count(1)} first headings")
        for before, after in zip(self.headings, self.headings[1:], strict=False):
            if after > before + 1:
                found.append(f"h{after} follows h{before}")
        return found


def read(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    return page
