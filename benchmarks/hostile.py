"""Mails made to take long, from bytes to orders, beside the standard library's parser on the same bytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message

from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.mail_orders import read_orders
from pbem.mail.inbound.parse import parse_mail
from rules import RULES
from tests.mail.hostile import MAILS, SIZE
from tests.mail.layouts import layout_mails_of

SENT = Envelope("joao@example.net", "play@pbem.example.org")
SHOWN = 5


def measure() -> Iterator[tuple[str, str, str]]:
    """The answers of all layouts, then the hostile mails that take longest."""
    reader = RULES["bipod"].start().read

    def read(raw: bytes) -> object:
        inbound = parse_mail(raw, SENT)
        return read_orders(
            inbound.words, marked=inbound.marked, reader=reader, reader_of=lambda _game: reader
        )

    answers = [mail.raw for mail in layout_mails_of("j2 j4\n\nNice one!")]
    ours = sum(_best(read, raw) for raw in answers) / len(answers)
    floor = sum(_best(_parsed, raw) for raw in answers) / len(answers)
    yield (
        f"an answer, mean of {len(answers)}",
        f"{ours * 1e3:.2f} ms",
        f"{ours / floor:.1f} x the library's parser",
    )
    times = {name: _best(read, raw) for name, raw in MAILS.items()}
    for name in sorted(times, key=times.__getitem__, reverse=True)[:SHOWN]:
        ratio = times[name] / _best(_parsed, MAILS[name])
        yield (
            f"{SIZE // 1000} kB of {name}",
            f"{times[name] * 1e3:.1f} ms",
            f"{ratio:.1f} x; goal: under 50 ms",
        )


def _best(work: Callable[[bytes], object], raw: bytes) -> float:
    """CPU seconds, the best of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work(raw)
        times.append(time.process_time() - began)
    return min(times)


def _parsed(raw: bytes) -> object:
    """The least that anybody does with a mail: parsed, its first part decoded."""
    message: Message = message_from_bytes(raw)
    part = next(iter(message.walk())) if not message.is_multipart() else list(message.walk())[1]
    return part.get_payload(decode=True)
