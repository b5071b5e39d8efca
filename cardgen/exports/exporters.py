"""What `cardgen export GAME --to NAME` can make: the table of exporters, each one line.

An exporter is a module with a function `plan(job: ExportJob) -> list[PlannedFile]`. It is imported only
when it is asked for, so this table costs nothing to read. Print services are not in the table: each file
of `data/services/` is one, and they all have the exporter `SERVICE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from urllib.parse import quote, urlsplit

from cardgen.core.findings import UsageError, did_you_mean
from cardgen.core.geometry import parse_length
from cardgen.core.sheets import LEAST_INK, MAX_BLEED, MOST_INK

_HINT = "such as https://example.com/games/fox: where the files of this export will lie"


def web_address(text: str) -> str:
    """An address that file names can be appended to, without its last slash, other letters than ASCII
    as `%` and digits. Raises UsageError for what is no such address."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port  # the port is looked at when it is asked for
    except ValueError:
        raise UsageError(f"--base-url '{text}' is no address", _HINT, "usage/base-url") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s\\]", text):
        message = f"--base-url '{text}' is no address that begins with https://"
        raise UsageError(message, _HINT, "usage/base-url")
    if "?" in text or "#" in text:
        message = f"--base-url '{text}' can't have a ? or #: file names are appended to it"
        raise UsageError(message, _HINT, "usage/base-url")
    named = parts._replace(scheme=parts.scheme, path=quote(parts.path, safe="/%:@!$&'()*+,;=~"))
    return named.geturl().rstrip("/")


def local_address(path: PurePath) -> str:
    """A file here, by its absolute path, as Tabletop Simulator reads it: `file:///` and the path letter
    by letter. It takes a space for a space, and `%20` for three letters (makers of its saves)."""
    text = path.as_posix()
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"


