"""Questions that are asked of the benchmark's core, `tools.bench`: `python3 -m benchmarks.NAME`."""
