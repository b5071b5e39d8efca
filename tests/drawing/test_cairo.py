"""What a machine without the cairo library gets: a sentence, and only where cairo is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .samples import ROOT

CODE = """
from cardgen.drawing import DrawingError
from tests.drawing.samples import artwork, drawn, pdf, picture, text
print(len(pdf(drawn(artwork(text("words"))))) > 1000)
try:
    drawn(artwork(picture("<g/>")))
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
