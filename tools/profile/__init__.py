"""`build.py profile`: a model's run time by node and by type of node.

TFLite's profiler measures (wasm/runtime/execute/node_profiler.h), in a page of a real browser. XNNPACK, which TFLite
sees as a few nodes, measures its own operators. Each partition on WebNN is one entry.

- command.py: the entire run
- spans.py: the profiles of many runs as one tree of times
- tables.py: its tables
- speedscope.py: the flame graph, for the viewer speedscope
"""
