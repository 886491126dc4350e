"""What is told of a model beside its settings: licence, languages, where it was imported from."""

from dataclasses import asdict, dataclass

from core.runs.folder import RunFolder
from core.storage.files import make_way, write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.storage.schema import KEY


@dataclass(frozen=True)
class ModelCard:
    """What a person should know before they use a model.

    Args:
        licence: Name of its licence; empty where nobody has said.
        languages: Names of the languages it was trained on; none where that is not known.
        imported: The day it was imported, ISO 8601; empty for a model that was trained here.
        parents: Names of the models that it was trained from, the first ancestor first; only of
            an imported model, whose ancestors need not be here.
        prompt: What a Hugging Face model is given, with {text} for the document; empty for the
            prompt that it came with.
        own: Whether an imported model was trained by this user: its weights were found in a run
            on this computer. No file says so of itself.
        is_damaged: Whether there is a card that cannot be read: then all else is unknown.
    """

    licence: str = ""
    languages: tuple[str, ...] = ()
    imported: str = ""
    parents: tuple[str, ...] = ()
    prompt: str = ""
    own: bool = False
    is_damaged: bool = False


def read_model_card(folder: RunFolder) -> ModelCard:
    """The card of a run's model.

    Args:
        folder: The run's.

    Returns:
        What is written there; an empty card where there is no file, or it is damaged.
    """
    try:
        told = parse_json(read_regular(folder.card_file))
        return ModelCard(
            str(told.get("licence", "")),
            tuple(map(str, told.get("languages", ()))),
            str(told.get("imported", "")),
            tuple(map(str, told.get("parents", ()))),
            str(told.get("prompt", "")),
            told.get("own") is True,
        )
    except FileNotFoundError:
        return ModelCard()
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return ModelCard(is_damaged=True)


def write_model_card(folder: RunFolder, card: ModelCard) -> None:
    """Keeps the card of a run's model.

    Args:
        folder: The run's.
        card: What is kept.

    Raises:
        EpitomeError: If it cannot be written, or a newer program wrote the file that is there.
    """
    make_way(folder.card_file, 1)
    told = asdict(card)
    del told["is_damaged"]
    write_json(folder.card_file, {KEY: 1, **told})
