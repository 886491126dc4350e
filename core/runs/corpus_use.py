"""Which runs are at work on a corpus, wherever they lie and however far they are.

A run that is being set up has no file yet that names its corpus, and one that was begun by command
may lie anywhere. So each process that trains says in Epitome's own folder what it reads:

    corpora-in-use/<code>.json    the run and its corpus
    corpora-in-use/<code>.lock    held while the process lives: only then the other file counts
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import EpitomeError
from core.storage.files import FileLock, is_held, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_PATIENCE_S = 0.5  # somebody may be looking whether the lock is held


@contextmanager
def corpus_in_use(corpus: Path, run: Path, places: Path) -> Iterator[None]:
    """Says that a run needs a corpus; where that cannot be written, it goes unsaid.

    Args:
        corpus: The corpus.
        run: The run's folder.
        places: Where it is said (`Folders.corpora_in_use`).

    Yields:
        None: it is said until the block ends, or the process.
    """
    file = places / f"{hashlib.sha256(bytes(run.absolute())).hexdigest()[:16]}.json"
    lock = FileLock(file.with_suffix(".lock"))
    with suppress(OSError, EpitomeError):
        write_json(file, {"run": str(run.absolute()), "corpus": str(corpus.absolute())})
        lock.acquire(patience_s=_PATIENCE_S)
    try:
        yield
    finally:
        with suppress(OSError):
            if lock.held:
                file.unlink(missing_ok=True)
                lock.release(delete=True)
            places.rmdir()  # unless others are at work


def runs_at_work(corpus: Path, places: Path) -> list[Path]:
    """The runs that need a corpus now.

    Args:
        corpus: The corpus.
        places: Where they say so (`Folders.corpora_in_use`).

    Returns:
        Their folders.
    """
    found = []
    for file in sorted(places.glob("*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = parse_json(read_regular(file))
            is_it = Path(told["corpus"]).resolve() == corpus.resolve()
            if is_it and is_held(file.with_suffix(".lock")):
                found.append(Path(told["run"]))
    return found
