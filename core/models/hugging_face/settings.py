"""Settings of a Hugging Face model: its own configuration, and how it reads and is prompted."""

import json
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from core.errors import EpitomeError
from core.models.hugging_face.config_check import fault_of
from core.models.hugging_face.files import (
    CONFIG_FILE,
    GENERATION_FILE,
    check_code,
    read_json,
    read_tokenizer_settings,
)
from core.models.hugging_face.prompt import DEFAULT_PROMPT, TEXT_PLACE, check_prompt
from core.models.hugging_face.vocabulary import sentence_end_ids
from core.models.settings import CHECKPOINTING, ModelSettings, PairSettings
from core.models.special_tokens import SpecialTokens
from core.settings import option
from core.storage.parsing import parse_json

GlobalAttention = Literal["none", "first", "sentence-ends"]

GGUF = "gguf"
"""The model type of a GGUF file, which llama.cpp computes."""

CONVERTIBLE = ("bart", "pegasus")
"""Model types that can be made to read longer texts."""

_ROWS_COMPETE = ("nllb-moe",)  # its experts take so many tokens of a whole batch
_LONGEST_SOURCE, _LONGEST_TARGET = 1024, 256
_LONGEST_CHAT_SOURCE, _LONGEST_CHAT_TARGET = 4096, 512
_LONGEST_WRITTEN = 1024
_UNLIMITED = 2**31 - 1  # of relative positions
_SAID_LIMIT = 10**6  # tokenizers without a limit say 10^30


