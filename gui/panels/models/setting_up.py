"""What is said of a folder that may be imported, and of a model that may be converted."""

from pathlib import Path

from core.jobs.models.convert_model import ConvertSettings
from core.jobs.models.describe_models import DescribedModel
from core.jobs.models.import_folder import LED_FIELDS, TEXT_PLACE, FolderFacts, ImportSettings
from core.models.families import get_family
from core.numbers import format_count, format_size
from core.settings import option_words
from core.system.shell import shell_line
from gui.panels.models.words import tr

_LENGTHS = (4096, 8192, 16_384)


def folder_rows(facts: FolderFacts) -> list[tuple[str, str]]:
    """Names and values of a folder that was looked through."""
    settings = facts.settings
    rows = [
        (tr("Architecture"), get_family(settings).kind(settings)),
        (tr("Parameters"), format_count(facts.parameters)),
        (tr("Weights"), tr("{size}, safetensors").format(size=format_size(facts.size_bytes))),
        (tr("In memory"), format_size(facts.memory_bytes)),
        (tr("Reads at once"), _tokens(settings.source_length)),
        (tr("Writes at most"), _tokens(settings.target_length)),
        (tr("Languages"), ", ".join(facts.languages) or tr("not recorded")),
        (tr("Licence"), facts.licence or tr("not recorded")),
    ]
    if settings.opening:
        frame = " ".join(f"{settings.opening}…{settings.closing}".split())
        rows.append((tr("Chat template"), frame))
    if settings.prompt != TEXT_PLACE:
        rows.append((tr("Prompt"), " ".join(settings.prompt.split())))
    return rows


def folder_warning(facts: FolderFacts) -> str:
    """What a person should know before they import it; empty for nothing."""
    no_licence = tr("Its model card names no licence: find out whether you may use it.")
    return " ".join(filter(None, (facts.memory_warning, "" if facts.licence else no_licence)))


def import_settings(facts: FolderFacts) -> ImportSettings:
    """What the form begins with."""
    return ImportSettings(
        out=facts.folder.name,
        source_length=facts.settings.source_length,
        prompt=facts.settings.prompt,
    )


def import_left_out(facts: FolderFacts) -> tuple[str, ...]:
    """Fields that mean nothing for a folder, and the prompt, which is changed in the details."""
    return ("prompt",) if facts.settings.is_led else ("prompt", *LED_FIELDS)


def import_command(facts: FolderFacts, settings: ImportSettings) -> str:
    """The command that imports a folder in the same way."""
    begun = import_settings(facts)
    same = {
        name: "" if name != "source_length" else None
        for name in ("out", "source_length", "prompt")
        if getattr(settings, name) == getattr(begun, name)
    }
    words = option_words(settings.model_copy(update=same))
    return shell_line(["epitome", "models", "import", str(facts.folder), *words])


def can_convert(model: DescribedModel | None) -> bool:
    """Whether a model can be made to read longer texts."""
    settings = model.settings if model is not None and not model.fault else None
    return settings is not None and settings.convertible_length > 0


def convert_settings(model: DescribedModel) -> ConvertSettings:
    """What the form begins with: the first usual length above that of the model."""
    now = model.settings.convertible_length if model.settings is not None else 0
    length = next((each for each in _LENGTHS if each > now), 4 * now)
    return ConvertSettings(length=length, out=f"{model.name}-{length}")


def convert_command(model: DescribedModel, settings: ConvertSettings) -> str:
    """The command that converts a model in the same way."""
    name = f"{model.name}-{settings.length}"
    shown = settings.model_copy(update={"out": ""}) if settings.out == name else settings
    return shell_line(["epitome", "models", "convert", model.name, *option_words(shown)])


def is_library_folder(path: Path) -> bool:
    """Whether a folder may be one of the library's."""
    return path.is_dir() and (path / "config.json").is_file()


def _tokens(number: int) -> str:
    return tr("{n} tokens").format(n=format_count(number))
