"""Models that must be an error instead of a crash, and those on both sides of a limit. README.md says how to add one.

- nodes.py, guarded_nodes.py, quantized_nodes.py: nodes without a valid meaning, each with its error in a golden file
- boundary_nodes.py, run_boundary_nodes.py: nodes on both sides of each limit that a kernel has
- budgets.py, repetition.py: graphs that take long to load, plan or unroll
- calls.py: wrong arguments of load() and run()
"""
