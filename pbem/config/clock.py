"""The clock that the settings ask for."""

from collections.abc import Callable
from datetime import UTC, datetime

from pbem.config.table import Config


def utc_now() -> datetime:
    return datetime.now(UTC)


def clock_for(config: Config) -> Callable[[], datetime]:
    """The clock for these settings: real, or faster for trials, from the time in the file `hurried` on."""
    if config.hurry == 1:
        return utc_now
    kept = config.var / "hurried"
    if not kept.is_file():
        config.var.mkdir(parents=True, exist_ok=True)
        kept.write_text(utc_now().isoformat(), encoding="ascii")
    begun = datetime.fromisoformat(kept.read_text(encoding="ascii"))
    return lambda: begun + config.hurry * (utc_now() - begun)
