"""`build.py docs`: the tables of operators."""
