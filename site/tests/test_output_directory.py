"""The output directory of the site."""

from pathlib import Path

import pytest
from site_generator.output_directory import OutputDirectory, OutputDirectoryError


def test_two_files_of_one_name_are_an_error(tmp_path: Path) -> None:
    output = OutputDirectory(tmp_path / "site")
    sources = [tmp_path / "first.json", tmp_path / "second.json"]
    for source in sources:
        source.write_text(source.name)
    for _ in range(2):
        output.copy(sources[0], "data.json")
    with pytest.raises(OutputDirectoryError, match=r"two files would be data\.json"):
        output.copy(sources[1], "data.json")
