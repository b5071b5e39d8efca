"""What is wrong with an element, before it is known which cards show it."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.findings import Severity

LONGEST = 400
"""Characters of a message."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding in the making.

    `offset` is the byte in the rendered side where it stands, relative to the element that was being
    looked at; `place` is the template and line, where that is known already. `of_card` says that the
    card's data are the likely cause, so that it belongs at the card's line and once for each card;
    others belong at the template's line and are said once. Where it is `about` certain letters, or a
    word, it is the card's only if its data hold one of them: the template may have written them itself.
    """

    code: str
    message: str
    hint: str | None = None
    severity: Severity = Severity.ERROR
    offset: int = 0
    place: tuple[str, int] | None = None
    of_card: bool = False
    about: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    def __post_init__(self) -> None:
        # Names and values in a message come from the drawing, and may be of any length.
        for name in ("message", "hint"):
            text = getattr(self, name)
            if text is not None and len(text) > LONGEST:
                cut = f"{text[: LONGEST - 100]} … {text[-90:]}"
                object.__setattr__(self, name, cut)
