"""JSON Schema errors as findings: one plain sentence each, at the line of the value or key."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from cardgen.findings import Finding, Findings, Severity
from cardgen.schema.branches import likeliest
from cardgen.schema.equality import repeated
from cardgen.schema.merge import known_keys
from cardgen.schema.new_keys import NewKey, NewKeys
from cardgen.schema.prepared import PreparedSchema
from cardgen.schema.reasons import Misfit
from cardgen.schema.sentences import not_one_of, sentence, wrong_type
from cardgen.schema.slips import Slip, as_meant
from cardgen.schema.steps import TooManyStepsError
from cardgen.schema.wording import Guesses, named, shown, suggestion
from cardgen.units import parse_length
from cardgen.yaml.reader import Document

MANY = 12
"""Most known names listed in a hint."""
FEW = 3
"""So many records with an unknown column need not be counted."""
LONGEST = 600
"""Most characters of a message or hint, some of which schemas write."""
MOST_FINDINGS = 10_000
"""Most findings of one document; nobody reads more, and they take memory."""

STEPS = "schema/steps"
"""The code of the finding that checking a file takes too many steps."""
MOST_UNFINISHED = 3
"""So many files that take too many steps, and no more files are checked."""

LENGTH_FORMAT = "length"
"""The `format` that marks a length with its unit in our schemas; its errors name the unit."""

Path = tuple[str | int, ...]
Parts = frozenset[tuple[str, str | int]]
"""Entries of lists and mappings: the outer key, and the entry's own key or index."""


def fits(document: Document, schema: PreparedSchema, findings: Findings, *, fill: bool = False) -> bool:
    """Whether a document's data fit a schema; if not, findings say why. With `fill`, the schema's
    defaults are put into data that fit."""
    if sum(finding.code == STEPS for finding in findings) >= MOST_UNFINISHED:
        return False  # there are findings enough, and each further one would take as long
    try:
        if schema.is_valid(document.data):
            if fill and schema.fill is not None:
                schema.fill(document.data)
            return True
    except (TooManyStepsError, RecursionError) as error:
        findings.extend([_unfinished(document, schema, error)])
        return False
    findings.extend(schema_findings(document, schema))
    return False


def marked(document: Document, schema: PreparedSchema, findings: Findings) -> list[Path]:
    """The paths of a document's texts that are to be translated; none, and a finding, where that takes too
    long. Its data fit the schema."""
    try:
        return schema.marked(document.data)
    except (TooManyStepsError, RecursionError) as error:
        findings.extend([_unfinished(document, schema, error)])
        return []


def schema_findings(document: Document, schema: PreparedSchema) -> list[Finding]:
    """All findings of a document's data against a schema; none where the data fit. Where checking ends
    early, the last one says so."""
    found: dict[Finding, None] = {}
    new_keys = NewKeys(schema)
    try:
        explainer = _Explainer(document, new_keys)
        for finding in explainer.explain(schema.misfits(document.data), ()):
            found[finding] = None
            if len(found) >= MOST_FINDINGS:
                message = f"more than {MOST_FINDINGS:,} findings: the rest of the file was not checked"
                found[Finding(Severity.ERROR, "schema/many", message, document.locate())] = None
                break
    except (TooManyStepsError, RecursionError) as error:
        found[_unfinished(document, schema, error)] = None
    hinted = new_keys.hinted()
    following = explainer.following() | _of_slips(document, schema, explainer.slips, found)
    kept = [finding for finding in found if finding not in following]
    counted = explainer.counted()
    return [_told(hinted.get(each, each), counted.get(each, 1)) for each in kept or found]


def _told(finding: Finding, records: int) -> Finding:
    """The finding with the number of its records, if there are more than a few."""
    if records <= FEW:
        return finding
    return replace(finding, message=f"{finding.message}, in {records:,} records")


def _of_slips(
    document: Document, schema: PreparedSchema, slips: Collection[Slip], found: Collection[Finding]
) -> set[Finding]:
    """Those findings that are none once misspelt keys are as they were meant, but for the slips' own."""
    if not slips or len(slips) == len(found):
        return set()
    explainer = _Explainer(document, NewKeys(schema))
    try:
        left = set(explainer.explain(schema.misfits(as_meant(document.data, slips)), ()))
    except (TooManyStepsError, RecursionError):
        return set()
    return set(found) - left - {slip.finding for slip in slips}


def wrong_paths(data: Any, schema: PreparedSchema) -> frozenset[Path]:
    """Where data don't fit: the paths of wrong values, and of keys that are missing or should not be there.
    Of what took too long nothing is told."""
    found: set[Path] = set()
    try:
        for misfit in schema.misfits(data):
            if misfit.of_key:
                found.add((*misfit.path, misfit.value))
            elif misfit.names:
                found.update((*misfit.path, name) for name in misfit.names)
            elif misfit.keyword == "required":
                found.update((*misfit.path, name) for name in misfit.wanted if name not in misfit.value)
            else:
                found.add(misfit.path)
            if len(found) >= MOST_FINDINGS:
                break
    except (TooManyStepsError, RecursionError):
        return frozenset()
    return frozenset(found)


