"""Every file in tests/examples/templates is a test: its first line says which findings are expected.

{# expect: svg/color 4; text/size 9 #}      codes with the template's line, "-" for the card's
{# expect: nothing #}
"""

from __future__ import annotations

from pathlib import Path

from tests.art.support import Workshop
from tests.for_each import for_each

EXAMPLES = sorted((Path(__file__).parents[1] / "examples" / "templates").glob("*.svg"))


def expected(text: str) -> list[tuple[str, int | None]]:
    head = text.splitlines()[0].removeprefix("{# expect: ").removesuffix(" #}")
    if head == "nothing":
        return []
    entries = (entry.split() for entry in head.split(";"))
    return sorted((code, None if line == "-" else int(line)) for code, line in entries)


@for_each("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, shop: Workshop) -> None:
    text = path.read_text("utf-8")
    shop.write("demo/card.svg", text)
    found = []
    for finding in shop.render().findings:
        assert finding.location is not None
        of_template = finding.location.file == "templates/demo/card.svg"
        found.append((finding.code, finding.location.line if of_template else None))
    assert sorted(found) == expected(text)
