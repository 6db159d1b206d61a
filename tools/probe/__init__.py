"""`build.py probe`: every operator of a browser's WebNN, tried at every rank and type that it promises."""
