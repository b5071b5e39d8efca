"""The options and the result of a build, and the names that a user chose: components, cards, sheets,
papers. An unknown name is an error with a hint."""

from __future__ import annotations

import re
from _blake2 import blake2b
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from cardgen.core.findings import CardgenError, UsageError, did_you_mean
from cardgen.core.records import dataclass, field, replace
from cardgen.files.project import SETTINGS
from cardgen.files.reading import is_there

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.core.findings import Finding
    from cardgen.core.game import Card, Component, Game, GameSheet
    from cardgen.core.paths import ProjectPaths
    from cardgen.core.sheets import Duplex, ImposedSheet, Paper, SheetLayout
    from cardgen.files.project import Project


_LANGUAGE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
DEFAULT_PAPER = "letter"
SETTINGS_SCHEMA = "schemas/project.schema.json"
SINGLE = "single"
"""The sheet that every game has: one card a page, for print shops."""


def project_settings(paths: ProjectPaths) -> dict[str, Any]:
    """Return the content of a project's `cardgen.yaml`; nothing if there is none. Raises CardgenError."""
    if not is_there(paths.roots[0] / SETTINGS):
        return {}
    from cardgen.core.findings import Findings
    from cardgen.game.sources import Sources, Subject

    findings = Findings()
    document = Sources(paths, findings).checked(SETTINGS, SETTINGS_SCHEMA)
    if document is not None and "paper" in document.data:
        from cardgen.game.facts import load_papers

        papers = load_papers(paths)
        place = Subject(document, findings).below("paper")
        for name in map(str.strip, document.data["paper"].split(",")):
            if name not in papers:
                place.refuse_unknown(
                    "sheet/paper", name, papers, "paper", "papers", "cardgen list --papers"
                )
    findings.raise_if_errors()
    return {} if document is None else dict(document.data)


def default_choices(project: Project, names: Iterable[str]) -> dict[str, Any]:
    """Return those of a project's defaults for options of these names: paper, printer, language, and
    output as a path. Raises CardgenError."""
    settings = project_settings(project.paths)
    found = {name: settings[name] for name in names if name in settings}
    return found | ({"output": project.root / found["output"]} if "output" in found else {})


def at_defaults(error: UsageError, paths: ProjectPaths, names: Iterable[str]) -> CardgenError:
    """Return an error about a language or printer that is a project's default with its place there, or the
    error as it is."""
    for finding in error.findings:
        kind, _, name = finding.code.partition("/")
        if kind == "usage" and name in names:
            from cardgen.game.sources import SourceLocator

            place = SourceLocator(paths).locate(SETTINGS, (name,))
            return CardgenError(*(replace(each, location=place) for each in error.findings))
    return error


def usual_paper(paths: ProjectPaths) -> str:
    """Return the paper that a project prints on, the first of its defaults. Raises CardgenError."""
    stated: str = project_settings(paths).get("paper", DEFAULT_PAPER)
    return stated.partition(",")[0].strip()


PressStandard = Literal["x4", "x1a"]


@dataclass(frozen=True, slots=True)
class PressOptions:
    """A press to print for: a color profile that comes with cardgen, by name, or an ICC file, the most ink
    that it takes, all four together, in percent, and the standard of its files: `x4`, PDF/X-4, or `x1a`,
    PDF/X-1a:2003, which forbids transparency. None is the game's own value, or else `coated`, 300 % and
    `x4`. Without `overprint`, or if the game forbids it, nothing prints below black text and thin lines.
    With `black_images`, or if the game says so, gray images are of black ink alone."""

    profile: str | None = None
    ink_limit: int | None = None
    standard: PressStandard | None = None
    overprint: bool = True
    black_images: bool = False

    @property
    def name_parts(self) -> tuple[str, ...]:
        """Return the parts of file names for the options that were given."""
        parts = ["cmyk"]
        if self.standard is not None:
            parts.append(self.standard)
        if self.ink_limit is not None:
            parts.append(f"{self.ink_limit}-ink")
        if self.profile is not None:
            base = re.split(r"[/\\]", self.profile)[-1]
            parts.append(re.sub("[^A-Za-z0-9_-]+", "-", re.sub(r"(?i)\.ic[cm]$", "", base))[:40])
        if not self.overprint:
            parts.append("no-overprint")
        if self.black_images:
            parts.append("black-images")
        return tuple(parts)

    def __post_init__(self) -> None:
        """Raise UsageError for a limit that no press has."""
        from cardgen.core.sheets import LEAST_INK, MOST_INK

        if self.ink_limit is not None and not LEAST_INK <= self.ink_limit <= MOST_INK:
            raise UsageError(
                f"--ink-limit {self.ink_limit} is not between {LEAST_INK} and {MOST_INK}",
                "write the shop's limit in percent, such as --ink-limit 300",
            )


