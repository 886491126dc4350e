"""Two hosts on one machine: network namespaces joined by a pair of virtual cables.

Each has an address, a name and a disk of its own: what one writes into `disk`, the other does not
see, though the path is the same. Needs root on Linux.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
NAMES = ("alpha", "beta")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
PORT = 29500
# In a mount namespace of its own a host gets its disk, and knows itself by name without a network.
_ENTER = """
hostname "$1"; mount --bind "$2" "$3"; mount --bind "$4" /etc/hosts
mount --bind /dev/null /etc/resolv.conf
shift 4; cd "$ROOT_OF_PROGRAM"; exec "$@"
"""


class NoHostsError(Exception):
    """Says why no hosts can be made here."""


class TwoHosts:
    """Both hosts, up to `close`.

    Args:
        folder: Where their disks lie.

    Raises:
        NoHostsError: If namespaces or virtual cables are not permitted here.
    """

    def __init__(self, folder: Path) -> None:
        if os.name != "posix" or not shutil.which("ip") or not shutil.which("unshare"):
            raise NoHostsError("ip and unshare of Linux are needed")
        self._spaces = [f"epitome-{os.getpid()}-{name}" for name in NAMES]
        self._processes: list[subprocess.Popen[str]] = []
        self._folder, self.disk = folder, folder / "disk"
        self.disks = [folder / name for name in NAMES]
        for place in (self.disk, *self.disks):
            place.mkdir(parents=True)
        known = "".join(f"{a} {n}\n" for a, n in zip(ADDRESSES, NAMES, strict=True))
        (folder / "hosts").write_text(f"127.0.0.1 localhost\n{known}", "utf-8")
        try:
            self._connect()
            self.wait_for(self.start(0, ["true"]))
        except NoHostsError:
            self.close()
            raise

    def start(
        self, host: int, words: Sequence[object], more: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[str]":
        """Starts a program on a host.

        Args:
            host: 0 or 1.
            words: The program and its arguments.
            more: Variables of its environment.

        Returns:
            Its process; what it prints can be read from it.
        """
        enter = ["ip", "netns", "exec", self._spaces[host], "unshare", "--uts", "sh", "-ec", _ENTER]
        own = [NAMES[host], self.disks[host], self.disk, self._folder / "hosts"]
        environment = os.environ | {
            "ROOT_OF_PROGRAM": str(ROOT),
            "PYTHONPATH": str(ROOT),
            "EPITOME_HOME": str(self.disk / "home"),
            "OMP_NUM_THREADS": "1",
        }
        process = subprocess.Popen(
            [*enter, "sh", *map(str, own), *map(str, words)],
            env=environment | dict(more or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._processes.append(process)
        return process

    @staticmethod
    def wait_for(process: "subprocess.Popen[str]", patience_s: float = 240) -> str:
        """What a program has printed when it has ended with success; else raises `NoHostsError`."""
        told, _ = process.communicate(timeout=patience_s)
        if process.returncode:
            raise NoHostsError(told.strip())
        return told

    def cut_cable(self) -> None:
        """Nothing passes from now on, as when a machine loses its power: nothing is closed."""
        self._ip("-n", self._spaces[1], "link", "set", "cable", "down")

    def join_cable(self) -> None:
        """Joins what `cut_cable` cut."""
        self._ip("-n", self._spaces[1], "link", "set", "cable", "up")

    @staticmethod
    def kill(process: "subprocess.Popen[str]") -> None:
        """Ends a program and all that it has started by SIGKILL."""
        with suppress(psutil.NoSuchProcess):
            first = psutil.Process(process.pid)
            for each in [first, *first.children(recursive=True)]:
                each.kill()

    def close(self) -> None:
        """Ends what still runs, and takes both hosts down."""
        for process in self._processes:
            if process.poll() is None:
                self.kill(process)
            if process.stdout and not process.stdout.closed:
                process.communicate()
        for space in self._spaces:
            subprocess.run(["ip", "netns", "del", space], capture_output=True)

    def _connect(self) -> None:
        for space in self._spaces:
            self._ip("netns", "add", space)
        one, two = self._spaces
        ends = ["name", "cable", "netns", one, "type", "veth", "peer", "name", "cable"]
        self._ip("link", "add", *ends, "netns", two)
        for space, address in zip(self._spaces, ADDRESSES, strict=True):
            self._ip("-n", space, "address", "add", f"{address}/24", "dev", "cable")
            for link in ("cable", "lo"):
                self._ip("-n", space, "link", "set", link, "up")

    @staticmethod
    def _ip(*words: str) -> None:
        told = subprocess.run(["ip", *words], capture_output=True, text=True)
        if told.returncode:
            raise NoHostsError(f"ip {' '.join(words)}: {told.stderr.strip()}")


def torchrun(host: int, *words: object) -> list[object]:
    """The command that starts this host's one process by torchrun."""
    where = ["--nnodes", 2, "--node-rank", host, "--nproc-per-node", 1]
    first = ["--master-addr", ADDRESSES[0], "--master-port", PORT]
    program = [sys.executable, "-m", "torch.distributed.run"]
    return [*program, *where, *first, "-m", "core.cli", "train", *words]


def accelerate(host: int, *words: object) -> list[object]:
    """The same by `accelerate launch`; without --multi_gpu it starts no team."""
    where = ["--multi_gpu", "--num_machines", 2, "--num_processes", 2, "--machine_rank", host]
    first = ["--main_process_ip", ADDRESSES[0], "--main_process_port", PORT]
    rest = ["--rdzv_backend", "static", "--mixed_precision", "no", "--dynamo_backend", "no"]
    program = [sys.executable, "-m", "accelerate.commands.launch"]
    return [*program, *where, *first, *rest, "-m", "core.cli", "train", *words]


def bare(host: int, *words: object) -> tuple[list[object], dict[str, str]]:
    """This host's one process without a launcher: the command, and what torchrun would set."""
    team = {
        "RANK": str(host), "LOCAL_RANK": "0", "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "1",
        "MASTER_ADDR": ADDRESSES[0], "MASTER_PORT": str(PORT),
    }  # fmt: skip
    return [sys.executable, "-m", "core.cli", "train", *words], team
