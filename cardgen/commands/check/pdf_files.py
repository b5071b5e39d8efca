"""A preflight of a PDF of any program, before it goes to a print shop: facts, and what shops send back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError, plural
from cardgen.core.geometry import MM_PER_PT
from cardgen.core.records import dataclass
from cardgen.files.confinement_limits import is_confined
from cardgen.files.reading import PDF, is_there, read_file
from cardgen.pdf.file_facts import Box, LockedError, PageFacts, PdfFacts, UnreadableError, read_facts
from cardgen.pdf.painted import LARGE_TEXT, MANY_INKS, SMALL_TEXT, THIN_LINE
from cardgen.pdf.separations import PageInk, SeparationError, page_inks

LEAST_DPI, LEAST_LINE_ART_DPI = 200, 600
"""Pixels an inch below which an image, or one of black and white, looks coarse in print."""
LEAST_BLEED = 2.0
"""mm. Shops ask for 2 to 3."""
_MOST_PAGES = 6
"""Pages that a message names."""
_WITHOUT_TRANSPARENCY = ("PDF/X-1", "PDF/X-3")


@dataclass(frozen=True, slots=True)
class Preflight:
    """A file's facts, the ink of its pages (None if not measured) and its findings."""

    name: str
    bytes: int
    facts: PdfFacts
    inks: list[PageInk] | None
    findings: tuple[Finding, ...]

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the lines of the table: what and how."""
        facts, total = self.facts, self.facts.total
        about = f"PDF {facts.version}, {plural(facts.page_count, 'page')}, {_bytes(self.bytes)}"
        yield "file", f"{about}{f', by {facts.producer}' if facts.producer else ''}"
        yield "standard", ", ".join(facts.claims) or "none"
        yield "output intent", _intent(facts)
        yield "pages", "; ".join(sorted({_sizes(page) for page in facts.pages})[:4]) or "none"
        colors = sorted(total.colors.items(), key=lambda entry: (-entry[1], entry[0].name))
        yield "colors", ", ".join(f"{space.name} {count:,}" for space, count in colors[:12]) or "none"
        missing = [font.name for font in facts.fonts if not font.embedded]
        embedded = f"{len(missing)} not embedded" if missing else "all embedded"
        yield "fonts", f"{len(facts.fonts)}, {embedded}" if facts.fonts else "none"
        counts = total.counts
        smallest = f", smallest {total.least['text']:.1f} pt" if counts["text"] else ""
        yield "text", f"{plural(counts['text'], 'run')}{smallest}"
        thinnest = f", thinnest {total.least['line']:.2f} pt" if counts["lines"] else ""
        yield "lines", f"{counts['lines']:,}{thinnest}"
        coarsest = [
            f"{total.least[each]:.0f} {each}" for each in ("dpi", "line art dpi") if each in total.least
        ]
        yield "images", f"{counts['images']:,}{''.join(f', lowest {each}' for each in coarsest)}"
        black = f"{counts['black text over']:,} of {plural(counts['black text'], 'run')} of black text"
        yield "overprint", black if counts["black text"] else "no text in black ink"
        yield "transparency", ", ".join(sorted(total.transparent)) or "none"
        if self.inks is not None:
            most = max(range(len(self.inks)), key=lambda number: self.inks[number].most)  # type: ignore[index]
            mixed = any(space.model in ("rgb", "lab") for space in total.colors)
            how = ", RGB as Ghostscript converts it" if mixed else ""
            yield "ink", f"at most {self.inks[most].most * 100:.0f} %, on page {most + 1}{how}"
        else:
            yield "ink", "not measured"

    def plain(self) -> dict[str, Any]:
        """Return the facts as plain data for JSON."""
        facts, total = self.facts, self.facts.total
        return {
            "file": self.name,
            "version": facts.version,
            "producer": facts.producer,
            "pages": facts.page_count,
            "pages_read": len(facts.pages),
            "standards": list(facts.claims),
            "output_intent": {"condition": facts.condition, "profile": facts.profile}
            if facts.has_intent
            else None,
            "boxes": [{name: list(box) for name, box in page.boxes.items()} for page in facts.pages],
            "colors": {space.name: count for space, count in sorted(total.colors.items(), key=str)},
            "fonts": [
                {"name": font.name, "type": font.kind, "embedded": font.embedded} for font in facts.fonts
            ],
            "counts": dict(sorted(total.counts.items())),
            "least": {name: round(value, 3) for name, value in sorted(total.least.items())},
            "transparency": sorted(total.transparent),
            "ink": None
            if self.inks is None
            else [{"most": round(ink.most * 100), "area_over": ink.over} for ink in self.inks],
        }


def preflight(path: Path, ink_limit: int = 300) -> Preflight:
    """Return the preflight of a file. Ink, in percent, is measured if Ghostscript is there. Raises
    UsageError for a missing file, CardgenError for one that can't be read."""
    name = os.fspath(path)
    if not is_there(path):
        raise UsageError(f"there is no file '{name}'", "name a PDF: cardgen preflight FILE.pdf")
    content = read_file(path, PDF, name, None)
    place = Location(name)
    try:
        facts = read_facts(content)
    except LockedError as error:
        message = "the PDF is protected by a password"
        raise _refused(place, message, "save it without a password: no press opens it") from error
    except UnreadableError as error:
        message = "this is no PDF that can be read"
        raise _refused(place, message, "export it again from the program that made it") from error
    findings = Findings()
    inks = _inks(path, facts, ink_limit, place, findings)
    _Examiner(facts, place, findings).all()
    if inks is not None:
        _judge_ink(inks, ink_limit, place, findings)
    return Preflight(name, len(content), facts, inks, tuple(findings.sorted()))


