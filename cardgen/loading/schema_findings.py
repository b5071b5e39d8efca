"""JSON Schema errors as findings: one plain sentence each, at the line of the value or key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cardgen.findings import Finding, Severity
from cardgen.loading.prepared_schema import PreparedSchema
from cardgen.loading.schema_branches import likeliest
from cardgen.loading.schema_merge import known_keys
from cardgen.loading.schema_misfit import Misfit
from cardgen.loading.schema_sentences import not_one_of, sentence, wrong_type
from cardgen.loading.wording import did_you_mean, shown
from cardgen.loading.yaml_source import Document
from cardgen.units import parse_length

MANY = 12
"""Most known names listed in a hint."""

LENGTH_FORMAT = "length"
"""The `format` that marks a length with its unit in our schemas; its errors name the unit."""

Path = tuple[str | int, ...]


def schema_findings(document: Document, schema: PreparedSchema) -> list[Finding]:
    """All findings of a document's data against a schema; none where the data fit."""
    explainer = _Explainer(document)
    return list(dict.fromkeys(explainer.explain(schema.misfits(document.data), ())))


class _Explainer:
    """Words the misfits of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def explain(self, misfits: Iterable[Misfit], base: Path) -> Iterator[Finding]:
        """Findings for misfits whose paths start at `base`."""
        for misfit in misfits:
            path = (*base, *misfit.path)
            if misfit.of_key:
                yield self._key(misfit, path)
            elif misfit.schema.get("format") == LENGTH_FORMAT and misfit.keyword in ("type", "pattern"):
                yield self._length(misfit, path)
            elif misfit.keyword in ("additionalProperties", "unevaluatedProperties"):
                yield from self._unknown_keys(misfit, path)
            elif misfit.keyword in ("anyOf", "oneOf"):
                yield from self._branches(misfit, path)
            elif misfit.keyword == "required":
                yield from self._missing(misfit, path)
            elif misfit.keyword == "uniqueItems":
                yield self._repeated(misfit, path)
            else:
                yield self._finding(*sentence(misfit)[:2], path, sentence(misfit)[2])

    def _finding(
        self, code: str, message: str, path: Path, hint: str | None = None, *, key: bool = False
    ) -> Finding:
        place = self._document.locate(path, key=key)
        return Finding(Severity.ERROR, code, message, place, hint)

    def _length(self, error: Misfit, path: Path) -> Finding:
        value = error.value
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            message = f"{shown(value)} is not a length such as 63.5mm or 2.5in"
            return self._finding("schema/length", message, path)
        try:
            length = parse_length(str(value))
        except ValueError as problem:
            return self._finding("schema/length", str(problem), path)
        message = f"the length {value} is {'negative' if length < 0 else 'not written as 63.5mm or 2.5in'}"
        return self._finding("schema/length", message, path)

    def _unknown_keys(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        known = known_keys(misfit.schema)
        patterns = [re.compile(pattern) for pattern in misfit.schema.get("patternProperties", {})]
        unknown = [
            name
            for name in misfit.value
            if name not in known and not any(pattern.search(name) for pattern in patterns)
        ]
        for name in unknown:
            free = [other for other in known if other not in misfit.value]
            hint = did_you_mean(name, free) or did_you_mean(name, known)
            if hint is None and known:
                hint = f"known keys: {', '.join(known[:MANY])}{', …' if len(known) > MANY else ''}"
            yield self._finding(
                "schema/unknown-key", f"unknown key '{name}'", (*path, name), hint, key=True
            )
        if not unknown:
            # Keys that only another form of this mapping has (unevaluatedProperties).
            for name in [name for name in misfit.value if repr(name) in misfit.said]:
                message = f"the key '{name}' does not go with the others here"
                yield self._finding("schema/unknown-key", message, (*path, name), None, key=True)

    def _missing(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        # jsonschema yields a misfit for each missing key; equal findings are dropped in the end.
        closed = any(
            misfit.schema.get(f"{word}Properties") is False for word in ("additional", "unevaluated")
        )
        known = known_keys(misfit.schema)
        strange = [name for name in misfit.value if name not in known] if closed else []
        for name in misfit.wanted:
            if name in misfit.value or any(did_you_mean(other, [name]) for other in strange):
                continue  # present, or misspelt and reported as unknown
            part = misfit.schema.get("properties", {}).get(name)
            about = part.get("description") if isinstance(part, dict) else None
            yield self._finding("schema/required", f"the key '{name}' is missing", path, about)

    def _key(self, misfit: Misfit, path: Path) -> Finding:
        _, message, hint = sentence(misfit)
        return self._finding("schema/key", f"the key {message}", (*path, misfit.value), hint, key=True)

    def _repeated(self, misfit: Misfit, path: Path) -> Finding:
        items = misfit.value
        index = next((index for index, item in enumerate(items) if item in items[:index]), 0)
        return self._finding(
            "schema/unique",
            f"{shown(items[index])} stands twice in the list",
            (*path, index),
            "keep one of them",
        )

    def _branches(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        about = misfit.schema.get("description")
        if not misfit.context:
            message = f"{shown(misfit.value)} fits more than one of the forms allowed here"
            yield self._finding("schema/ambiguous", message, path, about)
            return
        choice = likeliest(misfit)
        if choice.misfits:
            yield from self.explain(choice.misfits, path)
        elif choice.values:
            value = misfit.value[choice.path[0]] if choice.path else misfit.value
            code, message, hint = not_one_of(value, choice.values)
            yield self._finding(code, message, (*path, *choice.path), hint)
        else:
            code, message, hint = wrong_type(misfit.value, choice.types)
            yield self._finding(code, message, path, hint if misfit.value is None else about or hint)
