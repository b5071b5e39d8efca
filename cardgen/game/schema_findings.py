"""JSON Schema errors as findings: one plain sentence each, at the line of the value or key."""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import Finding, Findings, Fix, Location, Severity
from cardgen.core.geometry import parse_length
from cardgen.core.records import dataclass, field, replace
from cardgen.files.yaml import Document, path_text
from cardgen.game.json_values import Path, TooManyStepsError, distinct, repeated
from cardgen.game.patterns import PatternError, compiled
from cardgen.game.prepared_schema import PreparedSchema
from cardgen.game.schema_file import (
    TYPES,
    Guesses,
    counted,
    either,
    listed,
    named,
    shown,
    suggestion,
)
from cardgen.game.schema_merge import keys_within, known_keys

if TYPE_CHECKING:
    from cardgen.game.schema import Misfit

MANY = 12
"""Most known names listed in a hint."""
FEW = 3
"""Up to this many records, those with an unknown column aren't counted."""
LONGEST = 600
"""Most characters of a message or hint, some of which schemas write."""
MOST_FINDINGS = 10_000
"""Most findings of one document; nobody reads more, and they take memory."""

STEPS = "schema/steps"
"""The code of the finding that checking a file takes too many steps."""
MOST_UNFINISHED = 3
"""After this many files that take too many steps, no more files are checked."""

LENGTH_FORMAT = "length"
"""The `format` that marks a length with its unit in our schemas; its errors name the unit."""

Parts = frozenset[tuple[str, str | int]]
"""Entries of lists and mappings: the outer key, and the entry's own key or index."""


def fits(
    document: Document,
    schema: PreparedSchema,
    findings: Findings,
    *,
    fill: bool = False,
    kept: bool = False,
) -> bool:
    """Return True if a document's data fit a schema; if not, add findings. With `fill`, add the schema's
    defaults to data that fit. Records of `kept` data, which nobody else changes, are checked once."""
    if sum(finding.code == STEPS for finding in findings) >= MOST_UNFINISHED:
        return False  # there are enough findings, and each further one would take as long
    try:
        if schema.accepts(document.data, document.name, kept=kept):
            if fill:
                schema.fill(document.data, document.name, kept=kept)
            return True
    except (TooManyStepsError, RecursionError) as error:
        findings.extend([_unfinished(document, schema, error)])
        return False
    findings.extend(schema_findings(document, schema))
    return False


def marked(document: Document, schema: PreparedSchema, findings: Findings) -> list[Path]:
    """Return the paths of a document's texts to translate. If that takes too long, return none and add a
    finding. The data must fit the schema."""
    try:
        return schema.marked(document.data, document.name)
    except (TooManyStepsError, RecursionError) as error:
        findings.extend([_unfinished(document, schema, error)])
        return []


def schema_findings(document: Document, schema: PreparedSchema) -> list[Finding]:
    """Return all findings of a document's data against a schema; none if the data fit. If checking stops
    early, the last finding reports it."""
    found: dict[Finding, None] = {}
    explainer = _Explainer(document)
    try:
        for finding in explainer.explain(schema.misfits(document.data), ()):
            found[finding] = None
            if len(found) >= MOST_FINDINGS:
                message = f"more than {MOST_FINDINGS:,} findings: the rest of the file was not checked"
                found[
                    Finding(
                        Severity.ERROR,
                        "schema/many",
                        message,
                        document.locate(),
                        "fix the first ones and check again",
                    )
                ] = None
                break
    except (TooManyStepsError, RecursionError) as error:
        found[_unfinished(document, schema, error)] = None
    following = explainer.following() | _of_slips(document, schema, explainer.slips, found)
    kept = [finding for finding in found if finding not in following]
    better = {
        finding: each for key in explainer.unknown.values() for finding, each in key.in_full(schema).items()
    }
    return [better.get(each, each) for each in kept or found]


def _of_slips(
    document: Document, schema: PreparedSchema, slips: Collection[Slip], found: Collection[Finding]
) -> set[Finding]:
    """Return the findings that disappear once misspelled keys are corrected, except those of the keys
    themselves.
    """
    own = {slip.finding for slip in slips}
    if len(own) in (0, len(found)):
        return set()
    try:
        meant = _Explainer(document).explain(schema.misfits(as_meant(document.data, slips)), ())
        left = {_without_hint(finding) for finding in meant}
    except (TooManyStepsError, RecursionError):
        return set()
    return {each for each in found if _without_hint(each) not in left} - own


