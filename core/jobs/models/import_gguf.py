"""Takes in a GGUF file, after looking through its head."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import needs_training
from core.events import Event, Finished, Message, Progress, Started
from core.jobs.models.import_folder import ImportSettings
from core.library.named_folders import new_folder
from core.models.gguf.folder import FILE, GGUFFacts, check_part, look_through_gguf
from core.models.gguf.template import chat_frame
from core.models.settings import PairSettings
from core.runs.model_card import ModelCard
from core.stop import StopToken
from core.storage.portable_names import make_portable
from core.storage.regular_files import open_regular, rename_patiently
from core.training.model_draft import check_room_on_disk, keep_untrained, model_draft, today

if TYPE_CHECKING:
    from core.models.special_tokens import SpecialTokens

SUFFIX = ".gguf"
_PIECE_BYTES = 1 << 20
_TRIED_LENGTH = 512  # tokens of room while the prompt's length is counted


@dataclass(frozen=True)
class ImportGGUFJob:
    """Checks a GGUF file, loads it once, and copies it among the runs.

    Args:
        path: The file.
        runs: The folder of all runs.
        settings: How it is taken in.
    """

    memory_remedy = "Close other programs, or choose a smaller model."

    path: Path
    runs: Path
    settings: ImportSettings = field(default_factory=ImportSettings)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the model's folder.

        Args:
            stop: Ends the job; nothing of the model is left then.

        Yields:
            Progress in bytes, and `Finished`.

        Raises:
            EpitomeError: If the file holds no usable model, the part is missing, or there is no
                room for it.
        """
        yield Started("Importing")
        facts = look_through_gguf(self.path)
        check_part()
        if facts.memory_warning:
            yield Message("warning", facts.memory_warning)
        folder = new_folder(
            self.settings.out or make_portable(self.path.stem, "model"), self.runs, "a model"
        )
        check_room_on_disk(folder.parent, facts.header.size_bytes)
        with needs_training("Models write"):
            settings, special = self._tried(facts)
        with model_draft(folder.parent) as draft:
            yield from self._copied(draft / FILE, facts.header.size_bytes, stop)
            yield Finished(_kept(draft, folder, settings, special, facts))

    def _tried(self, facts: GGUFFacts) -> "tuple[PairSettings, SpecialTokens]":
        """The model's settings, after it was loaded and has shown its chat template."""
        from core.models.gguf.server import LlamaProcess
        from core.models.gguf.trial import check_loads
        from core.training.library_folder import check_room
        from core.writing.gguf_model import frame_of

        check_loads(self.path)
        opening, closing = chat_frame(self.path)
        server = LlamaProcess(self.path, _TRIED_LENGTH, 1)
        settings = self.settings.of(facts.settings(opening, closing))
        special = frame_of(server, settings)
        check_room(settings, special)
        return settings, special

    def _copied(self, target: Path, size: int, stop: StopToken) -> Iterator[Progress]:
        done = 0
        with open_regular(self.path, "rb") as source, target.open("wb") as file:
            while piece := source.read(_PIECE_BYTES):
                stop.raise_if_set()
                file.write(piece)
                done += len(piece)
                yield Progress(done, size, "bytes", "Importing")


def _kept(
    draft: Path,
    folder: Path,
    settings: PairSettings,
    special: "SpecialTokens",
    facts: GGUFFacts,
) -> Path:
    """Makes a run of the copied file, moves it to where it is found."""
    from core.decoding.settings import DecodingSettings

    copied = draft / FILE
    special.save(draft / "tokenizer" / "special_tokens.json")
    card = ModelCard(facts.header.licence, facts.languages, today())
    decoding = DecodingSettings(max_length=settings.target_length, block_repeats=0)
    files = {FILE: lambda path: _moved(copied, path)}
    return keep_untrained(draft, folder, files, {}, settings, decoding, card)


def _moved(source: Path, target: Path) -> None:
    rename_patiently(source, target)
