"""`deploy/install`: its parts one by one, and from a bare machine to a game by real mail."""

from __future__ import annotations

import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPSConnection
from pathlib import Path
from socket import create_connection
from typing import NamedTuple

import pytest

from tests.deploy import world
from tests.deploy.machines import Booted, boot
from tests.deploy.namespaces import two_machines
from tests.deploy.world import Mailboxes
from tests.mail.zones import name_server

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "deploy" / "install"
SCRIPTS = [INSTALL, ROOT / "deploy" / "release", *sorted((ROOT / "deploy" / "install.d").iterdir())]

TREE = Path(os.environ.get("INSTALL_TREE", "/"))
"""The files of the machine: those of this one, or of a bare Debian as debootstrap makes it."""
WHEELS = os.environ.get("INSTALL_WHEELS")
"""A folder with the wheels of everything, for the Python of that tree; without, they are collected here."""
OPTIONS = os.environ.get("INSTALL_OPTIONS", "").split()

HOST, ADDRESS = "games.example.org", "203.0.113.25"
PLAY, BILL, JOAO = f"play@{HOST}", "bill@example.net", "joao@example.net"


def shell(text: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run lines with the functions of the installer at hand."""
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return subprocess.run(
        ["bash", "-c", f". {INSTALL}\n{text}"],
        env={"PATH": path, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_scripts_are_well_written() -> None:
    for script in SCRIPTS:
        subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.mark.shellcheck
def test_shellcheck_finds_nothing() -> None:
    words = ["shellcheck", "--external-sources", "--source-path=SCRIPTDIR", *map(str, SCRIPTS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stdout)


def test_help_tells_each_option() -> None:
    done = subprocess.run([str(INSTALL), "--help"], capture_output=True, text=True, check=True)
    taken = re.findall(r"--[a-z-]+", shell("declare -f read_options").stdout)
    assert {"--domain", "--remove", "--caddy"} <= set(taken)
    assert set() == set(taken) - set(re.findall(r"--[a-z-]+", done.stdout)) - {"--help", "--nginx"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--speed"], "There is no option --speed."),
        (["--domain"], "--domain needs a value."),
        (["--nginx"], "nginx is not set up any more: take Caddy"),
    ],
)
def test_a_wrong_option_is_named_and_changes_nothing(options: list[str], told: str) -> None:
    done = subprocess.run([str(INSTALL), *options], capture_output=True, text=True, check=False)
    assert 1 == done.returncode
    assert told in done.stderr


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("games.example.org", True),
        ("vps-17.hosting.example", True),
        ("games", False),
        ("localhost.localdomain", False),
        ("nas.local", False),
        ("router.lan", False),
        ("Games.example.org", False),
        ("games.example.org/x", False),
        ("10.0.0.7", False),
    ],
)
def test_a_name_of_the_machine_is_taken_where_the_world_may_know_it(name: str, public: bool) -> None:
    assert public == (shell(f"is_public '{name}'").returncode == 0)


def test_what_cannot_be_found_out_is_asked_for_with_the_option_that_answers() -> None:
    done = shell("find_operator", HOME="/")
    assert 1 == done.returncode
    assert "--operator you@example.net" in done.stderr


@pytest.mark.parametrize("address", ["bill", "bill@host", "b&ll@example.net", f"bill@{HOST}"])
def test_an_operator_whom_no_letter_reaches_is_refused(address: str) -> None:
    assert 1 == shell(f"domain={HOST} settings=/nowhere operator='{address}'; find_operator").returncode


def test_a_file_is_written_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    lines = f"notes={tmp_path}/notes; put {file} 640 root <<<one; put {file} 640 root <<<one; echo $changes"
    assert "1" == shell(lines).stdout.splitlines()[-1]
    assert "one\n" == file.read_text()
    assert 0o640 == file.stat().st_mode & 0o777


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    done = shell(
        f"notes={tmp_path}/notes dry=yes; put {tmp_path}/file 640 root <<<one; act touch {tmp_path}/more"
    )
    assert f"writing {tmp_path}/file" in done.stdout
    assert [] == list(tmp_path.iterdir())


def test_a_command_that_fails_is_shown_with_what_it_said_and_where_to_go_on() -> None:
    done = shell("step=packages; act sh -c 'echo no room; exit 3'")
    assert 1 == done.returncode
    assert "no room" in done.stderr
    assert 'It stopped at "packages".' in done.stderr


def test_a_program_at_a_port_is_named_unless_it_is_the_right_one() -> None:
    lines = """ss() { echo 'LISTEN 0 9 *:80 *:* users:(("smtpd",pid=7,fd=6),("master",pid=6,fd=13))'; }"""
    assert "smtpd\n" == shell(f"{lines}; other_at 80 caddy").stdout
    assert "" == shell(f"{lines}; other_at 80 master").stdout


def test_a_folder_with_something_else_is_never_taken_for_the_program(tmp_path: Path) -> None:
    assert 0 == shell(f"program={tmp_path}; check_program").returncode
    (tmp_path / "README.md").touch()
    done = shell(f"program={tmp_path}; check_program")
    assert (1, True) == (done.returncode, "holds something else" in done.stderr)
    (tmp_path / "pyvenv.cfg").touch()
    assert 0 == shell(f"program={tmp_path}; check_program").returncode
    done = shell(f"program={tmp_path} tree={tmp_path}/pbem-1.0; check_program")
    assert (1, True) == (done.returncode, "Move it elsewhere" in done.stderr)


def test_an_empty_file_is_never_written(tmp_path: Path) -> None:
    (file := tmp_path / "file").write_text("one\n")
    done = shell(f"notes={tmp_path}/notes; put {file} 640 root < <(sed s/wrong)")
    assert (1, "one\n") == (done.returncode, file.read_text())
    assert f"There is nothing to write to {file}." in done.stderr


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("PBEM_LMTP_LISTEN=unix:/run/pbem/lmtp", "PBEM_LMTP_LISTEN must be HOST:PORT"),
        ("PBEM_WEB_LISTEN=off", "PBEM_WEB_LISTEN must be HOST:PORT"),
        ("PBEM_WEB_LISTEN=[::1]:8001", "[::1]:8001 127.0.0.1:2526"),
        ("PBEM_HOST=games.example.org", "127.0.0.1:8000 127.0.0.1:2526"),
    ],
)
def test_listeners_are_those_of_the_settings(tmp_path: Path, lines: str, told: str) -> None:
    (file := tmp_path / "pbem.env").write_text(lines + "\n")
    start = f"ss() {{ echo LISTEN; }}; settings={file} mail=postfix"
    done = shell(f"{start}; choose_ports; echo $web_listen $lmtp_listen")
    assert told in done.stdout + done.stderr
    assert ("must be" in told) == (done.returncode == 1)


def started_again(tmp_path: Path, lines: str) -> str:
    """Start pbem where systemd runs it already, and return what systemd was told."""
    start = f"""
        notes={tmp_path}/notes web_listen=127.0.0.1:8000 lmtp_listen=127.0.0.1:2526
        put() {{ if [[ "$1" = */$changed ]]; then did "writing $1"; fi; }}
        systemctl() {{
          case $1 in
            is-enabled) [[ " $enabled " = *" $3 "* ]] ;;
            is-active) [[ " $inactive " != *" $3 "* ]] ;;
            *) echo "$*" >>{tmp_path}/log ;;
          esac
        }}
        enabled="pbem.target pbem.socket pbem.service pbem-backup.timer" inactive="" changed=""
    """
    done = shell(f"{start}\n{lines}\nstart_pbem $changes")
    assert 0 == done.returncode, done.stderr
    return (tmp_path / "log").read_text() if (tmp_path / "log").exists() else done.stdout


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("changed=pbem.service", "restart pbem.service pbem-backup.timer\n"),
        ("changed=pbem.socket", "restart pbem.service pbem-backup.timer pbem.socket\n"),
        ("inactive=pbem.socket", "restart pbem.service pbem-backup.timer pbem.socket\n"),
        ("enabled=pbem.service", "enable pbem.target pbem.socket pbem.service pbem-backup.timer\n"),
        ("enabled+=' pbem-work.service' changed=pbem.service", "left alone, as pbem-work is enabled"),
        ("", "as before"),
    ],
)
def test_the_socket_keeps_its_port_unless_it_was_changed(tmp_path: Path, lines: str, told: str) -> None:
    assert told in started_again(tmp_path, lines)


@pytest.mark.parametrize("certified", [False, True])
def test_caddy_asks_others_for_tls_once_there_is_a_certificate(tmp_path: Path, certified: bool) -> None:
    (file := tmp_path / "crt").write_text("x" if certified else "")
    lines = f"domain={HOST} lmtp_listen=x web_listen=127.0.0.1:8001; certificate() {{ echo {file}; }}"
    sites = shell(f"{lines}; operator=you@example.net; caddy_sites").stdout
    assert f"\nmode: {'enforce' if certified else 'testing'}\n" in sites
    assert f"\nmx: {HOST}\n" in sites
    for site in (HOST, f"mta-sts.{HOST}"):
        assert f"\n{site} {{\n\ttls you@example.net {{\n" in sites
    assert "\treverse_proxy 127.0.0.1:8001\n" in sites


def test_a_machine_that_had_nginx_before_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "web").write_text("nginx\n")
    done = shell(f"notes={tmp_path}; find_servers")
    assert (1, True) == (done.returncode, "Keep it as it is by --no-web" in done.stderr)
    for option in ("none", "caddy"):
        assert f"{option}\n" == shell(f"notes={tmp_path} web={option}; find_servers; echo $web").stdout


@pytest.mark.slow
@pytest.mark.postfix
def test_a_domain_that_was_added_to_postfix_stops_each_run(tmp_path: Path) -> None:
    (tmp_path / "main.cf").write_text(f"mydestination =\nrelay_domains = {HOST}\n")
    (tmp_path / "postfix").touch()
    lines = f"domain={HOST} notes={tmp_path}; dpkg-query() {{ :; }}; check_mail_server"
    assert 0 == shell(lines, MAIL_CONFIG=str(tmp_path)).returncode
    (tmp_path / "main.cf").write_text(f"mydestination =\nrelay_domains = {HOST}, other.example\n")
    done = shell(lines, MAIL_CONFIG=str(tmp_path))
    assert (1, True) == (done.returncode, "mail for other.example already" in done.stderr)


@pytest.mark.slow
@pytest.mark.postfix
def test_settings_of_postfix_are_made_once_and_put_back(tmp_path: Path) -> None:
    (own := tmp_path / "postfix").mkdir()
    (main := own / "main.cf").write_text(
        "compatibility_level = 3.6\nmydestination = here, there\nrelay_domains =\n"
    )
    (master := own / "master.cf").write_text("smtp inet n - y - - smtpd\n")
    before = shell("postconf -n; postconf -M", MAIL_CONFIG=str(own)).stdout
    start = (
        f"domain={HOST} web=none lmtp_listen=127.0.0.1:2527 web_listen=127.0.0.1:8001 notes={tmp_path}/notes"
    )
    done = shell(
        f"{start}; configure_postfix; echo $changes; configure_postfix; echo $changes", MAIL_CONFIG=str(own)
    )
    assert ["2", "2"] == [line for line in done.stdout.splitlines() if line.isdigit()]
    assert f"relay_domains = {HOST}\n" in main.read_text()
    assert "lmtp" in master.read_text()
    done = shell(f"{start} remove=yes; systemctl() {{ false; }}; remove_from_postfix", MAIL_CONFIG=str(own))
    assert 0 == done.returncode, done.stderr
    assert before == shell("postconf -n; postconf -M", MAIL_CONFIG=str(own)).stdout


def test_packages_that_serve_others_stay(tmp_path: Path) -> None:
    packages = ["caddy", "git", "git-man", "gone", "libpq5", "postgresql", "postfix", "ssl-cert"]
    (tmp_path / "packages").write_text("".join(f"{name}\n" for name in packages))
    lines = f"""
        notes={tmp_path}
        is_installed() {{ [ "$1" != gone ]; }}
        apt-cache() {{
          case " $* " in *" git "*) echo git-man ;; esac
          case " $* " in *" postgresql "*) echo ssl-cert ;; esac
        }}
        dpkg() {{ echo "??5?????? c /etc/caddy/Caddyfile"; }}
        packages_to_remove
        dpkg() {{ :; }}
        packages_to_remove
    """
    assert ["postfix", "caddy", "postfix"] == shell(lines).stdout.split()


def test_the_records_are_read_by_a_name_server_as_they_are_printed() -> None:
    lines = (
        f"domain={HOST} operator=you@example.net web=caddy addresses=({ADDRESS} 2001:db8::25)\n"
        f"""as_pbem() {{ echo 'pbem._domainkey.{HOST}. IN TXT ( "v=DKIM1; p=abc" "def" )'; }}\ndns_records"""
    )
    zone = world.zone_of(shell(lines).stdout)
    assert [ADDRESS] == zone[HOST, "A"] == zone[f"mta-sts.{HOST}", "A"]
    assert ["2001:db8::25"] == zone[HOST, "AAAA"]
    assert [f"10 {HOST}"] == zone[HOST, "MX"]
    assert ["v=DKIM1; p=abcdef"] == zone[f"pbem._domainkey.{HOST}", "TXT"]


@pytest.mark.parametrize(
    ("operator", "record"),
    [
        ("you@example.net", f'{HOST}._report._dmarc.example.net. IN TXT "v=DMARC1"\n'),
        (f"you@mail.{HOST}", ""),
        (f"you@{HOST.partition('.')[2]}", ""),
    ],
)
def test_the_record_for_reports_is_told_where_they_go_to_another_domain(operator: str, record: str) -> None:
    assert record == shell(f"domain={HOST} operator={operator}; report_record").stdout


@pytest.mark.parametrize(
    ("finding", "end", "code", "words"),
    [
        ("hint   web site  good until 2026-12-03 only", "All is well.", 0, "It is ready."),
        ("hint   STARTTLS  good until 2026-12-03 only", "All is well.", 0, "It is ready."),
        ("wrong  web site  certificate has expired", "Something is wrong.", 1, "Mend what is wrong"),
        ("wrong  MX        none", "Something is wrong.", 0, "waits for DNS"),
    ],
)
def test_only_what_is_missing_in_dns_waits_for_dns(
    finding: str, end: str, code: int, words: str, tmp_path: Path
) -> None:
    done = shell(
        f"domain={HOST} operator=op@{HOST} web=caddy addresses=({ADDRESS}) changes=1 dry= program=/none\n"
        f"scratch={tmp_path} etc={tmp_path}\n"
        f"as_pbem() {{ if [ $2 = check ]; then printf '{finding}\\n{end}\\n'; fi; }}\nreport"
    )
    assert (code, True) == (done.returncode, words in done.stdout + done.stderr), done
    assert ("waits for DNS" in done.stdout) == ("MX " in finding)


# From a bare machine to a game


class Site(NamedTuple):
    machine: Booted
    boxes: Mailboxes
    zone: dict[tuple[str, str], list[str]]
    trusted: str
    wheels: Path

    def install(self, *options: str) -> str:
        words = ["--wheelhouse", f"/mnt/{self.wheels.name}", "--acme", world.ACME, *OPTIONS, *options]
        return self.machine.run(f"/mnt/{ROOT.name}/deploy/install", *words).stdout


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    wheels = Path(WHEELS) if WHEELS else collect_wheels(tmp_path)
    (etc := tmp_path / "etc").mkdir()
    (etc / "hostname").write_text("games\n")
    (etc / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {HOST} games\n")
    (etc / "resolv.conf").write_text(f"nameserver {world.NAMES}\n")
    (room := tmp_path / "room").mkdir()
    zone = world.outside()
    with ExitStack() as stack:
        outside, own = stack.enter_context(two_machines(world.ROUTER, ADDRESS))
        for address in (world.NAMES, world.AUTHORITY, world.MAILBOXES):
            outside.add_address(address)
        own.send_all_to(world.ROUTER)
        stack.enter_context(outside.inside())
        stack.enter_context(name_server(zone, (world.NAMES, 53)))
        trusted = stack.enter_context(world.authority(tmp_path))
        boxes = stack.enter_context(world.mailboxes(zone))
        machine = stack.enter_context(boot(own, room, TREE, etc, ROOT, wheels))
        trust(machine, trusted)
        yield Site(machine, boxes, zone, trusted, wheels)


def collect_wheels(folder: Path) -> Path:
    """Wheels of this tree and of all that it needs, as somebody makes them for a machine without network."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    wheels = folder / "wheels"
    words = [*pip, "--wheel-dir", str(wheels), "--constraint", str(ROOT / "constraints.txt"), str(ROOT)]
    subprocess.run(words, check=True)
    return wheels


