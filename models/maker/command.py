"""Runs this repository's own command line, the one that a reader would type."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from .errors import MakeError

REPOSITORY = Path(__file__).resolve().parents[2]
MAIN = REPOSITORY / "dist" / "cli" / "main.js"


def steerbench(*arguments: str | Path) -> str:
    """
    What `steerbench ARGUMENTS` prints, run from the repository's root; its progress is shown.

    Raises MakeError when it is not built or fails.
    """
    if not MAIN.is_file():
        raise MakeError(f"{MAIN} is missing; run `npm ci && npm run build` first")
    command = ["node", MAIN, *arguments]
    result = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        words = " ".join(str(word) for word in arguments[:2])
        raise MakeError(f"steerbench {words} failed with {result.returncode}; see above")
    return result.stdout


def steerbench_json(*arguments: str | Path) -> Any:
    """The JSON document that `steerbench ARGUMENTS --json` prints."""
    return json.loads(steerbench(*arguments, "--json"))
