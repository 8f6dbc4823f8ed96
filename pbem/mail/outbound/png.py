"""Drawings as PNG: boards in letters, and postcards of games and events."""

from functools import lru_cache

from resvg_py import svg_to_bytes


@lru_cache(16)  # both players of a turn may want its picture
def render_png(drawn: str, width: int | None = None) -> bytes:
    """Return an SVG as PNG, in its own size or `width` pixels wide. Lettering needs the fonts DejaVu."""
    return bytes(
        svg_to_bytes(
            svg_string=drawn,
            width=width,
            serif_family="DejaVu Serif",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
