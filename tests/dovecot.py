"""Dovecot for tests: one mailbox, a loopback port, a temporary folder."""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.ports import free_port

START_SECONDS = 60
USER, PASSWORD = "club", "pass/word:with@signs"

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 0
mail_uid = {user}
mail_gid = {group}
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password={{PLAIN}}{password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True)
class Dovecot:
    """A running server with one user, USER, and the password PASSWORD."""

    port: int
    folder: Path

    @contextmanager
    def open(self) -> Iterator[imaplib.IMAP4]:
        """The folder INBOX, as its owner sees it."""
        box = imaplib.IMAP4("127.0.0.1", self.port, timeout=START_SECONDS)
        box.login(USER, PASSWORD)
        box.select()
        try:
            yield box
        finally:
            box.logout()

    def deliver(self, raw: bytes, flags: str = "") -> None:
        with self.open() as box:
            assert (
                box.append("INBOX", flags, "", raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))[0] == "OK"
            )

    def flags(self) -> list[set[str]]:
        """The flags of every mail, oldest first."""
        with self.open() as box:
            _status, answer = box.uid("FETCH", "1:*", "(FLAGS)")
        found = [imaplib.ParseFlags(line) for line in answer if isinstance(line, bytes)]
        return [{flag.decode() for flag in flags} - {"\\Recent"} for flags in found]

    def log(self) -> str:
        return (self.folder / "log").read_text()


@contextmanager
def dovecot_server(program: str) -> Iterator[Dovecot]:
    """Start a server; at the end, stop it and remove its files."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    group = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    port = free_port()
    text = CONFIGURATION.format(folder=folder, user=user, group=group, port=port, password=PASSWORD)
    (folder / "dovecot.conf").write_text(text)
    if os.geteuid() == 0:
        folder.chmod(0o755)
    for name in ("home", "mail"):
        (folder / name).mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder / name, user, group)
    process = subprocess.Popen([program, "-F", "-c", folder / "dovecot.conf"], stderr=subprocess.STDOUT)
    try:
        _wait(process, port, folder)
        yield Dovecot(port, folder)
    finally:
        process.terminate()
        process.wait(START_SECONDS)
        shutil.rmtree(folder)


def _wait(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            imaplib.IMAP4("127.0.0.1", port, timeout=START_SECONDS).logout()
        except (OSError, imaplib.IMAP4.error):
            time.sleep(0.05)
        else:
            return
    log = folder / "log"
    raise RuntimeError(f"Dovecot did not start: {log.read_text() if log.exists() else process.poll()}")
