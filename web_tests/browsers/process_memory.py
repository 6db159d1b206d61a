"""Memory of a Chromium: JavaScript's heap by the DevTools protocol, its processes by Linux' /proc."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import CDPSession

KIB = 1024
# Finalizers of one collection release objects for the next.
COLLECTIONS = 2
# For proc(5)'s clear_refs: resets the peak of the resident set (VmHWM) to the present size.
RESET_PEAK = "5"


class DevTools(Protocol):
    """Accepts commands of the DevTools protocol for one page: a CDPSession, or an UnwatchedPage."""

    def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Send a command, and return its result."""


@dataclass(frozen=True)
class MemorySample:
    """Bytes after a garbage collection; processes by type, e.g. renderer, GPU."""

    js_heap_bytes: int
    resident_bytes: Mapping[str, int]


class MemoryProbe:
    """Samples one page and the processes of its browser, which must have no other page."""

    def __init__(self, browser: PlaywrightBrowser, page: DevTools) -> None:
        self._browser: CDPSession = browser.new_browser_cdp_session()
        self._page = page
        self._page.send("Performance.enable")

    def collect_garbage(self) -> None:
        """Free all unreachable objects."""
        for _ in range(COLLECTIONS):
            self._page.send("HeapProfiler.collectGarbage")

    def sample(self) -> MemorySample:
        """Collect garbage and return the remaining memory."""
        self.collect_garbage()
        metrics = {row["name"]: row["value"] for row in self._page.send("Performance.getMetrics")["metrics"]}
        return MemorySample(int(metrics["JSHeapUsedSize"]), self._by_type("VmRSS"))

    def reset_peaks(self) -> Mapping[str, int]:
        """Reset the peaks of all processes, and return each one's resident bytes."""
        self.collect_garbage()
        for row in self._processes():
            Path(f"/proc/{row['id']}/clear_refs").write_text(RESET_PEAK, encoding="ascii")
        return self._by_type("VmRSS")

    def peaks(self) -> Mapping[str, int]:
        """Return each process's peak of resident bytes since `reset_peaks`."""
        return self._by_type("VmHWM")

    def _processes(self) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = self._browser.send("SystemInfo.getProcessInfo")["processInfo"]
        return rows

    def _by_type(self, field: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in self._processes():
            kind = str(row["type"])
            found[kind] = found.get(kind, 0) + _status_bytes(str(row["id"]), field)
        return found


def _status_bytes(process: str, field: str) -> int:
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
    (line,) = (line for line in lines if line.startswith(f"{field}:"))
    return int(line.split()[1]) * KIB
