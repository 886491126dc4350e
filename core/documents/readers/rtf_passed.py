"""What of an RTF file is not in the text."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.documents.document import LeftOut, count_words
from core.documents.readers import office
from core.documents.readers.hidden import hidden_text

STRUCK = "it is struck through"


@dataclass
class PassedOver:
    """What was met and passed over.

    Args:
        running: The texts of running heads and footers, each once.
        comment_words: Words of comments.
        deleted_words: Words that tracked changes strike out.
        hidden: What is not shown, by the reason.
        pictures: How many pictures.
        objects: How many files lie inside this one.
        equations: The number of formulas of other programs.
        unknown_signs: The number of signs of fonts that are not known.
        insertions: How many stretches of text tracked changes put in.
        deletions: How many they strike out.
    """

    running: set[str] = field(default_factory=set)
    comment_words: int = 0
    deleted_words: int = 0
    hidden: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    pictures: int = 0
    objects: int = 0
    equations: int = 0
    unknown_signs: int = 0
    insertions: int = 0
    deletions: int = 0

    @property
    def struck_words(self) -> int:
        """Number of words that are struck through."""
        return count_words("".join(self.hidden.get(STRUCK, ())))

    def left_out(self) -> Iterator[LeftOut]:
        """What is said of it."""
        if words := sum(map(count_words, self.running)):
            yield office.running_heads(words)
        if self.comment_words:
            yield office.comments(self.comment_words)
        if self.deleted_words:
            yield office.deleted_passages(self.deleted_words)
        if words := self.struck_words:
            yield office.struck_passages(words)
        words_by_reason = {why: count_words("".join(pieces)) for why, pieces in self.hidden.items()}
        words_by_reason.pop(STRUCK, None)
        yield from hidden_text(Counter(words_by_reason))
        if self.pictures:
            yield office.pictures(self.pictures)
        if self.unknown_signs:
            yield office.unknown_signs(self.unknown_signs)
        if self.objects:
            yield LeftOut("embedded documents", "they are separate files inside this one")

    def notes(self) -> list[str]:
        """What is worth saying about tracked changes."""
        return office.accepted_changes(self.insertions, self.deletions)
