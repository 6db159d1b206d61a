"""Other measurements with the benchmark's core, `tools.bench`: `python3 -m benchmarks.NAME`."""
