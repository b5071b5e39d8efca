"""Drawn charts laid into the pages of a PDF that has room for them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pikepdf

from cardgen.reports import charts
from cardgen.reports.flowables import ChartBox


def with_charts(pages: bytes, boxes: Sequence[ChartBox]) -> bytes:
    """The set pages with each chart in the room left for it."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pages)) as book:
        if boxes:
            with pikepdf.open(io.BytesIO(charts.as_pdf([box.chart for box in boxes]))) as drawn:
                for number, (box, chart) in enumerate(zip(boxes, drawn.pages, strict=True)):
                    # Not Page.add_overlay: that makes up random names.
                    name = pikepdf.Name(f"/Chart{number}")
                    form = book.copy_foreign(chart.as_form_xobject())
                    page = book.pages[box.page]
                    page.add_resource(form, pikepdf.Name.XObject, name)
                    page.contents_add(f"q 1 0 0 1 {box.x:.3f} {box.y:.3f} cm {name} Do Q\n".encode())
        book.remove_unreferenced_resources()
        book.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()
