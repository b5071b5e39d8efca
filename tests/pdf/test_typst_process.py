"""Typst draws in a process of its own: what ends that process is a problem of the picture that did it."""

from __future__ import annotations

import subprocess

import pytest

from cardgen.pdf import typst_pages, typst_process
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import Drawable
from cardgen.pdf.typst_process import TypstError, compiled
from tests.wording import Wording

SHADOW = '<feDropShadow dx="1" dy="1" stdDeviation="1"/>'
ABORTS = '<feOffset dx="1e9" dy="1e9"/>'
"""A panic of Rust's while it tidies up after another: the process is ended by SIGABRT."""


def picture(key: str, part: str, region: str = "") -> Drawable:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="20mm" viewBox="0 0 20 20">'
        f'<filter id="f" {region}>{part}</filter>'
        '<rect x="5" y="5" width="9" height="9" fill="red" filter="url(#f)"/></svg>'
    )
    return Drawable(key, svg, label=key)


def drawn(*pictures: Drawable) -> dict[str, str]:
    """The names of the pictures' forms, which say what is in them."""
    return {key: form.name for key, form in typst_pages.draw_pictures(pictures).items()}


def test_a_picture_that_ends_the_process_is_named_and_no_other() -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(picture("good", SHADOW), picture("bad", ABORTS), picture("other", SHADOW))
    (finding,) = caught.value.findings
    assert (finding.code, finding.message.partition(":")[0]) == ("picture/svg", "bad")
    assert "filters" in (finding.hint or "")


def test_a_panic_is_said(wording: Wording) -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(picture("bad", "<feFlood/>", 'x="0" y="0" width="1e-9" height="1e-9"'))
    wording(caught.value)


def test_many_that_fail_are_not_all_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def refused(source: str, inputs: dict[str, str]) -> bytes:
        tried.append(len(inputs))
        raise TypstError("no")

    monkeypatch.setattr(typst_pages, "compiled", refused)
    with pytest.raises(DrawingError) as caught:
        drawn(*(picture(f"p{i}", SHADOW) for i in range(15)))
    assert tried == [15] + [1] * 10
    assert len(caught.value.findings) == 10


def test_pictures_are_drawn_a_few_at_a_time_and_come_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = [picture(f"p{i}", f'<feOffset dx="{i}"/>') for i in range(5)]
    together = drawn(*pictures)
    sizes: list[int] = []

    def counted(source: str, inputs: dict[str, str]) -> bytes:
        sizes.append(len(inputs))
        return compiled(source, inputs)

    monkeypatch.setattr(typst_pages, "compiled", counted)
    monkeypatch.setattr(typst_pages, "_MOST_AT_ONCE", 2 * typst_pages._FILTERED + 5_000)
    assert drawn(*pictures) == together
    assert sizes == [2, 2, 1]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    typst_process.end()
    monkeypatch.setattr(typst_process, "MEMORY", 600_000_000)
    # A filter in a filter is not held to a number of pixels by Typst.
    inner = 'filterUnits="userSpaceOnUse" x="-500" y="-500" width="1000" height="1000"'
    svg = picture("p", "<feFlood/>", inner).svg
    nested = svg.replace("<rect", f'<filter id="g">{SHADOW}</filter><g filter="url(#g)"><rect').replace(
        "</svg>", "</g></svg>"
    )
    with pytest.raises(DrawingError) as caught:
        drawn(Drawable("p", nested))
    wording(caught.value)


def test_where_no_process_may_be_started_it_draws_in_this_one(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    apart = drawn(picture("p", SHADOW))
    typst_process.end()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(subprocess, "Popen", refused)
    assert drawn(picture("p", SHADOW)) == apart
    with pytest.raises(DrawingError) as caught:
        drawn(picture("bad", "<feFlood/>", 'x="0" y="0" width="1e-9" height="1e-9"'))
    wording(caught.value)


def test_one_process_draws_all_until_a_document_ends_it() -> None:
    drawn(picture("p", SHADOW))
    (first,) = typst_process._processes.values()
    drawn(picture("p", '<feOffset dx="3"/>'))
    assert [*typst_process._processes.values()] == [first]
    with pytest.raises(DrawingError):
        drawn(picture("bad", ABORTS))
    assert not typst_process._processes
    drawn(picture("p", SHADOW))
    assert [*typst_process._processes.values()] != [first]


def test_no_file_is_read() -> None:
    source = '#image(bytes(sys.inputs.at("0")), format: "svg")\n#read("/etc/hostname")'
    with pytest.raises(TypstError):
        compiled(source, {"0": picture("p", SHADOW).svg})
