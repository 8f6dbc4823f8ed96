"""The laboratory's tasks, done by several processes. Each result is stored as soon as it is there.

Theory of operation. `games.jsonl` begins with a line that says what is played; each further line is the
result of one task. A killed run leaves a file whose last line may be torn: that part is cut off, and the same
command does what is missing. The order of lines means nothing, so reports do not depend on who was faster.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

from pbem.core.errors import Refusal
from rules.lab.as_html import as_html
from rules.lab.as_text import as_text
from rules.lab.figures import figures
from rules.lab.plan import Plan
from rules.lab.playing import do
from rules.lab.plots import drawings
from rules.lab.report import report

JOURNAL = "games.jsonl"
ROUND = 4
"""Digits of figures in JSON."""

Results = dict[str, dict[str, Any]]
"""Results of tasks, as JSON data, by task."""


@dataclass
class Journal:
    """The open file of results, and what it holds."""

    file: BinaryIO
    results: Results

    def add(self, result: dict[str, Any]) -> None:
        """Writes a result to the disk."""
        self.file.write(_line(result))
        self.file.flush()
        self.results[result["task"]] = result


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


@contextmanager
def open_journal(folder: Path, plan: Plan) -> Iterator[Journal]:
    """Open the results in a folder for this plan. Raises Refusal for a folder that holds something else.

    A missing folder is made. A torn last line is cut off. Nobody else can open them meanwhile.
    """
    path = folder / JOURNAL
    if not path.exists():
        if folder.exists() and any(folder.iterdir()):
            raise Refusal(f"{folder} holds other files and no {JOURNAL}; name an empty or a new folder.")
        folder.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refusal(f"Another pbem lab is at work in {folder}; let it end first.") from None
        file.seek(0)
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        lines = _lines(path, whole)
        identity = plan.identity()
        if lines and lines[0] != identity:
            raise Refusal(_difference(folder, lines[0], identity))
        file.truncate(len(whole))
        if not lines:
            file.write(_line(identity))
            file.flush()
        yield Journal(file, {line["task"]: line for line in lines[1:]})


def _lines(path: Path, content: bytes) -> list[dict[str, Any]]:
    found = []
    for number, text in enumerate(content.splitlines(), 1):
        try:
            data = json.loads(text)
        except ValueError:
            data = None
        if not isinstance(data, dict) or (number > 1 and not isinstance(data.get("task"), str)):
            raise Refusal(f"Line {number} of {path} is damaged; remove that line, or name another folder.")
        found.append(data)
    return found


def _difference(folder: Path, held: dict[str, Any], wanted: dict[str, Any]) -> str:
    names = [name for name in wanted if held.get(name) != wanted[name]]
    if not names:
        return f"{folder} holds another run; name another folder."
    told = "; ".join(
        f"{name} is {_words(held.get(name))} there, not {_words(wanted[name])}" for name in names
    )
    return f"{folder} holds another run: {told}. Name another folder."


def _words(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={each}" for name, each in value.items()) or "nothing"
    return str(value)


def run(plan: Plan, journal: Journal, processes: int, progress: Callable[[int], None]) -> None:
    """Do the tasks without a result. `progress` gets the number of tasks that have one."""
    tasks = plan.tasks()
    left = [task for task in tasks if task not in journal.results]
    progress(len(tasks) - len(left))
    for done, result in enumerate(_results(plan, left, processes), len(tasks) - len(left) + 1):
        journal.add(result)
        progress(done)


def _results(plan: Plan, tasks: Sequence[str], processes: int) -> Iterator[dict[str, Any]]:
    if processes == 1 or len(tasks) < 2:
        yield from (do(plan, task) for task in tasks)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin_worker)
    try:
        for done in as_completed([pool.submit(do, plan, task) for task in tasks]):
            yield done.result()
    except BrokenProcessPool:
        raise Refusal("A process ended before its task; the same command goes on.") from None
    finally:
        for worker in active_children():
            worker.terminate()
        pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl+C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process, even in a task, once its parent is gone."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def write_reports(folder: Path, plan: Plan, journal: Journal) -> dict[str, str]:
    """Write the report in three forms, with its drawings; returns texts by file name.

    Raises Refusal for results without what a report needs.
    """
    try:
        found = figures(plan, journal.results)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise Refusal(f"{folder / JOURNAL} holds damaged results; name another folder.") from None
    told = report(plan, found)
    texts = {
        "report.json": json.dumps(_round(found), indent=2, ensure_ascii=False) + "\n",
        "report.txt": as_text(told),
        "report.html": as_html(told),
        **drawings(told),
    }
    for name, text in texts.items():
        new = folder / f"{name}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(folder / name)
    return texts


def _round(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _round(each) for name, each in data.items()}
    if isinstance(data, list):
        return [_round(each) for each in data]
    return round(data, ROUND) if isinstance(data, float) else data
