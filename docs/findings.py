"""Write docs/findings.md from the texts of `cardgen explain`: `python docs/findings.py [--check]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from cardgen.core.explanations import families

DOCUMENT = Path(__file__).resolve().parent / "findings.md"
_HEAD = """\
# Findings

Each finding of a command ends with a code, such as `[schema/enum]`. To read its explanation in the
terminal, run `cardgen explain CODE`. Codes [stay the same](stability.md) from version to version.

A finding is an error unless it says `warning` or `note`. After an error, `check` exits with 1, and
`build` and `export` write nothing. Warnings fail `check` only with `--fail-on warning`, notes never.

No option hides a finding. `build --keep-going` prints the valid cards in spite of errors. If a finding
reports what you want, state that in the game:

- `cg:decor="true"` on a text that is only decoration
- `limits:` in `game.yaml`, for small type and contrast
- `severity: warning` on a [rule](rules.md)
"""


def document() -> str:
    """The text of the page: a chapter a family, a section for each code."""
    parts = [_HEAD]
    for family in families():
        parts.append(f"## {family.title}\n")
        if family.about:
            parts.append(f"{family.about}\n")
        for section in family.sections:
            parts.append(f"### {', '.join(section.codes)}\n\n{section.text}\n")
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only check that the page is up to date")
    if parser.parse_args().check:
        return 0 if DOCUMENT.read_text(encoding="utf-8") == document() else 1
    DOCUMENT.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
