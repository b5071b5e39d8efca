"""The one place where the trouble of a parser of foreign bytes becomes its reader's own error.

Zip, XML, pictures, fonts, ICC profiles, PO and HTTP are read by libraries, none of which says what it
raises for broken input. So a reader doesn't list exceptions.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType


class Parsing:
    """A `with` around the parsing of foreign bytes. It raises the answer of `trouble` instead of any
    exception but those in `own`, which the reader itself raises.

    A MemoryError passes, because sound bytes may need more memory than there is. With `is_bounded` the
    parser raises it at a bound of its own. The first exception stays as the cause.
    """

    __slots__ = ("_is_bounded", "_own", "_trouble")

    def __init__(
        self,
        trouble: Callable[[Exception], Exception],
        *own: type[Exception],
        is_bounded: bool = False,
    ) -> None:
        self._trouble, self._own, self._is_bounded = trouble, own, is_bounded

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, self._own):
            return
        if self._is_bounded or not isinstance(error, MemoryError):
            raise self._trouble(error) from error