class HuggingFaceSettings(PairSettings):
    """The architecture of a model of the Hugging Face transformers library.

    It is an encoder-decoder, or a causal language model with a chat template. Its own files are
    kept as they were in the folder that it comes from. Of a GGUF file the architecture is what its
    head says.
    """

    hidden_fields: ClassVar[frozenset[str]] = frozenset(
        {"architecture", "generation", "opening", "closing", "sentence_ends"}
    )
    takes_prompt: ClassVar[bool] = True

    family: Literal["hugging-face"] = option("hugging-face", "Family", "Model family.")
    source_length: int = option(
        _LONGEST_SOURCE, "Source length", "Maximum length of the source.",
        unit="tokens", basic=True, ge=3,
    )  # fmt: skip
    target_length: int = option(
        _LONGEST_TARGET, "Target length", "Maximum length of the target.",
        unit="tokens", basic=True, ge=3,
    )  # fmt: skip
    global_attention: GlobalAttention = option(
        "none", "Global attention",
        "LED only: which tokens attend to all others; new LED models take the first.",
    )  # fmt: skip
    global_tokens: int = option(
        1, "Global tokens", "LED only: how many first tokens have global attention.",
        unit="tokens", ge=1,
    )  # fmt: skip
    checkpointing: bool = CHECKPOINTING
    lora_rank: int = option(
        0, "LoRA rank",
        "Rank of the additions to train; 0 trains the weights (LoRA needs epitome install lora).",
        ge=0, le=1024,
    )  # fmt: skip
    lora_alpha: int = option(
        16, "LoRA alpha", "The additions count alpha / rank times.", ge=1, le=4096
    )
    lora_targets: str = option(
        "", "LoRA targets",
        "Names of the layers that get additions, with commas; by default queries and values.",
    )  # fmt: skip
    prompt: str = option(
        TEXT_PLACE, "Prompt", "What the model is given; {text} stands for the document."
    )
    architecture: str = option("{}", "Architecture", "The model's config.json.")
    generation: str = option("{}", "Generation", "The model's generation_config.json.")
    opening: str = option("", "Opening", "What the chat template puts before the prompt.")
    closing: str = option("", "Closing", "What the chat template puts after the prompt.")
    sentence_ends: tuple[int, ...] = option(
        (), "Sentence ends", "LED only: the tokens that end a sentence."
    )

    @classmethod
    def from_folder(
        cls, folder: Path, *, full: bool = False, frame: tuple[str, str] | None = None
    ) -> Self:
        """The settings of a model.

        Args:
            folder: What `save_pretrained` wrote.
            full: Whether it reads all it can, as for writing; else at most 1,024 tokens, as is
                affordable for training. A chat model reads at most 4,096 either way.
            frame: What its chat template puts before and after a prompt; None for none.

        Returns:
            Its settings.

        Raises:
            EpitomeError: If it is neither an encoder-decoder nor a chat model, brings code of its
                own, or its files cannot be read.
        """
        config, generation = read_json(folder / CONFIG_FILE), {}
        if (folder / GENERATION_FILE).exists():
            generation = read_json(folder / GENERATION_FILE)
        named = read_tokenizer_settings(folder)
        check_code(folder, config, named)
        if fault := fault_of(config) or fault_of(generation):
            raise EpitomeError(fault, "Take the model's folder from where it was first published.")
        values: dict[str, Any] = {
            "architecture": json.dumps(config), "generation": json.dumps(generation),
        }  # fmt: skip
        if config.get("is_encoder_decoder"):
            values["prompt"] = _prefix(config) + TEXT_PLACE
        elif frame:
            values |= {"opening": frame[0], "closing": frame[1], "prompt": DEFAULT_PROMPT}
        if config.get("model_type") == "led":
            values |= {"global_attention": "first", "sentence_ends": sentence_end_ids(folder)}
        found = cls.checked(values)
        return found.model_copy(update=found._lengths(named.get("model_max_length"), full))

    @model_validator(mode="after")
    def _can_summarise(self) -> Self:
        config = self._config
        if not config:
            raise ValueError("A Hugging Face model comes from a folder: name it with --from.")
        found = [] if self.is_gguf else [config, parse_json(self.generation)]
        if fault := next(filter(None, map(fault_of, found)), ""):
            raise ValueError(fault)
        if not config.get("is_encoder_decoder") and not self.closing:
            raise ValueError(
                "Only encoder-decoders and chat models are read; this model is a "
                f"{config.get('model_type')} without a chat template."
            )
        if config.get("model_type") in _ROWS_COMPETE:
            raise ValueError(
                f"The texts of a batch change each other in models of the type "
                f"{config['model_type']}, which are therefore not read."
            )
        check_prompt(self.prompt)
        if not self.is_led and self.global_attention != "none":
            raise ValueError(
                f"“global_attention” is for LED models; this model is a {config.get('model_type')}."
            )
        return self

    def _lengths(self, said: Any, full: bool) -> dict[str, int]:
        """Maximum lengths of source and target."""
        if self.is_chat:
            room, written = self.longest("encoder"), _LONGEST_CHAT_TARGET
            written = min(written, room // 4)
            return {"source_length": min(_LONGEST_CHAT_SOURCE, room - written),
                    "target_length": written}  # fmt: skip
        reads, writes = self.longest("encoder"), self.longest("decoder")
        if not full:
            return {"source_length": min(_LONGEST_SOURCE, reads),
                    "target_length": min(_LONGEST_TARGET, writes)}  # fmt: skip
        if isinstance(said, int | float) and 0 < said < _SAID_LIMIT:
            reads = min(reads, int(said))
        said = self.generation_values
        told = said.get("max_new_tokens") or said.get("max_length")
        wanted = max(_LONGEST_TARGET, int(told or 0) + 1)
        return {
            "source_length": _LONGEST_SOURCE if reads >= _UNLIMITED else reads,
            "target_length": min(writes, wanted, _LONGEST_WRITTEN),
        }

    @property
    def _config(self) -> dict[str, Any]:
        found: dict[str, Any] = parse_json(self.architecture)
        return found

    @property
    def is_chat(self) -> bool:
        """Whether it is a causal language model, which is asked for a summary."""
        return not self._config.get("is_encoder_decoder")

    @property
    def model_type(self) -> str:
        """The library's name of the architecture, such as "bart"."""
        return str(self._config.get("model_type", ""))

    @property
    def without_lora(self) -> Self:
        """As `ModelSettings`."""
        return self.model_copy(update={"lora_rank": 0}) if self.lora_rank else self

    @property
    def names_code(self) -> bool:
        """As `ModelSettings`."""
        return "auto_map" in self._config or bool(self._config.get("trust_remote_code"))

    @property
    def free_fields(self) -> frozenset[str]:
        """As `ModelSettings`."""
        led = {"global_attention", "global_tokens"} if self.is_led else set[str]()
        lora = {"lora_rank", "lora_alpha", "lora_targets"}
        return frozenset({"source_length", "target_length", "checkpointing", "prompt"} | led | lora)

    def with_free_fields(self, values: dict[str, Any]) -> Self:
        """As `ModelSettings`."""
        return self.model_copy(update={name: values[name] for name in self.free_fields & {*values}})

    def takes_over(self, given: ModelSettings) -> bool:
        """As `ModelSettings`: those of the same model."""
        return isinstance(given, type(self)) and given.architecture == self.architecture

    def editable_prompt(self, own: str = "") -> str:
        """As `ModelSettings`; a document without words around it is no prompt."""
        prompt = own or self.prompt
        return prompt if self.is_chat or prompt != TEXT_PLACE else ""

    @property
    def target_positions(self) -> int:
        """As `PairSettings`."""
        return self.longest("decoder")

    @property
    def convertible_length(self) -> int:
        """As `ModelSettings`."""
        return self.longest("encoder") if self.model_type in CONVERTIBLE else 0

    @property
    def is_gguf(self) -> bool:
        """Whether it is a GGUF file, which writes and is not trained."""
        return self.model_type == GGUF

    @property
    def stored_as(self) -> str:
        """How a GGUF file stores its weights, such as "Q4_K_M"; empty for others."""
        return str(self._config.get("quantisation", "")) if self.is_gguf else ""

    @property
    def num_parameters(self) -> int:
        """How many numbers a GGUF file holds; 0 for others."""
        return int(self._config.get("num_parameters", 0)) if self.is_gguf else 0

    @property
    def is_led(self) -> bool:
        """Whether its encoder attends within windows, and globally from tokens that are named."""
        return self.model_type == "led"

    @property
    def kind_words(self) -> str:
        """The architecture in words: "bart", or "llama, GGUF with Q4_K_M weights"."""
        if not self.is_gguf:
            return self.model_type
        weights = f" with {self.stored_as} weights" if self.stored_as else ""
        return f"{self._config.get('architecture', '')}, GGUF{weights}"

    @property
    def windows(self) -> tuple[int, ...]:
        """LED's attention window of each encoder layer; none for other models."""
        window = self._config.get("attention_window", 512) if self.is_led else ()
        layers = int(self._config.get("encoder_layers", 0))
        return (window,) * layers if isinstance(window, int) else tuple(window)

    @property
    def generation_values(self) -> dict[str, Any]:
        """How the model's authors let it write, where they say so; later files win."""
        config = self._config
        tasks = config.get("task_specific_params") or {}
        own = parse_json(self.generation)
        return {**config, **(tasks.get("summarization") or {}), **own}

    def _token(self, name: str) -> Any:
        """A token id of the generation's configuration, or of the model's."""
        found = parse_json(self.generation).get(name)
        return self._config.get(name) if found is None else found

    def longest(self, side: Literal["encoder", "decoder"]) -> int:
        """How many positions a side has; those of relative positions have no limit."""
        config = self._config
        names = (f"max_{side}_position_embeddings", "max_position_embeddings", "n_positions")
        return next((int(config[name]) for name in names if config.get(name)), _UNLIMITED)

    @property
    def seed(self) -> int:
        """Its weights come from a folder: nothing is drawn."""
        return 0

    @property
    def vocabulary_size(self) -> int:
        """How many tokens it knows."""
        return int(self._config.get("vocab_size") or 0)

    def start_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """The decoder's start token, and the one that is forced to follow.

        Args:
            special: Those of the tokenizer; an encoder-decoder has its own.

        Returns:
            One id or two; of a chat model the last token of its frame.

        Raises:
            EpitomeError: If none is named.
        """
        if self.is_chat:
            return (special.summary,)
        start = self._token("decoder_start_token_id")
        start = self._token("bos_token_id") if start is None else start
        if start is None:
            raise EpitomeError(
                "The model's generation settings name no token that its texts start with.",
                f"Set “decoder_start_token_id” in its {GENERATION_FILE}.",
            )
        forced = self._token("forced_bos_token_id")
        return self._check_known((start,) if forced is None else (start, forced))

    def end_id(self, special: SpecialTokens) -> int:
        """The token that ends its texts, the first of `end_ids`."""
        return self.end_ids(special)[0]

    def end_ids(self, special: SpecialTokens) -> tuple[int, ...]:
        """All tokens that end its texts.

        Args:
            special: Those of the tokenizer; where several tokens are named, its end is the first.

        Returns:
            One id or more.

        Raises:
            EpitomeError: If none is named.
        """
        ends = self._token("eos_token_id")
        ends = [ends] if isinstance(ends, int) else ends or []
        if not ends:
            raise EpitomeError(
                "The model's generation settings name no token that ends its texts.",
                f"Set “eos_token_id” in its {GENERATION_FILE}.",
            )
        ends = sorted(map(int, ends), key=lambda each: each != special.end)
        return self._check_known(tuple(ends))

    def _check_known(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Returns token ids; refuses those that the model does not know."""
        if max(ids) >= self.vocabulary_size:
            raise EpitomeError(
                f"The model's generation settings name the token {max(ids)}, and the model knows "
                f"{self.vocabulary_size}.",
                "Take the model's folder from where it was first published.",
            )
        return ids

    def remarks(self) -> tuple[str, ...]:
        """What a reader of its summaries should know, a sentence each."""
        told = []
        if self.is_led:
            told.append(f"Global attention: {self.global_words}.")
        if self.prompt != TEXT_PLACE:
            told.append(f"The prompt was “{' '.join(self.prompt.split())}”.")
        return tuple(told)

    @property
    def global_words(self) -> str:
        """Which tokens have global attention, in words."""
        if self.global_attention == "none":
            return "none"
        many = self.global_tokens
        first = "the first token" if many == 1 else f"the first {many} tokens"
        return first if self.global_attention == "first" else f"sentence ends and {first}"


def _prefix(config: dict[str, Any]) -> str:
    """What the model's authors put before a text to be summarised, as T5's do."""
    tasks = config.get("task_specific_params") or {}
    prefix = str((tasks.get("summarization") or {}).get("prefix") or "")
    return prefix if prefix.strip() else ""
