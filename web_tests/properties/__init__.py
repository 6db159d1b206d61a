"""Property-based tests of ops: Hypothesis draws nodes, and every execution is compared with native LiteRT.

`families` draw nodes (`spec`); `batch` joins many into one model. `native` has native LiteRT's results, `engines`
this project's, `judging` compares them, and `search` runs and shrinks; `known.toml` lists what differs and why.
"""
