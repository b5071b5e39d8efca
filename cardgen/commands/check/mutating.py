"""Test a game's checks: make small mistakes in copies of its files, and count those that are caught.

A mistake is one a tired person makes: a figure off by one, the value of another card, a lost word, letters
or entries exchanged, a lost record. Each is made alone, in memory, and all fields get their turn. Loading
and the rules judge it, and translated rulebooks are compared; nothing is drawn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cardgen.commands.check.check import judged, verdicts_of
from cardgen.commands.check.translated_books import compare_books
from cardgen.commands.production.languages import load_in
from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError, plural
from cardgen.core.game import Game
from cardgen.core.progress import counted, told_to
from cardgen.core.records import dataclass, replace
from cardgen.files.listing import ProjectFolders
from cardgen.files.memory import hold
from cardgen.files.project import Project
from cardgen.files.reading import YAML, ReadingError, read_file
from cardgen.files.table_formats import is_table
from cardgen.files.yaml import Document, copied, path_text
from cardgen.files.yaml_editing import edited, edited_list
from cardgen.files.yaml_text import SourceError
from cardgen.game.rule_kinds import load_rules

COUNT, MOST = 100, 5_000
_MOST_CHOICES, _LONGEST_CHOICE = 40, 40
"""Distinct values of a field, and their characters, up to which another card's is a likely mistake."""
_FIGURE = re.compile(r"(?<![\w.])\d{1,4}(?![\w.]*\d)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)|:[\w-]+:", re.DOTALL)
"""Parts of a text that are no words."""
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*\n?)+", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}\s+(.+)")
_COLOR = re.compile(r"#[\da-fA-F]{3,8}")
"""A color, which people judge by its look."""
_CARD_STEPS = 2
"""The steps of a path to an entry of a list: `cards[3]`."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A change of a file. `field` is the place without the numbers of entries, `path` the value's place in
    a data file and empty in a text, `change` the mistake in words."""

    field: str
    place: Location
    change: str
    path: Path
    make: Callable[[], str | None]


@dataclass(frozen=True, slots=True)
class Tested:
    """The result of a test: a finding for each field whose mistakes were missed, and a line of figures."""

    findings: tuple[Finding, ...]
    figures: str
    made: int
    caught: int


def mutate(game_id: str, count: int, seed: int, *, project: Project) -> Tested:
    """Make `count` mistakes in a game, or as many as there are. The same seed makes the same ones.

    Raises UsageError for another count than 1 to 5,000, CardgenError if the game has errors already.
    """
    if not 1 <= count <= MOST:
        hint = f"cardgen check {game_id} --mutate {COUNT}"
        raise UsageError(f"--mutate {count} is not between 1 and {MOST:,}", hint)
    game, findings = load_in(project.paths, game_id, None)
    findings.raise_if_errors()
    court = _Court(game, findings)
    if errors := [each for each in court.found if each.severity is Severity.ERROR]:
        raise CardgenError(*errors)
    chosen = _chosen(_mistakes(game, random.Random(seed)), count, random.Random(seed))
    missed: dict[str, list[Mistake]] = {}
    tried: dict[str, int] = {}
    caught = placed = 0
    for mistake in counted("making mistakes", chosen):
        content = mistake.make()
        if content is None:
            continue
        tried[mistake.field] = tried.get(mistake.field, 0) + 1
        new = court.judge(mistake.place.file, content)
        if not new:
            missed.setdefault(mistake.field, []).append(mistake)
            continue
        caught += 1
        placed += any(_is_at(each, mistake) for each in new)
    made = sum(tried.values())
    findings = Findings()
    for field, mistakes in missed.items():
        first = mistakes[0]
        name = field.partition(": ")[2]
        message = f"{name}: {len(mistakes)} of {plural(tried[field], 'mistake')} passed: {first.change}"
        hint = "add a rule that reads it, or leave it as free text: cardgen explain mutation/missed"
        findings.note("mutation/missed", message, first.place, hint)
    share = 100 * caught / made if made else 100.0
    figures = (
        f"{game_id}: {caught} of {plural(made, 'mistake')} caught ({share:.0f} %), {placed} at the changed "
        f"entry; {len(missed)} of {plural(len(tried), 'field')} missed some (seed {seed})"
    )
    if len(chosen) < count:
        figures += f"; there are no more than {len(chosen):,} to make"
    if any(map(is_table, game.sources)):
        figures += "; spreadsheets were not changed"
    return Tested(tuple(findings.sorted()), figures, made, caught)


