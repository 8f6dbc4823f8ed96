"""Struck-out or hidden text of an HTML part is not read; all else is."""

from __future__ import annotations

import pytest

from pbem.mail.inbound.html_to_text import html_to_text
from tests.mail.clients import mail
from tests.mail.explain import explain
from tests.quickness import quick


@pytest.mark.parametrize(
    "unseen",
    [
        "<del>resign</del>",
        "<s>resign</s>",
        "<STRIKE>resign</STRIKE>",
        "<s>re<s>sign</s>resign</s>",
        '<span style="text-decoration: line-through">resign</span>',
        '<span style="text-decoration-line:underline line-through">resign</span>',
        '<div style="display:none">resign</div>',
        '<div style="color:#fff; display : none !important;"><p>resign</p><div>resign</div></div>',
        "<div hidden>resign</div>",
        '<p hidden="">resign',
        '<span style="visibility:hidden">resign</span>',
        '<span style="font-size:0px">resign</span>',
        '<span style="mso-hide:all">resign</span>',
        '<p style="color:#fff;opacity:0">resign</p>',
        '<table style="display:none"><tr><td>resign</td></tr></table>',
    ],
)
def test_what_is_struck_out_or_hidden_is_not_read(unseen: str) -> None:
    html = f"<html><body><p>{unseen}</p><p>f2 f4 g3</p><p>Have {unseen}fun!</p></body></html>"
    found = explain(mail(html, kind="text/html; charset=utf-8"), "bipod")
    assert ["f2 f4 g3"] == found["orders"]
    assert "resign" not in found["comment"]


@pytest.mark.parametrize(
    "seen",
    [
        '<div style="overflow:hidden">f2</div>',
        '<div class="hidden" data-x="display:none">f2</div>',
        '<div aria-hidden="false">f2</div>',
        '<div title="a hidden thing">f2</div>',
        '<img style="display:none" src="x"><div>f2</div>',
        "<br hidden><input hidden><div>f2</div>",
        '<div style="font-size:0.9em">f2</div>',
        '<div style="text-decoration:underline">f2</div>',
        "<p hidden>a<p>f2",
        "<ul><li hidden>a<li>f2</ul>",
    ],
)
def test_what_is_neither_is_read(seen: str) -> None:
    assert "f2" == html_to_text(seen).removeprefix("- ")


def test_an_element_that_nothing_ends_hides_all_below_it() -> None:
    assert "f2" == html_to_text("<div>f2</div><s>resign<div>resign</div>")


def test_attributes_without_end_take_no_longer_than_others() -> None:
    tag = f"<b {'style=' * 150}>"
    assert "f2" == quick(0.25, lambda: html_to_text(tag * 250 + "f2"))
