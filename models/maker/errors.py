"""The one error of these scripts."""


class MakeError(Exception):
    """A model cannot be made or checked; the message says what to do about it."""
