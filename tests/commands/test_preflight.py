"""`cardgen preflight`: findings, the table, JSON and exit codes, for our own files and others'."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from reportlab.lib.colors import CMYKColor
from reportlab.pdfgen.canvas import Canvas

from cardgen.commands.check import pdf_files
from cardgen.commands.check.pdf_files import preflight
from cardgen.core.explanations import explanations
from cardgen.pdf import separations
from cardgen.pdf.separations import PageInk, SeparationError, page_inks
from tests.for_each import for_each

Run = Callable[..., tuple[int, str, str]]
WITH_GHOSTSCRIPT = pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No Ghostscript, which takes a second."""
    monkeypatch.setattr(separations, "ghostscript", lambda: None)


def drawn(path: Path, draw: Callable[[Canvas], None]) -> Path:
    canvas = Canvas(str(path), pagesize=(200, 280))
    draw(canvas)
    canvas.save()
    return path


def text(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 7)
    canvas.setFillColor(CMYKColor(0.9, 0.6, 0.2, 0.1))
    canvas.drawString(20, 250, "small")


def black(canvas: Canvas) -> None:
    canvas.setFillColor(CMYKColor(0, 0, 0, 1))
    canvas.drawString(20, 250, "black")


def line(canvas: Canvas) -> None:
    canvas.setStrokeColor(CMYKColor(0, 0, 0, 1))
    canvas.setLineWidth(0.1)
    canvas.line(10, 10, 90, 90)


def light(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(10, 10, 50, 50, stroke=0, fill=1)


def white(canvas: Canvas) -> None:
    canvas.addLiteral("/w gs")
    canvas.setFillColor(CMYKColor(0, 0, 0, 0))
    canvas.rect(10, 10, 50, 50, stroke=0, fill=1)


def heavy(canvas: Canvas) -> None:
    canvas.setFillColor(CMYKColor(1, 1, 1, 0.5))
    canvas.rect(10, 10, 72, 72, stroke=0, fill=1)


def nothing(canvas: Canvas) -> None:
    canvas.showPage()


USUAL = {"pdf/standard", "pdf/boxes", "pdf/ink"}
"""What each file of these lacks: a standard, a trim box, and ink measured."""


@for_each(
    ("draw", "codes"),
    [
        (nothing, set()),
        (text, {"pdf/small-text", "pdf/fonts"}),
        (black, {"pdf/overprint", "pdf/fonts"}),
        (line, {"pdf/thin-line"}),
        (light, {"pdf/rgb"}),
    ],
)
@pytest.mark.usefixtures("unmeasured")
def test_what_shops_send_back_is_found(
    tmp_path: Path, draw: Callable[[Canvas], None], codes: set[str]
) -> None:
    found = preflight(drawn(tmp_path / "x.pdf", draw))
    assert {finding.code for finding in found.findings} == codes | USUAL
    assert {finding.code for finding in found.findings} <= set(explanations())


def changed(path: Path, change: Callable[[pikepdf.Pdf], None]) -> Path:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path)
    return path


def claim(pdf: pikepdf.Pdf) -> None:
    pdf.docinfo["/GTS_PDFXVersion"] = pikepdf.String("PDF/X-1a:2003")


@pytest.mark.usefixtures("unmeasured")
def test_a_file_that_claims_a_standard_must_meet_it(tmp_path: Path) -> None:
    """What is a warning otherwise is an error there, and an output intent is required."""
    for claims in (False, True):
        path = drawn(tmp_path / "x.pdf", light)
        if claims:
            changed(path, claim)
        errors = [finding.code for finding in preflight(path).findings if finding.severity == "error"]
        assert errors == (["pdf/boxes", "pdf/rgb", "pdf/standard"] if claims else [])


@pytest.mark.usefixtures("unmeasured")
def test_white_that_overprints_is_an_error(tmp_path: Path) -> None:
    def state(pdf: pikepdf.Pdf) -> None:
        states = pikepdf.Dictionary(w=pikepdf.Dictionary(op=True, OPM=1))
        pdf.pages[0].obj.Resources.ExtGState = states

    path = changed(drawn(tmp_path / "x.pdf", white), state)
    found = [finding for finding in preflight(path).findings if finding.code == "pdf/overprint"]
    assert [finding.severity for finding in found] == ["error"]


@WITH_GHOSTSCRIPT
def test_ink_is_measured_where_it_is_wide(tmp_path: Path) -> None:
    path = drawn(tmp_path / "x.pdf", heavy)
    ((most, over),) = [(ink.most, ink.over) for ink in preflight(path, 300).inks or []]
    assert most == pytest.approx(3.5, abs=0.01)
    assert over == pytest.approx(25.4**2, rel=0.01)
    assert [ink.over for ink in page_inks(path, 1.0, 3.5)] == [0]
    assert "pdf/ink" in {finding.code for finding in preflight(path, 300).findings}
    thin = drawn(
        tmp_path / "y.pdf", lambda canvas: canvas.setStrokeColor(CMYKColor(1, 1, 1, 1)) or line(canvas)
    )
    assert [ink.over for ink in page_inks(thin, 1.0, 3.0)] == [0]


