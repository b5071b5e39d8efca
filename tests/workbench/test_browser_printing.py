"""Printing and exporting from where one looks: what is asked for, how far it is, the files at its end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.workbench.desk import Desk, view

PAPERS = "papers:\n  card-stock: {title: Card stock, width: 8in, height: 10in, source: the shop}\n"


def job(page: Page, words: str) -> Locator:
    """The last job whose card has these words."""
    return page.get_by_role("region", name="Jobs").get_by_role("article").filter(has_text=words).last


def done(page: Page, words: str) -> Locator:
    found = job(page, words)
    expect(found.get_by_text(re.compile(r"^Done · "))).to_be_visible()
    return found


def opened(page: Page, link: Locator) -> bytes:
    """What the browser gets at a link."""
    address = link.evaluate("link => link.href")
    answer = page.request.get(address)
    assert answer.status == 200
    assert "sandbox" in answer.headers["content-security-policy"] or address.count("/jobs/") == 1
    return answer.body()


def printed(desk: Desk) -> set[Path]:
    return set((desk.project / "output" / "owls").rglob("*.*"))


def test_the_sheet_that_is_shown_is_printed_alone_as_it_is_shown(desk: Desk, page: Page) -> None:
    game = desk.project / "data" / "owls" / "game.yaml"
    desk.edit(
        game,
        "  poker: {layout: poker, components: [cards]}",
        "  poker: {layout: poker, components: [cards]}\n  single: {layout: single, components: [cards]}",
    )
    (desk.project / "data" / "papers.yaml").write_text(PAPERS, encoding="utf-8")
    desk.open(page)
    sheets = view(page, "Sheets")
    paper = sheets.get_by_role("combobox", name="Paper to print on")
    expect(paper.get_by_role("option").first).to_have_text("card-stock")  # the project's own first
    expect(paper).to_have_value("letter")
    assert "a4" in paper.get_by_role("option").all_inner_texts()
    paper.select_option("card-stock")
    expect(sheets.get_by_text("203.2 × 254 mm")).to_be_visible()
    sheets.get_by_role("button", name="Low ink").click()
    before = printed(desk)
    sheets.get_by_role("button", name="Print this sheet").click()
    made = done(page, "poker, card-stock, low ink")
    [pdf] = made.get_by_role("link").all()
    assert opened(page, pdf).startswith(b"%PDF")
    [name] = {path.name for path in printed(desk) - before if path.suffix == ".pdf"}
    assert name in pdf.inner_text()
    assert re.fullmatch(r"poker.*card-stock.*low-ink.*\.pdf|poker.*low-ink.*card-stock.*\.pdf", name)
    page.get_by_role("button", name="Print and export").click()
    form = page.get_by_role("dialog", name="Print and export")
    expect(form.get_by_role("combobox", name="Paper")).to_have_value("card-stock")
    form.get_by_role("checkbox", name="Low ink").uncheck()  # what is said goes before what is looked at
    form.get_by_role("button", name="Build PDFs").click()
    expect(done(page, "Building PDFs")).not_to_contain_text("low ink")


@pytest.mark.long
def test_an_export_and_the_report_end_with_their_files(desk: Desk, page: Page) -> None:
    desk.open(page)
    sheets = view(page, "Sheets")
    sheets.get_by_role("button", name="Low ink").click()  # which the report knows nothing of
    sheets.get_by_role("button", name="Export").click()
    form = page.get_by_role("dialog", name="Export this sheet")
    form.get_by_role("combobox").select_option(label="Pictures (PNG)")
    form.get_by_role("button", name="Export").click()
    made = done(page, "Pictures (PNG), cards, low ink")
    assert opened(page, made.get_by_role("link").first).startswith(b"\x89PNG")
    others = made.get_by_role("button", name="output/owls/png/cards", exact=True)
    expect(others).to_be_visible()
    page.get_by_role("button", name="Print and export").click()
    page.get_by_role("button", name="Write the report").click()
    written = done(page, "Writing the report").get_by_role("link").filter(has_text=".html")
    assert opened(page, written).lstrip().lower().startswith(b"<!doctype html")


@pytest.mark.long
def test_a_job_says_that_it_waits_and_can_be_stopped(desk: Desk, page: Page) -> None:
    desk.open(page)
    sheets = view(page, "Sheets")
    sheets.get_by_role("combobox", name="Paper to print on").select_option("legal")
    for target in ("tts", "vtt-kit", "mpc", "drivethru", "printshop"):  # seconds of work
        asked = {"kind": "export", "options": {"to": target}}
        assert desk.shop.ask("jobs", method="POST", body=asked).status == 200
    sheets.get_by_role("button", name="Print this sheet").click()
    last = job(page, "poker, legal")
    expect(last.get_by_role("progressbar")).to_be_visible()
    expect(last.get_by_text("Waiting for its turn")).to_be_visible()
    last.get_by_role("button", name="Stop").click()
    expect(last.get_by_text("Stopped")).to_be_visible()
    last.get_by_role("button", name="Dismiss").click()
    expect(last).to_have_count(0)
    done(page, "A print shop")
    assert not any("legal" in path.name for path in printed(desk))
