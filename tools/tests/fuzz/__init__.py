"""Tests of the fuzzer, with a fake worker."""
