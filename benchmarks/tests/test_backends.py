"""The result of `benchmarks.backends`, and its table."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.backends import document, measuring
from benchmarks.backends.document import BEGIN, END
from benchmarks.backends.result import LITERT_CPU, LITERT_WEBNN, WEBNN, ModelBackends, SignatureBackends, add, read
from support.marked_text import MissingMarkError
from tools.bench.result import SpeedRow
from tools.bench.runtimes import all_runtimes
from tools.bench.verdict import Grade, Verdict
from tools.measuring.measurement import ModelFileError
from tools.measuring.statistics import spread
from tools.result_file import ResultFileError
from web_tests.models import catalogue
from web_tests.models.networks.decoder import DecoderShape, decoder
from web_tests.models.recipes import Array
from web_tests.references.decoding import decode_natively
from web_tests.references.signatures import SignatureRun

CPU = "tflite-webnn/simd"


def speed_row(runtime: str, ratio: float | None, grade: Grade = "close") -> SpeedRow:
    """A row of a runtime that takes `ratio` times as long as the one that it is compared with."""
    if ratio is None:
        return SpeedRow("m", runtime, Verdict("not compared"), failure="it rejects the model")
    return SpeedRow("m", runtime, Verdict(grade, 0, 0), spread([ratio]), "the other", spread([ratio]))


def part(webnn_over_cpu: float, litert_webnn: SpeedRow | None = None, key: str = "") -> SignatureBackends:
    """A signature that LiteRT.js runs in twice our time on the CPU, on WebNN as said."""
    peer = litert_webnn or speed_row(LITERT_WEBNN, 4.0)
    speed = [speed_row(WEBNN, webnn_over_cpu), speed_row(CPU, 1.0), peer, speed_row(LITERT_CPU, 2.0)]
    return SignatureBackends(key, "direct", speed)


ROW = ModelBackends(
    model="a_model",
    started="2026-11-22T20:00:00+00:00",
    revision="abc",
    browser="Some Browser 147.0",
    rounds=6,
    load_average=0.5,
    nodes=3,
    signatures=[part(0.5)],
)
SIGNED = replace(ROW, model="other", signatures=[part(1.5, key="prefill"), part(30, key="decode")])


def test_a_ratio_is_this_projects_time_over_the_peers() -> None:
    (found,) = ROW.signatures
    assert (found.webnn_over_cpu, found.webnn_over_litert, found.cpu_over_litert) == (0.5, 0.25, 0.5)


@pytest.mark.parametrize(
    "peer", [speed_row(LITERT_WEBNN, 4.0, "WRONG"), speed_row(LITERT_WEBNN, None)], ids=["wrong", "rejected"]
)
def test_what_returns_no_right_output_has_no_ratio(peer: SpeedRow) -> None:
    found = replace(ROW, signatures=[part(0.5, peer)])
    assert found.signatures[0].webnn_over_litert is None
    assert "| a_model | WebNN | 0.50 | - | 0.50 |" in document.text([found])


def test_how_far_the_default_backend_is_behind() -> None:
    on_webnn = part(1.5)
    on_cpu, split = replace(on_webnn, by_default="cpu"), replace(on_webnn, by_default="stepped")
    assert (on_webnn.behind, on_cpu.behind, split.behind) == (1.5, 1, 1)
    assert replace(part(0.5), by_default="cpu").behind == 2


def test_the_document_has_each_row_its_sums_and_what_failed() -> None:
    text = document.text([SIGNED, ROW, replace(ROW, model="third", signatures=[], failure="it hung")])
    assert [line for line in text.splitlines() if "WebNN |" in line][1:] == [
        "| a_model | WebNN | 0.50 | 0.25 | 0.50 |",
        "| other prefill | WebNN | 1.50 | 0.25 | 0.50 |",
        "| other decode | WebNN | 30 | 0.25 | 0.50 |",
    ]
    for sentence in (
        "Some Browser 147.0; 6 rounds, load average 0.5 to 0.5.",
        "faster in 3 of 3 rows on WebNN",
        "other prefill 1.50, other decode 30.00.",
        "- third is missing: it hung",
        "2026-11-22, revision abc.",
    ):
        assert sentence in text


def test_a_result_goes_on_where_it_ended(tmp_path: Path) -> None:
    file = tmp_path / "new" / "backends.jsonl"
    assert read(file) == []
    add(file, SIGNED)
    add(file, ROW)
    add(file, replace(ROW, rounds=8))
    assert read(file) == [SIGNED, replace(ROW, rounds=8)]


def test_a_line_of_another_version_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "backends.jsonl"
    add(file, ROW)
    file.write_text(file.read_text() + '{"model": "other"}\n')
    with pytest.raises(ResultFileError, match="not a result of this version") as caught:
        read(file)
    assert "backends.jsonl, line 2" in str(caught.value)


def test_only_the_table_of_the_document_changes(tmp_path: Path) -> None:
    page, result = tmp_path / "models.md", tmp_path / "backends.jsonl"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    add(result, ROW)
    assert document.document(result, page) == f"before\n{BEGIN}{document.text([ROW])}{END}\nafter\n"


def test_a_document_without_a_mark_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "models.md"
    page.write_text("# Nothing")
    with pytest.raises(MissingMarkError, match="no lines"):
        document.document(tmp_path / "backends.jsonl", page)


def test_a_model_of_the_benchmark_has_no_second_ratio_to_litert() -> None:
    text = document.text([SIGNED, ROW], benchmarked=["a_model"])
    assert f"| a_model | WebNN | 0.50 | {document.ELSEWHERE} | {document.ELSEWHERE} |" in text
    assert "faster in 2 of 2 rows on WebNN" in text


def test_an_input_with_the_name_type_and_shape_of_an_output_is_persistent() -> None:
    inputs: dict[str, Array] = {
        "tokens": np.zeros((1, 1), np.int32),
        "cache": np.zeros((1, 4), np.float32),
        "mask": np.zeros(4, bool),
    }
    outputs: dict[str, Array] = {
        "logits": np.zeros((1, 8)),
        "cache": np.zeros((1, 4), np.float32),
        "mask": np.zeros(2, bool),
    }
    signature_run = SignatureRun("decode", [*inputs], [*inputs.values()], [*outputs], [*outputs.values()])
    assert measuring.persistent_inputs(signature_run) == ["cache"]
    assert measuring.persistent_inputs(replace(signature_run, key="")) == []


def test_models_are_files_directories_and_known_names(tmp_path: Path) -> None:
    for name, size in (("b", 1), ("a", 2)):
        (tmp_path / f"{name}.tflite").write_bytes(bytes(size))
    assert list(measuring.models_of([tmp_path])) == ["b", "a"]
    assert list(measuring.models_of([tmp_path / "a.tflite"])) == ["a"]
    assert set(measuring.models_of([])) == set(catalogue.known_models())
    assert "oww_alexa" in measuring.models_of([tmp_path, Path("oww_alexa")])


def test_a_file_that_is_not_a_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"no \.tflite file"):
        measuring.models_of([tmp_path])


def test_the_best_variant_stands_for_the_cpu() -> None:
    names = [runtime.name for runtime in measuring.runtimes_of(all_runtimes(["simd", "simd-threads", "relaxed-simd"]))]
    assert names == [WEBNN, "tflite-webnn/relaxed-simd", LITERT_WEBNN, LITERT_CPU]


def test_a_decoder_of_float16_weights_or_of_decode_alone_runs_natively() -> None:
    expected = decode_natively(decoder(DecoderShape()), [1, 2], 1)
    halves = decode_natively(decoder(DecoderShape(), weights="float16"), [1, 2], 1)
    assert 0 < np.abs(halves - expected).max() < 0.02 * np.ptp(expected)
    alone = decoder(DecoderShape(), signatures=("decode",))
    assert decode_natively(alone, [1, 2], 1).shape == expected.shape
