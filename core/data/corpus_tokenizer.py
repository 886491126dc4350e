"""The tokenizer of a corpus, for runs that are given none: trained once, kept beside the corpus."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from core.data.corpus import Corpus, open_corpus
from core.data.staging import wait_for_lock, writing
from core.data.tokenizer import Tokenizer
from core.events import Progress, Steps
from core.stop import StopToken
from core.storage.regular_files import rename_patiently


def tokenizer_folder(corpus: Corpus, size: int) -> Path:
    """Where the tokenizer of a corpus lies for one size of vocabulary, made or not."""
    return corpus.folder / f"tokenizer-{size}"


def corpus_tokenizer(corpus_folder: Path, size: int, stop: StopToken) -> Steps[Tokenizer]:
    """Trains a tokenizer on the training split of a corpus, unless that was done before.

    Args:
        corpus_folder: The corpus.
        size: Size of the vocabulary.
        stop: Read before each text.

    Yields:
        That it is being trained, here or by another process.

    Returns:
        The tokenizer.

    Raises:
        EpitomeError: If there is no text, or nothing can be written beside the corpus.
        Stopping: If an end was asked for.
    """
    corpus = open_corpus(corpus_folder)
    folder = tokenizer_folder(corpus, size)
    if folder.is_dir():
        return Tokenizer.load(folder)
    growing = folder.with_name(f"{folder.name}.preparing")
    lock = yield from wait_for_lock(growing, "Waiting for another process's tokenizer", stop)
    try:
        if not folder.is_dir():  # another process may have finished it meanwhile
            yield Progress(0, 0, "texts", "Training a tokenizer")
            tokenizer = Tokenizer.train(_watched(corpus, stop), size)
            stop.raise_if_set()
            shutil.rmtree(growing, ignore_errors=True)
            tokenizer.save(growing)
            with writing(folder):
                rename_patiently(growing, folder)
        return Tokenizer.load(folder)
    finally:
        lock.release(delete=True)


def _watched(corpus: Corpus, stop: StopToken) -> Iterator[str]:
    for text in corpus.texts(corpus.splits[0]):
        stop.raise_if_set()
        yield text
