"""Fixtures of tests in a page of one browser."""

import pytest
from playwright.sync_api import Page

from web_tests.drivers.harness import Harness, LoadOptions
from web_tests.drivers.tfjs_client import TfjsClient

EXECUTIONS = {
    "cpu": LoadOptions(webnn=False),
    "webnn": LoadOptions(),
    "polyfill": LoadOptions(webnn_options={"polyfill": "tflite"}),
}


@pytest.fixture(params=EXECUTIONS)
def options(request: pytest.FixtureRequest) -> LoadOptions:
    """What computes a model."""
    return EXECUTIONS[request.param]


@pytest.fixture
def client(webnn: Harness, own_page: Page) -> TfjsClient:
    """The unmodified client of tfjs-tflite."""
    return TfjsClient(own_page, webnn.server, isolated=False)
