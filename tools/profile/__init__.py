"""`build.py profile`: where the time of a model's runs goes, node by node and type by type.

TFLite's profiler measures (wasm/runner/node_profiler.h), in a page of a real browser; XNNPACK, which TFLite sees as a
few nodes, measures its own operators, and each partition on WebNN is one entry.

- command.py: the whole of it
- spans.py: the profiles of many runs as one tree of times
- tables.py: how people see it
- speedscope.py: the same as a flame graph, for the viewer speedscope
"""
