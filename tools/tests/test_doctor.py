"""The doctor's results, on machines that lack things."""

import dataclasses
import os
import shutil
from pathlib import Path

import pytest

from support.tests.fake_programs import FakePrograms
from tools import doctor
from tools.doctor import CheckResult
from wasm.toolchain.emscripten import choice, native
from web_tests.browsers import engines


@pytest.fixture(autouse=True)
def _bare_machine(cache_dir: Path, programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    del cache_dir, programs
    monkeypatch.setattr(native, "candidates", list)


def result(name: str) -> CheckResult:
    return next(found for found in doctor.examine() if found.name == name)


def test_what_the_build_gets_by_itself_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(doctor, "debian_mirrors", lambda: ["http://one.test/debian"])
    assert result("Debian directory with Emscripten").ok
    assert "build.py setup" in result("Debian directory with Emscripten").hint
    assert result("sources").found == "0 of 14 components in the cache"
    assert "tensorflow" in result("sources").hint
    assert doctor.report() == 0


def test_an_own_emcc_needs_no_debian_directory(programs: FakePrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.VARIABLE, choice.NATIVE)
    missing = result("emcc 3.1.69")
    assert (missing.found, missing.ok) == ("missing", False)
    assert "unset TFLITE_WEBNN_TOOLCHAIN" in missing.hint
    emcc = programs.make_emcc("4.0.1")
    monkeypatch.setattr(native, "candidates", lambda: [emcc])
    other = result("emcc 3.1.69")
    assert (other.found, other.ok) == (f"{emcc}: 4.0.1", False)
    programs.make_emcc("3.1.69")
    assert result("emcc 3.1.69").ok
    assert not any("Debian" in found.name for found in doctor.examine())


def test_no_way_to_a_compiler_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "rights", lambda: "")
    monkeypatch.setattr(doctor, "debian_mirrors", list)
    rights = result("rights to make a Debian directory")
    assert not rights.ok
    assert rights.hint == "put emcc 3.1.69 on PATH and set TFLITE_WEBNN_TOOLCHAIN=native"
    assert not result("Debian mirrors").ok
    assert doctor.report() == 1
    assert "TFLITE_WEBNN_TOOLCHAIN" in capsys.readouterr().out


def test_a_full_disk_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10))
    assert not result("cache").ok
    assert "TFLITE_WEBNN_CACHE" in result("cache").hint


def test_a_missing_engine_is_named_with_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    (firefox,) = (engine for engine in engines.ENGINES if engine.name == "firefox")
    gone = dataclasses.replace(firefox.requirements[0], find=lambda: None)
    monkeypatch.setattr(engines, "ENGINES", [dataclasses.replace(firefox, requirements=[gone])])
    found = result("browser to test in")
    assert found.found == "Firefox ESR lacks firefox-esr"
    assert found.hint.endswith("apt-get install firefox-esr")
    assert found.ok