@WITH_GHOSTSCRIPT
def test_a_file_that_ghostscript_cannot_draw_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"%PDF-1.7\n(/etc/passwd) (r) file")
    with pytest.raises(SeparationError):
        page_inks(path, 1.0, 3.0)


@pytest.mark.skipif(sys.platform == "win32", reason="writes a script")
@for_each(
    ("prints", "problem"),
    [
        ("printf 'P7\\nWIDTH 99999\\nHEIGHT 99999\\nDEPTH 4\\nMAXVAL 255\\nENDHDR\\n'", True),
        ("printf 'P7\\nWIDTH 2\\nHEIGHT 1\\nDEPTH 4\\nMAXVAL 255\\nENDHDR\\nab'", True),
        ("head -c 9000 /dev/zero", True),
        ("exit 3", True),
        ("printf 'P7\\nWIDTH 1\\nHEIGHT 1\\nDEPTH 4\\nMAXVAL 255\\nENDHDR\\n\\377\\377\\0\\0'", False),
    ],
)
def test_only_pages_are_accepted_from_ghostscript(tmp_path: Path, prints: str, problem: bool) -> None:
    program = tmp_path / "gs"
    program.write_text(f"#!/bin/sh\n{prints}\n")
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separations, "ghostscript", lambda: str(program))
        if problem:
            with pytest.raises(SeparationError):
                page_inks(tmp_path / "x.pdf", 1.0, 3.0)
        else:
            assert page_inks(tmp_path / "x.pdf", 1.0, 3.0) == [PageInk(2.0, 0.0)]


@pytest.mark.skipif(sys.platform == "win32", reason="writes a script")
def test_ghostscript_is_held_to_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, said = tmp_path / "gs", tmp_path / "said"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {said}\nulimit -v >> {said}\nulimit -t >> {said}\nenv >> {said}\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(separations, "ghostscript", lambda: str(program))
    monkeypatch.setenv("SECRET", "x")
    with pytest.raises(SeparationError):
        page_inks(tmp_path / "-x.pdf", 1.0, 3.0)
    words = said.read_text()
    assert "-dSAFER" in words.split()
    assert str(tmp_path / "-x.pdf") in words.split()  # never taken for an option
    assert "SECRET" not in words
    assert str(separations.LIMITS.memory // 1024) in words
    assert str(separations.LIMITS.seconds) in words.split()


def test_a_sandboxed_command_starts_no_ghostscript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_files, "is_confined", lambda: True)
    monkeypatch.setattr(pdf_files, "page_inks", lambda *_: pytest.fail("started"))
    found = preflight(drawn(tmp_path / "x.pdf", nothing))
    assert found.inks is None
    assert "pdf/ink" in {finding.code for finding in found.findings}


@pytest.mark.usefixtures("unmeasured")
def test_our_own_file_for_a_press_has_no_error(run: Run, demo: Path) -> None:
    assert run("build", "demo", "--inks", "cmyk")[0] == 0
    path = demo / "output/demo/poker.cmyk.pdf"
    code, out, _ = run("preflight", str(path), "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["standards"] == ["PDF/X-4"]
    assert {font["embedded"] for font in found["fonts"]} == {True}
    assert "DeviceRGB" not in found["colors"]
    assert found["counts"]["black text"] == found["counts"]["black text over"] > 10
    assert {each["code"] for each in found["findings"]} <= {"pdf/ink", "pdf/boxes", "pdf/small-text"}


@pytest.mark.usefixtures("unmeasured")
def test_the_exit_code_follows_the_findings(run: Run, tmp_path: Path) -> None:
    path = str(drawn(tmp_path / "x.pdf", light))
    code, out, _ = run("preflight", path)
    assert code == 0
    assert "colors         DeviceRGB 1" in out.splitlines()
    assert run("preflight", path, "--fail-on", "warning")[0] == 1
    assert run("preflight", str(drawn(tmp_path / "y.pdf", text)))[0] == 1
    assert run("preflight", str(tmp_path / "no.pdf"))[0] == 2
    assert run("preflight", path, "--ink-limit", "90")[0] == 2


def test_an_unreadable_file_is_json_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"no PDF")
    code, out, err = run("preflight", str(path), "--format", "json")
    assert (code, err) == (1, "")
    assert [each["code"] for each in json.loads(out)["findings"]] == ["pdf/unreadable"]


def test_page_numbers_are_named_in_runs() -> None:
    named = pdf_files._named
    assert named([3]) == "page 3"
    assert named([1, 2, 3, 7]) == "pages 1 to 3, 7"
    assert named(range(1, 40, 2)) == "pages 1, 3, 5, 7, 9, 11 and 14 more"