class _Court:
    """Judges changed files of a game, and returns the findings that the unchanged game hasn't."""

    def __init__(self, game: Game, remarks: Findings) -> None:
        self._game, self._remarks = game, remarks
        self._rules: Mapping[str, Any] = {} if game.rules is None else load_rules(game)
        if self._rules:
            judged(game, self._rules)  # keeps verdicts for rules that don't read the change
        self._verdicts = verdicts_of(game)
        loaded = (load_in(game.paths, game.id, name, partial=True, like=game)[0] for name in game.languages)
        self._translated = [each for each in loaded if each.words is not None]
        self.found = self._text(game)
        """What the unchanged game has."""
        self._known = set(map(_key, self.found))

    def judge(self, file: str, content: str) -> list[Finding]:
        """Return the new errors and warnings with another content of a file."""
        with told_to(_ignore):
            return self._judge(file, content)

    def _judge(self, file: str, content: str) -> list[Finding]:
        held = hold({file: content})
        paths = ProjectFolders((held.root, *self._game.paths.roots), held)
        try:
            if file.endswith(".md"):
                found = self._text(replace(self._game, paths=paths))
            else:
                found = self._data(*load_in(paths, self._game.id, None))
        except CardgenError as error:
            found = list(error.findings)
        return [
            each for each in found if each.severity is not Severity.NOTE and _key(each) not in self._known
        ]

    def _data(self, game: Game, remarks: Findings) -> list[Finding]:
        from cardgen.rules.judging import check_rules

        results = []
        if self._rules and game.rules is not None:
            results = check_rules(game, self._rules, game.rules, kept=self._verdicts)
        ruled = (each for result in results for each in result.findings)
        return [*remarks, *game.table_problems, *ruled]

    def _text(self, game: Game) -> list[Finding]:
        findings = Findings()
        for translated in self._translated:
            compare_books(game, translated, findings)
        return [*self._data(game, self._remarks), *findings]


def _ignore(step: str, done: int, total: int) -> None:
    """Keep the steps of a single judgment from the bar."""


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.message, finding.location.path if finding.location else ""


def _is_at(finding: Finding, mistake: Mistake) -> bool:
    """Return True if a finding is at the changed entry, in it or around it, or at the changed paragraph."""
    place = finding.location
    if place is None or place.file != mistake.place.file:
        return False
    if not mistake.path:
        return place.line == mistake.place.line
    return bool(place.path) and (
        place.path.startswith(path_text(mistake.path[:_CARD_STEPS]))
        or mistake.place.path.startswith(place.path)
    )


def _chosen(mistakes: Sequence[Mistake], count: int, dice: random.Random) -> list[Mistake]:
    """Return mistakes of all fields in turn, in random order."""
    by_field: dict[str, list[Mistake]] = {}
    for each in mistakes:
        by_field.setdefault(each.field, []).append(each)
    queues = [by_field[name] for name in sorted(by_field)]
    dice.shuffle(queues)
    for queue in queues:
        dice.shuffle(queue)
    found: list[Mistake] = []
    turn = 0
    while len(found) < count and any(len(queue) > turn for queue in queues):
        found += [queue[turn] for queue in queues if len(queue) > turn]
        turn += 1
    return found[:count]


# ---------------------------------------------------------------- mistakes


def _mistakes(game: Game, dice: random.Random) -> list[Mistake]:
    """Return one mistake for each value and paragraph of the game's own files, except its rules."""
    found: list[Mistake] = []
    home = f"data/{game.id}/"
    for document in game.locator.documents():
        name = document.relative
        if (
            name.startswith(home)
            and name != game.rules
            and isinstance(document, Document)
            and document.text
        ):
            found += _in_data(document, dice)
    for file in sorted({each.book.file for each in game.components if each.book is not None}):
        path = game.paths.find(file)
        if path is not None and file.startswith(home):
            try:
                text = read_file(path, YAML, file, game.paths.roots).decode("utf-8")
            except (ReadingError, UnicodeDecodeError):  # which check reports
                continue
            found += _in_text(file, text, dice)
    return found


def _in_data(document: Document, dice: random.Random) -> Iterator[Mistake]:
    from cardgen.files.yaml import Reading

    data = Reading(document.text).data  # without defaults
    values = list(_values(data, ()))
    others: dict[str, list[Any]] = {}
    for path, value in values:
        if isinstance(value, str) and value not in (known := others.setdefault(_field(path), [])):
            known.append(value)
    for path, value in values:
        new, change = _changed(value, others.get(_field(path), ()), dice)
        if change:
            place = document.locate(path)
            yield Mistake(
                f"{document.relative}: {_field(path)}",
                place,
                change,
                path,
                _editor(document, data, path, new),
            )


