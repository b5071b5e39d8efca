"""A game's card reference: what its data may say, what it says, and the rules it keeps, as Markdown.

    text = reference_document(game, schemas, rules)

`fields` reads schemas, `markdown_tables` writes tables, `whole` puts the whole together. The text is
made from data, schemas and rules alone, so the same files give the same text.
"""

from __future__ import annotations

from cardgen.reference.whole import FILE_NAME, Sources, reference_document

__all__ = ["FILE_NAME", "Sources", "reference_document"]
