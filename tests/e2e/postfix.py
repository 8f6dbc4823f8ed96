"""A real Postfix for one test, in its own folders, set up by `deploy/postfix` or by lines that docs print.

It is the mail server in front of pbem, the relay that sends letters, and the home of the players' mailboxes
(Maildir). It needs root, like every Postfix.
"""

from __future__ import annotations

import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwnam

from pbem.mail.person.mailbox import ReceivedLetter
from tests.e2e.town import HOST

DEPLOY = Path(__file__).parents[2] / "deploy" / "postfix"
HOME = "players.example.net"
"""The domain of the players' mailboxes."""

SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
"""Debian's master.cf as far as it is needed, without chroot, which needs files of the system copied."""

OF_THE_TEST = """
# Of the test alone: folders, and mailboxes for the players.
config_directory = {folder}/etc
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.org
virtual_mailbox_domains = {home}
virtual_mailbox_base = {folder}/homes
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_minimum_uid = 1
smtpd_reject_unlisted_recipient = no
smtpd_client_connection_rate_limit = 0
"""


@dataclass(frozen=True)
class Postfix:
    """A running Postfix: its folder, and the port on which it takes mail."""

    folder: Path
    port: int

    def letters(self, address: str) -> list[ReceivedLetter]:
        """The mails in a player's mailbox, oldest first."""
        box = self.folder / "homes" / address.partition("@")[0] / "new"
        files = sorted(box.glob("*"), key=lambda path: path.stat().st_mtime_ns) if box.is_dir() else []
        return [ReceivedLetter(path.read_bytes()) for path in files]

    def offer(self, sender: str, recipient: str, raw: bytes, source: str = "127.0.0.9") -> None:
        """Send a mail as a server of the world does: from an address that is not our own."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60, source_address=(source, 0)) as smtp:
            smtp.sendmail(sender, [recipient], raw)

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""


@contextmanager
def running_postfix(
    pbem_port: int, port: int, players: tuple[str, ...], settings: str = "", services: str = ""
) -> Iterator[Postfix]:
    """Run Postfix on `port`; it hands mail for HOST to pbem's LMTP on `pbem_port`.

    `settings` replace those of `deploy/postfix/main.cf`, `services` are added to `master.cf`.
    """
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    folder.chmod(0o755)  # user postfix must get to its folders
    control = ["/usr/sbin/postfix", "-c", str(folder / "etc")]
    try:
        _set_up(folder, pbem_port, port, players, settings or (DEPLOY / "main.cf").read_text(), services)
        started = subprocess.run([*control, "start"], capture_output=True, text=True, timeout=60)
        assert started.returncode == 0, started.stdout + started.stderr + Postfix(folder, port).log()
        yield Postfix(folder, port)
    finally:
        subprocess.run([*control, "stop"], capture_output=True, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def _set_up(
    folder: Path, pbem_port: int, port: int, players: tuple[str, ...], main: str, services: str
) -> None:
    user = getpwnam("postfix")
    for name in ("etc", "queue", "data", "homes"):
        (folder / name).mkdir()
    for name in ("data", "homes"):
        shutil.chown(folder / name, user.pw_uid, user.pw_gid)
    main = main.replace("games.example.org", HOST).replace("/etc/postfix/", f"{folder}/etc/")
    main = main.replace("127.0.0.1:2526", f"127.0.0.1:{pbem_port}")
    boxes = ", ".join(f"{{ {address} = {address.partition('@')[0]}/ }}" for address in players)
    more = OF_THE_TEST.format(folder=folder, home=HOME, boxes=boxes, uid=user.pw_uid, gid=user.pw_gid)
    main = "\n".join(line for line in main.splitlines() if not _said_again(line, more))
    (folder / "etc/main.cf").write_text(main + more)
    transport = (DEPLOY / "transport").read_text().replace("games.example.org", HOST)
    transport = transport.replace("127.0.0.1:2526", f"127.0.0.1:{pbem_port}")
    (folder / "etc/transport").write_text(transport)
    own = (DEPLOY / "master.cf").read_text()
    (folder / "etc/master.cf").write_text(SERVICES.format(port=port) + own + services)


def _said_again(line: str, more: str) -> bool:
    """True if the test sets a value anew; Postfix warns of a setting that stands twice."""
    name, equals, _ = line.partition(" =")
    return bool(equals) and f"\n{name} =" in more
