"""`build.py bench`: every runtime on every model, interleaved in one run, each compared with native LiteRT.

- runtimes.py: the runtimes, one row each; models.py: the models, in the forms that runtimes accept
- sessions.py, native.py: a runtime with a loaded model, in a page or a process
- speed.py: speed, in rounds; loading.py: the time to the first result, each in a fresh browser
- verdict.py: judges outputs; result.py: the contents of bench.json
- command.py: the entire run; tables.py: its presentation; `benchmarks/` measures other things with the same modules
"""
