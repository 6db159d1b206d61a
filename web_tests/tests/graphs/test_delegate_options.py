"""The delegate's options: the generated files are up to date, and an error names a wrong option."""

import pytest

from tools.docs import delegate_options
from wasm.toolchain.description import DescriptionError, describe_options
from web_tests.models import handmade
from web_tests.references.described import described
from web_tests.references.golden import WEBNN

pytestmark = pytest.mark.needs("package")


def test_files_generated_from_the_table_are_up_to_date() -> None:
    for path, text in delegate_options.texts().items():
        assert path.read_text() == text, f"{path}: run `python3 build.py docs` and read the difference"


def test_every_default_is_a_value_of_its_option() -> None:
    model = handmade.sin_example()
    defaults = {f"webnn_{option.name}": option.default for option in describe_options()}
    assert described(model, {**defaults, **WEBNN}) == described(model, WEBNN)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("no_such_option", "1", "no such option"),
        ("device_preference", "tpu", "'tpu' is not one of default (0), gpu (1), cpu (2), npu (3)"),
        ("device_preference", "4", "'4' is not one of default (0), gpu (1), cpu (2), npu (3)"),
        ("max_partitions", "-1", "'-1' is not an integer, 0 or more"),
        ("ignore_partition_cost", "maybe", "'maybe' is not true or false"),
        ("excluded_nodes", "1,x", "'1,x' is not indices of nodes with commas in between"),
    ],
)
def test_wrong_values_are_rejected(option: str, value: str, message: str) -> None:
    model = handmade.sin_example()
    with pytest.raises(DescriptionError) as caught:
        described(model, {**WEBNN, f"webnn_{option}": value})
    assert caught.value.code == "INVALID_OPTION"
    assert f"option 'webnn_{option}': {message}" in str(caught.value)


@pytest.mark.parametrize("value", ["npu", "3"])
def test_a_choice_is_a_word_or_its_number(value: str) -> None:
    model = handmade.sin_example()
    assert described(model, {**WEBNN, "webnn_device_preference": value})["nodes"]
