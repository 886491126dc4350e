"""Memory of a BART-base that was made longer, and of its training step with each option.

python tests/benchmarks/long_documents.py [reading|training]

The weights are random: memory does not depend on them. Each row is measured in a fresh process, as
the most memory above what is resident when the model is there. Batch 1, summaries of 128 tokens.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

BASE = {
    "model_type": "bart", "is_encoder_decoder": True, "vocab_size": 50_265, "d_model": 768,
    "max_position_embeddings": 1024, "encoder_layers": 6, "decoder_layers": 6,
    "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "encoder_attention_heads": 12,
    "decoder_attention_heads": 12, "decoder_start_token_id": 2, "eos_token_id": 2,
    "pad_token_id": 1, "bos_token_id": 0,
}  # fmt: skip
WINDOW, SUMMARY = 512, 128
READING = [("bart", 1024), ("bart", 4096), ("led", 4096), ("led", 16_384)]
TRAINING = [
    {"length": 2048}, {"length": 2048, "checkpointing": True},
    {"length": 2048, "precision": "bf16"},
    {"length": 2048, "checkpointing": True, "precision": "bf16"},
]  # fmt: skip


def measure(row: dict[str, object]) -> dict[str, float]:
    """Peak MiB and seconds of a row, in this process."""
    import time

    import torch

    from core.models.batch import Batch, PairBatch
    from core.models.hugging_face.longer import read_once, to_longer
    from core.models.hugging_face.model import HuggingFaceModel
    from core.models.hugging_face.settings import HuggingFaceSettings
    from core.models.parts.randomness import Randomness
    from core.profiling.memory import watched_peak
    from core.training.device import autocast

    torch.set_num_threads(1)
    length = int(str(row["length"]))
    is_led = row.get("family", "led") == "led"
    config = BASE if is_led else BASE | {"max_position_embeddings": length}
    settings = HuggingFaceSettings.checked({"architecture": json.dumps(config)})
    model = HuggingFaceModel(settings)
    if is_led and length > 1024:
        model = to_longer(model, length, WINDOW)
    if row.get("checkpointing"):
        values = model.settings.model_dump() | {"checkpointing": True}
        weights = model.inner.state_dict()
        model = HuggingFaceModel(HuggingFaceSettings.checked(values))
        model.inner.load_state_dict(weights)
    began = time.perf_counter()
    with watched_peak() as peak:
        if "family" in row:
            read_once(model, length)
        else:
            source = torch.randint(3, 50_000, (1, length))
            target = torch.randint(3, 50_000, (1, SUMMARY))
            pair = PairBatch(Batch(source), Batch(target, target.clone()))
            with autocast(str(row.get("precision", "fp32")), torch.device("cpu")):  # type: ignore[arg-type]
                loss = model.loss(pair, Randomness(0, 1, (0,)))
            loss.backward()
    return {"mib": peak.peak_bytes / 2**20, "seconds": time.perf_counter() - began}


def main(what: str) -> None:
    """Prints the rows of one table."""
    rows = [{"family": family, "length": length} for family, length in READING]
    for row in rows if what == "reading" else TRAINING:
        command = [sys.executable, __file__, "--row", json.dumps(row)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(row, done.stdout.strip(), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--row"]:
        print(json.dumps(measure(json.loads(sys.argv[2]))))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else "reading")