Value = str | int | bool | None
"""A setting: text, a whole number, or whether a switch is on. None is a setting that has no default."""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of some exporters, on the command line `--NAME` (a switch if `default` is a bool).

    `least` and `most` bound whole numbers, `choices` are the only texts there are, `check` raises
    UsageError for a text that can't be.
    """

    name: str
    default: Value
    help: str
    metavar: str = "N"
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    check: Callable[[str], object] | None = None

    @property
    def argument(self) -> dict[str, Any]:
        """What argparse is told of it; a setting that is not given is None there."""
        targets = [name for name, exporter in EXPORTERS.items() if self.name in exporter.options]
        targets += ["print services"] if self.name in SERVICE.options else []
        help = f"{self.help} ({', '.join(targets)})".replace("%", "%%")
        if isinstance(self.default, bool):
            return {"action": "store_const", "const": True, "help": help}
        return {"type": int if self.least is not None else str, "metavar": self.metavar, "help": help}


@dataclass(frozen=True, slots=True)
class Exporter:
    """A line of the table: one sentence for the help, the module, the names of its options, and
    whether it asks for drawn sides at all, for the rulebooks as PDF, for what tables on screens are told
    (`job.tabletop`), for sides with the items laid out on them or for the cards of deck lists
    (`job.database`)."""

    summary: str
    module: str
    options: tuple[str, ...] = ()
    art: bool = True
    books: bool = False
    tabletop: bool = False
    items: bool = False
    database: bool = False
    lasting: tuple[str, ...] = ()
    """Folders of an export whose files stay when a later one does not make them, unless `--prune` is
    given: what others may refer to."""


def _length(text: str) -> None:
    """Raise UsageError for what is no length from 0 to 25 mm."""
    try:
        good = 0 <= parse_length(text) <= MAX_BLEED
    except ValueError as error:
        raise UsageError(f"--bleed-width: {error}", "such as 3mm or 0.125in") from None
    if not good:
        raise UsageError(f"--bleed-width {text} is not between 0mm and {MAX_BLEED:g}mm")


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("dpi", 300, "pixels an inch", least=10, most=2400),
        Option("bleed", False, "with the bleed, corners left square"),
        Option("square-corners", False, "leave the corners square"),
        Option("opaque", False, "white outside the shape, instead of transparent"),
        Option("images", "png", "how pictures are packed: png or jpeg", "TYPE", choices=("png", "jpeg")),
        Option("max-texture", 4096, "pictures stay under so many pixels a side", least=256, most=16384),
        Option(
            "base-url",
            None,
            "where pictures and books will be hosted (default: here)",
            "URL",
            check=web_address,
        ),
        Option(
            "install", False, "copy the table and saved objects to where Tabletop Simulator looks for them"
        ),
        Option(
            "fit",
            None,
            "nearest: make what a service has no size for fit its nearest product",
            "HOW",
            choices=("nearest",),
        ),
        Option("push", False, "renew the game on the table of Tabletop Simulator that is running here"),
        Option("publish", None, "copy what is to be hosted at --base-url into this folder", "DIR"),
        Option("sharp", False, "cards with all of their pixels, on more atlases if need be"),
        Option(
            "scale",
            "true",
            "true: as large as printed; native: poker cards as large as the program's own",
            "HOW",
            choices=("true", "native"),
        ),
        Option(
            "pdf",
            None,
            "what a PDF holds: a card, a deck or all of one size",
            "WHAT",
            choices=("card", "deck", "size"),
        ),
        Option("bleed-width", None, "bleed of PDF pages, such as 3mm or 0.125in", "LENGTH", check=_length),
        Option("color", None, "colours of PDF: rgb, or cmyk for a press", "WHAT", choices=("rgb", "cmyk")),
        Option("profile", None, "the press: coated (default), or its ICC file (with --color cmyk)", "NAME"),
        Option(
            "ink-limit",
            None,
            "the most ink in per cent, all four together (default 300; with --color cmyk)",
            least=LEAST_INK,
            most=MOST_INK,
        ),
        Option("upload", False, "put the order into your account there, as the environment's TGC_… say"),
        Option("dry-run", False, "with --upload: only say what would be uploaded"),
        Option(
            "standard",
            None,
            "x4: PDF/X-4 (default), x1a: PDF/X-1a:2003 (with --color cmyk)",
            "NAME",
            choices=("x4", "x1a"),
        ),
        Option("stock", None, "what cards.xml says to print on: S30, S27, S33, M31 or P10", "CODE"),
        Option("tts-dir", None, "install to this data folder of Tabletop Simulator", "DIR"),
        Option("into", None, "renew the game in this save, and leave what you made there", "FILE"),
        Option("prune", False, "remove pictures and books of earlier exports, which saves may still name"),
    )
}

EXPORTERS: dict[str, Exporter] = {
    "png": Exporter(
        "every side as a PNG file, cut to the shape of the piece",
        "cardgen.exports.png",
        ("dpi", "bleed", "square-corners", "opaque"),
    ),
    "svg": Exporter(
        "every side as an SVG file of its own, type as outlines",
        "cardgen.exports.svg",
        ("bleed", "square-corners"),
        items=True,
    ),
    "tts": Exporter(
        "a whole table, set up, and a saved object a component, for Tabletop Simulator",
        "cardgen.exports.tts",
        (
            "dpi",
            "images",
            "max-texture",
            "base-url",
            "publish",
            "install",
            "tts-dir",
            "into",
            "prune",
            "push",
            "sharp",
            "scale",
        ),
        books=True,
        tabletop=True,
        lasting=("images/", "books/", "merged/"),
    ),
    "pcio": Exporter(
        "a room for playingcards.io and virtualtabletop.io", "cardgen.exports.pcio", tabletop=True
    ),
    "cockatrice": Exporter(
        "card database, pictures and decks for Cockatrice, of games with deck lists",
        "cardgen.exports.cockatrice",
        ("dpi", "images"),
        database=True,
    ),
    "vtt-kit": Exporter(
        "faces, backs, atlases and their list, for Tabletopia, Screentop and Tabletop Playground",
        "cardgen.exports.kit",
        ("dpi", "images", "max-texture", "sharp"),
        tabletop=True,
    ),
}


SERVICE = Exporter(
    "pieces as a print service wants them, with an order list",
    "cardgen.exports.services",
    (
        *("fit", "pdf", "bleed-width", "color", "profile", "ink-limit", "standard"),
        *("stock", "upload", "dry-run"),
    ),
)
"""The exporter of every print service."""


def find_exporter(name: str, services: Collection[str] = ()) -> Exporter:
    """The exporter of that name, which may be one of the print `services` of a project; UsageError,
    with the nearest name, if there is none, and for a service that has the name of something else."""
    if name in EXPORTERS and name in services:
        message = f"the print service '{name}' has the name of another exporter"
        raise UsageError(message, f"rename data/services/{name}.yaml", "usage/exporter")
    if name in services:
        return SERVICE
    if name not in EXPORTERS:
        known = sorted({*EXPORTERS, *services})
        hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
        raise UsageError(f"nothing exports to '{name}'", hint, "usage/exporter")
    return EXPORTERS[name]


def settle(name: str, chosen: Mapping[str, Value], services: Collection[str] = ()) -> dict[str, Value]:
    """All settings of the exporter `name`, by the names of its options, those `chosen` over the
    defaults. Raises UsageError for an option that it does not have and for a value out of bounds."""
    exporter = find_exporter(name, services)
    settings: dict[str, Value] = {option: OPTIONS[option].default for option in exporter.options}
    for key, value in chosen.items():
        if key not in settings:
            known = ", ".join(f"--{option}" for option in exporter.options)
            hint = f"it takes {known}" if known else "it takes no options of its own"
            raise UsageError(f"--{key} means nothing to --to {name}", hint)
        _check(OPTIONS[key], value)
        settings[key] = value
    return settings


def _check(option: Option, value: Value) -> None:
    least, most = option.least, option.most
    if least is not None and most is not None and isinstance(value, int) and not least <= value <= most:
        raise UsageError(f"--{option.name} {value} is not between {least} and {most}")
    if option.choices and value not in option.choices:
        raise UsageError(f"--{option.name} {value} is none of {', '.join(option.choices)}")
    if option.check is not None and isinstance(value, str):
        option.check(value)