MOST_SETS = 1_000
"""Most sets of a print run: more is a wrong number."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Choices of a build. Empty tuples mean "all". `duplex` None uses the sheet's, `output` None the
    project's `output/`. `paper` is one paper, or several separated by commas. A `deck` (a file, or the id
    of one of the game's lists) is written alone to `GAME/decks/ID/`, and a `language` other than the
    game's to `GAME/LANGUAGE/`. Options appear in the file name, such as `poker.a4.no-backs.pdf`, so
    variants never overwrite each other. `keep_going` prints valid cards although others have errors.

    Example:
        options = cardgen.BuildOptions("night-market", sheets=("poker",), low_ink=True)
        print(cardgen.build(options).files)
    """

    game: str
    sheets: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    players: int | None = None
    sets: int | None = None
    """How many times to print everything, on shared sheets, with notes on what the run takes."""
    paper: str = DEFAULT_PAPER
    duplex: Duplex | None = None
    backs: bool = True
    low_ink: bool = False
    printer: str | None = None
    output: Path | None = None
    deck: str | None = None
    image_dpi: int | None = None
    """The resolution that finer images are scaled down to; None keeps them."""
    keep_going: bool = False
    language: str | None = None
    since: str | None = None
    """A git revision: only cards that are new or look different since then, and additional copies."""
    press: PressOptions | None = None
    """A press whose inks the sheets use, as PDF/X; None for RGB."""
    cut: tuple[CutFormat, ...] = ()
    """The formats of cutting files next to the sheets; `spot` adds lines to the sheets."""

    def __post_init__(self) -> None:
        """Raise UsageError for no sets, or more than a run has."""
        if self.sets is not None and not 1 <= self.sets <= MOST_SETS:
            raise UsageError(
                f"--sets {self.sets} is not between 1 and {MOST_SETS:,}",
                "write how many games to print, such as --sets 10",
            )

    @property
    def papers(self) -> tuple[str, ...]:
        """Return the papers in `paper`, separated by commas, each once."""
        return tuple(dict.fromkeys(name.strip() for name in self.paper.split(",")))


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that a build wrote or found up to date. `shown` is its path as typed from the current folder;
    `cards` counts printed copies."""

    path: str
    shown: str
    sheet: str
    pages: int
    cards: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The result of a build. `findings` are warnings and notes; errors are raised, unless the build keeps
    going. `stages` are the seconds each stage took. Without files and without a manifest, no card has
    changed since the requested revision."""

    files: tuple[OutputFile, ...]
    manifest: str
    findings: tuple[Finding, ...]
    up_to_date: bool
    seconds: float
    stages: dict[str, float] = field(default_factory=dict)


def select(game: Game, components: Iterable[str], cards: Iterable[str]) -> list[Card]:
    """Return the cards of the named components with ids that are `named_by` these names, in the game's
    order; no names mean all. Raises UsageError, with the nearest name, for one that matches no card."""
    cards = tuple(cards)
    parts = chosen_components(game, components)
    chosen = [card for component in parts for card in component.cards]
    if not cards:
        return chosen
    among = {component.id for component in parts}
    ids = [card.id for card in chosen] + [card.id for card in game.missing if card.component in among]
    for name in cards:
        if not any(named_by(id, (name,)) for id in ids):
            must_exist("card", name, ids, game, also=_families(ids) if is_pattern(name) else ())
    return [card for card in chosen if named_by(card.id, cards)]


def is_pattern(name: str) -> bool:
    """Return True if a card's name is a pattern: `king-*`."""
    return any(sign in name for sign in "*?[")


def named_by(id: str, names: Iterable[str]) -> bool:
    """Return True if one of the names is a card's id, or a shell pattern that matches it."""
    from cardgen.core.game import fits

    return any(id == name or (is_pattern(name) and fits(id, name)) for name in names)


def _families(ids: Iterable[str]) -> set[str]:
    """Return patterns of the prefixes of ids: for king-red `king-*`."""
    parts = [id.split("-") for id in ids]
    return {"-".join((*each[:count], "*")) for each in parts for count in range(1, len(each))}


def find_sheet(game: Game, name: str) -> GameSheet:
    """Return the game's sheet of that name; "single" always exists and has everything."""
    from cardgen.core.game import GameSheet

    printed = tuple(component.id for component in game.components if component.kind != "book")
    sheets = {sheet.name: sheet for sheet in game.sheets}
    sheets.setdefault(SINGLE, GameSheet(SINGLE, SINGLE, printed))
    must_exist("sheet", name, list(sheets), game)
    return sheets[name]


def language_folder(game: Game) -> tuple[str, ...]:
    """Return the folder of a language below the game's: none for the game's own."""
    return () if game.words is None else (game.words.language,)


def language_asked(language: str | None) -> tuple[str, ...]:
    """Return `language_folder` before the game is known. Raises UsageError for an invalid language."""
    if language is not None and not _LANGUAGE.fullmatch(language):
        raise UsageError(
            f"'{language}' is not a language code", "write it as de or pt-BR", "usage/language"
        )
    return () if language is None else (language,)