def _without_hint(finding: Finding) -> Finding:
    """Return the finding without its hint: other keys are free once misspelled ones are corrected."""
    return replace(finding, hint=None)


def wrong_paths(data: Any, schema: PreparedSchema) -> frozenset[Path]:
    """Return the places where data don't fit: the paths of wrong values, and of missing or unexpected keys.
    Values that took too long to check have none.
    """
    found: set[Path] = set()
    try:
        for misfit in schema.misfits(data):
            found.update(misfit.places)
            if len(found) >= MOST_FINDINGS:
                break
    except (TooManyStepsError, RecursionError):
        return frozenset()
    return frozenset(found)


def wrong_parts(data: Any, schema: PreparedSchema, findings: Findings) -> Parts | None:
    """Return the wrong entries of lists and mappings in data that don't fit: the outer key, and the entry's
    key or index. None if more than single entries is wrong, or more entries than findings. The other
    entries get the schema's defaults. `findings` are those of `fits`: checks that took too long aren't
    repeated."""
    wrong: set[tuple[str, str | int]] = set()
    strange: set[str] = set()
    if not isinstance(data, dict) or any(finding.code == STEPS for finding in findings):
        return None
    try:
        for misfit in schema.misfits(data):
            for place in misfit.places:
                if len(place) > 1:
                    wrong.add((str(place[0]), place[1]))
                elif misfit.names:
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
        schema.fill(rest)
    except (TooManyStepsError, RecursionError):
        return None
    data.update({key: value for key, value in rest.items() if key not in data})
    return frozenset(wrong)


def set_aside(document: Document, schema: PreparedSchema) -> Callable[[], None]:
    """Remove the values of columns that the schema doesn't know from the rows of a table that doesn't fit,
    so that an unknown column, one finding, hides nothing else. A likely misspelled column's values become
    those of the field that is meant. Return the function that puts the values back, for templates that use
    the unknown name. Other documents remain as they are."""
    removed: list[tuple[dict[str, Any], str, Any]] = []
    guess = Guesses()
    meant: dict[tuple[Hashable, str], str | None] = {}
    try:
        unknown = [
            (misfit, shared)
            for misfit in schema.misfits(document.data)
            if misfit.names and (shared := document.shared_keys(misfit.path)) is not None
        ]
    except (TooManyStepsError, RecursionError):
        unknown = []
    for misfit, shared in unknown:
        known = known_keys(misfit.schema)
        for name in (each for each in misfit.names if each not in known and each in misfit.value):
            value = misfit.value.pop(name)
            if (shared, name) not in meant:
                near = guess.meant(name, [each for each in known if each not in misfit.value])
                renamed = near is not None and document.rename_column(misfit.path, name, near)
                meant[shared, name] = near if renamed else None
            removed.append((misfit.value, name, value))
            if (near := meant[shared, name]) is not None:
                misfit.value.setdefault(near, value)

    def put_back() -> None:
        for mapping, name, value in removed:
            mapping[name] = value

    return put_back


def _without(key: str, value: list[Any] | dict[str, Any], wrong: Collection[tuple[str, str | int]]) -> Any:
    """Return a list or mapping without its wrong entries."""
    if isinstance(value, list):
        return [item for index, item in enumerate(value) if (key, index) not in wrong]
    return {name: item for name, item in value.items() if (key, name) not in wrong}


def _unfinished(document: Document, schema: PreparedSchema, error: Exception) -> Finding:
    """Return the finding of a check that was stopped."""
    if not isinstance(error, TooManyStepsError):
        message = f"the values are nested too deep to be checked against {schema.name}"
        return Finding(Severity.ERROR, "schema/depth", message, document.locate(), "reduce the nesting")
    message = f"checking this against {schema.name} takes more than {error.steps:,} steps"
    if isinstance(error.value, str):
        message = f"seeking the patterns of {schema.name} takes too long"
    where = schema.place(error.schema)
    hint = f"{where or schema.name} is too complex: simplify its anyOf, oneOf, $ref and pattern"
    place = document.locate(_path_to(error.value, document.data))
    return Finding(Severity.ERROR, STEPS, message, place, hint)


def _path_to(value: Any, data: Any) -> Path:
    """Return the path of this very mapping or list in the data, or of the whole if it is neither."""
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
"""Keywords whose misfits are explained by the misfits inside them."""


