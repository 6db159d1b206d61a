"""Tests of the benchmarks, without a browser."""
