"""An imposed sheet in words, from which the id of its file is reckoned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cardgen.model.sheets import ImposedSheet, Page, Slot


def in_words(sheet: ImposedSheet) -> Iterator[str]:
    """`repr(sheet)`, page by page; places and lines that pages share are put into words once."""
    known: dict[int, str] = {}  # by the identity of a part of the sheet, which outlives this

    def shared(part: object) -> str:
        if id(part) not in known:
            known[id(part)] = repr(part)
        return known[id(part)]

    def slots(parts: tuple[Slot, ...]) -> str:
        return _tuple([_record(slot, trim=shared, clip=shared) for slot in parts])

    def pages(parts: tuple[Page, ...]) -> Iterator[str]:
        for number, page in enumerate(parts):
            yield f"{', ' if number else '('}{_record(page, slots=slots, lines=shared)}"
        yield ",)" if len(parts) == 1 else ")" if parts else "()"

    yield f"{type(sheet).__qualname__}("
    for place, name in enumerate(sheet.__dataclass_fields__):
        yield f"{', ' if place else ''}{name}="
        if name == "pages":
            yield from pages(sheet.pages)
        else:
            yield repr(getattr(sheet, name))
    yield ")"


def _record(value: Any, **special: Callable[[Any], str]) -> str:
    """`repr` of a dataclass's value, some fields otherwise than by `repr`."""
    parts = [
        f"{name}={special.get(name, repr)(getattr(value, name))}" for name in value.__dataclass_fields__
    ]
    return f"{type(value).__qualname__}({', '.join(parts)})"


def _tuple(parts: Sequence[str]) -> str:
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
