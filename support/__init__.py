"""Shared by all steps: paths, errors, commands, the user cache, the console and downloads."""
