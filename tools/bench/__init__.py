"""`build.py bench`: every engine on every model, by turns in one run, each compared with native LiteRT.

- engines.py: the engines, one row each; subjects.py, onnx_twins.py: the models, in the forms that engines take
- entrants.py, native.py: an engine with a loaded model, in a page or a process
- contest.py: speed, in rounds; loading.py: the time to the first result, each in a fresh browser
- verdict.py: judges answers; statistics.py, result.py: the contents of bench.json
- command.py: the whole run; tables.py, plots.py: its presentation
- overhead.py, polyfill.py, sweep.py: `--overhead`, `--polyfill`, `--sweep`
"""
