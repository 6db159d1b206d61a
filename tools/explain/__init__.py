"""`build.py explain` and `limits`: how WebNN runs a model, and what a browser's WebNN supports."""
