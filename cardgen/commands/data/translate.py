"""`cardgen translate`: write a game's texts to PO files for translators, and count the translated ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import Finding, Findings, UsageError
from cardgen.core.records import dataclass, fields
from cardgen.files.project import Project

if TYPE_CHECKING:
    from cardgen.core.game import Game
    from cardgen.game.languages import Source, Texts


_OPEN = ("missing", "stale", "too_long")


@dataclass(frozen=True, slots=True)
class LanguageState:
    """The progress of a language: of the game's `texts`, the numbers that are `done`, `missing` and `stale`
    (the source has changed, or the entry is fuzzy). `changed` is True if the file was written. `too_long`
    counts texts that don't fit, None if that was not tested. `findings` are the problems."""

    language: str
    file: str
    texts: int
    done: int
    missing: int
    stale: int
    changed: bool = False
    too_long: int | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Return True if all texts are translated, and none is too long."""
        return self.done == self.texts and not self.too_long

    def plain(self) -> dict[str, Any]:
        """Return the status as plain values, without its findings."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "findings"}

    @staticmethod
    def in_words(state: Mapping[str, Any]) -> str:
        """Return a sentence about a state's plain values."""
        words = [f"{state['done']} of {state['texts']} texts done"]
        words += [f"{state[key]} {key.replace('_', ' ')}" for key in _OPEN if state.get(key) is not None]
        return ", ".join(words)


_TOO_LONG = frozenset(("schema/max-length", "text/overflow", "text/outside", "text/safe-zone", "text/size"))
"""Codes of findings about a text of a PO file that is too long."""


def translate(
    game: str,
    languages: Sequence[str] = (),
    *,
    project: Project | None = None,
    write: bool = True,
    measure: bool = False,
    collected: tuple[Game, Texts] | None = None,
) -> list[LanguageState]:
    """Update the PO files of these languages, none meaning all of game.yaml, or only report. With
    `measure`, all texts are set, and those that don't fit are reported. `collected` is the loaded game.

    New texts are added untranslated, texts with a changed source are marked fuzzy with their old source,
    and deleted texts are kept as obsolete. Raises UsageError for unknown names, CardgenError for errors in
    the game or a PO file.
    """
    from cardgen.files.changes import Changes
    from cardgen.files.reading import TEXTS, read_file
    from cardgen.game.languages import read_po, texts_file, updated

    project = project or Project.open()
    loaded, texts = collected or collect(game, project)
    wanted = list(dict.fromkeys(languages)) or list(loaded.languages)
    for language in wanted:
        if language not in loaded.languages:
            hint = f"add it to data/{game}/game.yaml: languages: {{{language}: {{}}}}"
            raise UsageError(f"{loaded.title} is not translated into '{language}'", hint, "usage/language")
    sources = _sources(loaded, texts)
    states, contents = [], {}
    findings = Findings()
    for language in wanted:
        file = texts_file(game, language)
        po = read_po(loaded.paths, file, findings)
        findings.raise_if_errors()
        po = updated(po, language, sources, loaded.title)
        _note_books(po.metadata, loaded, texts.books, language)
        content = f"{str(po).rstrip()}\n".encode()
        found = loaded.paths.find(file)
        old = None if found is None else read_file(found, TEXTS, file, loaded.paths.roots)
        if write and content != old:
            contents[f"{language}/texts.po"] = content
        live = [entry for entry in po if not entry.obsolete]
        missing = sum(not entry.msgstr for entry in live)
        stale = sum(bool(entry.msgstr) and entry.fuzzy for entry in live)
        done, changed = len(live) - missing - stale, f"{language}/texts.po" in contents
        said, long = _report(loaded, language) if measure else ([], None)
        states.append(
            LanguageState(language, file, len(live), done, missing, stale, changed, long, tuple(said))
        )
    if contents:
        with Changes(project.root / "data" / game) as changes:
            for name, data in contents.items():
                changes.write_bytes(name, data)
            changes.commit()
    return states


def collect(game: str, project: Project) -> tuple[Game, Texts]:
    """Return a game, loaded in its own language, with its texts."""
    from cardgen.game.languages import Texts
    from cardgen.game.loading import load_game

    texts = Texts(game, "", project.paths, Findings())
    loaded, _ = load_game(project.paths, game, collect=texts)
    return loaded, texts


def _sources(game: Game, texts: Texts) -> list[Source]:
    """Return all texts to translate: the data's in order, then the words of templates."""
    from cardgen.art.templates import template_words
    from cardgen.game.languages import TEMPLATE, Source

    sources = [
        Source(text.address, text.source, ((text.place.file, text.place.line or 0),))
        for text in texts.found.values()
    ]
    words = template_words(game.paths, game.id)
    return sources + [Source(TEMPLATE, word, tuple(places)) for word, places in words.items()]


def _report(game: Game, language: str) -> tuple[list[Finding], int]:
    """Return the findings about a game's translation, those about texts that don't fit their schema or
    their place among them, and the number of these."""
    from cardgen.commands.check.preflight import lay_out
    from cardgen.commands.production.languages import load_in

    translated, findings = load_in(game.paths, game.id, language, partial=True, like=game)
    if translated.words is None:
        return findings.sorted(), 0
    file = translated.words.file
    lay_out(translated, findings)
    said = []
    long = set()
    for finding in findings.sorted():
        place = finding.location
        is_long = finding.code in _TOO_LONG and place is not None and place.file == file
        if is_long:
            long.add(place and place.line)
        if is_long or finding.code.startswith("translation/"):
            said.append(finding)
    return said, len(long)


def _note_books(head: dict[str, str], game: Game, books: Sequence[str], language: str) -> None:
    """Store the translated state of each book: the current one if the translation is new or has changed
    since."""
    from cardgen.game.languages import digest_of, head_of, translated_book

    for file in books:
        own = translated_book(game.id, language, file)
        if game.paths.find(own) is None:
            continue
        key, now = head_of(game.id, file), digest_of(game.paths, own)
        kept = head.get(key, "").split()
        if len(kept) != 2 or kept[1] != now:
            head[key] = f"{digest_of(game.paths, file)} {now}"
