"""The base of all errors that a step reports to the user."""


class BuildError(Exception):
    """A step failed. Says what failed, where, and what to do next; the command line then exits with `exit_status`."""

    exit_status = 1

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.hint:
            lines.append(f"  hint:  {self.hint}")
        return "\n".join(lines)


class UsageError(BuildError):
    """A mistake on the command line, such as a file that does not exist."""

    exit_status = 2
