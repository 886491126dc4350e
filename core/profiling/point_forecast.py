"""What a point of a sweep will need, told before it is measured."""

from functools import lru_cache

from core.decoding.settings import DecodingSettings
from core.models.settings import SequenceSettings
from core.profiling.forecast import Forecast, forecast
from core.profiling.sweep import Point
from core.training.settings import Precision, TrainSettings

_DECODING = DecodingSettings()


def forecast_point(
    point: Point, *, cores: int = 2, on_gpu: bool = False, rate: float | None = None
) -> Forecast:
    """Memory and time of a point's step.

    Args:
        point: What is to be measured.
        cores: Processor cores that the step may use.
        on_gpu: Whether it runs on a GPU.
        rate: Operations a second of one core in large matrix products; None for the usual.

    Returns:
        The forecast; `longest_step_s` is the time of the step.
    """
    model, step = point.model, point.step
    if isinstance(model, SequenceSettings):
        model = model.model_copy(update={"length": point.length})
    return forecast(
        model,
        _training(step.batch, step.accumulate, step.precision, step.threads),
        _DECODING,
        cores=cores,
        on_gpu=on_gpu,
        rate=rate,
        row_loss_tokens=step.loss_tokens,
    )


@lru_cache(maxsize=64)
def _training(
    batch: int, accumulate: int, precision: Precision, threads: int | None
) -> TrainSettings:
    """The settings of such a step; a chart asks for the same ones a hundred times."""
    return TrainSettings(
        objective="language-model",
        batch=batch,
        accumulate=accumulate,
        precision=precision,
        threads=threads,
    )
