"""Write a game and its judged rules as a report: a page, a PDF, or JSON for programs."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgen.core.findings import Finding
from cardgen.core.game import Component, Game
from cardgen.core.terminal import shown_json
from cardgen.files.reading import read_bundled
from cardgen.rules.charts import Faces, subset_base64
from cardgen.rules.report_content import Earlier, PressPage, Report, compared, deck_verdict, report_view
from cardgen.rules.report_fields import Crossed, crossed
from cardgen.rules.results import RuleResult, Table


def report(
    game: Game,
    results: Sequence[RuleResult],
    format: str,
    faces: Faces,
    cross: Sequence[tuple[str, str]] = (),
    earlier: Earlier | None = None,
    pictures: Mapping[Finding, bytes] | None = None,
    thumbnails: Mapping[str, Sequence[bytes]] | None = None,
    *,
    press: PressPage | None = None,
    playtests: Table | None = None,
) -> bytes:
    """Write a report as the content of a file, with a page on a press and a table of playtests if there
    are any.

    The same input gives the same bytes. `cross` are pairs of fields for cross-tables; `earlier` is the game
    to compare with; `pictures` are PNG files of the cards with findings, for pages; `thumbnails` are those
    of some cards of each component.

    Raises KeyError for a format that is not in FORMATS, UsageError for a pair that no component has.
    """
    found = compared(game, results, earlier) if earlier else None
    content = Report(
        game, results, crossed(game, cross), found, pictures or {}, press, playtests, thumbnails or {}
    )
    return FORMATS[format](content, faces)


_SPACE = re.compile(r"\s+")
_FONTS = "<style>\n/*fonts*/"
"""The place of the page's own fonts."""
_FAMILIES = (
    ("Report", 400, "regular"),
    ("Report", 600, "bold"),
    ("Report Narrow", 400, "narrow"),
    ("Report Narrow", 600, "narrow_bold"),
    ("Report Mono", 400, "mono"),
)
"""CSS family, weight and face in `Faces`."""


def _page(report: Report, faces: Faces) -> bytes:
    """Return one HTML page that contains its fonts, styles and charts."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(_bundled("page.html"))
    page = template.render(report_view(report, faces), css=_bundled("page.css"))
    # The glyphs depend on the text of the page, so the fonts come last.
    return page.replace(_FONTS, f"<style>\n{_font_rules(page, faces)}", 1).encode("utf-8")


def _font_rules(page: str, faces: Faces) -> str:
    """Return the style rules with the fonts, reduced to the characters of the page."""
    return "\n".join(
        f"@font-face {{ font-family: '{family}'; font-weight: {weight}; "
        f"src: url(data:font/ttf;base64,{subset_base64(getattr(faces, name), page)}) format('truetype'); }}"
        for family, weight, name in _FAMILIES
    )


def _pdf(report: Report, faces: Faces) -> bytes:
    return _typeset("report.typ", report_view(report, faces), faces)


def form_pdf(form: Mapping[str, Any], faces: Faces) -> bytes:
    """Return the form of a playtest as a PDF. `form` has the game's `title`, `version` and `author`, the
    `file` of the record, and `parts`: each with its `title` and the names of its `cards`."""
    return _typeset("playtest.typ", form, faces)


def _typeset(template: str, content: Any, faces: Faces) -> bytes:
    """Return a PDF made by Typst."""
    import pikepdf
    import typst  # loads 80 MB of code

    source: Any = _bundled(template).encode()
    content = typst.compile(
        source,
        font_paths=sorted({str(path.parent) for path in faces.paths()}),
        ignore_system_fonts=True,
        sys_inputs={"report": json.dumps(_safe(content, faces))},
        pdf_tags=False,  # tags would make it four times as large
        timestamp=0,
    )
    with pikepdf.open(io.BytesIO(content)) as document:
        for thing in document.objects:  # Typst lacks what ISO 32000-1 requires of TrueType fonts
            if isinstance(thing, pikepdf.Dictionary) and "/FontFile2" in thing:
                thing.FontFile2.Length1 = len(thing.FontFile2.read_bytes())
        document.docinfo["/Creator"] = "cardgen"
        out = io.BytesIO()
        document.save(out, deterministic_id=True)
    return out.getvalue()


def _safe(value: Any, faces: Faces) -> Any:
    """Return the content with characters that the fonts have, each text in one line; charts have them
    already."""
    if isinstance(value, dict):
        return {key: item if key == "svg" else _safe(item, faces) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_safe(item, faces) for item in value]
    return faces.safe(_SPACE.sub(" ", value)) if isinstance(value, str) else value


def _json(report: Report, faces: Faces) -> bytes:
    """Return `{"game", "version", "rules": [{"id", "verdict", "measures", "findings", …}], "components":
    [{"id", "cards": [{"id", "copies", "fields"}], …}]}` in UTF-8, with a last newline.

    Of a game with deck lists also `"decks": [{"id", "title", "cards", "verdict"}]`; a rule asked of a
    deck names it (`"deck"`). Of a report compared with an earlier revision also `"compared": {"with",
    "components", "rules"}`, a row of its tables each; for a press `"press"`, a `PressPage`."""
    content: dict[str, Any] = {
        "game": report.game.id,
        "version": report.game.version,
        "rules": [result.as_json() for result in report.results],
        "components": [
            _component(component, report.crossed.get(component.id, ()))
            for component in report.game.components
        ],
    }
    if report.compared:
        known = report.compared
        content["compared"] = {
            "with": known.name,
            **{
                key: [dict(zip(one.columns, row, strict=True)) for row in one.rows]
                for key, one in (("components", known.sizes), ("rules", known.rules))
            },
        }
    if report.game.decks:
        content["decks"] = [
            {
                "id": deck.id,
                "title": deck.title,
                "cards": deck.copies,
                "verdict": deck_verdict(deck, report.results)[0].value,
            }
            for deck in report.game.decks
        ]
    if report.playtests is not None:
        table = report.playtests
        content["playtests"] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    if report.press is not None:
        content["press"] = report.press.as_json()
    text = json.dumps(_plain(content), ensure_ascii=False, indent=2, allow_nan=False)
    return (shown_json(text) + "\n").encode("utf-8")


def _component(component: Component, crossed: Sequence[Crossed]) -> dict[str, Any]:
    return {
        "id": component.id,
        "title": component.title,
        "kind": component.kind,
        "distinct": component.unique,
        "copies": component.copies,
        "cards": [
            {
                "id": card.id,
                "copies": card.copies,
                "file": card.file,
                "fields": {key: value for key, value in card.fields.items() if key not in ("id", "copies")},
            }
            for card in component.cards
        ],
        **({"crossed": list(map(_crossed, crossed))} if crossed else {}),
    }


def _crossed(each: Crossed) -> dict[str, Any]:
    return {
        "down": each.down,
        "across": each.across,
        "rows": each.matrix.rows,
        "columns": each.matrix.columns,
        "values": [list(map(int, row)) for row in each.matrix.values],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can represent: infinity and similar numbers as words."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if (
        value is None
        or isinstance(value, bool | int | str)
        or (isinstance(value, float) and math.isfinite(value))
    ):
        return value
    return str(value)


def _bundled(name: str) -> str:
    return read_bundled("rules", name).decode("utf-8")


FORMATS: Mapping[str, Callable[[Report, Faces], bytes]] = {"html": _page, "pdf": _pdf, "json": _json}