def trust(machine: Booted, certificates: str) -> None:
    """Have a machine trust authorities, as it does Let's Encrypt from the first."""
    folder = "/usr/local/share/ca-certificates"
    machine.path(folder).mkdir(parents=True, exist_ok=True)
    end = "-----END CERTIFICATE-----\n"
    for number, text in enumerate(certificates.split(end)[:-1]):
        machine.path(f"{folder}/world{number}.crt").write_text(text + end)
    machine.run("update-ca-certificates")


def files(machine: Booted) -> dict[str, str]:
    """All settings of a machine, but those that systemd and Debian keep by themselves."""
    found = machine.run(
        "sh", "-c", "find /etc /usr/local/bin /opt/pbem/bin -type f -exec sha256sum {} +", check=False
    ).stdout
    pairs = (line.split(maxsplit=1)[::-1] for line in found.splitlines())
    return {name: sum for name, sum in pairs if name.startswith("/") and not name.startswith("/etc/ssl/")}


@pytest.mark.pebble
def test_from_nothing_to_a_game_by_real_mail_and_back(site: Site) -> None:
    before = files(site.machine)
    told = site.install("--operator", "you@example.net", "--dry-run")
    assert "nothing was changed" in told
    assert before == files(site.machine)

    told = site.install("--operator", "you@example.net")
    assert "wrong  MX" in told
    site.zone.update(world.zone_of(re.sub(r"(?m)^(?!\S+ IN ).*$", "", told)))
    site.zone[f"{'.'.join(reversed(ADDRESS.split('.')))}.in-addr.arpa", "PTR"] = [HOST]

    told = site.install()
    assert "It is ready." in told
    assert 12 == len(re.findall(r"^  ok ", told, re.M)), told
    assert not re.findall(r"^  (?:hint|wrong) ", told, re.M), told
    installed = files(site.machine)

    play_by_mail(site.boxes)
    context = ssl.create_default_context(cadata=site.trusted)
    page = read_page(context, "/games/1")
    assert "Bill" in page and "Joao" in page and "f2 f4 g3" in page
    assert "mode: enforce" in read_page(context, "/.well-known/mta-sts.txt", f"mta-sts.{HOST}")

    assert "Nothing had to be changed." in site.install()
    assert installed == files(site.machine)

    site.machine.path("/opt/pbem/wheel.sha256").write_text("of another version\n")
    told = site.install()
    assert "saving the games" in told
    assert "starting pbem" in told
    assert 2 == len(list(site.machine.path("/var/backups/pbem").iterdir()))

    told = site.install("--remove")
    assert "Still there: the games" in told
    after = files(site.machine)
    stays = {"/etc/pbem/pbem.env", "/etc/pbem/secret"} if "--postgres" in OPTIONS else {"/etc/pbem/pbem.env"}
    assert stays == {name for name in after if "pbem" in name and name not in before}
    assert "--postgres" in OPTIONS or site.machine.path("/var/lib/pbem/var/pbem.sqlite").exists()
    assert "inactive" == site.machine.run("systemctl", "is-active", "pbem", check=False).stdout.strip()


