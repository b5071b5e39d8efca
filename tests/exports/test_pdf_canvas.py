"""Objects and outlines of ReportLab's, put right."""

from __future__ import annotations

import io

import pikepdf

from cardgen.exports.pdf import PdfCanvas
from tests.pdf_grammar import judge


def test_an_outline_counts_its_entries_once() -> None:
    out = io.BytesIO()
    canvas = PdfCanvas(out, (1, 7))
    for level, title in ((0, "Cards"), (1, "Faces"), (1, "Backs"), (0, "Boards")):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
    canvas.addLiteral("0 0 9 9 re S")
    canvas.showPage()
    canvas.save()
    assert judge(out.getvalue()).faults == ()
    assert b"ASCII85" not in out.getvalue()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        root = pdf.Root.Outlines
        assert (root.Count, root.First.Title, root.First.Count) == (4, "Cards", 2)


def test_an_object_of_ours_is_written_at_once_and_can_be_referred_to() -> None:
    out = io.BytesIO()
    canvas = PdfCanvas(out, (1, 7))
    numbers = [canvas.put(b"<</Fox %d>>" % number) for number in range(2)]
    assert out.getvalue().endswith(b"%d 0 obj\n<</Fox 1>>\nendobj\n" % numbers[1])

    canvas.showPage()
    canvas.save()
    assert judge(out.getvalue()).faults == ()
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        assert [int(pdf.get_object(number, 0).Fox) for number in numbers] == [0, 1]
