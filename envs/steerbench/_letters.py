"""Which label each option letter stands for: one cyclic shift of the label order per trace."""

import hashlib
from itertools import permutations

from ._errors import SteerError
from ._outcome import known_label
from ._rules import LABELS, OPTION_LETTERS
from ._text import well_formed

#: A to E, in order.
LETTERS = tuple(OPTION_LETTERS)
#: Every order in which labels can stand for them.
ORDERS = frozenset(permutations(LABELS))


def offset_of(trace_id):
    """The shift for a trace: sha256 of the UTF-8 id, one big-endian integer, modulo 5."""
    if not isinstance(trace_id, str):
        raise SteerError(f"a trace id is a text, not {type(trace_id).__name__}")
    digest = hashlib.sha256(well_formed(trace_id).encode("utf-8")).digest()
    return int.from_bytes(digest, "big") % len(LABELS)


def letters_at(offset):
    """The labels that A to E stand for under an offset from 0 to 4."""
    _known_offset(offset)
    return tuple(LABELS[(k + offset) % len(LABELS)] for k in range(len(LETTERS)))


def letter_of(label, offset):
    """The letter that stands for a label under an offset from 0 to 4."""
    _known_offset(offset)
    known_label(label, "label")
    return LETTERS[(LABELS.index(label) - offset) % len(LABELS)]


def _known_offset(offset):
    if not isinstance(offset, int) or not 0 <= offset < len(LABELS):
        raise SteerError(f"offset {offset!r} must be a whole number from 0 to {len(LABELS) - 1}")
