"""One RFC 8259 object: no NaN, no comments, a depth limit, and repeated keys seen.

The standard library's decoder is the fast way. It is trusted only where it reads exactly the RFC:
through its C scanner, below the depth limit, NaN refused and repeated keys handed over to the
careful scanner behind it.
"""

import json
from json import scanner
from typing import Optional

from ._json_scan import MAX_DEPTH, STRING, RfcObject, scan_object


class _RepeatedKey(ValueError):
    """The fast decoder met a repeated key; the careful scanner says where."""


def _refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def _unique(pairs):
    own = dict(pairs)
    if len(own) != len(pairs):
        raise _RepeatedKey
    return own


# Integers become floats: int() refuses some thousands of digits, and no number is ever used.
_DECODE = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse, parse_int=float
).raw_decode
_HAS_C_SCANNER = scanner.c_make_scanner is not None


def is_shallow(text):
    """Whether no object of the text can be nested beyond the limit, however it is read."""
    return _HAS_C_SCANNER and text.count("{") + text.count("[") <= MAX_DEPTH


def object_at(text, start, shallow):
    """The object that begins at the brace at ``start``, or None.

    ``shallow`` is what :func:`is_shallow` says of the text.
    """
    if shallow:
        try:
            own, end = _DECODE(text, start)
            return RfcObject(own, False, False, end)
        except _RepeatedKey:
            pass
        except ValueError:
            return None
    return scan_object(text, start)


def whole_object(text) -> Optional[RfcObject]:
    """The object that the trimmed text is, or None."""
    if text[:1] != "{" or text[-1:] != "}":
        return None
    found = object_at(text, 0, is_shallow(text))
    return found if found is not None and found.end == len(text) else None


def whole_string(text) -> Optional[str]:
    """The value of the one JSON string that the trimmed text is, or None."""
    if text[:1] != '"':
        return None
    match = STRING.match(text)
    return json.loads(text) if match and match.end() == len(text) else None
