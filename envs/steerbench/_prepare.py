"""What is left of an answer to read: docs/parse-rules.md, section 1."""

import re
from os.path import commonprefix
from typing import NamedTuple, Optional

from ._json import RfcObject, whole_object
from ._rules import RULES, WHITE_SPACE, one_of
from ._text import well_formed

_MAX_ANSWER_BYTES = RULES["maxAnswerBytes"]
_MAX_READ_BYTES = RULES["maxReadBytes"]
_THINK_OPEN = tuple(RULES["thinkOpen"])
_THINK_CLOSE = tuple(RULES["thinkClose"])
_END_TOKEN = re.compile(one_of(RULES["endTokens"]))
#: Every known end token and thinking tag begins so; most answers hold none.
_TAG_START = commonprefix([*RULES["endTokens"], *_THINK_OPEN, *_THINK_CLOSE])
_BYTE_ORDER_MARK = "\ufeff"


class Prepared(NamedTuple):
    """A text to read, or the reason code that says why there is none."""

    text: str
    reason: Optional[str] = None
    #: The object that the text is, when it is one.
    whole: Optional[RfcObject] = None


def clean(answer):
    """Steps 1 and 2: the trimmed text, or None when it has more bytes than are looked at."""
    if not answer.isascii() and _has_surrogates(answer):
        answer = well_formed(answer)
    if _longer_than(answer, _MAX_ANSWER_BYTES):
        return None
    if answer[:1] == _BYTE_ORDER_MARK:
        answer = answer[1:]
    return answer.strip(WHITE_SPACE)


def _has_surrogates(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def prepare(text, end_tokens=()):
    """Steps 3 and 5 to 7 for a text that :func:`clean` returned."""
    whole = whole_object(text)
    if whole is not None:
        return Prepared(text, "too_long" if _longer_than(text, _MAX_READ_BYTES) else None, whole)
    answer = text
    if end_tokens or _TAG_START in text:
        answer = _after_thinking(_cut_at_end_token(text, end_tokens))
        if answer is None:
            return Prepared("", "no_answer")
        answer = answer.strip(WHITE_SPACE)
    if _longer_than(answer, _MAX_READ_BYTES):
        return Prepared("", "too_long")
    return Prepared(answer, None if answer else "empty")


def without_prompt(text, prompt):
    """Step 4: the text less an echo of the prompt in front, or None when there is no echo."""
    echo = clean(prompt)
    if not echo or not text.startswith(echo):
        return None
    return text[len(echo) :].strip(WHITE_SPACE)


def _longer_than(text, limit):
    """Whether the text has more bytes of UTF-8; no character has more than four."""
    size = len(text)
    if 4 * size <= limit or text.isascii():
        return size > limit
    return len(text.encode("utf-8")) > limit


def _cut_at_end_token(text, own_tokens):
    match = _END_TOKEN.search(text)
    end = match.start() if match else len(text)
    for token in own_tokens:
        found = text.find(token) if token else -1
        if 0 <= found < end:
            end = found
    return text[:end]


def _after_thinking(text):
    """What follows the last closed thinking block; None when an open one is all there is."""
    end = -1
    for tag in _THINK_CLOSE:
        start = text.rfind(tag)
        if start >= 0:
            end = max(end, start + len(tag))
    if end >= 0:
        return text[end:]
    return None if text.startswith(_THINK_OPEN) else text
