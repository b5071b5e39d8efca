"""What filters, functions and tests ask of the sandbox that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from cardgen.sandbox.budget import Budget


class Host(Protocol):
    """A sandbox as its filters, functions and tests know it; `environment.Sandbox` says what each does."""

    budget: Budget
    filters: dict[str, Callable[..., Any]]
    tests: Any
    undefined: Any
    add: Callable[[Any, Any], Any]
    key: Callable[[Any], Any]

    def getitem(self, obj: Any, argument: Any) -> Any: ...
    def members(self, value: Any) -> Sequence[Any]: ...
    def joined(self, parts: Sequence[Any]) -> str: ...
    def text_of(self, value: Any) -> str: ...
    def callable(self, value: Any) -> bool: ...
