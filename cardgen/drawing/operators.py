"""A picture's operators while they are written, with what they name and the state that they leave."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cardgen.drawing.objects import PdfObject
from cardgen.units import decimal


@dataclass(slots=True)
class Content:
    """A content stream while it is written, with what it names, and the state that the operators so far
    have left. `state` has no entry for what is not known."""

    box: str
    lines: list[str] = field(default_factory=list)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and PDF text of resources to their local names."""
    state: dict[str, str] = field(default_factory=dict)

    def name(self, kind: str, text: str) -> str:
        return self.named.setdefault((kind, text), f"{kind[0].lower()}{len(self.named)}")

    def put(self, key: str, operator: str) -> None:
        """Set a part of the graphics state, unless it is set."""
        if self.state.get(key) != operator:
            self.state[key] = operator
            self.lines.append(operator)

    def alpha(self, fill: float, stroke: float) -> None:
        text = f"<</ca {decimal(fill, 4)}/CA {decimal(stroke, 4)}>>"
        if self.state.get("alpha", "<</ca 1/CA 1>>") != text:
            self.state["alpha"] = text
            self.lines.append(f"/{self.name('ExtGState', text)} gs")

    @contextmanager
    def kept(self, *operators: str) -> Iterator[None]:
        """Within it, the state may be changed."""
        before = dict(self.state)
        self.lines.append(" ".join(("q", *operators)))
        yield
        self.lines.append("Q")
        self.state = before

    def form(self, entries: str) -> PdfObject:
        """The content as a form."""
        stream = zlib.compress("\n".join(self.lines).encode("ascii"), 6)
        kinds: dict[str, list[str]] = {}
        for (kind, text), name in self.named.items():
            kinds.setdefault(kind, []).append(f"/{name} {text}")
        resources = "".join(f"/{kind}<<{''.join(kinds[kind])}>>" for kind in sorted(kinds))
        head = (
            f"<</Type/XObject/Subtype/Form/BBox[{self.box}]{entries}/Resources<<{resources}>>"
            f"/Filter/FlateDecode/Length {len(stream)}>>"
        )
        return PdfObject.of(head.encode("ascii"), stream)
