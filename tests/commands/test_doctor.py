"""`cardgen doctor`: what is there, what is not, and the one command that helps."""

from __future__ import annotations

import ctypes
import ctypes.util
import shutil
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardgen.commands.data import doctor
from cardgen.commands.production import sandboxed

Run = Callable[..., tuple[int, str, str]]


def test_doctor_finds_this_machine_fit(run: Run) -> None:
    code, out, _ = run("doctor")
    assert code == 0, out
    assert "libcairo" in out
    assert "ok  jinja2: 3." in out


def test_doctor_reads_requirements_as_pip_does() -> None:
    for requirement, ok, words in (
        ("pillow", True, "."),
        ("pillow<1000,>=10.3", True, "."),
        ("pillow>=1000", False, "is installed, >=1000 is needed"),
        ("pillow-of-stone>=1", False, "not installed"),
    ):
        check = doctor.package(Requirement(requirement))
        assert check.ok is ok
        assert words in check.detail
        assert ok or check.remedy == f"pip install '{requirement}'"


def test_a_version_newer_than_the_tested_one_is_reported() -> None:
    installed = metadata.version("pillow")
    newer = doctor.package(Requirement("pillow>=1"), "1.0")
    assert (newer.ok, newer.detail) == (True, f"{installed}, newer than the tested 1.0")
    assert doctor.package(Requirement("pillow>=1"), installed).detail == installed
    assert doctor.package(Requirement("pillow>=1"), "999").detail == installed


def test_every_requirement_has_a_tested_version_that_it_allows() -> None:
    tested = doctor.tested_versions()
    for line in metadata.requires("cardgen") or []:
        requirement = Requirement(line)
        assert requirement.specifier.contains(tested[canonicalize_name(requirement.name)]), line


def test_an_extra_s_packages_are_not_asked_for() -> None:
    names = {check.name for check in doctor.doctor()}
    assert "pillow" in names
    assert "ruff" not in names


def test_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.setattr(ctypes, "CDLL", load)
    for program, command in (
        ("apt-get", "sudo apt-get install libcairo2"),
        ("dnf", "sudo dnf install cairo"),
        ("brew", "brew install cairo"),
        (None, "install cairo with your package manager"),
    ):
        monkeypatch.setattr(shutil, "which", lambda name, there=program: name if name == there else None)
        check = doctor._library(*doctor.LIBRARIES[0])
        found = (check.name, check.ok, check.detail, check.remedy)
        assert found == ("libcairo", False, "not found", command)


def test_what_is_missing_ends_with_1(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def none(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", none)
    monkeypatch.setattr("cardgen.files.project.bundled_root", lambda: tmp_path)
    code, out, _ = run("doctor")
    assert code == 1
    lines = out.splitlines()
    assert any("cardgen: not installed" in line for line in lines)
    assert any(f"bundled fonts: not found in {tmp_path / 'fonts'}" in line for line in lines)
    assert any("pip install cardgen" in line for line in lines)


def test_a_system_that_confines_nothing_is_fit_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise OSError(1, "no processes here")

    monkeypatch.setattr(sandboxed, "confinement_line", none)
    check = doctor._confinement()
    assert (check.ok, check.detail) == (True, "nothing: no processes here")


@pytest.mark.parametrize(
    ("system", "said"),
    [
        ("linux", "90 s of processor time, 8 GB of memory, 2 GB of files"),
        ("win32", "90 s of processor time, 2 GB of files, 8 GB of memory (not enforced on this system)"),
    ],
)
def test_the_budget_is_told(monkeypatch: pytest.MonkeyPatch, system: str, said: str) -> None:
    monkeypatch.setenv("CARDGEN_BUDGET", "90s,8GB")
    monkeypatch.setattr(sys, "platform", system)
    check = doctor._budget()
    assert (check.ok, check.detail) == (True, said)
