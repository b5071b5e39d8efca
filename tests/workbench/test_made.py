"""What a project offers to print and export, and the files that jobs have made, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.commands.data.new import new_project
from tests.workbench.served import Served, served


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_project("owls", tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def shop(project: Path) -> Iterator[Served]:
    with served(project) as running:
        yield running


def test_what_is_offered_is_what_the_project_knows_now(project: Path, shop: Served) -> None:
    offered = shop.ask("choices.json").json
    assert offered["papers"][0] == {"name": "letter", "size_mm": [215.9, 279.4]}
    assert offered["duplex"] == ["long-edge", "short-edge", "fold", "none"]
    assert {"png", "tts", "mpc"} <= set(offered["targets"])
    papers = project / "data" / "papers.yaml"
    papers.write_text("papers:\n  card-stock: {title: C, width: 8in, height: 10in, source: S}\n", "utf-8")
    assert shop.ask("choices.json").json["papers"][0]["name"] == "card-stock"
    services = project / "data" / "services"
    services.mkdir()
    (services / "corner-shop.yaml").write_text("title: The corner shop\nlike: printshop\n", "utf-8")
    assert "corner-shop" in shop.ask("choices.json").json["targets"]
    papers.write_text("papers:\n  card-stock: {title: C, width: 8, height: 10in, source: S}\n", "utf-8")
    refused = shop.ask("choices.json")
    assert refused.status == 409
    assert refused.json["findings"][0]["file"] == "data/papers.yaml"
    assert "unit" in refused.json["message"]
    papers.unlink()


def test_a_file_that_a_job_made_is_shown_and_no_other(project: Path, shop: Served) -> None:
    assert shop.ask("jobs/1/0").status == 404
    with shop.events() as events:
        shop.ask("jobs", method="POST", body={"kind": "build", "options": {}})
        made = next(job for kind, job in events if kind == "job" and job["state"] == "done")
    path = Path(made["files"][0]["path"])
    answer = shop.ask("jobs/1/0")
    assert (answer.status, answer.body) == (200, path.read_bytes())
    assert answer.headers["content-type"] == "application/pdf"
    assert "script" not in answer.headers["content-security-policy"]
    assert answer.headers["content-disposition"].startswith("inline; filename*=")
    assert shop.ask(f"jobs/1/{len(made['files'])}").status == 404
    assert shop.ask("jobs/1/-1").status == 404
    outside = project.parent / "secret.pdf"
    outside.write_bytes(b"%PDF- not the project's")
    path.unlink()
    assert shop.ask("jobs/1/0").status == 404
    path.symlink_to(outside)
    assert shop.ask("jobs/1/0").status == 404
