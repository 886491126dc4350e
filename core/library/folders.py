"""Where Epitome keeps its files."""

import errno
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from core.errors import explained
from core.installation import installation
from core.storage.files import CHOOSE_HOME

HOME_VARIABLE = "EPITOME_HOME"


@dataclass(frozen=True)
class Folders:
    """The four folders; none is made before something is written there.

    Args:
        data: What the person made and would miss.
        config: Settings.
        cache: What may be deleted at any time.
        log: What happened, without any text of a document.
    """

    data: Path
    config: Path
    cache: Path
    log: Path

    @classmethod
    def of_this_user(cls) -> "Folders":
        """The system's usual places; for ``EPITOME_HOME`` or a portable copy, all in one folder.

        The variable decides where both are given.

        Returns:
            The folders.

        Raises:
            EpitomeError: If the variable names what cannot be a folder.
        """
        if named := os.environ.get(HOME_VARIABLE, "").strip():
            return cls.under(_checked_home(named))
        if home := installation().home:
            return cls.under(home)
        usual = PlatformDirs("Epitome", appauthor=False)
        return cls(
            usual.user_data_path,
            usual.user_config_path,
            usual.user_cache_path,
            usual.user_log_path,
        )

    @classmethod
    def under(cls, home: Path) -> "Folders":
        """All four in one folder."""
        home = home.absolute()
        return cls(home / "data", home / "config", home / "cache", home / "log")

    @property
    def settings_file(self) -> Path:
        """Where `core.library.preferences.Preferences` are kept."""
        return self.config / "settings.toml"

    @property
    def crashes(self) -> Path:
        """Where `core.system.crash_reports` are kept."""
        return self.log / "crashes"

    @property
    def recents_file(self) -> Path:
        """Where `core.library.recent` are kept."""
        return self.data / "recents.json"

    @property
    def decisions_file(self) -> Path:
        """Where `core.library.decisions` are kept."""
        return self.data / "decisions.json"

    @property
    def history_file(self) -> Path:
        """Where `core.library.history` is kept."""
        return self.data / "history.sqlite"

    @property
    def window_file(self) -> Path:
        """Where the window's size and the widths of its columns are kept."""
        return self.data / "window.json"

    @property
    def sessions(self) -> Path:
        """Where each running window keeps what is open."""
        return self.data / "session"

    @property
    def corpora(self) -> Path:
        """Where prepared corpora lie, one folder each."""
        return self.data / "corpora"

    @property
    def corpora_in_use(self) -> Path:
        """Where runs say which corpora they need, while they are at work."""
        return self.data / "corpora-in-use"

    @property
    def tokenizers(self) -> Path:
        """Where trained tokenizers lie, one folder each."""
        return self.data / "tokenizers"

    @property
    def runs(self) -> Path:
        """Where training runs lie, one folder each."""
        return self.data / "runs"

    @property
    def built_in(self) -> Path:
        """Where the evaluations of the built-in summariser are kept."""
        return self.data / "built-in"

    @property
    def batches(self) -> Path:
        """Where batches of documents lie, one folder each."""
        return self.data / "batches"

    @property
    def measurements_file(self) -> Path:
        """Where measured training steps are kept, as `core.profiling.kept_points` has them."""
        return self.data / "measurements.jsonl"

    @property
    def comparisons(self) -> Path:
        """Where comparisons of summaries lie, one folder each."""
        return self.data / "comparisons"

    @property
    def job_queue(self) -> Path:
        """Where the queue of detached jobs lies, and its locks."""
        return self.data / "jobs"

    @property
    def trash(self) -> Path:
        """Where the folders of cancelled jobs lie until they are wanted back or emptied."""
        return self.data / "trash"


def _checked_home(named: str) -> Path:
    """Returns the folder that `EPITOME_HOME` names; raises `EpitomeError` if it cannot be one."""
    with explained(f"{HOME_VARIABLE} is {named}, which cannot be a folder", CHOOSE_HOME):
        try:
            home = Path(named).expanduser().absolute()
        except RuntimeError as error:  # "~name" of an unknown user
            raise FileNotFoundError(errno.ENOENT, "no user has that name") from error
        for place in (home, *home.parents):
            with suppress(FileNotFoundError):  # it is made when something is written there
                if not stat.S_ISDIR(place.stat().st_mode):
                    raise NotADirectoryError(errno.ENOTDIR, f"{place} is a file")
                break
        return home
