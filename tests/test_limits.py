"""docs/limits.md says what the code holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cardgen.commands.production import git
from cardgen.core import budget
from cardgen.core import formats as capping
from cardgen.core import game as dice
from cardgen.core import game as name_patterns
from cardgen.core import sheets as extremes
from cardgen.files import cache
from cardgen.files import table_grid as grid
from cardgen.files import tables as meter
from cardgen.files import yaml as reader
from cardgen.files.confinement_limits import Limits
from cardgen.files.reading import PDF, TABLE, YAML
from cardgen.game import deck_text, schema_findings
from cardgen.game import json_values as steps
from cardgen.game import patterns as ecma_patterns
from cardgen.game import schema_store as resolving
from cardgen.pdf import file_facts, flattening, painted
from cardgen.pdf import pixels as raster
from cardgen.rules import expressions as language
from cardgen.rules import expressions as patterns
from cardgen.rules import judging as judge
from cardgen.svg import tree as limits
from cardgen.workbench import studio as limited
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
LIMITS = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
CI = (ROOT / "docs/ci.md").read_text(encoding="utf-8")


def of_schema(file: str, *path: str) -> int:
    value = json.loads((ROOT / "schemas" / file).read_text(encoding="utf-8"))
    for step in path:
        value = value[step]
    assert isinstance(value, int)
    return value


@for_each(
    ("row", "figures"),
    [
        ("processor time", [budget.SECONDS / 60]),
        ("memory of the process", [Limits().memory / budget.GIGABYTE]),
        ("processor time of the process", [Limits().seconds]),
        (
            "one file, all files that it adds",
            [Limits().file_size / budget.GIGABYTE, Limits().written / budget.GIGABYTE],
        ),
        ("open files", [Limits().open_files]),
        ("steps of a rule, of all rules of a file", [language.MAX_STEPS, judge.MAX_STEPS]),
        (
            "characters of a pattern, of the searched text",
            [patterns.MAX_PATTERN, patterns.MAX_TEXT],
        ),
        (
            "characters of a name with `*`",
            [name_patterns.MAX_NAME_PATTERN],
        ),
        ("memory that the command adds", [budget.MEMORY / budget.GIGABYTE]),
        ("bytes of written files, with cache", [budget.WRITTEN / budget.GIGABYTE]),
        ("bytes of the user's cache", [cache.MOST_BYTES / budget.GIGABYTE]),
        (
            "drawing steps repeated by `use`, patterns, markers, masks and clip paths",
            [limits.MOST_REPEATED],
        ),
        (
            "pixels of all layers, masks and gradients, at 300 dpi",
            [limits.FILTER_DPI, limits.MOST_PAINTED / 1e6],
        ),
        ("transparent layers, nested", [limits.MOST_LAYERS, limits.MOST_LAYER_DEPTH]),
        (
            "processor time, memory of a picture in the workbench",
            [limited.MOST_SECONDS, limited.MOST_MEMORY / 1e6],
        ),
        ("side of a trim or of paper", [extremes.MIN_TRIM, extremes.MAX_TRIM]),
        ("bleed of a component", [extremes.MAX_BLEED]),
        ("gutter, bleed, margin, overlap of a sheet", [extremes.MAX_GUTTER]),
        (
            "a box's `stock` and `paper`, its `play`",
            [extremes.MAX_STOCK, extremes.MAX_PLAY],
        ),
        ("side of a book's page", [extremes.LEAST_PAGE, extremes.MAX_TRIM]),
        (
            "players",
            [1, of_schema("game.schema.json", "properties", "players", "properties", "max", "maximum")],
        ),
        (
            "components, sheets of a game",
            [
                of_schema("game.schema.json", "properties", "components", "maxProperties"),
                of_schema("game.schema.json", "properties", "sheets", "maxProperties"),
            ],
        ),
        ("pieces of a game, with copies", [extremes.MAX_PIECES]),
        ("faces of a die", [dice.LEAST_FACES, dice.MOST_FACES]),
        ("pages of a sheet", [extremes.MAX_PAGES]),
        ("tiles of a board", [extremes.MAX_TILES]),
        ("pixels of a piece's picture", [raster.MAX_PIXELS / 1e6]),
        ("spot colors", [of_schema("game.schema.json", "properties", "spots", "maxProperties")]),
        ("transparent parts of a side that become pictures", [flattening.MOST]),
        ("a YAML file, a schema", [YAML.most / 1024 / 1024]),
        ("values in a YAML file, with repeats by aliases", [reader.MAX_VALUES]),
        ("nesting of lists and mappings", [reader.MAX_DEPTH]),
        (
            "lines of a deck list as text or table, characters of a line",
            [deck_text.MAX_LINES, deck_text.MAX_LINE],
        ),
        ("bytes of a table", [TABLE.most / 1024 / 1024]),
        ("cells with values", [meter.CELLS.most]),
        ("rows times named columns, with empty cells", [meter.SEEN.most]),
        ("rows, columns with values", [meter.ROWS.most, meter.COLUMNS.most]),
        ("characters of a cell, of a column's name", [meter.TEXT.most, grid.MOST_NAME]),
        ("all parts of a workbook, unpacked", [meter.UNPACKED.most / meter.MB]),
        ("XML elements of a workbook", [meter.ELEMENTS.most]),
        (
            "font families, faces of a family",
            [
                of_schema("fonts.schema.json", "properties", "families", "maxProperties"),
                of_schema(
                    "fonts.schema.json",
                    *("properties", "families", "additionalProperties", "properties", "faces", "maxItems"),
                ),
            ],
        ),
        ("a PDF that `preflight` reads, its pages", [PDF.most / 1024 / 1024, file_facts.MOST_PAGES]),
        ("instructions of such a PDF", [painted.MOST_INSTRUCTIONS]),
        (
            "schemas in a schema, each reference counted",
            [resolving.MAX_PARTS],
        ),
        ("nesting of schemas, references followed", [resolving.MAX_LEVELS]),
        ("a pattern", [ecma_patterns.MAX_PATTERN]),
        ("repeats of a quantifier, such as `{1,40}`", [1, 40, ecma_patterns.MAX_REPEATS]),
        ("steps of checking one file", [steps.STEPS, steps.STEPS_A_VALUE]),
    ],
)
def test_the_page_of_limits(row: str, figures: list[float]) -> None:
    (line,) = [line for line in LIMITS.splitlines() if line.startswith(f"| {row} |")]
    found = [float(each.replace(",", "")) for each in re.findall(r"\d+(?:,\d{3})*", line)]
    assert found == figures


def test_the_page_of_limits_has_those_of_commits() -> None:
    bounds = f"{git.MOST_FILES:,} files, links and submodules in the project, and {git.MOST_BYTES >> 30} GB"
    assert f"at most {bounds}" in LIMITS


def test_the_page_of_limits_has_those_of_tables() -> None:
    _, _, other = " ".join(LIMITS.split()).partition("Other bounds: ")
    for bound, words in (
        (meter.CHARACTERS, "{} characters"),
        (meter.ITEMS, "{} items of lists"),
        (meter.MERGES, "{} ranges of merged cells"),
        (meter.MERGED, "cover {} rows"),
        (meter.FINDINGS, "{} problems"),
        (meter.PARTS, "{} parts of 32 MB"),
        (meter.TEXTS, "{} shared texts"),
        (meter.STYLES, "{} styles"),
    ):
        assert words.format(f"{bound.most:,}") in other
    assert (meter.PART.most // meter.MB, meter.TOKEN.most // meter.MB) == (32, 1)


@for_each(
    ("figure", "text"),
    [
        (capping.MOST_ALIKE, "at most {} of one kind per file"),
        (capping.MOST, "and {} in all"),
        (reader.MAX_PROBLEMS, "{} problems in reading"),
        (schema_findings.MOST_FINDINGS, "{} schema findings in a file"),
    ],
)
def test_what_the_page_on_checking_says_of_findings(figure: int, text: str) -> None:
    assert text.format(f"{figure:,}") in " ".join(CI.split())
