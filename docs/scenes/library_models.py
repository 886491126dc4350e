"""Folders of other people's models for the pictures of the Models panel, and their reports."""

import json
from pathlib import Path

from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.conversion_report import write_conversion
from core.models.hugging_face.settings import HuggingFaceSettings
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, write_model_card
from tests.helpers.library_folders import CARD
from tests.helpers.models import STILL_S, a_model, write_weights

_BART = {
    "model_type": "bart", "is_encoder_decoder": True, "vocab_size": 50_265, "eos_token_id": 2,
    "max_position_embeddings": 1024, "encoder_layers": 12, "decoder_start_token_id": 2,
    "task_specific_params": {"summarization": {"num_beams": 4, "max_length": 142}},
}  # fmt: skip
_LED = _BART | {
    "model_type": "led", "max_encoder_position_embeddings": 4096, "attention_window": 512,
    "max_decoder_position_embeddings": 1024,
}  # fmt: skip
_CHAT = {"model_type": "llama", "vocab_size": 49_152, "eos_token_id": 2,
         "max_position_embeddings": 8192}  # fmt: skip
PROMPT = (
    "Summarise the following text in a few plain sentences. Use only what the text says.\n\n{text}"
)


def _settings(config: dict[str, object], **values: object) -> HuggingFaceSettings:
    return HuggingFaceSettings.checked({"architecture": json.dumps(config), **values})


def a_download(folder: Path, *, pickled: bool = False) -> Path:
    """A folder as it is downloaded, with weights that are a hole in a file."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(_BART), "utf-8")
    write_weights(folder / "model.safetensors", {"w": [406_290_432]})
    if pickled:
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {}}}), "utf-8")
    (folder / "README.md").write_text(
        CARD.replace("- xx\n", "").replace("apache-2.0", "mit"), "utf-8"
    )
    return folder


def fill(runs: Path) -> dict[str, Path]:
    """Imported models and one that was made longer; gives their folders by name."""
    bart = a_model(
        runs, "bart-large-news", parameters=406_290_432, step=0, model=_settings(_BART),
        corpus="", when_s=STILL_S,
    )  # fmt: skip
    led = a_model(
        runs, "bart-large-news-4096", parameters=444_000_000, step=0, corpus="",
        model=_settings(_LED, source_length=4096, global_attention="first"),
        when_s=STILL_S + 60,
    )  # fmt: skip
    chat = a_model(
        runs, "small-chat", parameters=134_515_008, step=0, corpus="", when_s=STILL_S - 60,
        model=_settings(_CHAT, source_length=4096, opening="<|im_start|>user\n",
                        closing="<|im_end|>\n<|im_start|>assistant\n", prompt=PROMPT),
    )  # fmt: skip
    kept = ("self-attention of the decoder", "attention of the decoder to the source")
    write_conversion(
        led,
        Conversion("bart-large-news", 4096, 1024, 512, 12, 4.0, 36, kept, 256, 4.8e-6, 1.0,
                   1238.0),
    )  # fmt: skip
    for folder, licence in ((bart, "MIT"), (led, "MIT"), (chat, "Apache 2.0")):
        card = ModelCard(licence, ("English",), "2023-11-14")
        write_model_card(RunFolder(folder), card)
        RunFolder(folder).events_file.unlink()  # it was never trained here
        job = RunFolder(folder).job_file
        job.write_text(job.read_text("utf-8").replace('"/corpora/"', '""'), "utf-8")
    return {"bart": bart, "led": led, "chat": chat}
