"""Puts `cairo_declarations.py` into the wheel, as `.ci/setup` puts it into a checkout: all start fast.

It is made from the cairocffi that is there when the wheel is built. Where another one is installed, or none
was there, cardgen parses cairo's declarations itself, with the same result.
"""

from __future__ import annotations

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "cardgen/pdf"


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatch calls this around the building of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have the file made, outside of the checkout, and packed."""
        if version == "editable":  # the checkout's own counts
            return
        declare = runpy.run_path(str(Path(self.root, PLACE, "declare.py")))
        try:
            text = declare["declarations"]()
        except ImportError as error:
            self.app.display_warning(f"the wheel starts more slowly, for {error}")
            return
        self.folder = tempfile.TemporaryDirectory()
        made = Path(self.folder.name, declare["TARGET"].name)
        made.write_text(text, encoding="ascii")
        build_data["force_include"][str(made)] = f"{PLACE}/{made.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up once the wheel is written."""
        if hasattr(self, "folder"):
            self.folder.cleanup()