def wrong_parts(data: Any, schema: PreparedSchema, findings: Findings) -> Parts | None:
    """Which entries of the lists and mappings in data that don't fit are wrong, as the outer key and the
    entry's own key or index; None where more is wrong than single entries, or more of them than there are
    findings of. The others get the schema's
    defaults. `findings` are those of `fits`: what took too long is not tried again."""
    wrong: set[tuple[str, str | int]] = set()
    strange: set[str] = set()
    if not isinstance(data, dict) or any(finding.code == STEPS for finding in findings):
        return None
    try:
        for misfit in schema.misfits(data):
            if misfit.of_key and len(misfit.path) == 1:
                wrong.add((str(misfit.path[0]), misfit.value))
            elif len(misfit.path) > 1:
                wrong.add((str(misfit.path[0]), misfit.path[1]))
            elif misfit.names and not misfit.path:
                strange.update(misfit.names)
            else:
                return None
            if len(wrong) >= MOST_FINDINGS:
                return None
        partly = {key for key, _ in wrong}
        rest = {
            key: _without(key, value, wrong) if key in partly else value
            for key, value in data.items()
            if key not in strange
        }
        if not schema.is_valid(rest):
            return None
        if schema.fill is not None:
            schema.fill(rest)
    except (TooManyStepsError, RecursionError):
        return None
    data.update({key: value for key, value in rest.items() if key not in data})
    return frozenset(wrong)


def _without(key: str, value: list[Any] | dict[str, Any], wrong: Collection[tuple[str, str | int]]) -> Any:
    """A list or mapping without its wrong entries."""
    if isinstance(value, list):
        return [item for index, item in enumerate(value) if (key, index) not in wrong]
    return {name: item for name, item in value.items() if (key, name) not in wrong}


def _unfinished(document: Document, schema: PreparedSchema, error: Exception) -> Finding:
    """The finding of a check that had to be ended."""
    if not isinstance(error, TooManyStepsError):
        message = f"the values are nested too deep to be checked against {schema.name}"
        return Finding(Severity.ERROR, "schema/depth", message, document.locate())
    message = f"checking this against {schema.name} takes more than {error.steps:,} steps"
    if isinstance(error.value, str):
        message = f"seeking the patterns of {schema.name} takes too long"
    where = schema.place(error.schema)
    hint = f"{where or schema.name} asks too much: see anyOf, oneOf, $ref and pattern there"
    place = document.locate(_path_to(error.value, document.data))
    return Finding(Severity.ERROR, STEPS, message, place, hint)


def _path_to(value: Any, data: Any) -> Path:
    """The path of this very mapping or list in the data, or of the whole where it is neither."""
    pending: list[tuple[Any, Path]] = [(data, ())]
    while pending and isinstance(value, dict | list):
        each, path = pending.pop()
        if each is value:
            return path
        if isinstance(each, dict):
            pending += [(item, (*path, name)) for name, item in each.items()]
        elif isinstance(each, list):
            pending += [(item, (*path, index)) for index, item in enumerate(each)]
    return ()


_MADE_OF_OTHERS = frozenset({"additionalProperties", "unevaluatedProperties", "anyOf", "oneOf"})
"""Keywords whose misfits are told by what they are made of."""


@dataclass(slots=True)
class _UnknownKey:
    """A finding of a key that should not be there, the known one that is `meant`, if any, and how many
    records of a table share the finding."""

    finding: Finding
    meant: str
    key: NewKey
    records: int = 0


