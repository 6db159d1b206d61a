"""The files of a crash: the model, with the fewest mutations that crash it, and a report."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.fuzz import mutator
from tools.fuzz.corpus import MutatedModel
from tools.fuzz.outcome import Crash, Outcome
from tools.fuzz.worker import Worker


@dataclass(frozen=True)
class CrashFile:
    """A model that crashed, and its file."""

    path: Path
    model: MutatedModel
    crash: Crash
    command: str

    def write(self) -> None:
        """Write the model, and the report with the suffix .txt."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self.model.content)
        self.path.with_suffix(".txt").write_text(self.text())

    def text(self) -> str:
        """Return the report: the crash, the mutations, the command that repeats it."""
        return "\n".join(
            [
                self.crash.signature,
                f"whose:     {'ours' if self.crash.is_own else 'third-party kernels'}",
                f"base:      {self.model.base.name}",
                f"mutations: {', '.join(f'{step.mutation} ({step.seed})' for step in self.model.steps)}",
                f"again:     {self.command}",
                f"this file: python3 -m tools.fuzz --replay {self.path}",
                "",
                self.crash.report,
                "",
            ]
        )


def minimized(model: MutatedModel, crash: Crash, command: Sequence[str]) -> MutatedModel:
    """Return the model without the mutations that its crash, in the same phase, does not need."""
    with Worker(command) as worker:
        for step in model.steps:
            fewer = tuple(other for other in model.steps if other != step)
            content = mutator.apply(model.base.content, fewer)
            if fewer and _same(worker.run(content), crash):
                model = replace(model, steps=fewer, content=content)
    return model


def _same(outcome: Outcome, crash: Crash) -> bool:
    return outcome.crash is not None and outcome.crash.phase == crash.phase and outcome.crash.kind == crash.kind
