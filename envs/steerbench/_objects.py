"""Rungs 3 and 4: objects that name an intervention, complete or broken."""

import re

from ._json import is_shallow, object_at
from ._rules import EDGES, LABELS, RULES, WHITE_SPACE, char_class
from ._text import ANY_LABEL, fold, is_bounded

#: An object or value that says nothing about the decision.
SILENT = "silent"
#: One that names something else than a label.
INVALID = "invalid"

_KEY = RULES["key"]
_TAILS = WHITE_SPACE + RULES["labelTails"]
_ALTERNATIVES = re.compile(char_class(RULES["alternatives"]))
_LABEL_WORD = re.compile("|".join(LABELS))
_WHITE = f"{char_class(WHITE_SPACE)}*"
_QUOTE = f"{char_class(RULES['quotes'])}?"
_AFTER_KEY = re.compile(
    f"{_QUOTE}{_WHITE}{char_class(RULES['keyColons'])}{_WHITE}{_QUOTE}"
    f"({char_class(RULES['valueEnds'], negated=True)}*)"
)
_BRACE_OR_STRING = re.compile(r'[{}]|"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


def find_spans(text):
    """The outermost complete brace-balanced spans, as ``(start, end, object or None)``."""
    spans = []
    shallow = is_shallow(text)
    position = text.find("{")
    while position >= 0 and text.find("}", position) >= 0:
        # With no span open, an object's span is the object: both end strings and braces alike.
        found = object_at(text, position, True) if shallow else None
        if found is not None:
            spans.append((position, found.end, found))
            end = found.end
        else:
            end = _balance(text, position, spans)
        position = text.find("{", end)
    return spans


def _balance(text, start, spans):
    """Adds the spans that begin at or inside the brace at ``start``; returns where it stopped."""
    open_braces = []
    complete = []
    end = len(text)
    for match in _BRACE_OR_STRING.finditer(text, start):
        mark = text[match.start()]
        if mark == "{":
            open_braces.append(match.start())
        elif mark == "}":
            brace = open_braces.pop()
            while complete and complete[-1][0] > brace:
                complete.pop()
            complete.append((brace, match.end()))
            if not open_braces:
                end = match.end()
                break
    for brace, after in complete:
        span = text[brace:after]
        found = object_at(span, 0, is_shallow(span))
        exact = found is not None and found.end == len(span)
        spans.append((brace, after, found if exact else None))
    return end


def judge(text, span):
    """The label a candidate votes for, or INVALID or SILENT."""
    start, end, found = span
    if found is None:
        value = keyed_value(text, start, end)
        return SILENT if value is None else read_value(value)
    if _KEY not in found.own:
        return SILENT
    value = found.own[_KEY]
    if found.key_repeats or not isinstance(value, str):
        return INVALID
    return read_value(value)


def keyed_value(text, start, end):
    """The text after the first key mark in ``text[start:end]``, or None without one."""
    position = text.find(_KEY, start, end)
    while position >= 0:
        after = position + len(_KEY)
        if is_bounded(text, position, after):
            match = _AFTER_KEY.match(text, after, end)
            if match:
                return match.group(1)
        position = text.find(_KEY, after, end)
    return None


def read_value(value):
    """The label that a value names, or INVALID or SILENT."""
    if value in LABELS:
        return value
    value = fold(value).strip(EDGES)
    if len(value) > 1 and value[0] == "<" and value[-1] == ">":
        return SILENT
    parts = _ALTERNATIVES.split(value)
    if sum(1 for part in parts if ANY_LABEL.fullmatch(part.strip(EDGES))) > 1:
        return SILENT
    match = ANY_LABEL.match(value)
    if match is None:
        return INVALID
    label, end = match.group().upper(), match.end()
    if end == len(value):
        return label
    if value[end] not in _TAILS or _names_another(value, end + 1, label):
        return INVALID
    return label


def _names_another(text, start, label):
    """Whether a label word for a different label stands in the text from ``start`` on."""
    return any(
        match.group() != label and is_bounded(text, match.start(), match.end())
        for match in _LABEL_WORD.finditer(text, start)
    )
