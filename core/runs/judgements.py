"""Blind judgements of two systems' summaries, kept answer by answer.

A file holds one judge's session: its first line says what is judged, in which shuffled order and on
which side each summary is shown; each further line is one answer, or takes the last one back. So a
session goes on after an end at any moment, and the names can stay hidden until it is finished.
"""

import json
import random
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter, ValidationError

from core.errors import EpitomeError, check_not_newer, explained
from core.storage.atomic_files import write_whole
from core.storage.files import FileLock, append_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import open_regular, read_regular
from core.storage.schema import number_of

Answer = Literal["A", "equal", "B", "neither"]
ANSWERS: tuple[Answer, ...] = get_args(Answer)
FOLDER = "judgements"
"""Where the sessions of a comparison lie in its folder."""
_SCHEMA, _VERSION = "epitome.judgements", 1


@dataclass(frozen=True)
class Session:
    """What one judge is shown.

    Args:
        judge: Who judges.
        seed: Of the order and the sides.
        systems: The two systems that are judged.
        questions: What is asked of each pair, by name.
        documents: The documents that are shown, in their order: their numbers.
        ids: What they are called.
        swapped: For each, whether A is the second system.
    """

    judge: str
    seed: int
    systems: tuple[str, str]
    questions: tuple[str, ...]
    documents: tuple[int, ...]
    ids: tuple[str, ...]
    swapped: tuple[bool, ...]

    @property
    def total(self) -> int:
        """How many answers there are to give."""
        return len(self.documents) * len(self.questions)

    def is_of(self, systems: Collection[str], ids: Sequence[str]) -> bool:
        """Whether it judges a comparison.

        Args:
            systems: The systems that are compared there.
            ids: What each document is called there.

        Returns:
            Whether its systems and its documents are among those, in the same places.
        """
        named = tuple(ids[number] for number in self.documents if 0 <= number < len(ids))
        return set(self.systems) <= set(systems) and named == self.ids


@dataclass(frozen=True)
class Judged:
    """One answer, with the names again.

    Args:
        id: The document.
        question: What was asked.
        winner: 0 or 1 for a system, None for neither of them.
        usable: False if neither summary is usable.
    """

    id: str
    question: str
    winner: int | None
    usable: bool = True


@dataclass(frozen=True)
class Judgements:
    """A session and the answers so far.

    Args:
        session: What is judged.
        answers: In the order of the questions: all of the first document, then of the next.
    """

    session: Session
    answers: tuple[Answer, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all is answered."""
        return len(self.answers) >= self.session.total

    @property
    def place(self) -> tuple[int, int]:
        """Which document of the session is next, and which question."""
        return divmod(len(self.answers), len(self.session.questions))

    @property
    def documents_done(self) -> int:
        """How many documents are answered whole."""
        return self.place[0]

    def named(self) -> list[Judged]:
        """The answers with the systems that they are for."""
        session, found = self.session, []
        for at, answer in enumerate(self.answers):
            document, question = divmod(at, len(session.questions))
            swapped = session.swapped[document]
            side = {"A": int(swapped), "B": int(not swapped)}.get(answer)
            found.append(
                Judged(session.ids[document], session.questions[question], side,
                       usable=answer != "neither")
            )  # fmt: skip
        return found


_SESSION = TypeAdapter(Session)


def new_session(
    judge: str,
    systems: tuple[str, str],
    questions: Sequence[str],
    documents: Sequence[tuple[int, str]],
    most: int,
    seed: int,
) -> Session:
    """A session over documents in shuffled order, each pair on shuffled sides.

    Args:
        judge: Who judges.
        systems: What is judged.
        questions: What is asked.
        documents: Number and id of each document there is.
        most: How many are shown at most.
        seed: The same seed gives the same order and sides.

    Returns:
        The session.
    """
    chance = random.Random(seed)
    drawn = chance.sample(list(documents), min(most, len(documents)))
    swapped = tuple(chance.random() < 0.5 for _ in drawn)
    numbers, ids = tuple(number for number, _ in drawn), tuple(id for _, id in drawn)
    return Session(judge, seed, systems, tuple(questions), numbers, ids, swapped)


def begin_judging(path: Path, session: Session) -> None:
    """Begins the file of a session; a file that is there is not replaced.

    Args:
        path: Where.
        session: What is judged.

    Raises:
        EpitomeError: If there is such a file already, or it cannot be written.
    """
    head = {"schema": f"{_SCHEMA}/{_VERSION}", **asdict(session)}
    write_whole(path, _line(head), "Make its folder writable.")


def take_session(path: Path) -> FileLock | None:
    """Takes a session, so that no other window gives answers to it meanwhile.

    Args:
        path: Its file.

    Returns:
        What is to be released at the end; None while another window has it.

    Raises:
        EpitomeError: If that cannot be told.
    """
    lock = FileLock(path.with_suffix(".lock"))
    with explained(f"{path} cannot be written", "Make its folder writable."):
        return lock if lock.acquire() else None


def keep_answer(path: Path, answer: Answer) -> None:
    """Appends an answer; raises `EpitomeError` if it cannot be written."""
    _append(path, {"answer": answer})


def keep_undo(path: Path) -> None:
    """Takes the last answer back; raises `EpitomeError` if that cannot be written."""
    _append(path, {"undo": True})


def read_judgements(path: Path) -> Judgements:
    """Reads a session; what a crash left of a line is taken off the file.

    Args:
        path: The file.

    Returns:
        The session and its answers.

    Raises:
        EpitomeError: If it cannot be read, is no such file, or is of a newer program.
    """
    with explained(f"{path} cannot be read", "Choose another file."):
        data = read_regular(path)
    whole = data.rfind(b"\n") + 1
    try:
        head, *lines = [parse_json(line) for line in data[:whole].splitlines() if line.strip()]
        version = number_of(head.pop("schema"), _SCHEMA)
        check_not_newer(f"The file {path}", version, _VERSION)
        if version != _VERSION:
            raise ValueError("another schema")
        session = _SESSION.validate_python(head)
        if not len(session.documents) == len(session.ids) == len(session.swapped):
            raise ValueError("documents without names or sides")
        answers: list[Answer] = []
        for line in lines:
            if line.get("undo"):
                answers.pop()
            elif line["answer"] in ANSWERS:
                answers.append(line["answer"])
            else:
                raise ValueError(line["answer"])
        if len(answers) > session.total:
            raise ValueError("too many answers")
    except (ValueError, KeyError, AttributeError, IndexError, TypeError, ValidationError) as error:
        raise EpitomeError(
            f"“{path.name}” is no file of judgements, or it is damaged.", "Choose another file."
        ) from error
    if whole < len(data):
        refused = f"{path} cannot be written"
        with explained(refused, "Choose another file."), open_regular(path, "ab") as file:
            file.truncate(whole)
    return Judgements(session, tuple(answers))


def _append(path: Path, line: dict[str, object]) -> None:
    append_whole(path, _line(line))


def _line(values: dict[str, object]) -> bytes:
    return json.dumps(values).encode() + b"\n"
