"""What a parse of an answer is."""

from typing import NamedTuple, Optional

from ._rules import LABELS


class Parse(NamedTuple):
    """What one parse read: a label, or None and the reason code that says why not."""

    label: Optional[str]
    reason: Optional[str] = None
    #: Which rung of the ladder decided, 1 to 7; 0 before the first one, and in a strict parse.
    rung: int = 0
    #: More than one object in the answer names a label.
    multiple: bool = False


class Parses(NamedTuple):
    """Both parses of one answer."""

    strict: Parse
    lenient: Parse


# There are few different ones, and making one anew costs more than looking it up.
_DECIDED = {
    (label, rung, multiple): Parse(label, None, rung, multiple)
    for label in LABELS
    for rung in range(8)
    for multiple in (False, True)
}


def decided(label, rung=0, multiple=False):
    """The parse of an answer that names a label."""
    return _DECIDED[label, rung, multiple]


def unread(reason, rung=0, multiple=False):
    """The parse of an answer that names none."""
    return Parse(None, reason, rung, multiple)
