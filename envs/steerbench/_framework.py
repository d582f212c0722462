"""Which versions of a framework an adapter works with; said before it fails obscurely."""

import re
from importlib import metadata

from ._errors import SteerError


class FrameworkError(SteerError, ImportError):
    """A framework is missing, or of a version that the adapter was not made for."""


def require(distribution, at_least, below):
    """The installed version of a distribution, when ``at_least <= version < below``.

    Raises FrameworkError, an ImportError, naming the installed and the supported versions and the
    pip command.
    """
    installed = refuse_other(distribution, at_least, below)
    if installed is None:
        command = _command(distribution, at_least, below)
        raise FrameworkError(f"{distribution} is not installed: {command}")
    return installed


def refuse_other(distribution, at_least, below):
    """As :func:`require`, but None where nothing is installed: the framework calls the adapter."""
    try:
        installed = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
    if not _release(at_least) <= _release(installed) < _release(below):
        raise FrameworkError(
            f"{distribution} {installed} is installed; this adapter works with versions from "
            f"{at_least} to below {below}: {_command(distribution, at_least, below)}"
        )
    return installed


def _command(distribution, at_least, below):
    return f'pip install "{distribution}>={at_least},<{below}"'


def _release(version):
    """The numbers of a version, without trailing zeros, so that 1.0 equals 1."""
    numbers = [int(part) for part in re.match(r"\d+(?:\.\d+)*", version).group().split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
