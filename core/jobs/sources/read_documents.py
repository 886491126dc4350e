"""Documents without references, in files of any readable format: what systems can summarise."""

from pathlib import Path

from core.data.corpus import CARD
from core.data.tables import is_table
from core.documents.readers.door import read_file
from core.errors import EpitomeError
from core.evaluation.pairs import Pairs, read_pairs
from core.evaluation.settings import ScoreSettings
from core.events import Progress, Steps
from core.jobs.sources.source_files import FolderOptions, look_into
from core.numbers import format_quantity
from core.stop import StopToken


def read_scored(path: Path, settings: ScoreSettings, stop: StopToken) -> Steps[Pairs]:
    """Reads what systems are scored on.

    Args:
        path: A table or a corpus; without references also a document, or a folder of documents.
        settings: The columns, the split, how many rows, and whether there are references.
        stop: The wish to end.

    Yields:
        How many documents are read.

    Returns:
        The documents and references, in their order.

    Raises:
        EpitomeError: If there are none, or they cannot be read.
    """
    if settings.references or is_table(path) or (path / CARD).is_file():
        return read_pairs(path, settings)
    return (yield from _read_files(path, settings, stop))


def _read_files(path: Path, settings: ScoreSettings, stop: StopToken) -> Steps[Pairs]:
    files = look_into(path, FolderOptions(), stop).taken if path.is_dir() else [path]
    taken, notes = files[: settings.limit], []
    ids, documents, kinds = [], [], []
    num_left_out, has_gaps = 0, False
    for number, file in enumerate(taken):
        yield Progress(number, len(taken), "documents", "Reading documents")
        stop.raise_if_set()
        try:
            document = yield from read_file(file, stop)
        except EpitomeError as error:
            if len(files) == 1:
                raise
            notes.append(f"Left out: {file.name}. {error.message}")
            num_left_out += 1
            continue
        has_gaps = num_left_out > 0
        ids.append(file.relative_to(path).as_posix() if path.is_dir() else file.name)
        documents.append(document)
        kinds.append(file.suffix.lower().removeprefix("."))
    if not documents:
        raise EpitomeError(f"“{path.name}” holds no document that can be read.", "Name another.")
    is_cut = len(taken) < len(files)
    if is_cut:
        notes.append(f"Only the first {format_quantity(len(taken), 'file')} were taken.")
    return Pairs(
        path=path,
        ids=tuple(ids),
        references=("",) * len(ids),
        documents=tuple(document.text for document in documents),
        notes=tuple(notes),
        is_cut=is_cut,
        has_references=False,
        kinds=tuple(kinds),
        read={document.text: document for document in documents},
        has_gaps=has_gaps,
    )
