"""Characters and words as docs/parse-rules.md defines them: one committed table, no locale."""

import re
from bisect import bisect_right

from ._rules import GAP, LABELS, LINE_ENDS, RULES, any_case, char_class

_BOUNDS = [edge for first, last in RULES["wordRanges"] for edge in (first, last + 1)]
_ASCII_WORD = frozenset(chr(code) for code in range(128) if bisect_right(_BOUNDS, code) % 2)

_WORD_CLASS = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in RULES["wordRanges"])
_APOSTROPHES = RULES["apostrophes"]
_LINE_END, *_OTHER_LINE_ENDS = LINE_ENDS
_PLAIN_APOSTROPHE, *_CURLY_APOSTROPHES = _APOSTROPHES

#: A word: a longest run of word characters, taking in an apostrophe between two of them.
WORD = re.compile(f"[{_WORD_CLASS}]+(?:{char_class(_APOSTROPHES)}[{_WORD_CLASS}]+)*")

#: A label in any ASCII case.
ANY_LABEL = re.compile("|".join(map(any_case, LABELS)))

_GAP_RUN = re.compile(f"{char_class(GAP)}*")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_HAS_FULL_WIDTH = re.compile("[\uff01-\uff5e]").search


def well_formed(text):
    """The text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def ascii_lower(text):
    """Lower case for A to Z alone; every character keeps its place."""
    if text.isascii():
        return text.lower()
    # bytes.lower() knows ASCII only, which str.lower() does not.
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def plain_apostrophes(text):
    """The text with every apostrophe as the plain one; every character keeps its place."""
    for curly in _CURLY_APOSTROPHES:
        text = text.replace(curly, _PLAIN_APOSTROPHE)
    return text


def split_lines(text):
    """The lines of the text, without the one character that ends each."""
    for other in _OTHER_LINE_ENDS:
        text = text.replace(other, _LINE_END)
    return text.split(_LINE_END)


def fold(text):
    """Full-width U+FF01 to U+FF5E as ASCII."""
    if text.isascii() or not _HAS_FULL_WIDTH(text):
        return text
    return text.translate(_FULL_WIDTH)


def is_word_character(char):
    return char in _ASCII_WORD if char < "\x80" else bisect_right(_BOUNDS, ord(char)) % 2 == 1


def is_bounded(text, start, end):
    """Whether, underscores beside it aside, no word character touches ``text[start:end]``."""
    while start > 0 and is_word_character(text[start - 1]):
        if text[start - 1] != "_":
            return False
        start -= 1
    length = len(text)
    while end < length and is_word_character(text[end]):
        if text[end] != "_":
            return False
        end += 1
    return True


def is_whole_word(text, start, end):
    """Whether ``text[start:end]`` is a word, the underscores at its ends aside."""
    if not is_bounded(text, start, end):
        return False
    while start > 0 and text[start - 1] == "_":
        start -= 1
    if start > 1 and text[start - 1] in _APOSTROPHES and is_word_character(text[start - 2]):
        return False
    last = len(text) - 1
    while end <= last and text[end] == "_":
        end += 1
    return not (end < last and text[end] in _APOSTROPHES and is_word_character(text[end + 1]))


def skip_gap(text, position):
    """The first position from here on that holds neither white space nor a mark."""
    return _GAP_RUN.match(text, position).end()


def skip_back(text, position, characters):
    """Where the run of these characters that ends here begins."""
    while position > 0 and text[position - 1] in characters:
        position -= 1
    return position
