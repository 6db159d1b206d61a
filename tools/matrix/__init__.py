"""`build.py matrix`: every engine x execution x place x model, each cell compared with native LiteRT.

`axes` names what there is, `engines` starts it, `facts` asks a page what it has, `run` fills the cells, `result` keeps
them, in matrix.json, `tables` shows them.
"""
