"""Finding browsers, and the message without any."""

from pathlib import Path

import pytest

from support.errors import UsageError
from support.paths import PROJECT_DIR
from web_tests.browsers import chromium_flags as flags
from web_tests.browsers import downloads, installed, setup
from web_tests.models.package_assets import HashMismatchError
from web_tests.tests.unit.conftest import program


def test_a_bare_machine_has_none(bare_machine: Path) -> None:
    assert installed.discover() == []


def test_the_pinned_shell_comes_before_the_machines_own(bare_machine: Path) -> None:
    for name in ("chromium", "microsoft-edge", "google-chrome"):
        program(bare_machine / name)
    program(downloads.shell_path())
    assert [found.kind for found in installed.discover()] == ["shell", "chrome", "edge", "debian"]


def test_the_users_own_must_be_a_program(bare_machine: Path) -> None:
    assert installed.at_path(program(bare_machine / "mine")).kind == "user"
    (bare_machine / "text").write_text("")
    for name in ("text", "none"):
        with pytest.raises(UsageError, match="--browser"):
            installed.at_path(bare_machine / name)


def test_a_flag_is_passed_once() -> None:
    """Chromium uses only the last of two switches of the same name."""
    groups = (flags.QUIET_FLAGS, flags.WEBNN_FLAGS, flags.BOUNDS_CHECK_FLAGS, flags.WEBGPU_FLAGS, flags.WEBNN_FLAGS)
    combined = flags.combined(*groups)
    names = [flag.partition("=")[0] for flag in combined]
    assert len(names) == len(set(names))
    assert "--enable-features=WebMachineLearningNeuralNetwork,Vulkan" in combined
    assert flags.combined(flags.QUIET_FLAGS) == list(flags.QUIET_FLAGS)


def test_the_users_document_has_the_flags() -> None:
    text = (PROJECT_DIR / "docs" / "guides" / "webnn-in-your-browser.md").read_text(encoding="utf-8")
    for flag in (*flags.WEBNN_FLAGS, flags.trusted(["ORIGIN"])[0].partition("=")[0]):
        assert flag in text


def test_prepare_needs_one_browser_only(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def reject() -> None:
        raise HashMismatchError("not the pinned file")

    monkeypatch.setattr(downloads, "install_shell", reject)
    monkeypatch.setattr(downloads, "install_debian_chromium", lambda: None)
    with pytest.raises(HashMismatchError):
        setup.prepare(need_browser=True)
    setup.prepare(need_browser=False)
    program(bare_machine / "chromium")
    setup.prepare(need_browser=True)
    assert "not the pinned file" in " ".join(capsys.readouterr().err.split())
