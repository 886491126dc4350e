"""Measures training steps of a planned run in this process: its model, optimiser and batch."""

from core.models.builders import build
from core.profiling.events import StepMeasured
from core.profiling.forecast import loss_tokens
from core.profiling.measure import Trial, measure
from core.profiling.point import Parts, random_batch
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point
from core.training.assembly import freeze
from core.training.device import open_device
from core.training.optimizers import optimizer_of
from core.training.plan import RunPlan
from core.training.step import TrainingStep

_WARM_UP, _STEPS = 1, 2


def measure_plan(plan: RunPlan, memory_limit_mib: int | None = None) -> StepMeasured:
    """Measures the largest step that a run can make: all rows as long as the model allows.

    Args:
        plan: The run.
        memory_limit_mib: How much memory the step may take, on a Linux machine's processor.

    Returns:
        Time, memory and operations of the step.

    Raises:
        EpitomeError: If the step needs more memory than there is, or the device is not there.
    """
    device, settings = open_device(plan.train), plan.train
    parts = Parts.of(settings.batch, settings.accumulate)
    length = plan.model.row_length
    step = ProfileSettings(
        batch=parts.rows,
        precision=settings.precision,
        clip=settings.clip,
        smoothing=settings.smoothing,
        steps=_STEPS,
        warm_up=_WARM_UP,
        loss_tokens=loss_tokens(plan.model, plan.train, plan.decoding),
        memory_limit=memory_limit_mib,
    )
    point = Point(plan.model, step, length, {})

    def prepare() -> Trial:
        model = build(plan.model).to(device)
        freeze(model, settings.freeze)
        optimizer = optimizer_of(model.parameters(), settings)
        training = TrainingStep(model, settings, device, optimizer)
        batch = random_batch(point, device)
        return Trial(
            model, optimizer, lambda number: parts.make(training, batch, settings.seed, number)
        )

    return measure(prepare, step, settings.batch * length, device)
