"""`build.py explain` and `check`: how WebNN runs a model."""