class _Explainer:
    """Writes the messages for the misfits of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._guess = Guesses()
        self._causes: list[Path] = []
        self._stray: list[tuple[Finding, Path]] = []
        self.unknown: dict[tuple[int, str, str], UnknownKey] = {}
        """Keys that are not allowed, by part of the schema, name and place in any record."""
        self.slips: list[Slip] = []
        """Those that are likely to be misspelled."""

    def following(self) -> set[Finding]:
        """Return the findings that only follow from others: keys that match no form of a mapping because
        something in it is wrong."""
        inside = {path[:end] for path in self._causes for end in range(len(path) + 1)}
        return {finding for finding, path in self._stray if path in inside}

    def explain(self, misfits: Iterable[Misfit], base: Path) -> Iterator[Finding]:
        """Yield findings for misfits whose paths start at `base`."""
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
                found = self._finding(code, message, path, hint)
                yield replace(found, fix=_in_other_case(misfit, found.location))

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
        """Yield findings of keys that are not allowed."""
        known = known_keys(misfit.schema)
        all_known = frozenset(known)
        unknown = [name for name in misfit.names if name not in all_known]
        free = [other for other in known if other not in misfit.value]
        if unknown or misfit.keyword == "additionalProperties":
            self._causes.append(path)
        shared = self._document.shared_keys(path)
        for name in unknown:
            place = (id(misfit.schema), name, _INDEX.sub("[]", path_text(path)))
            key = self.unknown.setdefault(place, UnknownKey(name, misfit.schema))
            at = path if shared is None else (shared,)
            if at not in key.findings:
                key.meant[at] = self._guess.meant(name, free) or ""
                key.findings[at] = self._unknown_key(path, name, known, key.meant[at])
                yield key.findings[at]
            key.types[type(misfit.value[name])] = None
            key.uses[at] += 1
            if key.meant[at] in free:
                self.slips.append(Slip(path, name, key.meant[at], key.findings[at]))
        if unknown:
            return
        for name in misfit.names:  # keys that only another form of this mapping has
            message = f"the key '{named(name)}' does not go with the others here"
            inside = [key for key in misfit.value if name in keys_within(misfit.schema, key)]
            hint = f"put it inside {' or '.join(map(named, inside))}" if inside else None
            finding = self._finding("schema/unknown-key", message, (*path, name), hint, key=True)
            if misfit.keyword == "unevaluatedProperties":
                self._stray.append((finding, path))
            yield finding

    def _unknown_key(self, path: Path, name: str, known: list[str], meant: str) -> Finding:
        """Return the finding of a key that is not allowed."""
        hint = suggestion(meant) if meant else self._guess(name, known)
        if hint is None and known:
            some = ", ".join(map(named, known[:MANY]))
            hint = f"known keys: {some}{', …' if len(known) > MANY else ''}"
        message = f"unknown key '{named(name)}'"
        return self._finding("schema/unknown-key", message, (*path, name), hint, key=True)

    def _missing(self, misfit: Misfit, path: Path) -> Iterator[Finding]:
        for name in misfit.wanted:
            if name in misfit.value:
                continue
            part = misfit.schema.get("properties", {}).get(name)
            about = part.get("description") if isinstance(part, dict) else None
            message = _cut(f"the key '{named(name)}' is missing")
            place = self._document.lacking(path, name)
            yield Finding(Severity.ERROR, "schema/required", message, place, about and _cut(about))

    def _repeated(self, misfit: Misfit, path: Path) -> Finding:
        index = repeated(misfit.value) or 0
        message = f"{shown(misfit.value[index])} appears twice in the list"
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


def _in_other_case(misfit: Misfit, place: Location | None) -> Fix | None:
    """Return the edit for a word that differs from one choice only in upper and lower case."""
    word = misfit.value
    if misfit.keyword != "enum" or not isinstance(word, str) or place is None or not place.is_text:
        return None
    meant = [each for each in misfit.wanted if str(each).casefold() == word.casefold()]
    if len(meant) != 1 or place.line is None or place.column is None:
        return None
    return Fix(place.file, place.line, place.column, word, str(meant[0]))


Sentence = tuple[str, str, str | None]
"""A finding's code, message and hint."""


