"""Finds the documents among files and folders: what the window does with several at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Finished
from core.jobs.sources.source_files import FolderContent, FolderOptions, is_folder, look_into
from core.numbers import format_count, format_quantity
from core.stop import StopToken
from core.system.shell import shell_line


@dataclass(frozen=True)
class DocumentsFound:
    """What was found.

    Args:
        paths: The files, absolute, each once; those of a folder in the order of their paths.
        title: What a person should be told, a short sentence; empty when nothing was left out.
        text: The rest of it.
        is_cut: Whether there was no room for all.
    """

    paths: tuple[Path, ...]
    title: str = ""
    text: str = ""
    is_cut: bool = False


@dataclass(frozen=True)
class FindDocumentsJob:
    """Lists files, and the documents in folders, as ``epitome summarise`` does.

    Args:
        names: Files and folders. A file is taken whatever it is called.
        most: How many documents there is room for; 0 lists them all, for the caller to refuse.
    """

    names: tuple[Path, ...]
    most: int

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with `DocumentsFound`."""
        found: list[Path] = []
        folders: list[tuple[Path, FolderContent]] = []
        for name in self.names:
            if is_folder(str(name)):
                content = look_into(name.absolute(), FolderOptions(), stop)
                folders.append((name, content))
                found += content.taken
            else:
                found.append(name.absolute())
        found = list(dict.fromkeys(found))
        title, text = self._told(len(found), folders)
        is_cut = 0 < self.most < len(found)
        yield Finished(DocumentsFound(tuple(found[: self.most or None]), title, text, is_cut))

    def _told(self, count: int, folders: list[tuple[Path, FolderContent]]) -> tuple[str, str]:
        left_out = [
            f"{name.name}: {why}." for name, content in folders for why in _left_out(content)
        ]
        if not count:
            names = ", ".join(f"“{name.name}”" for name, _ in folders)
            return f"There is no document in {names} that can be read", " ".join(left_out)
        if self.most and count > self.most:
            command = shell_line(["epitome", "summarise", *self._shown_names()])
            title = f"Opened {format_count(self.most)} of {format_quantity(count, 'document')}"
            return title, " ".join([f"For all of them type: {command}", *left_out])
        if left_out:
            return f"Opened {format_quantity(count, 'document')}", " ".join(left_out)
        return "", ""

    def _shown_names(self) -> list[str]:
        """The names as they are typed; of many files the folder they lie in."""
        parents = {name.parent for name in self.names}
        many_files = len(self.names) > 3 and len(parents) == 1
        return [str(name) for name in (parents if many_files else self.names)]


def _left_out(content: FolderContent) -> list[str]:
    special = format_quantity(len(content.special), "device or pipe", "devices or pipes")
    return [*content.left_out, *([f"{special} passed over"] if content.special else [])]