def _refused(place: Location, message: str, hint: str) -> CardgenError:
    return CardgenError(Finding(Severity.ERROR, "pdf/unreadable", message, place, hint))


def _inks(
    path: Path, facts: PdfFacts, ink_limit: int, place: Location, findings: Findings
) -> list[PageInk] | None:
    sizes = [_size(page.boxes["MediaBox"]) for page in facts.pages if "MediaBox" in page.boxes]
    try:
        if is_confined():
            raise SeparationError("a sandboxed command starts no other program")
        return page_inks(path, max((w * h / 72**2 for w, h in sizes), default=1.0), ink_limit / 100)
    except SeparationError as error:
        hint = "install Ghostscript, and for your own files run this without --sandboxed"
        findings.note("pdf/ink", f"ink is not measured: {error}", place, hint)
        return None


def _judge_ink(inks: Sequence[PageInk], ink_limit: int, place: Location, findings: Findings) -> None:
    heavy = [number for number, ink in enumerate(inks, 1) if ink.over > 0]
    if heavy:
        most = max(ink.most for ink in inks) * 100
        area = sum(ink.over for ink in inks)
        message = (
            f"{area:,.0f} mm² have more than {ink_limit} % ink, at most {most:.0f} % ({_named(heavy)})"
        )
        findings.warning(
            "pdf/ink", message, place, "convert it by the shop's profile, or use lighter colors"
        )


