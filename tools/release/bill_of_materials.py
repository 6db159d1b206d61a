"""The software bill of materials (SBOM) of a release, in CycloneDX's JSON, from the package's manifest."""

import json
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

SCHEMA_VERSION = SchemaVersion.V1_6


def write(path: Path, version: str, manifest: Mapping[str, Any]) -> None:
    """Write the bill of a release.

    It has no date, and its serial number is a hash of the components: the same release produces the same bytes.

    Args:
        path: the file to write.
        version: the release's version.
        manifest: the package's manifest.json.
    """
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{version} {json.dumps(manifest, sort_keys=True)}"))
    licenses = LicenseFactory()
    bom.metadata.component = Component(
        name="tflite-webnn",
        version=version,
        type=ComponentType.LIBRARY,
        licenses=[licenses.make_from_string("Apache-2.0")],
        purl=PackageURL("npm", name="tflite-webnn", version=version),
        bom_ref="tflite-webnn",
    )
    components = [*_compiled(manifest, licenses), *_bundled(manifest, licenses)]
    bom.components.update(components)
    bom.register_dependency(bom.metadata.component, components)
    text = json.loads(make_outputter(bom, OutputFormat.JSON, SCHEMA_VERSION).output_as_string())
    del text["metadata"]["timestamp"]
    path.write_text(json.dumps(text, indent=2, sort_keys=True) + "\n")


def _compiled(manifest: Mapping[str, Any], licenses: LicenseFactory) -> Iterator[Component]:
    """Yield the C++ components, which are the same in all variants."""
    variant = next(iter(manifest["variants"].values()))
    for name, source in variant["sources"].items():
        yield Component(
            name=name,
            version=source["revision"],
            type=ComponentType.LIBRARY,
            licenses=[licenses.make_from_string(source["license"])],
            # of the files that are kept, by wasm/third_party/sources.toml
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=source["sha256"])] if source["sha256"] else [],
            bom_ref=f"source:{name}",
        )


def _bundled(manifest: Mapping[str, Any], licenses: LicenseFactory) -> Iterator[Component]:
    for name, package in manifest["packages"].items():
        yield Component(
            name=name,
            version=package["version"],
            type=ComponentType.LIBRARY,
            licenses=[licenses.make_from_string(package["license"])],
            purl=_npm_url(name, package["version"]),
            bom_ref=f"npm:{name}",
        )


def _npm_url(name: str, version: str) -> PackageURL:
    scope, _, base = name.rpartition("/")
    return PackageURL("npm", namespace=scope or None, name=base, version=version)
