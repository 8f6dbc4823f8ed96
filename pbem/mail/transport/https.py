"""Fetches small pages from the web."""

from urllib.request import HTTPRedirectHandler, build_opener

MAX_PAGE = 64 * 1024
"""Bytes that are read of a page; RFC 8461 3.2 wants no more."""


class _RefuseRedirects(HTTPRedirectHandler):
    """Follows no redirect: only the address that was given may answer."""

    def redirect_request(self, *_args: object, **_named: object) -> None:
        return None


def fetch_page(url: str, seconds: float) -> bytes:
    """Fetch a page's beginning. Raises OSError, or ValueError for no address."""
    with build_opener(_RefuseRedirects).open(url, timeout=seconds) as page:
        return bytes(page.read(MAX_PAGE))