_LOST = object()


def _values(data: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield every value that a mistake can be made in, with its path."""
    if isinstance(data, dict):
        if path and isinstance(path[-1], int):
            yield path, data
        for key, value in data.items():
            yield from _values(value, (*path, key))
    elif isinstance(data, list):
        if len(path) > 1:
            yield path, data
        for index, value in enumerate(data):
            yield from _values(value, (*path, index))
    elif data is not None:
        yield path, data


def _field(path: Path) -> str:
    """Return a path without the numbers of entries: `cards[].effect`."""
    return re.sub(r"\[\d+\]", "[]", path_text(path))


def _changed(value: Any, others: Sequence[Any], dice: random.Random) -> tuple[Any, str]:
    """Return a wrong value and the mistake in words; no words if there is none."""
    if isinstance(value, bool):
        return not value, f"{str(value).lower()} → {str(not value).lower()}"
    if isinstance(value, (int, float)):
        new = value + (1 if value <= 0 else dice.choice((-1, 1)))
        return new, f"{value} → {new}"
    if isinstance(value, str) and _COLOR.fullmatch(value):
        return value, ""
    if isinstance(value, str):
        if 1 < len(others) <= _MOST_CHOICES and len(value) <= _LONGEST_CHOICE and " " not in value:
            new = dice.choice([each for each in others if each != value])
            return new, f"'{value}' → '{new}'"
        return _slip(value, dice)
    if isinstance(value, list):
        pairs = [at for at in range(len(value) - 1) if value[at] != value[at + 1]]
        if not pairs:
            return value, ""
        at = dice.choice(pairs)
        exchanged = [*value[:at], value[at + 1], value[at], *value[at + 2 :]]
        return exchanged, f"entries {at + 1} and {at + 2} exchanged"
    return _LOST, "the entry is lost"


def _slip(text: str, dice: random.Random) -> tuple[str, str]:
    """Return a text with a wrong figure, a lost word or exchanged letters, and the mistake in words."""
    words = _CODE.sub(lambda found: "\0" * len(found[0]), text)
    figures = [(found.start(), found.end()) for found in _FIGURE.finditer(words)]
    spots = [(found.start(), found.end()) for found in _WORD.finditer(words)]
    kinds = ["figure"] * 2 * bool(figures) + ["word", "letters"] * bool(spots)
    if not kinds:
        return text, ""
    kind = dice.choice(kinds)
    start, end = dice.choice(figures if kind == "figure" else spots)
    old = text[start:end]
    if kind == "figure":
        new = str(int(old) + (1 if int(old) < 2 else dice.choice((-1, 1))))
    elif kind == "word":
        if text[end : end + 1] == " ":
            end += 1
        return text[:start] + text[end:], f"'{old}' is lost"
    else:
        at = dice.randrange(len(old) - 1)
        new = old[:at] + old[at + 1] + old[at] + old[at + 2 :]
        if new == old:
            new = old + old[-1]
    return text[:start] + new + text[end:], f"'{old}' → '{new}'"


def _editor(document: Document, data: Any, path: Path, new: Any) -> Callable[[], str | None]:
    """Return a function that returns the file's text with a value changed; None if it can't be edited."""

    def make() -> str | None:
        wrong = copied(data)
        holder = wrong
        for step in path[:-1]:
            holder = holder[step]
        if new is _LOST:
            del holder[path[-1]]
        else:
            holder[path[-1]] = new
        try:
            found = edited_list(document.text, data, wrong) if isinstance(data, dict) else None
            return found if found is not None else edited(document.text, wrong)
        except SourceError:
            return None

    return make


def _in_text(file: str, text: str, dice: random.Random) -> Iterator[Mistake]:
    """Yield a mistake for each paragraph of a text. Its field is the heading above."""
    heading = "the beginning"
    for block in _BLOCK.finditer(text):
        if named := _HEADING.match(block[0]):
            heading = f"'{named[1].strip()}'"
        new, change = _slip(block[0], dice)
        if not change:
            continue
        line = text.count("\n", 0, block.start()) + 1
        line += next(
            at for at, (one, other) in enumerate(zip(block[0].split("\n"), new.split("\n"))) if one != other
        )
        whole = text[: block.start()] + new + text[block.end() :]
        yield Mistake(f"{file}: {heading}", Location(file, line), change, (), lambda whole=whole: whole)  # type: ignore[misc]
