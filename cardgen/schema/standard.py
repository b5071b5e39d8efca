"""Is a schema valid JSON Schema, as editors and other programs will take it? jsonschema judges.

Our own reading of schemas knows the keywords that say something about data, and bounds what they may
cost. This looks at all the others, and holds the whole file against the standard's own schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from cardgen.findings import Findings
from cardgen.model.game import ProjectPaths
from cardgen.schema.steps import size
from cardgen.schema.store import SchemaStore
from cardgen.storage.cache import Cache
from cardgen.storage.kept import Kept

MOST_PARTS = 20_000
"""Most parts of a schema that is held against the standard: a second's work."""

_LONGEST = 160


def check_schemas(paths: ProjectPaths, files: Iterable[str], findings: Findings) -> None:
    """Add what is not JSON Schema, draft 2020-12, in schema files that were loaded without errors. Those in
    which nothing was found are kept by the digest of their content, and not judged again."""
    store = SchemaStore(paths, Findings())
    sound = Kept(Cache("schemas"), str(paths.roots[0]), lambda: "")
    standard: Any = None
    for relative in files:
        file = store.file(relative)
        if file is None or file.content is None or size(file.content, MOST_PARTS) > MOST_PARTS:
            continue
        digest = blake2b(json.dumps(file.content).encode(), digest_size=16).hexdigest()
        if sound.get(digest) is not None:
            continue
        if standard is None:
            from jsonschema.validators import Draft202012Validator

            standard = Draft202012Validator(Draft202012Validator.META_SCHEMA)
        try:
            errors = list(standard.iter_errors(file.content))
        except RecursionError:  # too deep for it, and within our own bound
            continue
        if not errors:
            sound.put(digest, True)
        for error in errors:
            said = error.message if len(error.message) <= _LONGEST else f"{error.message[: _LONGEST - 1]}…"
            message = f"this is not JSON Schema: {said}"
            place = file.locate(tuple(error.absolute_path))
            findings.error("schema/standard", message, place, "other programs will not read this schema")
    sound.save()
