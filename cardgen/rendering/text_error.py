"""What is wrong with a text, as it goes up to where the text is set."""

from __future__ import annotations

from cardgen.findings import Problem


class TextError(Exception):
    """A text that can't be set. Carries the problem."""

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        of_card: bool = False,
        about: tuple[str, ...] = (),
        once: bool = False,
    ) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint, of_card=of_card, about=about, once=once)
