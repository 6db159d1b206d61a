"""What peers and this project's packages with their APIs have: the tables of docs/guides/switch-from-*.md."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.errors import BuildError
from support.markdown_table import table
from tools.bench.runtimes import npm_version

REGISTRY = Path(__file__).with_name("switch_features.toml")
PEERS = {"vision": "@mediapipe/tasks-vision", "litert": "@litertjs/core"}


class FeatureRowError(BuildError):
    """A row of the registry is not about three things."""


@dataclass(frozen=True)
class Features:
    """A peer next to this project's package with its API.

    Attributes:
        peer: the peer's package.
        package: this project's.
        both, only_peer, only_here: the values that they export.
        rows: what else differs: what it is, and how it is with the peer and with the package.
    """

    peer: str
    package: str
    both: Sequence[str]
    only_peer: Sequence[str]
    only_here: Sequence[str]
    rows: Sequence[tuple[str, str, str]]

    @property
    def of_peer(self) -> set[str]:
        """All values that the peer exports."""
        return {*self.both, *self.only_peer}

    @property
    def of_package(self) -> set[str]:
        """All values that the package exports."""
        return {*self.both, *self.only_here}

    def table(self) -> str:
        """Return the table of the document."""
        exports = ((self.both, "yes", "yes"), (self.only_peer, "yes", "no"), (self.only_here, "no", "yes"))
        found = [(", ".join(f"`{name}`" for name in names), *cells) for names, *cells in exports if names]
        return table(("", f"`{self.peer}` {npm_version(self.peer)}", f"`{self.package}`"), [*found, *self.rows])


def features(name: str, registry: Path = REGISTRY) -> Features:
    """Return a package's features; `name` is a key of PEERS.

    Raises:
        FeatureRowError: a row has not three cells.
    """
    found = tomllib.loads(registry.read_text(encoding="utf-8"))[name]
    for row in found["rows"]:
        if len(row) != 3:
            raise FeatureRowError(f"a row of [{name}] has {len(row)} cells", where=str(registry), hint=f"of 3: {row}")
    rows = [(what, peer, package) for what, peer, package in found.pop("rows")]
    return Features(PEERS[name], f"tflite-webnn/{name}", rows=rows, **found)