class _Examiner:
    """Turns facts into findings."""

    def __init__(self, facts: PdfFacts, place: Location, findings: Findings) -> None:
        self._facts, self._place, self._findings = facts, place, findings
        self._total = facts.total
        self._strict = bool(facts.claims)
        self._opaque_only = any(claim.startswith(_WITHOUT_TRANSPARENCY) for claim in facts.claims)

    def all(self) -> None:
        for examine in (self._standard, self._boxes, self._fonts, self._colors, self._text, self._reading):
            examine()

    def _say(self, severity: Severity, code: str, message: str, hint: str | None = None) -> None:
        self._findings.extend([Finding(severity, f"pdf/{code}", message, self._place, hint)])

    def _claimed(self, code: str, message: str, hint: str | None = None) -> None:
        """Say something that is an error if the file claims a standard, and else a warning."""
        self._say(Severity.ERROR if self._strict else Severity.WARNING, code, message, hint)

    def _on(self, matches: Callable[[PageFacts], bool]) -> str:
        return _named([number for number, page in enumerate(self._facts.pages, 1) if matches(page)])

    def _counted(self, name: str) -> str:
        return self._on(lambda page: page.tally.counts[name] > 0)

    def _standard(self) -> None:
        facts = self._facts
        again = "export it as PDF/X-4, or as the standard that the shop names"
        if not facts.claims:
            self._say(Severity.WARNING, "standard", "the file names no PDF/X standard", again)
        if len(facts.claims) > 1:
            named = " and ".join(facts.claims)
            self._say(Severity.ERROR, "standard", f"the file names several standards: {named}", again)
        if self._strict and not (facts.has_intent and (facts.condition or facts.profile)):
            self._say(
                Severity.ERROR, "standard", "no output intent says which press the inks are for", again
            )
        if facts.profile == "damaged":
            self._say(Severity.ERROR, "standard", "the profile of the output intent is damaged", again)
        if self._strict and facts.trapped not in ("True", "False"):
            self._say(Severity.ERROR, "standard", "the file doesn't say if it is trapped (Trapped)", again)
        for word in facts.forbidden:
            self._claimed("standard", f"the file contains {word}", "remove them: no press runs them")
        if facts.encrypted:
            self._claimed("standard", "the file is encrypted", "save it without protection")
        if self._strict and any(page.annotations for page in facts.pages):
            where = self._on(lambda page: page.annotations > 0)
            message = f"pages have links or comments ({where}), which PDF/X forbids where it prints"
            self._say(Severity.WARNING, "standard", message, "remove them")
        if self._opaque_only and self._total.transparent:
            kinds = ", ".join(sorted(self._total.transparent))
            where = self._on(lambda page: bool(page.tally.transparent))
            message = f"{facts.claims[0]} allows no transparency: {kinds} ({where})"
            self._say(Severity.ERROR, "standard", message, "flatten it, or ask the shop for PDF/X-4")

    def _boxes(self) -> None:
        pages = self._facts.pages
        without = self._on(lambda page: not {"TrimBox", "ArtBox"} & set(page.boxes))
        if without:
            hint = "export with a trim box, or tell the shop the trim size"
            self._claimed("boxes", f"no TrimBox says where the paper is cut ({without})", hint)
        narrow = [
            (bleed, number) for number, page in enumerate(pages, 1) if (bleed := _bleed(page)) is not None
        ]
        narrow = [each for each in narrow if each[0] < LEAST_BLEED]
        if narrow:
            where = _named([number for _, number in narrow])
            message = f"the bleed is {min(narrow)[0]:.1f} mm ({where})"
            hint = "single cards need 2 to 3 mm; sheets that are cut apart have it inside"
            self._say(Severity.NOTE, "boxes", message, hint)
        if len({_sizes(page) for page in pages}) > 1:
            self._say(
                Severity.NOTE,
                "boxes",
                "pages differ in size",
                "ask the print shop if one file may have several",
            )

    def _fonts(self) -> None:
        for font in self._facts.fonts:
            if not font.embedded:
                message = f"the font {font.name} ({font.kind}) is not embedded, so another may be printed"
                self._say(Severity.ERROR, "fonts", message, "export with all fonts embedded")
        drawn = [font.name for font in self._facts.fonts if font.kind == "Type3"]
        if drawn:
            message = f"{plural(len(drawn), 'font')} of type 3, whose letters some presses draw coarsely"
            self._say(Severity.NOTE, "fonts", message, "embed fonts as TrueType or OpenType")

    def _colors(self) -> None:
        light = [space for space in self._total.colors if space.model in ("rgb", "lab")]
        if light:
            names = ", ".join(sorted(space.name for space in light))
            count = sum(self._total.colors[space] for space in light)
            where = self._on(lambda page: any(space in page.tally.colors for space in light))
            severity = Severity.ERROR if self._opaque_only and self._is_x1() else Severity.WARNING
            message = (
                f"{plural(count, 'object')} in {names} ({where}): the shop's conversion picks the inks"
            )
            hint = "convert to CMYK by the shop's profile; black text may become four inks otherwise"
            self._say(severity, "rgb", message, hint)
        over = self._total.counts["white over"]
        if over:
            objects = f"{plural(over, 'object')} ({self._counted('white over')})"
            message = f"white overprints, so it vanishes: {objects}"
            self._say(Severity.ERROR, "overprint", message, "turn overprint off for white")

    def _is_x1(self) -> bool:
        return any(claim.startswith("PDF/X-1") for claim in self._facts.claims)

    def _text(self) -> None:
        counts, least = self._total.counts, self._total.least
        if counts["small text of many inks"]:
            where = self._counted("small text of many inks")
            text = plural(counts["small text of many inks"], "run")
            message = (
                f"{text} of text below {SMALL_TEXT:g} pt in {MANY_INKS} or 4 inks, "
                f"smallest {least['small text']:.1f} pt ({where})"
            )
            self._say(Severity.WARNING, "small-text", message, "use one ink or two, or larger letters")
        knocked = counts["black text"] - counts["black text over"]
        if knocked:
            count = f"{knocked:,} of {plural(counts['black text'], 'run')}"
            message = f"black text below {LARGE_TEXT:g} pt doesn't overprint: {count}"
            hint = "on tints, set black text to overprint, unless the shop traps"
            self._say(Severity.NOTE, "overprint", message, hint)
        if counts["thin lines"]:
            message = (
                f"{plural(counts['thin lines'], 'line')} thinner than {THIN_LINE} pt, "
                f"thinnest {least['line']:.2f} pt ({self._counted('thin lines')})"
            )
            self._say(Severity.WARNING, "thin-line", message, f"make lines {THIN_LINE} pt or wider")
        for name, limit, what in (
            ("dpi", LEAST_DPI, "image"),
            ("line art dpi", LEAST_LINE_ART_DPI, "one-bit image"),
        ):
            if least.get(name, limit) < limit:
                where = self._on(partial(_is_below, name, limit))
                message = f"an {what} has {least[name]:.0f} dpi ({where})".replace("an one", "a one")
                self._say(Severity.WARNING, "resolution", message, f"use images of {limit} dpi or more")

    def _reading(self) -> None:
        facts, broken = self._facts, self._total.counts["broken streams"]
        if broken:
            message = f"{plural(broken, 'instruction')} can't be read ({self._counted('broken streams')})"
            self._say(Severity.WARNING, "damaged", message, "export it again from the program that made it")
        if facts.limit is not None:
            message = (
                f"only {len(facts.pages)} of {plural(facts.page_count, 'page')} were read: {facts.limit}"
            )
            self._say(Severity.WARNING, "limit", message, "split or simplify the file")