def sentence(misfit: Misfit, guess: Guesses) -> Sentence:
    """Return the message for a misfit with any keyword."""
    if misfit.keyword == "enum":
        return not_one_of(misfit.value, misfit.wanted, guess)
    if misfit.keyword == "const":
        return not_one_of(misfit.value, [misfit.wanted], guess)
    say = _SENTENCES.get(misfit.keyword)
    return say(misfit) if say else (f"schema/{misfit.keyword}", _stated(misfit), _about(misfit))


def not_one_of(value: Any, values: Sequence[Any], guess: Guesses) -> Sentence:
    """Return the message for a value that is not among the allowed ones."""
    if value is True and values == [False]:
        return "schema/enum", "true is not allowed here", "write a value, or false for none"
    joint = "is not" if len(values) == 1 else "is not one of"
    return "schema/enum", f"{shown(value)} {joint} {listed(values)}", guess(value, values)


def wrong_type(value: Any, types: Sequence[str]) -> Sentence:
    """Return the message for a value whose type is not allowed."""
    names = either(TYPES[name] for name in types)
    return "schema/type", f"{shown(value)} is not {names}", _type_hint(value, set(types))


def _type_hint(value: Any, types: set[str]) -> str | None:
    if value is None:
        return "give it a value, or leave the key out"
    if "string" in types and isinstance(value, bool | int | float):
        return f"write it in quotes: '{shown(value)}'"
    if types & {"integer", "number"} and isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return f"write it without quotes: {named(value)}"
    if types <= {"integer", "number"} and isinstance(value, str):
        return 'write digits, such as 3, or allow words in the schema: "type": "string"'
    if "boolean" in types and isinstance(value, str):
        return "write true or false, without quotes"
    if "array" in types:
        return "write each value on its own line after '- ', or all within [ ]"
    if "object" in types:
        return "write lines of the form 'key: value'"
    return None


def _about(misfit: Misfit) -> str | None:
    return misfit.schema.get("description")


def _stated(misfit: Misfit) -> str:
    """Return the schema's own message, which editors show too, else a general one."""
    return str(misfit.schema.get("errorMessage", f"{shown(misfit.value)} is not allowed here"))


def _pattern(misfit: Misfit) -> Sentence:
    meant = misfit.schema.get("patternErrorMessage")
    if meant:
        return "schema/pattern", f"{shown(misfit.value)} is not {meant}", _about(misfit)
    hint = _about(misfit) or f"it must match {named(misfit.wanted)}"
    return "schema/pattern", f"{shown(misfit.value)} is not of the right form", hint


def _unusable(misfit: Misfit) -> Sentence:
    try:
        compiled(misfit.value)
    except PatternError as error:
        return "schema/pattern", f"{shown(misfit.value)} is not a usable pattern: {error}", error.hint
    return "schema/pattern", f"{shown(misfit.value)} is not a usable pattern", None


def _limit(code: str, words: str) -> Callable[[Misfit], Sentence]:
    return lambda misfit: (code, f"{shown(misfit.value)} is {words} {shown(misfit.wanted)}", None)


def _size(code: str, bound: str, noun: str) -> Callable[[Misfit], Sentence]:
    """Return sentences for too few or too many of something: values of a list, keys of a mapping."""

    def say(misfit: Misfit) -> Sentence:
        count = len(misfit.value)
        if count == 0 and misfit.wanted == 1:
            return code, f"it has no {noun}s", _about(misfit)
        return code, f"it has {counted(count, noun)}, {bound.format(misfit.wanted)}", _about(misfit)

    return say


def _text_length(code: str, word: str) -> Callable[[Misfit], Sentence]:
    def say(misfit: Misfit) -> Sentence:
        count = len(misfit.value)
        if count == 0:
            return code, "the text is empty", _about(misfit)
        limit = counted(misfit.wanted, "character")
        return code, f"{shown(misfit.value)} is {word} than {limit}: it has {count}", None

    return say


def _dependent(misfit: Misfit) -> Sentence:
    pairs = [(name, other) for name, others in misfit.wanted.items() for other in others]
    name, other = next(
        (pair for pair in pairs if pair[0] in misfit.value and pair[1] not in misfit.value), pairs[0]
    )
    return "schema/required", f"'{named(name)}' needs the key '{named(other)}' next to it", None


def _contains(misfit: Misfit) -> Sentence:
    wanted = misfit.schema.get("contains")
    about = wanted.get("description") if isinstance(wanted, dict) else None
    return "schema/contains", "the list lacks a value that must be in it", about


