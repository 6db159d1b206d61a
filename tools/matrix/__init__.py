"""`python3 -m tools.matrix`: every engine x execution x place x model, each cell compared with native LiteRT.

`axes` has executions and places, `engines` starts engines, `facts` asks a page for its features, `run` fills the cells,
`result` stores them in matrix.json, `tables` prints them.
"""
