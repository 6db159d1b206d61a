"""A profile in the file format of the viewer speedscope (https://www.speedscope.app/file-format-schema.json)."""

from collections.abc import Iterator
from typing import Any

from tools.profile.spans import Span

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def to_speedscope(root: Span, title: str) -> dict[str, Any]:
    frames: dict[str, int] = {}
    events = list(_events(root, 0.0, frames))
    profile = {
        "type": "evented",
        "name": title,
        "unit": "milliseconds",
        "startValue": 0,
        "endValue": root.ms,
        "events": events,
    }
    return {
        "$schema": SCHEMA,
        "exporter": "tflite-webnn build.py profile",
        "name": title,
        "shared": {"frames": [{"name": name} for name in frames]},
        "profiles": [profile],
    }


def _events(span: Span, start: float, frames: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Yield the opening event, the children's events, and the closing event."""
    title = f"{span.op} {span.name}".strip()
    frame = frames.setdefault(title, len(frames))
    yield {"type": "O", "frame": frame, "at": start}
    at = start
    for child in span.children:
        yield from _events(child, at, frames)
        at += child.ms
    yield {"type": "C", "frame": frame, "at": max(at, start + span.ms)}
