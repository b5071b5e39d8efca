"""Changes to a template that leave every line where it is."""

from __future__ import annotations


class Edits:
    """Pieces of a source to be put in, left out or said otherwise. What replaces a piece has as many line
    ends as it: the missing ones are added at its end, where the caller says that they may stand."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edits: list[tuple[int, int, int, str]] = []

    def __bool__(self) -> bool:
        return bool(self._edits)

    def before(self, position: int, text: str) -> None:
        """Put in a text before what stands there."""
        self._edits.append((position, 1, position, text))

    def after(self, position: int, text: str) -> None:
        """Put in a text after what ends there."""
        self._edits.append((position, 0, position, text))

    def replace(self, start: int, end: int, text: str, *, lines_at: str = "") -> None:
        """Say `text` instead. `lines_at` is the part of it before which missing line ends go, its end if
        none."""
        missing = self._source.count("\n", start, end) - text.count("\n")
        at = text.find(lines_at) if lines_at else len(text)
        self._edits.append((start, 2, end, text[:at] + "\n" * missing + text[at:]))

    def made(self) -> str:
        """The source with all of them. A piece within one that is replaced as a whole is gone with it."""
        parts: list[str] = []
        place = 0
        for start, _, end, text in sorted(self._edits, key=lambda edit: edit[:2]):
            if start < place:
                continue
            parts += (self._source[place:start], text)
            place = end
        parts.append(self._source[place:])
        return "".join(parts)
