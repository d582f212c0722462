"""The strict parse: docs/parse-rules.md, section 2."""

from ._json import whole_object
from ._parses import decided, unread
from ._rules import LABELS, OPTION_LETTERS, RULES

_KEY = RULES["key"]
_REASON_KEY = RULES["reasonKey"]


def read_strict(prepared, letters):
    """The text is exactly one object, or exactly one option letter."""
    text, reason, whole = prepared
    if reason is not None:
        return unread(reason)
    if letters:
        if len(text) == 1 and text in OPTION_LETTERS:
            return decided(letters[OPTION_LETTERS.index(text)])
        return unread("not_a_letter")
    found = whole or whole_object(text)
    if found is None:
        return unread("not_one_object")
    if found.repeats:
        return unread("repeated_key")
    label = found.own.get(_KEY)
    if label not in LABELS:
        return unread("invalid_label")
    if not isinstance(found.own.get(_REASON_KEY), str):
        return unread("no_reason")
    return decided(label)
