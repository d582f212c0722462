"""A virtual environment with pinned packages, made by the standard library alone."""

from __future__ import annotations

import subprocess
import sys
import venv
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .errors import MakeError


def installed(requirements: list[str]) -> bool:
    """Whether this interpreter has exactly the pinned versions (`name==version`)."""
    for requirement in requirements:
        name, _, wanted = requirement.partition("==")
        try:
            if version(name) != wanted:
                return False
        except PackageNotFoundError:
            return False
    return True


def create_venv(folder: Path, requirements: list[str]) -> Path:
    """
    Makes a virtual environment in `folder` and installs the requirements with pip.

    Returns the path of its Python. Raises MakeError when Python cannot make environments
    or pip fails.
    """
    try:
        venv.create(folder, with_pip=True)
    except subprocess.CalledProcessError as error:
        raise MakeError(
            f"cannot make a virtual environment ({error}); "
            "on Debian and Ubuntu: apt-get install python3-venv"
        ) from error
    scripts = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    python = folder / scripts
    run_pip(python, ["install", *requirements], "installing " + " ".join(requirements))
    return python


def run_pip(python: Path, arguments: list[str], doing: str) -> None:
    """Runs pip quietly; raises MakeError with pip's own last lines when it fails."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    command = [str(python), "-m", "pip", arguments[0], *quiet, *arguments[1:]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        last_lines = "\n".join(result.stderr.strip().splitlines()[-5:])
        raise MakeError(f"pip failed while {doing}; is the package index reachable?\n{last_lines}")
