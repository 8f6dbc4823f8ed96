"""Container images, built by buildah and run by podman, for root and without any image of the network.

The base image is a Debian that debootstrap makes. A container runs as compose.yaml says, in a network
namespace of the test; the kernel's limits are left out where the machine of the test allows none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.databases import memory
from tests.deploy.namespaces import Machine

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
BUILD_SECONDS = 900
STOP_SECONDS = 75
Service = dict[str, Any]
"""A service of compose.yaml, its variables replaced."""

IN_A_CORNER = """\
umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs corner /mnt && mknod -m 666 /mnt/null c 1 3 && mount --bind /mnt/null /dev/null
exec podman "$@"
"""
"""Mounts of podman's own: it refuses two hierarchies of cgroups, and gives /dev/null to another user."""
LIMITS = ["--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"]


@dataclass
class Engine:
    """Images and containers in a folder of their own."""

    folder: Path
    names: list[str] = field(default_factory=list)

    @property
    def _storage(self) -> list[str]:
        return [f"--root={self.folder}/images", f"--runroot={self.folder}/run"]

    def make_base(self, name: str, suite: str = "bookworm") -> None:
        """Make the image of a Debian with Python."""
        included = "--include=ca-certificates,python3,python3-venv"
        with tempfile.TemporaryDirectory(prefix="pbem-debian-", dir=memory()) as root:
            _run("debootstrap", "--variant=minbase", included, suite, root)
            _run("buildah", *self._storage, "from", "--name=base", "scratch")
            _run("buildah", *self._storage, "add", "--quiet", "base", root, "/")
            _run("buildah", *self._storage, "commit", "--quiet", "--rm", "base", name)

    def build(self, name: str, file: Path, context: Path, **arguments: str) -> None:
        """Build an image."""
        words = [f"--build-arg={key}={value}" for key, value in arguments.items()]
        trust = [f"--volume={CERTIFICATES}:{CERTIFICATES}:ro"] if Path(CERTIFICATES).exists() else []
        how = ["--quiet", "--isolation=chroot", "--format=docker", "--pull-never", "--env=PIP_CERT"]
        _run(
            "buildah",
            *self._storage,
            "build",
            *how,
            *words,
            *trust,
            "-f",
            str(file),
            "-t",
            name,
            str(context),
        )

    def podman(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = ["unshare", "--mount", "sh", "-c", IN_A_CORNER, "podman", *self._storage]
        network = ["--cgroup-manager=cgroupfs", *words]
        return subprocess.run(
            [*command, *network], input="", capture_output=True, text=True, timeout=BUILD_SECONDS
        )

    def run(self, name: str, service: Service, machine: Machine, dns: str, *words: str) -> str:
        """Start a service in the background and return its container's name."""
        container = f"{name}-{os.getpid()}"
        self.names.append(container)
        network = [f"--network=ns:{machine.path}", f"--dns={dns}"]
        where = [f"--add-host={host}:127.0.0.1" for host in ("database", "pbem", "postfix", "caddy")]
        how = [*LIMITS, *network, *where, *options(service)]
        done = self.podman("run", "--detach", "--name", container, *how, service["image"], *words)
        assert done.returncode == 0, done.stderr
        return container

    def volume(self, name: str) -> Path:
        """Make a volume of compose.yaml before its containers do; return its folder."""
        own = f"{name}-{os.getpid()}"
        made = self.podman("volume", "create", own)
        assert made.returncode == 0, made.stderr
        return Path(self.podman("volume", "inspect", "--format={{.Mountpoint}}", own).stdout.strip())

    def execute(self, container: str, *words: str) -> subprocess.CompletedProcess[str]:
        return self.podman("exec", container, *words)

    def healthy(self, container: str, seconds: int = 120) -> bool:
        """Run the image's health check until it passes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.podman("healthcheck", "run", container).returncode == 0:
                return True
            time.sleep(1)
        return False

    def stop(self, container: str) -> int:
        """Stop a container as `compose stop` does; return its exit code."""
        self.podman("stop", f"--time={STOP_SECONDS}", container)
        state = json.loads(self.podman("inspect", "--format={{json .State}}", container).stdout)
        return int(state["ExitCode"])

    def logs(self, container: str) -> str:
        done = self.podman("logs", container)
        return done.stdout + done.stderr


def options(service: Service) -> list[str]:
    """What compose.yaml says of a service, in the words of `podman run`."""
    words = [f"--env={key}={value}" for key, value in service.get("environment", {}).items()]
    words += [f"--tmpfs={place}" for place in service.get("tmpfs", ())]
    words += [f"--cap-drop={name}" for name in service.get("cap_drop", ())]
    words += [f"--security-opt={name.replace(':true', '')}" for name in service.get("security_opt", ())]
    words += ["--read-only", "--read-only-tmpfs=false"] if service.get("read_only") else []
    for volume in service.get("volumes", ()):
        name, _, place = volume.partition(":")
        words.append(f"--volume={name}-{os.getpid()}:{place}")
    return words


def _run(*words: str) -> None:
    environ = {**os.environ, "PIP_CERT": CERTIFICATES, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=BUILD_SECONDS, env=environ)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@contextmanager
def container_engine() -> Iterator[Engine]:
    """An engine whose containers and images are removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-images-", dir="/var/tmp"))  # images do not fit into memory
    engine = Engine(folder)
    try:
        yield engine
    finally:
        for container in engine.names:
            engine.podman("rm", "--force", "--time=1", "--volumes", container)
        engine.podman("umount", "--all")
        shutil.rmtree(folder, ignore_errors=True)
