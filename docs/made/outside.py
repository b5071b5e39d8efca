"""Links of the documents that lead out of `docs/`: what they lead to on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

PAGES = {
    "README.md": "project/readme.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "cardgen/__init__.py": "reference/python.md",
    "cardgen/cli/arguments.py": "reference/command-line.md",
}
"""Files of the repository with a page of their own, by their path; schemas have one as well."""

_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def page_of(path: str, schemas: frozenset[str]) -> str | None:
    """The page made of a file of the repository, by its path below the root."""
    if match := re.fullmatch(r"schemas/([\w-]+)\.schema\.json", path):
        return f"reference/{match[1]}.md" if match[1] in schemas else None
    return PAGES.get(path)


def relinked(text: str, home: str, here: str, page: Callable[[str], str | None]) -> str:
    """A document's text with its links as they must be on the site. `home` is the document's path in the
    repository, `here` the page's among the pages; `page` answers where a path of the repository went."""

    def link(match: re.Match[str]) -> str:
        address, _, anchor = match[2].partition("#")
        if not address or "://" in address or address.startswith("mailto:"):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(home), address))
        target = page(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        if target is None:
            return match[1].removeprefix("!")[1:-2]  # a file that is not on the site: its name alone
        relative = posixpath.relpath(target, posixpath.dirname(here) or ".")
        return f"{match[1]}{relative}{'#' + anchor if anchor else ''}{match[3]}"

    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    bare = _LINK.sub(link, _CODE.sub(keep, text))
    while "\0" in bare:
        bare = re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], bare)
    return bare
