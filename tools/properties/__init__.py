"""Property-based tests of ops: Hypothesis draws nodes, native LiteRT answers, and every execution is compared with it.

`families` draw nodes (`spec`), many of which are one model (`batch`). `native` has native LiteRT's answers, `engines`
ours, `judging` compares them, and `campaign` runs and shrinks; `known.toml` lists what differs and why.
"""
