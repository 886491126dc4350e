"""Short documents: what happened in some towns."""

from pathlib import Path

TOWNS = ("Arden", "Borrow", "Caster", "Dunmore", "Elstow", "Farrow", "Garth", "Holm")


def text_of(town: str) -> str:
    """A short history of a town, in six sentences."""
    return " ".join(
        f"The {thing} of {town} was {deed} in {year}, and the {thing} cost {year - 1000} crowns."
        for year, (thing, deed) in enumerate(
            [("harbour", "deepened"), ("school", "founded"), ("mill", "burnt down"),
             ("bridge", "opened"), ("market", "moved"), ("library", "enlarged")], 1881,
        )
    )  # fmt: skip


def write_documents(folder: Path, number: int = 3) -> Path:
    """A folder with the histories of some towns, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(number):
        town = TOWNS[at % len(TOWNS)] + ("" if at < len(TOWNS) else f" {at}")
        (folder / f"{at:04}.txt").write_text(text_of(town), "utf-8")
    return folder
