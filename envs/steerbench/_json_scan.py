"""The careful JSON scanner: token by token, without recursion, in time linear in the text."""

import json
import re
from typing import NamedTuple

from ._rules import RULES

MAX_DEPTH = RULES["maxDepth"]
_KEY = RULES["key"]

_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})'
_PLAIN = r'[^"\\\x00-\x1f]*'
_QUOTED = f'"{_PLAIN}(?:{_ESCAPE}{_PLAIN})*"'
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
STRING = re.compile(_QUOTED)
_TOKEN = re.compile(f"[ \\t\\n\\r]*(?:([][{{}},:])|({_QUOTED})|{_NUMBER}|true|false|null)")

# What may come next.
_VALUE, _FIRST_ITEM, _NAME, _FIRST_NAME, _COLON, _AFTER = range(6)


class RfcObject(NamedTuple):
    """An object and where it stops."""

    #: Own keys and values. Values that are no text may be anything.
    own: dict
    #: A key is repeated somewhere in it.
    repeats: bool
    #: The own key ``intervention`` is repeated.
    key_repeats: bool
    end: int


def scan_object(text, start):
    """The RFC 8259 object that begins at the brace at ``start``, or None."""
    own, repeats, key_repeats, name = {}, False, False, None
    names = []  # of each open object the names so far; None for an open array
    position, expected = start, _VALUE
    while True:
        token = _TOKEN.match(text, position)
        if token is None:
            return None
        position = token.end()
        mark, string = token.groups()
        if names and _closes(mark, expected, names[-1] is not None):
            names.pop()
            if not names:
                return RfcObject(own, repeats, key_repeats, position)
            expected = _AFTER
        elif expected in (_VALUE, _FIRST_ITEM):
            if len(names) == 1:
                own[name] = json.loads(string) if string else None
            if not mark:
                expected = _AFTER
            elif mark not in ("{", "[") or len(names) == MAX_DEPTH:
                return None
            else:
                names.append(set() if mark == "{" else None)
                expected = _FIRST_NAME if mark == "{" else _FIRST_ITEM
        elif expected in (_NAME, _FIRST_NAME) and string:
            written = json.loads(string)
            is_own = len(names) == 1
            if written in names[-1]:
                repeats = True
                key_repeats = key_repeats or (is_own and written == _KEY)
            names[-1].add(written)
            if is_own:
                name = written
            expected = _COLON
        elif expected == _COLON and mark == ":":
            expected = _VALUE
        elif expected == _AFTER and mark == ",":
            expected = _VALUE if names[-1] is None else _NAME
        else:
            return None


def _closes(mark, expected, in_object):
    """Whether a bracket ends the innermost open object or array."""
    if in_object:
        return mark == "}" and expected in (_FIRST_NAME, _AFTER)
    return mark == "]" and expected in (_FIRST_ITEM, _AFTER)
