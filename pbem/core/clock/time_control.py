"""Time controls: `3d/move`, `7d+1d<=14d`, `7d+1d weekends`, `none`, or a preset's word."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.core.errors import Refusal

_TIME = r"(\d{1,3})([dh])"
_FIXED = re.compile(rf"{_TIME}/(?:move|ply|turn)")
_BANK = re.compile(rf"{_TIME}(?:\+{_TIME})?(?:<={_TIME})?")
UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1)}
WEEKENDS = "weekends"
"""The word behind a time control whose clocks rest on Saturday and Sunday."""
MIN_TIME, MAX_TIME = timedelta(hours=1), timedelta(days=365)


@dataclass(frozen=True)
class TimeControl:
    """Bank (None: no clock), increment a ply, maximum bank. `fixed`: every ply has the whole bank again.

    `weekends`: each clock rests on its owner's Saturday and Sunday.
    """

    bank: timedelta | None = None
    increment: timedelta = timedelta()
    cap: timedelta | None = None
    fixed: bool = False
    weekends: bool = False

    def __str__(self) -> str:
        """The one canonical spelling, which `read_pace` accepts."""
        if self.bank is None:
            return "none"
        rests = f" {WEEKENDS}" if self.weekends else ""
        if self.fixed:
            return f"{spell_time(self.bank)}/move{rests}"
        more = f"+{spell_time(self.increment)}" if self.increment else ""
        return f"{spell_time(self.bank)}{more}" + (f"<={spell_time(self.cap)}" if self.cap else "") + rests

    def after_ply(self, bank: timedelta, used: timedelta, *, paused: bool) -> timedelta:
        """The bank after a ply; in a vacation it earns no increment. Given time above the cap stays."""
        assert self.bank is not None
        if self.fixed:
            return self.bank
        rest = max(timedelta(), bank - used)
        more = rest if paused else rest + self.increment
        return more if self.cap is None else min(more, max(self.cap, rest))


NONE = TimeControl()
PRESETS: Mapping[str, str] = {
    "brisk": "1d/move",
    "normal": "7d+1d<=14d",
    "leisure": "14d+2d<=30d",
    "postal": "30d+3d<=60d",
}
USUAL = "normal"


def read_pace(text: str) -> TimeControl:
    """Read a time control, perhaps with `weekends` behind it; `weekends` alone means the usual time."""
    small = re.sub(r"\s+", "", text.lower())
    if small.endswith(WEEKENDS):
        return _resting(read_pace(small.removesuffix(WEEKENDS) or USUAL))
    small = PRESETS.get(small, small)
    if small == "none":
        return NONE
    if match := _FIXED.fullmatch(small):
        return _check_range(TimeControl(int(match[1]) * UNITS[match[2]], fixed=True), text)
    if match := _BANK.fullmatch(small):
        bank, increment, cap = (int(match[i]) * UNITS[match[i + 1]] if match[i] else None for i in (1, 3, 5))
        return _check_range(TimeControl(bank, increment or timedelta(), cap), text)
    raise Refusal(
        f"{text} is no time to play with. Write 3d/move for three days a move, 7d+1d<=14d for seven days "
        f"and one more for each move up to fourteen, none, or one of {', '.join(PRESETS)}. "
        "Behind it, `weekends` has each clock rest on Saturday and Sunday."
    )


def _resting(time_control: TimeControl) -> TimeControl:
    if time_control.bank is None:
        raise Refusal("Without a clock nothing rests: leave out `weekends`, or write a time such as `7d+1d`.")
    return replace(time_control, weekends=True)


def _check_range(time_control: TimeControl, text: str) -> TimeControl:
    times = [time for time in (time_control.bank, time_control.cap) if time is not None]
    if any(not MIN_TIME <= time <= MAX_TIME for time in times) or time_control.increment > MAX_TIME:
        raise Refusal(f"{text}: a time here is from an hour to 365 days.")
    if time_control.cap and time_control.bank and time_control.cap < time_control.bank:
        raise Refusal(f"{text}: the time at the start is more than the most that can be saved up.")
    return time_control


def spell_time(time: timedelta) -> str:
    """A duration as whole days, `3d`, or else as hours, `36h`."""
    days, rest = divmod(time, UNITS["d"])
    return f"{time // UNITS['h']}h" if rest or not days else f"{days}d"


def read_time(text: str) -> timedelta:
    match = re.fullmatch(_TIME, text.strip().lower())
    if not match and re.fullmatch(r"\d+[dh]", text.strip().lower()):
        raise Refusal(f"{text} is too long; a time here is from an hour to 365 days.")
    if not match:
        raise Refusal(f"{text} is no length of time; write days as 2d, hours as 48h.")
    return int(match[1]) * UNITS[match[2]]
