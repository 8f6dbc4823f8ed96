"""A real Exim for one test, in its own folders, with the lines that docs print. Needs root."""

from __future__ import annotations

import os
import shutil
import smtplib
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.town import HOST

MAIN = """\
primary_hostname = mail.example.org
exim_path = {program}
spool_directory = {folder}/spool
log_file_path = {folder}/%slog
pid_file_path = {folder}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = {port}
tls_advertise_hosts =
{settings}
acl_smtp_rcpt = check
begin acl
check:
{access}
  deny message = relay not permitted
begin routers
{router}
begin transports
{transport}
"""
STARTS_SECONDS = 20


@contextmanager
def running_exim(program: str, port: int, pbem_port: int, lines: dict[str, str]) -> Iterator[Path]:
    """Run Exim on `port` with the printed `lines`, in front of pbem's LMTP; yields its folder."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-exim-"))
    folder.chmod(0o755)
    (folder / "spool").mkdir()
    shutil.chown(folder, "Debian-exim")
    shutil.chown(folder / "spool", "Debian-exim")
    text = MAIN.format(program=program, folder=folder, port=port, **lines).replace("games.example.org", HOST)
    (folder / "exim.conf").write_text(text.replace("port = 2526", f"port = {pbem_port}"))
    command = [program, "-C", str(folder / "exim.conf"), "-bdf"]
    exim = subprocess.Popen(
        command, stderr=subprocess.PIPE, env={**os.environ, "PATH": "/usr/sbin:/usr/bin:/bin"}
    )
    try:
        _wait_for(port, exim)
        yield folder
    finally:
        exim.terminate()
        exim.communicate(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, exim: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTS_SECONDS
    while time.monotonic() < end:
        try:
            smtplib.SMTP("127.0.0.1", port, timeout=5).close()
            return
        except OSError:
            assert exim.poll() is None, exim.communicate()[1].decode()
            time.sleep(0.1)
    raise AssertionError("Exim does not answer")
