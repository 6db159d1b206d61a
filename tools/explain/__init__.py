"""`build.py explain` and `limits`: what WebNN takes of a model, and what a browser's WebNN supports."""
