"""One module per command of build.py; adding a module here adds the command.

At the top, a module imports only the standard library, tools.registry and tools.options: help works before anything
is installed. `run` imports the rest.
"""
