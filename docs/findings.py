"""Makes docs/findings.md of what `cardgen explain` says: `python docs/findings.py [--check]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from cardgen.core.explanations import families

DOCUMENT = Path(__file__).resolve().parent / "findings.md"
_HEAD = """\
# Findings

What `cardgen check` and the other commands say ends with a code in brackets, such as `[schema/enum]`.
Here is what each code means, what makes it, and how to mend it. `cardgen explain CODE` says the same in
the terminal, `cardgen explain` lists all, and `cardgen explain schema` shows those that begin so.

Codes [stay as they are](stability.md) from version to version, so scripts can rely on them. This page is
made by `python docs/findings.py`.
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
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    if parser.parse_args().check:
        return 0 if DOCUMENT.read_text(encoding="utf-8") == document() else 1
    DOCUMENT.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
