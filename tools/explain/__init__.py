"""`build.py explain` and `limits`: how WebNN takes a model, and what a browser's WebNN supports."""