def _contained(bound: str) -> Callable[[Misfit], Sentence]:
    def say(misfit: Misfit) -> Sentence:
        code = "schema/min-contains" if bound == "at least" else "schema/max-contains"
        message = f"{bound} {counted(misfit.wanted, 'value')} of one kind must be in the list"
        return code, message, _contains(misfit)[2]

    return say


_SENTENCES: dict[str, Callable[[Misfit], Sentence]] = {
    "type": lambda misfit: wrong_type(misfit.value, misfit.types),
    "pattern": _pattern,
    "isPattern": _unusable,
    "minimum": _limit("schema/minimum", "below the minimum"),
    "maximum": _limit("schema/maximum", "above the maximum"),
    "exclusiveMinimum": _limit("schema/minimum", "not above"),
    "exclusiveMaximum": _limit("schema/maximum", "not below"),
    "multipleOf": _limit("schema/multiple", "not a multiple of"),
    "minLength": _text_length("schema/min-length", "shorter"),
    "maxLength": _text_length("schema/max-length", "longer"),
    "minItems": _size("schema/min-items", "at least {} must be there", "value"),
    "maxItems": _size("schema/max-items", "at most {} are allowed", "value"),
    "minProperties": _size("schema/min-keys", "at least {} must be there", "key"),
    "maxProperties": _size("schema/max-keys", "at most {} are allowed", "key"),
    "dependentRequired": _dependent,
    "contains": _contains,
    "minContains": _contained("at least"),
    "maxContains": _contained("at most"),
    "not": lambda misfit: ("schema/forbidden", _stated(misfit), _about(misfit)),
    "false": lambda misfit: ("schema/forbidden", _stated(misfit), _about(misfit)),
}

Form = tuple["Misfit", ...]
"""The misfits of a form."""

_CHOICES = ("enum", "const")
_MOST_PAIRS = 5_000
"""Most pairs of names, of a value and of its forms, that are compared for similarity."""
_KINDS = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The reasons why a value fits no form. They are the misfits of the likeliest form, or else the
    `values` that the forms allow for it (for the part of it at `path`), or else their `types`."""

    misfits: tuple[Misfit, ...] = ()
    values: list[Any] = field(default_factory=list)
    path: tuple[str | int, ...] = ()
    types: list[str] = field(default_factory=list)


def likeliest(misfit: Misfit) -> Choice:
    """Return the choice for a misfit of `anyOf` or `oneOf`, from the misfits of its forms."""
    fitting = [form for form in misfit.forms if not any(map(_is_of_another_kind, form))]
    if not fitting:
        return Choice(types=distinct([name for form in misfit.forms for name in _types(form)]))
    telling = [
        {part.path for part in form if part.keyword in _CHOICES and len(part.path) < 2} for form in fitting
    ]
    for path in sorted(set.intersection(*telling), key=str):
        # All forms refuse the same part, such as `kind`: list its choices and nothing else.
        return Choice(values=distinct(list(_allowed(fitting, path))), path=path)
    distances = _distances(fitting)
    return Choice(misfits=fitting[distances.index(min(distances))])


def _is_of_another_kind(misfit: Misfit) -> bool:
    """Return True if the value's type rules out a form."""
    if misfit.path or misfit.of_key:
        return False
    if misfit.keyword in _CHOICES:
        return _KINDS[type(misfit.value)] not in map(_kind, _wanted(misfit))
    return misfit.keyword == "type"


def _types(form: Form) -> list[str]:
    """Return the types that a form of another type requires."""
    other = next(misfit for misfit in form if _is_of_another_kind(misfit))
    return other.types if other.keyword == "type" else [_kind(value) for value in _wanted(other)]


def _kind(value: Any) -> str:
    return _KINDS[type(value)]


def _wanted(misfit: Misfit) -> list[Any]:
    return list(misfit.wanted) if misfit.keyword == "enum" else [misfit.wanted]


def _allowed(forms: Sequence[Form], path: tuple[str | int, ...]) -> Iterable[Any]:
    for form in forms:
        for misfit in form:
            if misfit.path == path and misfit.keyword in _CHOICES:
                yield from _wanted(misfit)


def _distances(forms: Sequence[Form]) -> list[tuple[int, float, int]]:
    """Return how far a value is from each form: parts that name another form (`kind: spell`) weigh most,
    then the difference of its keys, then the number of misfits."""
    pairs = sum(
        len(misfit.value) * len(misfit.schema.get("properties", ()))
        for form in forms
        for misfit in form
        if _is_of_keys(misfit)
    )
    return [
        (
            sum(1 for misfit in form if misfit.keyword in _CHOICES and len(misfit.path) == 1),
            sum(_unlikeness(misfit, compare=pairs <= _MOST_PAIRS) for misfit in form if not misfit.path),
            len(form),
        )
        for form in forms
    ]