def _named(pages: Sequence[int]) -> str:
    """Return page numbers in words: `page 1`, `pages 1, 3 to 5 and 9 more`."""
    runs: list[list[int]] = []
    for number in pages:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [str(a) if a == b else f"{a} to {b}" for a, b in runs[:_MOST_PAGES]]
    rest = sum(b - a + 1 for a, b in runs[_MOST_PAGES:])
    more = f" and {rest} more" if rest else ""
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(shown)}{more}" if pages else ""


def _bytes(count: int) -> str:
    return f"{count / 1e3:.1f} kB" if count < 100_000 else f"{count / 1e6:.2f} MB"


def _is_below(name: str, limit: float, page: PageFacts) -> bool:
    return page.tally.least.get(name, limit) < limit


def _size(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _sizes(page: PageFacts) -> str:
    def words(name: str) -> str:
        width, height = (side * MM_PER_PT for side in _size(page.boxes[name]))
        return f"{width:.1f} × {height:.1f} mm"

    found = words("MediaBox") if "MediaBox" in page.boxes else "no size"
    if "TrimBox" in page.boxes:
        found += f", trim {words('TrimBox')}"
    bleed = _bleed(page)
    return found if bleed is None else f"{found}, bleed {bleed:.1f} mm"


def _bleed(page: PageFacts) -> float | None:
    """Return the least bleed of a page in mm, None without a trim box."""
    trim = page.boxes.get("TrimBox")
    if trim is None:
        return None
    around = page.boxes.get("BleedBox") or page.boxes.get("CropBox") or page.boxes["MediaBox"]
    gaps = (trim[0] - around[0], trim[1] - around[1], around[2] - trim[2], around[3] - trim[3])
    return max(0.0, min(gaps) * MM_PER_PT)


def _intent(facts: PdfFacts) -> str:
    if not facts.has_intent:
        return "none"
    profile = "no profile" if facts.profile is None else f"profile {facts.profile}"
    return f"{facts.condition or 'unnamed'}, {profile}"
