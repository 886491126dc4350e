"""How much room the checkpoints of a run take on the disk; torch is not loaded."""

from core.training.settings import TrainSettings


def optimizer_bytes(train: TrainSettings, trained: int) -> int:
    """What the optimiser keeps.

    Args:
        train: Names the optimiser.
        trained: How many weights are trained; it keeps nothing of others.

    Returns:
        Bytes: two numbers a weight, of which Adafactor keeps sums over rows and columns alone.
    """
    return 8 * trained if train.optimizer != "adafactor" else trained // 50


def checkpoints_bytes(train: TrainSettings, weights_bytes: int, trained: int) -> int:
    """What a run's checkpoints take at most: those that are kept, the best, and one being written.

    Args:
        train: Says how many are kept, and names the optimiser.
        weights_bytes: The size of all weights.
        trained: How many weights are trained.

    Returns:
        Bytes.
    """
    return (train.keep + 2) * (weights_bytes + optimizer_bytes(train, trained))
