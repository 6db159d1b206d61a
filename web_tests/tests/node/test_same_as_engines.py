"""The tests of tests/browser/engines, in Node, on the package's entry for Node."""

import pytest

from web_tests.drivers.harness import PageHarness
from web_tests.tests.browser.engines import test_api, test_images, test_models, test_threads
from web_tests.tests.browser.test_dtypes import KINDS

test_a_page_instead_of_a_model = test_api.test_a_page_instead_of_a_model
test_a_page_that_throws_is_reported = test_api.test_a_page_that_throws_is_reported
test_abort = test_api.test_abort
test_an_error_that_nobody_waits_for_is_the_pages = test_api.test_an_error_that_nobody_waits_for_is_the_pages
test_bad_file = test_api.test_bad_file
test_bad_inputs = test_api.test_bad_inputs
test_control_flow = test_api.test_control_flow
test_disposed_model = test_api.test_disposed_model
test_missing_wasm_file = test_api.test_missing_wasm_file
test_no_such_file = test_api.test_no_such_file
test_other_shapes = test_api.test_other_shapes
test_predict = test_api.test_predict
test_profile = test_api.test_profile
test_progress = test_api.test_progress
test_sources = test_api.test_sources
test_strings = test_api.test_strings
test_variables_signatures_and_reset = test_api.test_variables_signatures_and_reset

test_pixels = test_images.test_pixels

test_op = test_models.test_op
test_the_variant_is_chosen_by_what_the_engine_has = test_models.test_the_variant_is_chosen_by_what_the_engine_has
test_without_webnn_it_runs_on_the_cpu_and_says_why = test_models.test_without_webnn_it_runs_on_the_cpu_and_says_why

test_each_variant_that_the_engine_has = test_threads.test_each_variant_that_the_engine_has
test_models_give_natives_answer = test_threads.test_models_give_natives_answer
test_the_default_is_half_of_the_cores = test_threads.test_the_default_is_half_of_the_cores
test_without_threads_the_report_says_why = test_threads.test_without_threads_the_report_says_why


@pytest.mark.parametrize("dtype", [dtype for dtype in KINDS if dtype != "float16"])
def test_data_type(harness: PageHarness, dtype: str) -> None:
    """All but float16: the pinned Node has no array for it."""
    test_models.test_data_type(harness, dtype)