def _is_of_keys(misfit: Misfit) -> bool:
    return not misfit.path and misfit.keyword in ("additionalProperties", "unevaluatedProperties")


def _unlikeness(misfit: Misfit, *, compare: bool) -> float:
    """Return how far a mapping's keys are from a form's: near 0 for a misspelled key, 1 for an unrelated
    one. Without `compare` all keys that the form lacks are unrelated."""
    if misfit.keyword == "required":
        return 0.5
    if not _is_of_keys(misfit):
        return 0.0
    known = misfit.schema.get("properties", {})
    strange = [name for name in misfit.value if name not in known]
    if not compare:
        return float(len(strange))
    return sum(1.0 - _nearness(name, known) for name in strange)


def _nearness(name: str, known: Iterable[str]) -> float:
    return max(
        (difflib.SequenceMatcher(None, name[:60], other[:60]).ratio() for other in known), default=0.0
    )


ENOUGH_USES = 3
"""Number of uses from which an unknown key is intended."""
_LONGEST = 60
_INDEX = re.compile(r"\[[0-9]+\]")
_TYPES: Mapping[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


@dataclass(slots=True)
class UnknownKey:
    """A key that a part of the schema does not know, in all records that have it. Its finding and the known
    key that is `meant`, if any, are by mapping, or by the part that a table's records share."""

    name: str
    schema: Any  # kept, so that no other object can get its id
    findings: dict[Hashable, Finding] = field(default_factory=dict)
    meant: dict[Hashable, str] = field(default_factory=dict)
    uses: Counter[Hashable] = field(default_factory=Counter)
    types: dict[type, None] = field(default_factory=dict)

    def in_full(self, schema: PreparedSchema) -> dict[Finding, Finding]:
        """Return findings with added detail: the number of records of a table that have the key; if many
        entries have it, the line to add to the schema."""
        told = {each: each for each in self.findings.values()}
        for at, finding in self.findings.items():
            if self.uses[at] > FEW:
                message = f"{finding.message}, in {self.uses[at]:,} records"
                told[finding] = replace(finding, message=message)
        place = schema.place(self.schema)
        is_slip = self.uses.total() < ENOUGH_USES or len(self.name) > _LONGEST
        if is_slip or place is None or place.file.count("/") < 2:  # or a schema of the engine's own
            return told
        line = f"{json.dumps(self.name, ensure_ascii=False)}: {_schema_of(self.types)}"
        where = place.file if place.line is None else f"{place.file}:{place.line}"
        edit = f'add this line under "properties" in {where}: {line}'
        command = f"add it to the schema: cardgen schema {place.file.split('/')[-2]}"
        for finding, each in told.items():
            first = finding.hint or ""
            is_of_card = finding.location is not None and finding.location.path.startswith("cards[")
            hint = command if is_of_card else edit
            if first.startswith("did you mean"):
                hint = f"{first} If '{self.name}' is right, {hint}"
            told[finding] = replace(each, hint=hint)
        return told


def _schema_of(found: Iterable[type]) -> str:
    """Return the plainest schema that fits values of these types, as JSON."""
    types = dict.fromkeys(_TYPES[each] for each in found if each in _TYPES)
    if "number" in types:
        types.pop("integer", None)
    named = list(types)
    return json.dumps({"type": named[0] if len(named) == 1 else named} if named else {}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Slip:
    """A key of the mapping at `path` that is probably a misspelled known one, with the `finding` that
    reports it.
    """

    path: tuple[str | int, ...]
    name: str
    meant: str
    finding: Finding


def as_meant(data: Any, slips: Iterable[Slip]) -> Any:
    """Return a copy of the data with misspelled keys corrected, unless the correct key exists already."""
    made = copy.deepcopy(data)
    for slip in sorted(slips, key=lambda slip: len(slip.path), reverse=True):  # the inner ones first
        mapping = made
        for key in slip.path:
            mapping = mapping[key]
        if slip.name in mapping and slip.meant not in mapping:  # an alias occurs several times
            mapping[slip.meant] = mapping.pop(slip.name)
    return made
