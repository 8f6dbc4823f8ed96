"""The web pages under gunicorn, as an application that starts itself."""

from __future__ import annotations

from typing import Any

from gunicorn.app.base import BaseApplication

from pbem.commands.common import set_up_logs
from pbem.office import open_office
from pbem.settings import Settings
from pbem.web import create_app

THREADS = 8
STOP_SECONDS = 10


class Pages(BaseApplication):
    """One worker process with threads: enough for a club, and one SQLite file likes it so."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": str(self._settings.web_listen),
            "workers": 1,
            "threads": THREADS,
            "worker_class": "gthread",
            "graceful_timeout": STOP_SECONDS,
            "loglevel": "warning",
            "proc_name": "pbem web",
            "control_socket_disable": True,
        }.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        set_up_logs(self._settings)
        return create_app(open_office(self._settings))