def play_by_mail(boxes: Mailboxes) -> None:
    """Two people register and play the first plies of a game."""
    for person, name in ((BILL, "Bill"), (JOAO, "Joao")):
        boxes.write(person, PLAY, f"register {name}\n")
        boxes.answer(person, boxes.letter(person, "your address?"), "yes\n")
    welcome = boxes.letter(BILL, "Welcome")
    boxes.answer(BILL, welcome, "set undo off\nchallenge Joao bipod first\n")
    boxes.answer(JOAO, boxes.letter(JOAO, "Challenge"), "set undo off\naccept\n")
    boxes.letter(JOAO, "Bipod #1")  # it begins
    boxes.answer(BILL, boxes.letter(BILL, "Bipod #1"), "f2 f4 g3\n")
    boxes.answer(JOAO, boxes.letter(JOAO, "Bipod #1"), "e5 g1\n")
    boxes.letter(BILL, "Bipod #1")  # what Bill played
    assert "g1" in boxes.letter(BILL, "Bipod #1").get_body(("plain",)).get_content()


def read_page(context: ssl.SSLContext, path: str, host: str = HOST) -> str:
    """Read a page by https, from the machine to which DNS leads."""
    with closing(HTTPSConnection(host, context=context, timeout=60)) as line:
        line.sock = context.wrap_socket(create_connection((ADDRESS, 443)), server_hostname=host)
        line.request("GET", path)
        answer = line.getresponse()
        assert 200 == answer.status
        return answer.read().decode()
