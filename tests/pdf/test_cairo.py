"""What a machine without the cairo library gets: a sentence, and only where cairo is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from cardgen.pdf.declare import declarations

from .samples import ROOT

CODE = """
from cardgen.pdf.objects import DrawingError
from tests.pdf.samples import UNPLAIN, artwork, drawn, pdf, picture, text
print(len(pdf(drawn(artwork(text("words"), picture("<circle r='9'/>"))))) > 1000)
try:
    drawn(artwork(picture(UNPLAIN)))
except DrawingError as error:
    print([(finding.code, finding.hint) for finding in error.findings])
"""


def test_a_missing_cairo_is_a_finding_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "cairocffi.py").write_text("raise OSError('no library called \"cairo-2\" was found')\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "True",
        "[('cairo/missing', 'run `cardgen doctor` for the command that installs it')]",
    ], done.stderr


LOAD = """
import sys
from importlib.util import module_from_spec, spec_from_file_location

file, made_from = sys.argv[1:]
module = None  # as if the file were not there
if file:
    spec = spec_from_file_location("cardgen.pdf.cairo_declarations", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.MADE_FROM = made_from or module.MADE_FROM
sys.modules["cardgen.pdf.cairo_declarations"] = module
from tests.pdf.samples import UNPLAIN, drawn, artwork, picture, pdf
data = pdf(drawn(artwork(picture(UNPLAIN))))
from hashlib import sha256
print("pycparser" in sys.modules, sha256(data).hexdigest())
"""


def test_declarations_are_used_where_they_are_cairocffi_s(tmp_path: Path) -> None:
    """And not where they were made from another one; the picture is the same."""
    written = tmp_path / "written.py"
    written.write_text(declarations(), encoding="ascii")

    def load(file: str, made_from: str = "") -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", LOAD, file, made_from],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    parsed, picture = load("")
    assert parsed == "True"
    assert load(str(written), "another") == ["True", picture]
    assert load(str(written)) == ["False", picture]
