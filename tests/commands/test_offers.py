"""What a project offers where it is printed and exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.cli.main import main
from cardgen.commands.data.list import offers
from cardgen.commands.data.new import new_project
from cardgen.core.findings import CardgenError
from cardgen.files.project import Project


def test_a_project_s_own_come_with_those_of_cardgen(tmp_path: Path) -> None:
    root = new_project("owls", tmp_path)
    services = root / "data" / "services"
    services.mkdir()
    (services / "corner-shop.yaml").write_text("title: The corner shop\nlike: printshop\n", "utf-8")
    papers = root / "data" / "papers.yaml"
    papers.write_text("papers:\n  mine: {title: Mine, width: 8in, height: 10in, source: S}\n", "utf-8")
    found = offers(Project.open(root))
    assert found["papers"][0] == {"name": "mine", "size_mm": [203.2, 254.0]}
    assert {"letter", "a4"} <= {paper["name"] for paper in found["papers"]}
    assert found["targets"][0] == "png"
    assert {"corner-shop", "printshop"} <= set(found["targets"])
    assert len(set(found["targets"])) == len(found["targets"])
    papers.write_text("papers: {}\n", "utf-8")
    with pytest.raises(CardgenError):
        offers(Project.open(root))


def test_backs_meet_faces_in_the_ways_that_the_command_line_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = offers(Project.open(new_project("owls", tmp_path)))["duplex"]
    with pytest.raises(SystemExit):
        main(["build", "--help"])
    assert f"{{{','.join(found)}}}" in "".join(capsys.readouterr().out.split())
