"""Test a game's checks: make small mistakes in copies of its files, and count those that are caught.

A mistake is one a tired person makes: a figure off by one, the value of another card, a lost word, letters
or entries exchanged, a lost record. Each is made alone, in memory, and all fields get their turn. Loading
and the rules judge it, translations too; translated rulebooks are compared, and changed cards laid out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from cardgen.commands.check.check import judged, verdicts_of
from cardgen.commands.check.mistakes import Mistake, mistakes_in
from cardgen.commands.check.translated_books import compare_books
from cardgen.commands.compare.signing import changes_in, signed_file, signed_parts
from cardgen.commands.compare.values import value_changes
from cardgen.commands.production.books import snaps_of, tabletop_of
from cardgen.commands.production.languages import load_in
from cardgen.commands.production.results import GameResults
from cardgen.commands.production.stages import render_book, render_chosen
from cardgen.core.findings import CardgenError, Finding, Findings, Severity, UsageError, plural
from cardgen.core.game import Card, Game
from cardgen.core.paths import ProjectPaths
from cardgen.core.progress import counted, told_to
from cardgen.core.records import dataclass, replace
from cardgen.files.listing import ProjectFolders
from cardgen.files.memory import MemoryFiles, hold
from cardgen.files.project import Project
from cardgen.files.yaml import path_text
from cardgen.game.rule_kinds import load_rules
from cardgen.game.sources import KeptFiles

if TYPE_CHECKING:
    from cardgen.rules.results import RuleResult

COUNT, MOST = 100, 5_000
_CARD_STEPS = 2
"""The steps of a path to an entry of a list: `cards[3]`."""


@dataclass(frozen=True, slots=True)
class Tested:
    """The result of a test: a finding for each field whose mistakes were missed, and a line of figures."""

    findings: tuple[Finding, ...]
    figures: str
    made: int
    caught: int
    placed: int
    """Those caught at the changed entry."""
    signed: int | None = None
    """Those caught there by rules or the game's sign-off; None without one."""

    @property
    def result(self) -> RuleResult:
        """Return the score as a report shows it, with the missed fields."""
        from cardgen.rules.results import Measure, RuleInfo, RuleResult, Table, Verdict

        question = "How many small mistakes do the checks notice?"
        info = RuleInfo("mistakes-noticed", "mutation", question, "", Severity.NOTE, "", ())
        share = self.caught / self.made if self.made else 1.0
        measures = (
            Measure("mistakes", self.made),
            Measure("noticed", share, text=f"{100 * share:.0f} %"),
            Measure("noticed at the changed entry", self.placed),
            *([] if self.signed is None else [Measure("so with the sign-off", self.signed)]),
        )
        rows = tuple((str(each.location), each.message) for each in self.findings)
        tables = (Table("mistakes that passed", ("place", "mistakes"), rows),) if rows else ()
        return RuleResult(info, Verdict.REPORT, measures, tables=tables)


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
    chosen = _chosen(mistakes_in(game, random.Random(seed)), count, random.Random(seed))
    has_sign_off = game.paths.find(signed_file(game)) is not None
    missed: dict[str, list[Mistake]] = {}
    tried: dict[str, int] = {}
    caught = placed = signed = 0
    for mistake in counted("making mistakes", chosen):
        content = mistake.make()
        if content is None:
            continue
        new = court.judge(mistake, content)
        if new is None:
            continue
        tried[mistake.field] = tried.get(mistake.field, 0) + 1
        is_placed = any(_is_at(each, mistake) for each in new)
        signed += is_placed or (has_sign_off and court.differs(mistake, content))
        placed += is_placed
        caught += bool(new)
        if not new:
            missed.setdefault(mistake.field, []).append(mistake)
    made = sum(tried.values())
    findings = Findings()
    for field, mistakes in missed.items():
        first = mistakes[0]
        where = "this field" if first.path else field.partition(": ")[2]  # the place names a field
        message = f"{len(mistakes)} of {plural(tried[field], 'mistake')} in {where} passed: {first.change}"
        hint = "add a rule that reads it, or leave it as free text: cardgen explain mutation/missed"
        findings.note("mutation/missed", message, first.place, hint)
    share = 100 * caught / made if made else 100.0
    figures = f"{game_id}: {caught} of {plural(made, 'mistake')} caught ({share:.0f} %), {placed} in place"
    if has_sign_off:
        figures += f"; with the sign-off {signed} in place"
    figures += f"; {len(missed)} of {plural(len(tried), 'field')} missed some (seed {seed})"
    if len(chosen) < count:
        figures += f"; there are no more than {len(chosen):,} to make"
    return Tested(tuple(findings.sorted()), figures, made, caught, placed, signed if has_sign_off else None)


