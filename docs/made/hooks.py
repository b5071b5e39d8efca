"""What mkdocs calls while it builds the site: pages that are made, and links that lead out of `docs/`.

`mkdocs build` reads the pages of `docs/`; to them come those about files, the command line and the library,
which are made from schemas, parsers and docstrings and so are never stale, and the documents of the
repository's root.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

MADE = Path(__file__).resolve().parent
ROOT = MADE.parent.parent
sys.path.insert(0, str(MADE))

import command_pages  # noqa: E402
import gallery  # noqa: E402
import library_pages  # noqa: E402
import outcomes  # noqa: E402
import outside  # noqa: E402
import schema_pages  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_CELL = re.compile(r"<td.*?</td>", re.DOTALL)
SCHEMAS = frozenset(schema_pages.PAGES)
SEARCH = {"project/changelog.md": {"exclude": True}, "concepts.md": {"boost": 12}}
"""How the search treats a page: concepts come first, and old changes are never found."""


def made_pages() -> dict[str, str | bytes]:
    """What is made, by its path among the pages: pages' text, and pictures."""
    reader = schema_pages.Reader(ROOT / "schemas")
    pages: dict[str, str | bytes] = gallery.pages()
    pages |= {f"reference/{name}.md": schema_pages.page(reader, name, ROOT) for name in schema_pages.PAGES}
    pages["reference/command-line.md"] = command_pages.page()
    pages["reference/python.md"] = library_pages.page()
    for path, page in outside.PAGES.items():
        if path.endswith(".md"):
            pages[page] = (ROOT / path).read_text(encoding="utf-8")
    for document in sorted((ROOT / "docs").glob("*.md")):
        pages |= outcomes.pictures(document)
    return pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    from mkdocs.structure.files import File

    for path, text in made_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    if here in SEARCH:
        page.meta["search"] = SEARCH[here]
    homes = {made: path for path, made in outside.PAGES.items() if path.endswith(".md")}
    home = homes.get(here, f"docs/{here}")
    if here.startswith("reference/") or here == "gallery.md":  # made for its place
        return markdown
    markdown = outcomes.shown(ROOT / home, markdown)
    return outside.relinked(markdown, home, here, lambda path: outside.page_of(path, SCHEMAS))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Show `|` in the code of a table's cells, where Markdown needs `\\|`."""
    return _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)
