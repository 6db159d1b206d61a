"""`build.py docs`: generated tables and options."""
