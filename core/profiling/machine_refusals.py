"""What a machine cannot do of what a training job asks, told before the job starts."""

from core.profiling.training_suggestions import Machine
from core.settings import Settings


def refusals(fields: Settings, machine: Machine) -> dict[str, str]:
    """Values that a machine would refuse.

    Args:
        fields: Of a job, as in `core.training.training_fields`.
        machine: Where it is to run.

    Returns:
        By field name what is wrong and what is allowed; empty where nothing is, or nobody knows.
    """
    if getattr(fields, "precision", "") != "fp16" or not machine.limit_bytes:
        return {}
    if not machine.gpu:
        why = "which was not found"
    elif fields.device in ("cpu", "mps"):  # type: ignore[attr-defined]
        why = f"but the device is {fields.device}"  # type: ignore[attr-defined]
    else:
        return {}
    return {"precision": f"fp16 needs an NVIDIA GPU, {why}. Choose fp32 or bf16."}
