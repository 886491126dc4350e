"""The door to forecasts for the window: what a job will need, told without loading torch."""

from core.profiling.advice import Advice as Advice
from core.profiling.advice import advice as advice
from core.profiling.forecast import Forecast as Forecast
from core.profiling.forecast import forecast as forecast
from core.profiling.sizes import num_parameters as num_parameters
