"""The smallest PDF that shows drawn sides, a page each: for pixels and for tests, not for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO

from cardgen.drawing.objects import DrawnArt
from cardgen.geometry import Rect
from cardgen.units import PT_PER_MM, decimal


@dataclass(frozen=True, slots=True)
class View:
    """A page: `area` of a side, in mm from the top left corner of its bleed."""

    artwork: str
    area: Rect


def write_views(art: DrawnArt, views: Iterable[View]) -> bytes:
    """A PDF 1.6 with one page for each view."""
    views = list(views)
    numbers: dict[str, int] = {}
    writer = _Writer()
    catalog, pages = writer.reserve(), writer.reserve()
    for obj in art.objects(dict.fromkeys(view.artwork for view in views)):
        numbers[obj.name] = writer.add(obj.body(lambda name: b"%d 0 R" % numbers[name]))
    kids = []
    for view in views:
        face = art.faces[view.artwork]
        left = -view.area.x * PT_PER_MM
        lower = (view.area.bottom - face.size.height) * PT_PER_MM
        content = f"1 0 0 1 {decimal(left, 6)} {decimal(lower, 6)} cm /x0 Do".encode("ascii")
        stream = writer.add(b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content))
        box = f"{decimal(view.area.width * PT_PER_MM, 6)} {decimal(view.area.height * PT_PER_MM, 6)}"
        kids.append(
            writer.add(
                b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s]/Group<</S/Transparency/CS/DeviceRGB>>"
                b"/Resources<</XObject<</x0 %d 0 R>>>>/Contents %d 0 R>>"
                % (pages, box.encode("ascii"), numbers[face.name], stream)
            )
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    writer.set(pages, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed))
    writer.set(catalog, b"<</Type/Catalog/Pages %d 0 R>>" % pages)
    return writer.finish(catalog)


class _Writer:
    """Numbered objects and their cross-reference table."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        return self.add(b"null")

    def add(self, body: bytes) -> int:
        self._bodies.append(body)
        return len(self._bodies)

    def set(self, number: int, body: bytes) -> None:
        self._bodies[number - 1] = body

    def finish(self, root: int) -> bytes:
        file = BytesIO()
        file.write(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
        table = [b"0000000000 65535 f \n"]
        for number, body in enumerate(self._bodies, 1):
            table.append(b"%010d 00000 n \n" % file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        start = file.tell()
        file.write(b"xref\n0 %d\n" % len(table) + b"".join(table))
        file.write(
            b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(table), root, start)
        )
        return file.getvalue()
