"""What the recipes share: a refusal ends a run in one message, before anything is trained."""

import sys
from contextlib import contextmanager

from ._errors import SteerError


@contextmanager
def refusals_told():
    """Ends the process with code 2 and the message on standard error where a call is refused."""
    try:
        yield
    except SteerError as error:
        sys.stderr.write(f"steerbench: {error}\n")
        raise SystemExit(2) from None
