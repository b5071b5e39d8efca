"""`cardgen check --fix`: make the safe edits that findings carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.core.findings import Finding, Fix
from cardgen.files.project import Project
from cardgen.files.reading import TEXTS, ReadingError, read_file
from cardgen.files.writing import write_bytes


def fix(findings: Iterable[Finding], *, project: Project) -> list[Fix]:
    """Write the edits of findings into the project's own files, and return those made, in order.

    A place whose text has changed since the check is skipped. Each file appears whole. Raises
    CardgenError for a file that can't be written.
    """
    by_file: dict[str, list[Fix]] = {}
    for fix in dict.fromkeys(each.fix for each in findings if each.fix is not None):
        by_file.setdefault(fix.file, []).append(fix)
    made: list[Fix] = []
    for file, fixes in by_file.items():
        path = project.root / file
        try:
            data = read_file(path, TEXTS, file, (project.root,))
        except ReadingError:  # a bundled game's, or gone: the next check reports it
            continue
        content, done = edited(data.decode("utf-8"), fixes)
        if done:
            write_bytes(path, content.encode())
            made += done
    return sorted(made, key=lambda each: (each.file, each.line, each.column))


def edited(text: str, fixes: Sequence[Fix]) -> tuple[str, list[Fix]]:
    """Return a text with edits made, and those made: the ones whose old text is at their place."""
    lines = text.split("\n")
    done = []
    for fix in sorted(fixes, key=lambda each: (each.line, each.column), reverse=True):
        if fix.line > len(lines):
            continue
        line, at = lines[fix.line - 1], fix.column - 1
        if line[at : at + len(fix.old)] == fix.old:
            lines[fix.line - 1] = f"{line[:at]}{fix.new}{line[at + len(fix.old) :]}"
            done.append(fix)
    return "\n".join(lines), done