class _Explainer:
    """Words the misfits of one document."""

    def __init__(self, document: Document, new_keys: NewKeys) -> None:
        self._document = document
        self._new_keys = new_keys
        self._guess = Guesses()
        self._causes: list[Path] = []
        self._unknown: dict[Path, list[str]] = {}
        self._missed: list[tuple[Finding, Path, str]] = []
        self._stray: list[tuple[Finding, Path]] = []
        self._misspelt: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._said: dict[Hashable, _UnknownKey] = {}
        self.slips: list[Slip] = []
        """The keys that are likely to be misspelt."""

    def following(self) -> set[Finding]:
        """Those findings that only follow from others: keys that no form of a mapping is left for because
        something in it is wrong, and a missing key that is there misspelt."""
        inside = {path[:end] for path in self._causes for end in range(len(path) + 1)}
        found = {finding for finding, path in self._stray if path in inside}
        for finding, path, name in self._missed:
            if finding not in found and self._is_misspelt(name, tuple(self._unknown.get(path, ()))):
                found.add(finding)
        return found

    def counted(self) -> dict[Finding, int]:
        """Findings of columns, with how many records have the key."""
        return {each.finding: each.records for each in self._said.values()}

    def explain(self, misfits: Iterable[Misfit], base: Path) -> Iterator[Finding]:
        """Findings for misfits whose paths start at `base`."""
        for misfit in misfits:
            path = (*base, *misfit.path)
            if misfit.keyword not in _MADE_OF_OTHERS:
                self._causes.append(path)
            if misfit.of_key:
                _, message, hint = sentence(misfit, self._guess)
                path = (*path, misfit.value)
                yield self._finding("schema/key", f"the key {message}", path, hint, key=True)
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
                code, message, hint = sentence(misfit, self._guess)
                yield self._finding(code, message, path, hint)

    def _finding(
        self, code: str, message: str, path: Path, hint: str | None = None, *, key: bool = False
    ) -> Finding:
        place = self._document.locate(path, key=key)
        return Finding(Severity.ERROR, code, _cut(message), place, hint and _cut(hint))

    def _length(self, error: Misfit, path: Path) -> Finding:
        value = error.value
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            message = f"{shown(value)} is not a length such as 63.5mm or 2.5in"
        else:
            try:
                wrong = "negative" if parse_length(str(value)) < 0 else "not written as 63.5mm or 2.5in"
                message = f"the length {value} is {wrong}"
            except ValueError as problem:
                message = str(problem)
        return self._finding("schema/length", message, path)

    def _unknown_keys(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        """Findings of keys that should not be there."""
        known = known_keys(misfit.schema)
        all_known = frozenset(known)
        unknown = [name for name in misfit.names if name not in all_known]
        free = [other for other in known if other not in misfit.value]
        if unknown or misfit.keyword == "additionalProperties":
            self._causes.append(path)
        self._unknown.setdefault(path, []).extend(unknown)
        shared = self._document.shared_keys(path)
        for name in unknown:
            place = None if shared is None else (id(misfit.schema), shared, name)
            said = None if place is None else self._said.get(place)
            if said is None:
                said = self._unknown_key(misfit, path, name, known, free)
                if place is not None:
                    self._said[place] = said
                yield said.finding
            said.records += place is not None
            said.key.take(misfit.value[name])
            if said.meant in free:
                self.slips.append(Slip(path, name, said.meant, said.finding))
        if unknown:
            return
        for name in misfit.names:  # keys that only another form of this mapping has
            message = f"the key '{named(name)}' does not go with the others here"
            finding = self._finding("schema/unknown-key", message, (*path, name), None, key=True)
            if misfit.keyword == "unevaluatedProperties":
                self._stray.append((finding, path))
            yield finding

    def _unknown_key(
        self, misfit: Misfit, path: Path, name: str, known: list[str], free: list[str]
    ) -> _UnknownKey:
        """Word the finding of a key that should not be there."""
        meant = self._guess.meant(name, free)
        hint = suggestion(meant) if meant else self._guess(name, known)
        if hint is None and known:
            some = ", ".join(map(named, known[:MANY]))
            hint = f"known keys: {some}{', …' if len(known) > MANY else ''}"
        message = f"unknown key '{named(name)}'"
        finding = self._finding("schema/unknown-key", message, (*path, name), hint, key=True)
        return _UnknownKey(finding, meant or "", self._new_keys.add(finding, name, misfit.schema))

    def _missing(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        closed = any(
            misfit.schema.get(f"{word}Properties") is False for word in ("additional", "unevaluated")
        )
        known = frozenset(known_keys(misfit.schema)) if closed else frozenset()
        strange = tuple(name for name in misfit.value if name not in known) if closed else ()
        for name in misfit.wanted:
            if name in misfit.value or self._is_misspelt(name, strange):
                continue  # present, or misspelt and reported as unknown
            part = misfit.schema.get("properties", {}).get(name)
            about = part.get("description") if isinstance(part, dict) else None
            message = _cut(f"the key '{named(name)}' is missing")
            place = self._document.lacking(path, name)
            finding = Finding(Severity.ERROR, "schema/required", message, place, about and _cut(about))
            self._missed.append((finding, path, name))
            yield finding

    def _is_misspelt(self, name: str, others: tuple[str, ...]) -> bool:
        """Tell whether one of the other keys is likely to mean `name`."""
        asked = name, others
        if asked not in self._misspelt:
            self._misspelt[asked] = any(self._guess(other, [name]) for other in others)
        return self._misspelt[asked]

    def _repeated(self, misfit: Misfit, path: Path) -> Finding:
        index = repeated(misfit.value) or 0
        message = f"{shown(misfit.value[index])} stands twice in the list"
        return self._finding("schema/unique", message, (*path, index), "keep one of them")

    def _branches(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        about = misfit.schema.get("description")
        if not misfit.forms:
            message = f"{shown(misfit.value)} fits more than one of the forms allowed here"
            yield self._finding("schema/ambiguous", message, path, about)
            return
        choice = likeliest(misfit)
        if choice.misfits:
            yield from self.explain(choice.misfits, path)
            return
        self._causes.append(path)
        if choice.values:
            value = misfit.value[choice.path[0]] if choice.path else misfit.value
            code, message, hint = not_one_of(value, choice.values, self._guess)
            yield self._finding(code, message, (*path, *choice.path), hint)
        else:
            code, message, hint = wrong_type(misfit.value, choice.types)
            yield self._finding(code, message, path, hint if misfit.value is None else about or hint)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
