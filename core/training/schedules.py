"""Learning rates: pure functions of the step."""

import math

from core.training.settings import TrainSettings


def learning_rate(step: int, settings: TrainSettings) -> float:
    """The learning rate of a step.

    Args:
        step: From 1 to `settings.steps`.
        settings: Peak rate, schedule, warm-up and number of steps.

    Returns:
        The rate: it rises linearly to its peak at the end of the warm-up, then stays
        (constant), falls to 0 one step after the last (linear; cosine, by half a wave), or falls
        with the root of the step (inverse-square-root).
    """
    warm_up = min(settings.warm_up, settings.steps)
    if step <= warm_up:
        return settings.learning_rate * step / warm_up
    gone = (step - warm_up) / (settings.steps - warm_up + 1)
    factor = {
        "constant": 1.0,
        "linear": 1 - gone,
        "cosine": (1 + math.cos(math.pi * gone)) / 2,
        "inverse-square-root": math.sqrt(max(warm_up, 1) / step),
    }[settings.schedule]
    return settings.learning_rate * factor
