"""The error of a selection."""

from support.errors import BuildError


class SelectionError(BuildError):
    """A file is not a TFLite model, or a requested op does not exist."""
