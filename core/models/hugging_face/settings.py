"""Settings of a Hugging Face encoder-decoder: its own configuration, and how long its texts are."""

import json
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import model_validator

from core.errors import EpitomeError, explained
from core.models.special_tokens import SpecialTokens
from core.regular_files import read_regular
from core.settings import Settings, option

_CONFIG_FILE, _GENERATION_FILE = "config.json", "generation_config.json"
_LONGEST_SOURCE, _LONGEST_TARGET = 1024, 256


class HuggingFaceSettings(Settings):
    """The architecture of an encoder-decoder of the Hugging Face transformers library.

    It is read from the folder that the model comes from, and kept as it was there.
    """

    family: Literal["hugging-face"] = option("hugging-face", "Family", "Model family.")
    source_length: int = option(
        _LONGEST_SOURCE, "Source length", "Maximum length of the source.",
        unit="tokens", basic=True, ge=3,
    )  # fmt: skip
    target_length: int = option(
        _LONGEST_TARGET, "Target length", "Maximum length of the target.",
        unit="tokens", basic=True, ge=3,
    )  # fmt: skip
    architecture: str = option("{}", "Architecture", "The model's config.json.")
    generation: str = option("{}", "Generation", "The model's generation_config.json.")

    @classmethod
    def from_folder(cls, folder: Path) -> Self:
        """The settings of a model.

        Args:
            folder: What `save_pretrained` wrote.

        Returns:
            Its settings, as long as it allows and no longer than 1,024 and 256 tokens.

        Raises:
            EpitomeError: If it is no encoder-decoder, or its files cannot be read.
        """
        config, generation = _read(folder / _CONFIG_FILE), {}
        if (folder / _GENERATION_FILE).exists():
            generation = _read(folder / _GENERATION_FILE)
        found = cls.checked(
            {"architecture": json.dumps(config), "generation": json.dumps(generation)}
        )
        lengths = {
            "source_length": min(_LONGEST_SOURCE, found.longest("encoder")),
            "target_length": min(_LONGEST_TARGET, found.longest("decoder")),
        }
        return found.model_copy(update=lengths)

    @model_validator(mode="after")
    def _is_encoder_decoder(self) -> Self:
        config = self._config
        if not config:
            raise ValueError("A Hugging Face model comes from a folder: name it with --from.")
        if not config.get("is_encoder_decoder"):
            raise ValueError(
                f"Only encoder-decoders are read; this model is a {config.get('model_type')}."
            )
        return self

    @property
    def _config(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.architecture)
        return found

    def _token(self, name: str) -> Any:
        """A token id of the generation's configuration, or of the model's."""
        found = json.loads(self.generation).get(name)
        return self._config.get(name) if found is None else found

    def longest(self, side: Literal["encoder", "decoder"]) -> int:
        """How many positions a side has; those of relative positions have no limit."""
        config = self._config
        names = (f"max_{side}_position_embeddings", "max_position_embeddings", "n_positions")
        return next((int(config[name]) for name in names if config.get(name)), 2**31 - 1)

    @property
    def seed(self) -> int:
        """Its weights come from a folder: nothing is drawn."""
        return 0

    @property
    def vocabulary_size(self) -> int:
        """How many tokens it knows."""
        return int(self._config.get("vocab_size", 0))

    def start_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """The decoder's start token, and the one that is forced to follow.

        Args:
            special: Those of the tokenizer; this model has its own.

        Returns:
            One id or two.

        Raises:
            EpitomeError: If none is named.
        """
        start = self._token("decoder_start_token_id")
        start = self._token("bos_token_id") if start is None else start
        if start is None:
            raise EpitomeError(
                "The model's generation settings name no token that its texts start with.",
                f"Set “decoder_start_token_id” in its {_GENERATION_FILE}.",
            )
        forced = self._token("forced_bos_token_id")
        return (start,) if forced is None else (start, forced)

    def end_id(self, special: SpecialTokens) -> int:
        """The token that ends its texts.

        Args:
            special: Those of the tokenizer; this model has its own.

        Returns:
            The id.

        Raises:
            EpitomeError: If it is not exactly one.
        """
        ends = self._token("eos_token_id")
        ends = [ends] if isinstance(ends, int) else ends or []
        if len(ends) != 1:
            raise EpitomeError(
                f"The model's generation settings name {len(ends)} end tokens; one is allowed.",
                f"Set “eos_token_id” in its {_GENERATION_FILE} to one token.",
            )
        return int(ends[0])


def is_model_folder(folder: Path) -> bool:
    """Whether a folder holds a model of the library, and no run of this program."""
    return (folder / _CONFIG_FILE).is_file() and not (folder / "job.toml").exists()


def _read(path: Path) -> dict[str, Any]:
    what, remedy = f"{path} cannot be read", "Name a folder that save_pretrained wrote."
    try:
        with explained(what, remedy):
            found = json.loads(read_regular(path))
    except ValueError as error:
        raise EpitomeError(f"{what} ({error}).", remedy) from error
    if not isinstance(found, dict):
        raise EpitomeError(f"{path} holds no settings.", remedy)
    return found
