"""Code in guides is that of the examples, which tests run."""

from support.paths import PROJECT_DIR
from web_tests.server.server import EXAMPLES_DIR


def test_the_ops_of_the_guide_are_those_of_the_example() -> None:
    example = (EXAMPLES_DIR / "custom_ops.mjs").read_text(encoding="utf-8")
    guide = (PROJECT_DIR / "docs" / "guides" / "custom-ops.md").read_text(encoding="utf-8")
    assert example[example.index("export default") :] in guide
