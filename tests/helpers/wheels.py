"""Wheels made in tests, and a package index that may stall in the middle of a download."""

import base64
import hashlib
import threading
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def make_wheel(
    folder: Path, name: str, files: Mapping[str, bytes], *, needs: Sequence[str] = ()
) -> Path:
    """A wheel of version 1.0.

    Args:
        folder: Where it goes.
        name: Of the package.
        files: What it installs into `site-packages`.
        needs: Names of other packages.

    Returns:
        The file.
    """
    stem = f"{name.replace('-', '_')}-1.0"
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    metadata += [f"Requires-Dist: {other}" for other in needs]
    members = {
        **files,
        f"{stem}.dist-info/METADATA": "\n".join([*metadata, ""]).encode(),
        f"{stem}.dist-info/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in members.items())
    record += f"{stem}.dist-info/RECORD,,\n"
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in {**members, f"{stem}.dist-info/RECORD": record.encode()}.items():
            archive.writestr(member, data)
    return path


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
    return f"sha256={digest.rstrip('=')}"


class Index(ThreadingHTTPServer):
    """A package index over the wheels of a folder; it sends half of a file, then waits.

    Args:
        folder: The wheels.
        stalls_at: The number of the download that waits, from 1; 0 for none.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, folder: Path, stalls_at: int) -> None:
        self.folder, self.left = folder, stalls_at
        self.half_sent, self.go_on = threading.Event(), threading.Event()
        self.sent = list[str]()
        """The names of the wheels that were sent whole."""
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def options(self) -> tuple[str, ...]:
        """What makes pip ask this index alone."""
        return ("--isolated", "--index-url", f"http://127.0.0.1:{self.server_port}/", "--no-cache")

    def options_with_cache(self, folder: Path) -> tuple[str, ...]:
        """The same, but what comes whole is kept in a folder."""
        kept = ("--cache-dir", str(folder), "--trusted-host", f"127.0.0.1:{self.server_port}")
        return (*self.options[:-1], *kept)


class _Handler(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        name = self.path.strip("/")
        wheel = self.server.folder / name
        if wheel.is_file():
            data = wheel.read_bytes()
            self._begin("application/zip", len(data))
            self.server.left -= 1
            if self.server.left:
                self.wfile.write(data)
                self.server.sent.append(name)
                return
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            self.server.half_sent.set()
            self.server.go_on.wait()
            self.wfile.write(data[len(data) // 2 :])
            return
        stem = name.replace("-", "_")
        found = [path.name for path in self.server.folder.glob(f"{stem}-*.whl")]
        page = "".join(f'<a href="/{each}">{each}</a>' for each in found).encode()
        self._begin("text/html", len(page))
        self.wfile.write(page)

    def _begin(self, kind: str, length: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.send_header("Cache-Control", "max-age=3600" if kind.endswith("zip") else "no-store")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


@contextmanager
def stalling_index(folder: Path, stalls_at: int = 1) -> Iterator[Index]:
    """An index for a block.

    Args:
        folder: The wheels.
        stalls_at: The number of the download that waits, from 1.

    Yields:
        The index; what waits is let go at the end.
    """
    index = Index(folder, stalls_at)
    thread = threading.Thread(target=index.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield index
    finally:
        index.go_on.set()
        index.shutdown()
        index.server_close()
        thread.join()
