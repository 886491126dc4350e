"""What holds for each copy of the program under Wine, installed or portable."""

from pathlib import Path

from installers.trying import try_commands
from installers.wine import Wine, add_shims


def use_copy(bare: Wine, folder: str, title: str) -> str:
    """Uses the command line of a copy; returns the report of doctor.

    Args:
        bare: The root.
        folder: The folder of the copy, on drive C.
        title: Its kind, as `epitome --version` names it.

    Returns:
        The report.
    """
    add_shims(bare, bare.host(f"{folder}\\python\\Lib\\site-packages"))

    def run(program: str, *arguments: str) -> str:
        return bare.windows("cmd", "/c", program, *arguments)

    return try_commands(run, f"{folder}\\bin\\epitome.cmd", title)


def list_files(folder: Path) -> set[str]:
    """Returns all files and folders below a folder, but for those of Temp."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if "Temp" not in path.parts}