def find_paper(paths: ProjectPaths, name: str) -> Paper:
    """Return the paper of that name. Raises UsageError, with the nearest name, if there is none."""
    from cardgen.game.facts import load_papers

    papers = load_papers(paths)
    must_exist("paper", name, sorted(papers))
    return papers[name]


def must_exist(
    what: str, name: str, names: Sequence[str], game: Game | None = None, *, also: Iterable[str] = ()
) -> None:
    """Raise UsageError, with the nearest of `names` and `also`, for a name not in `names`."""
    if name in names:
        return
    every = sorted(set(names))
    listed = f"{', '.join(every[:24])}{f', … ({len(every)} in all)' if len(every) > 24 else ''}"
    hint = did_you_mean(name, [*names, *also]) or f"use one of: {listed}"
    commands = {"paper": "cardgen list --papers", "layout": "cardgen list --layouts"}
    commands |= {"look": "cardgen new --help", "kind of component": "cardgen add --help"}
    command = f"cardgen list {game.id}" if what in ("component", "sheet") and game else commands.get(what)
    if command is not None:
        hint += f"{'' if hint.endswith('?') else ';'} list all: {command}"
    place = f" in {game.title}" if game else ""
    code = "usage/game" if what == "game" else "usage"
    raise UsageError(f"there is no {what} '{name}'{place}", hint, code)


def own_folder(project: Project, game: str, what: str) -> Path:
    """Return the folder of one of the project's own games. Raises UsageError for an unknown game, and for
    one that ships with cardgen, whose files (named by `what`) are read-only."""
    folder = project.root / "data" / game
    if not is_there(folder / "game.yaml"):
        must_exist("game", game, project.games())
        raise UsageError(
            f"{game} ships with cardgen, so its {what} can't be changed",
            "start a game of your own: cardgen new NAME",
        )
    return folder


def chosen_components(game: Game, names: Iterable[str]) -> tuple[Component, ...]:
    """Return the named components, in the game's order; all if none is named. Raises UsageError for an
    unknown one."""
    wanted = tuple(names)
    ids = [component.id for component in game.components]
    for name in wanted:
        must_exist("component", name, ids, game)
    return tuple(each for each in game.components if not wanted or each.id in wanted)


MOST_NAMED = 3
"""Most cards in a file's name."""


def file_stem(
    sheet: GameSheet,
    layout: SheetLayout,
    imposed: ImposedSheet,
    options: BuildOptions,
    *,
    is_book: bool,
    incomplete: bool = False,
) -> str:
    """Return the name of a sheet's file without `.pdf`: the sheet's, then, each after a dot, the options
    that make this build differ. Names of sheets and options have no dots."""
    parts = [f"{sheet.name}-low-ink" if options.low_ink else sheet.name]
    if not is_book:  # books are always complete
        chosen = [id for id in sheet.components if id in options.components]
        if options.components and chosen != list(sheet.components):
            parts += chosen
        if options.cards:
            parts.append(_cards(options.cards))
        if options.since is not None:
            parts.append(f"since-{options.since[:10]}")
        if options.players is not None:
            parts.append(f"{options.players}-players")
        if options.sets is not None:
            parts.append(f"{options.sets}-sets")
    if imposed.paper != DEFAULT_PAPER and (layout.double or imposed.paper in options.papers):
        parts.append(imposed.paper)
    in_pairs = not is_book or layout.grid == "booklet"
    # A sheet without backs stays the same, and so may one that can't be folded. Pages of single sides have
    # the same backs for every edge.
    gains_backs = layout.grid == "single" and layout.duplex == "none"
    in_this_way = options.duplex == imposed.duplex or (options.duplex is not None and gains_backs)
    if in_pairs and in_this_way and options.duplex != layout.duplex:
        parts.append(f"duplex-{options.duplex}")
    if not is_book and not options.backs:
        parts.append("no-backs")
    if in_pairs and options.printer is not None:
        parts.append(f"printer-{options.printer}")
    if options.image_dpi is not None:
        parts.append(f"{options.image_dpi}-dpi")
    if options.press is not None:
        parts += options.press.name_parts
    if "spot" in options.cut and not is_book:
        parts.append("cuts")
    if incomplete:
        parts.append("incomplete")
    return ".".join(parts)


def _cards(ids: tuple[str, ...]) -> str:
    """Return the part of a file's name for chosen cards: their ids if they are few. File names can't
    contain patterns."""
    named = sorted(set(ids))
    patterns = any(map(is_pattern, named))
    if len(named) <= MOST_NAMED and not patterns:
        return ".".join(named)
    digest = blake2b(" ".join(named).encode(), digest_size=3).hexdigest()
    return f"cards-{digest}" if patterns else f"{len(named)}-cards-{digest}"


CutFormat = Literal["svg", "dxf", "pdf", "png", "spot"]
"""`spot` is no file: the sheet's own PDF contains the lines."""
CUT_FORMATS: tuple[CutFormat, ...] = get_args(CutFormat)
