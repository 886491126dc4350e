"""A model in a GGUF file, computed by llama.cpp."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided, Decoded, Ending
from core.errors import EpitomeError
from core.models.gguf.folder import FILE, check_part
from core.models.gguf.marks import read_marks
from core.models.gguf.server import LlamaProcess, LlamaServer
from core.models.gguf.trial import check_loads
from core.models.hugging_face.prompt import TEXT_PLACE
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.settings import ModelSettings
from core.models.special_tokens import SpecialTokens
from core.runs.checkpoints import Checkpoints
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.stop import StopToken
from core.training.library_folder import check_room
from core.training.plan import RunPlan
from core.writing.writing_model import WritingModel

_NO_TOKEN = -1  # llama.cpp knows ends and padding by itself


@dataclass(frozen=True)
class GGUFTokenizer:
    """The tokenizer in a GGUF file.

    Args:
        server: The loaded model.
        special: The frame that stands round each source.
        marks: The tokens by id that no text becomes, as `core.models.gguf.marks` has them.
    """

    server: LlamaServer
    special: SpecialTokens
    marks: Mapping[int, str]

    def encode_many(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of several texts; text that spells a special token is text like any other."""
        return [self._ordinary(self.server.tokens(text)) for text in texts]

    def _ordinary(self, ids: list[int]) -> list[int]:
        """The ids with the letters of marks in their place."""
        if self.marks.keys().isdisjoint(ids):
            return ids
        spelled = {number: self._letters(number) for number in self.marks.keys() & set(ids)}
        return [each for number in ids for each in spelled.get(number, [number])]

    def _letters(self, number: int) -> list[int]:
        ids = self.server.tokens(" ".join(self.marks[number]))
        return [each for each in ids if each not in self.marks]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids."""
        return self.server.text(list(ids)) if ids else ""


@dataclass(frozen=True, kw_only=True)
class GGUFModel(WritingModel):
    """A model of a GGUF file that can write.

    Args:
        tokenizer: Its tokenizer.
    """

    tokenizer: GGUFTokenizer

    def _framed(self, model: ModelSettings) -> GGUFTokenizer:
        special = frame_of(self.tokenizer.server, model)
        check_room(model, special)
        return replace(self.tokenizer, special=special)

    def write(
        self, sources: Sequence[Sequence[int]], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        """Writes the texts one after the other, greedily; see `WritingModel.write`."""
        for number, source in enumerate(sources):
            yield from self._text(number, source, settings.max_length, stop)

    def _text(
        self, number: int, source: Sequence[int], most: int, stop: StopToken
    ) -> Iterator[Decided]:
        special, ids = self.tokenizer.special, list[int]()
        ended: Ending = "stopped"
        if not stop:
            prompt = [*special.before, *source, *special.after]
            for new, why in self.tokenizer.server.written(prompt, most):
                ids += new
                if why:
                    ended = "length" if why == "limit" else "end"
                    break
                if stop:
                    break
                yield Decided(number, tuple(new))
        told = tuple(new) if ids and ended != "stopped" else ()
        yield Decided(number, told, Decoded(tuple(ids), 0.0, 0.0, ended))


def frame_of(server: LlamaServer, model: ModelSettings) -> SpecialTokens:
    """The tokens around a source: the chat template with the prompt."""
    settings = HuggingFaceSettings.require(model)
    before, _, after = settings.prompt.partition(TEXT_PLACE)
    opened = server.tokens(settings.opening + before, marked=True, begins=True)
    closed = server.tokens(after + settings.closing, marked=True)
    none = _NO_TOKEN
    return SpecialTokens(none, none, none, none, tuple(opened), tuple(closed))


def open_gguf(run: Path, plan: RunPlan, threads: int) -> GGUFModel:
    """Loads an imported GGUF file.

    Args:
        run: The folder of the model.
        plan: What its job file says.
        threads: How many compute.

    Returns:
        The model, with the prompt that a person gave it.

    Raises:
        EpitomeError: If the part is missing, or the file cannot be loaded.
    """
    settings = HuggingFaceSettings.require(plan.model)
    check_part()
    checkpoint = Checkpoints(run).likely((FILE,))
    if checkpoint is None:
        raise EpitomeError(f"The model {run.name} has no {FILE}.", "Import the file again.")
    check_loads(checkpoint / FILE)
    server = LlamaProcess(
        checkpoint / FILE, settings.source_length + settings.target_length, threads
    )
    opened = GGUFModel(
        name=run.name,
        settings=settings,
        tokenizer=GGUFTokenizer(server, frame_of(server, settings), read_marks(checkpoint / FILE)),
        decoding=plan.decoding,
        weights=checkpoint / FILE,
        told=f"Computed by llama.cpp ({settings.stored_as} weights).",
    )
    return opened.prompted(read_model_card(RunFolder(run)).prompt)
