"""One module per command of build.py; adding a module here adds the command.

At the top a module imports the standard library, tools.registry and tools.options only: help is shown before anything
is installed. What the command needs is imported in its `run`.
"""
