"""`build.py bench`: every engine on every model, by turns in one run, each held to native LiteRT's answers.

- engines.py: the engines, one row each; subjects.py, onnx_twins.py: the models, and the forms in which engines get them
- entrants.py, native.py: an engine that has a model loaded, in a page or in a process
- contest.py: speed, in rounds; loading.py: the way to the first result, in a browser of its own each time
- verdict.py: what an answer is worth; statistics.py, result.py: what is kept, in bench.json
- command.py: the whole of it; tables.py, plots.py: how people see it
- overhead.py, polyfill.py, sweep.py: `--overhead`, `--polyfill`, `--sweep`
"""