class _Court:
    """Judges changed files of a game, and returns the findings that the unchanged game hasn't."""

    def __init__(self, game: Game, remarks: Findings) -> None:
        self._game, self._remarks = game, remarks
        self._kept = KeptFiles()
        self._rules: Mapping[str, Any] = {} if game.rules is None else load_rules(game)
        if self._rules:
            judged(game, self._rules)  # keeps verdicts for rules that don't read the change
        self._verdicts = verdicts_of(game)
        loaded = (load_in(game.paths, game.id, name, partial=True, like=game)[0] for name in game.languages)
        self._translated = {each.language: each for each in loaded if each.words is not None}
        self._empty = hold({})
        self._results = GameResults(replace(game, paths=self._with(self._empty)))
        self.found = list(chain.from_iterable(self._text(game)))
        """What the unchanged game has."""
        self._known = set(map(_key, self.found))
        for language in self._translated:
            self._known.update(map(_key, chain.from_iterable(self._language(game.paths, language))))

    def judge(self, mistake: Mistake, content: str | bytes) -> list[Finding] | None:
        """Return new errors and warnings with another content of the mistake's file: all up to the first
        step that finds some at the changed entry. None if the mistake changes nothing of the game."""
        held = hold({mistake.place.file: content})
        found: list[Finding] = []
        with told_to(_ignore):
            try:
                for step in self._steps(mistake.place.file, self._with(held)):
                    new = [
                        each
                        for each in step
                        if each.severity is not Severity.NOTE and _key(each) not in self._known
                    ]
                    found += new
                    if any(_is_at(each, mistake) for each in new):
                        break
            except CardgenError as error:
                found += error.findings
            except _UnchangedError:
                return None
        return found

    def differs(self, mistake: Mistake, content: str | bytes) -> bool:
        """Return True if the sign-off of the unchanged game shows another content of the mistake's file, at
        the changed entry."""
        file = mistake.place.file
        held = hold({file: content})
        game = replace(self._game, paths=self._with(held))
        if not file.endswith((".md", ".po")):
            try:
                game = load_in(game.paths, game.id, None, kept=self._kept)[0]
            except CardgenError:  # which hides the sign-off
                return False
        before = {name: each.content for name, each in signed_parts(self._game, file).items()}
        found = changes_in(before, signed_parts(game, file))
        return any(
            _is_at(Finding(Severity.WARNING, "signed/changed", message, place), mistake)
            for place, message in found
        )

    def _with(self, held: MemoryFiles) -> ProjectPaths:
        return ProjectFolders((held.root, *self._game.paths.roots), held)

    def _steps(self, file: str, paths: ProjectPaths) -> Iterator[Iterable[Finding]]:
        """Yield the findings of each step of a check, quick steps first."""
        language = file.removeprefix(f"data/{self._game.id}/").partition("/")[0]
        if file.endswith(".md"):
            yield from self._text(replace(self._game, paths=paths))
            if language in self._translated:
                yield self._ruled(replace(self._translated[language], paths=paths))
        elif language in self._translated:
            yield from self._language(paths, language)
        else:
            game, remarks = load_in(paths, self._game.id, None, kept=self._kept)
            old = self._game
            placed = replace(game, paths=old.paths, locator=old.locator)
            if replace(placed, table_problems=old.table_problems) == old:
                raise _UnchangedError
            yield [*remarks, *game.table_problems]
            yield self._judged(game, slow=False)
            yield self._drawn(game, self._game)
            yield self._judged(game, slow=True)

    def _judged(self, game: Game, *, slow: bool) -> list[Finding]:
        from cardgen.rules.judging import check_rules
        from cardgen.rules.kinds import traits_of

        if not self._rules or game.rules is None:
            return []
        rules = {
            **self._rules,
            "rules": [each for each in self._rules["rules"] if traits_of(each["kind"]).is_slow is slow],
            "deck_rules": () if slow else self._rules.get("deck_rules", ()),
        }
        results = check_rules(game, rules, game.rules, kept=self._verdicts)
        return [each for result in results for each in result.findings]

    def _text(self, game: Game) -> Iterator[Iterable[Finding]]:
        findings = Findings()
        for translated in self._translated.values():
            compare_books(game, replace(translated, paths=game.paths), findings)
        yield [*self._remarks, *game.table_problems, *findings]
        yield self._judged(game, slow=False)

    def _language(self, paths: ProjectPaths, language: str) -> Iterator[Iterable[Finding]]:
        """Yield the findings of a translation of the unchanged game, and of the rules in its language."""
        game, remarks = load_in(paths, self._game.id, language, partial=True, like=self._game)
        yield remarks
        yield self._ruled(game)
        yield self._drawn(game, self._translated[language])

    def _ruled(self, game: Game) -> list[Finding]:
        """Return the findings of the rules in a translation."""
        from cardgen.rules.judging import check_rules, in_each_language

        only = [] if game.words is None else in_each_language(self._rules, game.words.keys)
        results = check_rules(game, self._rules, str(game.rules), only=only) if only else []
        return [each for result in results for each in result.findings]

    def _drawn(self, game: Game, before: Game) -> list[Finding]:
        """Return the new findings of laying out changed cards or, if what all share has changed, one of
        each template and each value that names a part of the change; of a changed table and of books that
        look otherwise."""
        shared = _shared(game) != _shared(before)
        parts = ((before.theme, game.theme), (before.tables, game.tables)) if shared else ()
        named = {str(step) for part in parts for each in value_changes(*part) for step in each.path}
        old = before.places()
        changed: list[Card] = []
        templates: set[tuple[str, str, frozenset[str]]] = set()
        for card in game.cards():
            other = old.get((card.component, card.id))
            if other is None or _looks(card) != _looks(other):
                changed.append(card)
            elif shared:
                values = {each for each in card.fields.values() if isinstance(each, str)}
                key = (card.component, card.face, frozenset(named & values))
                if key not in templates:
                    templates.add(key)
                    changed.append(card)
        known, found = Findings(), Findings()
        places = {(card.component, card.id) for card in changed}
        if changed:
            render_chosen(before, [old[key] for key in old if key in places], known, results=self._results)
            render_chosen(game, changed, found, results=self._results)
        if game.table is not None and game.table != before.table:
            snaps = snaps_of(before, before.cards(), known, self._results)
            for each, findings in ((before, known), (game, found)):
                tabletop_of(each, each.components, findings, snaps=snaps)
        books = {each.id: each for each in before.components}
        for component in game.components:
            if component.book is not None and component != books.get(component.id, component):
                render_book(before, books[component.id], known, results=self._results)
                render_book(game, component, found, results=self._results)
        said = set(map(_key, known))
        return [each for each in found if _key(each) not in said]


class _UnchangedError(Exception):
    """The result of a mistake that changes nothing of the game."""


def _shared(game: Game) -> tuple[Any, ...]:
    """Return what templates of all cards may show."""
    return game.theme, game.tables, game.effects, game.limits, game.words and game.words.words


def _looks(card: Card) -> tuple[Any, ...]:
    return card.fields, card.trim, card.face, card.back


def _ignore(step: str, done: int, total: int) -> None:
    """Keep the steps of a single judgment from the bar."""


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.message, finding.location.path if finding.location else ""


def _is_at(finding: Finding, mistake: Mistake) -> bool:
    """Return True if a finding is at the changed entry, in it or around it, or at the changed paragraph; or
    if it names that line, as findings about two places do."""
    place = finding.location
    at, said = mistake.place, f"{finding.message} {finding.hint} "
    in_file = f"{at.file}:{at.line}" if place is None or place.file != at.file else f"line {at.line}"
    if re.search(rf"{re.escape(in_file)}\b", said):
        return True
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
