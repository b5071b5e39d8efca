"""What ReportLab writes, put right."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pikepdf

from cardgen.exports.pdf_canvas import PdfCanvas
from tests.pdf_grammar import judge


def test_paths_begin_with_what_begins_a_path() -> None:
    out = io.BytesIO()
    canvas = PdfCanvas(out, pagesize=(100, 100), invariant=1, initialFontName="Helvetica")
    canvas.line(0, 0, 9, 9)
    canvas.lines([(0, 0, 5, 5), (5, 5, 5, 9)])
    canvas.rect(1, 1, 8, 8, fill=1)
    canvas.roundRect(2, 2, 6, 6, 1)
    path = canvas.beginPath()
    path.rect(3, 3, 4, 4)
    canvas.clipPath(path, stroke=0)
    canvas.circle(5, 5, 2)
    canvas.bezier(0, 0, 1, 1, 2, 2, 3, 3)
    canvas.drawPath(path, stroke=0, fill=0)
    canvas.showPage()
    canvas.save()
    assert judge(out.getvalue()).faults == ()


def test_an_outline_counts_its_entries_once() -> None:
    out = io.BytesIO()
    canvas = PdfCanvas(out, pagesize=(100, 100), invariant=1)
    for level, title in ((0, "Cards"), (1, "Faces"), (1, "Backs"), (0, "Boards")):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
    canvas.showPage()
    canvas.save()
    assert judge(out.getvalue()).faults == ()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        root = pdf.Root.Outlines
        assert (root.Count, root.First.Title, root.First.Count) == (4, "Cards", 2)


def test_objects_are_written_as_reportlab_has_them(tmp_path: Path) -> None:
    """To an open file one by one, under a name by ReportLab itself."""
    out, path = io.BytesIO(), tmp_path / "out.pdf"
    for where in (out, str(path)):
        canvas = PdfCanvas(where, pagesize=(100, 100), invariant=1, pageCompression=1)
        canvas.setTitle("Füchse")
        for number in range(3):
            canvas.bookmarkPage(str(number))
            canvas.addOutlineEntry(f"page {number}", str(number))
            canvas.drawString(9, 9, "text" * number)
            canvas.linkURL("https://example.org", (0, 0, 9, 9))
            canvas.showPage()
        canvas.save()
    assert out.getvalue() == path.read_bytes()


def test_an_object_of_ours_is_written_at_once_and_can_be_referred_to() -> None:
    out = io.BytesIO()
    canvas = PdfCanvas(out, pagesize=(100, 100), invariant=1)
    numbers = [canvas.put(b"<</Fox %d>>" % number) for number in range(2)]
    assert out.getvalue().endswith(b"%d 0 obj\n<</Fox 1>>\nendobj\n" % numbers[1])

    canvas.showPage()
    canvas.save()
    assert judge(out.getvalue()).faults == ()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        assert [int(pdf.get_object(number, 0).Fox) for number in numbers] == [0, 1]


def test_streams_are_bytes_whatever_has_been_imported() -> None:
    """A setting of ReportLab's holds in the whole process, and a report is to be the same in any."""
    code = (
        "import io; from cardgen.exports.pdf_canvas import PdfCanvas; out = io.BytesIO(); "
        "canvas = PdfCanvas(out, pageCompression=1, invariant=1); canvas.line(0, 0, 9, 9); "
        "canvas.save(); assert b'FlateDecode' in out.getvalue() and b'ASCII85' not in out.getvalue()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
