"""The lenient ladder, rung by rung: docs/parse-rules.md, section 3."""

import re

from ._declaration import declared_mentions
from ._json import whole_string
from ._lettered import contradicts_letter, names_differ
from ._objects import INVALID, SILENT, find_spans, judge, keyed_value, read_value
from ._parses import decided, unread
from ._prose import Prose
from ._rules import (
    EDGES,
    LABELS,
    LINE_ENDS,
    LOWER_LETTERS,
    RULES,
    WHITE_SPACE,
    WHITE_SPACE_IN_LINE,
    any_width,
    char_class,
)
from ._text import ANY_LABEL, ascii_lower, fold

_LONGEST_LABEL = max(map(len, LABELS))

#: A line end, then a line that begins with a prompt's first words, half or full width.
_HEADER_LINE = re.compile(
    f"{char_class(LINE_ENDS)}{char_class(WHITE_SPACE_IN_LINE)}*"
    f"(?:{'|'.join(''.join(map(any_width, header)) for header in RULES['headers'])})"
)


def read_lenient(prepared, letters):
    """The first rung that decides, decides."""
    text, reason, whole = prepared
    if reason is not None:
        return unread(reason)
    if whole is None:
        text = cut_at_new_prompt(text)
        text = unwrap(text)
        if not text:
            return unread("empty", 2)
    if not letters and "{" in text:
        spans = find_spans(text)
        parse = read_objects(text, spans)
        if parse is not None:
            return parse
        parse, text = read_broken_object(less_spans(text, spans))
        if parse is not None:
            return parse
    # A whole reply is too short to hold a cue, so the cheap rung 6 may go before rung 5.
    parse = read_whole_reply(text, letters)
    if parse is not None:
        return parse
    prose = Prose(text, letters)
    return read_declaration(prose) or read_words(prose)


def cut_at_new_prompt(text):
    """Rung 1: the text before a line that begins a new prompt; its first line never does."""
    match = _HEADER_LINE.search(text)
    return text[: match.start()].rstrip(WHITE_SPACE) if match else text


def unwrap(text):
    """Rung 2: the trimmed text inside the one JSON string that the text is, or the text."""
    inner = whole_string(text)
    return text if inner is None else inner.strip(WHITE_SPACE)


def read_objects(text, spans):
    """Rung 3: what the last object that says something says, unless its neighbour differs."""
    run = []  # the verdicts of objects with only white space between, up to the last one
    run_end = votes = 0
    for span in spans:
        verdict = judge(text, span)
        if verdict is SILENT:
            continue
        if run and text[run_end : span[0]].strip(WHITE_SPACE):
            run = []
        run.append(verdict)
        run_end = span[1]
        votes += verdict is not INVALID
    if not run:
        return None
    if len(set(run)) > 1:
        return unread("conflicting", 3, votes > 1)
    return _verdict(run[-1], 3, votes > 1)


def less_spans(text, spans):
    """The text with one LF in place of each span."""
    if not spans:
        return text
    starts = [0, *(end for _, end, _ in spans)]
    ends = [*(start for start, _, _ in spans), len(text)]
    return "\n".join(text[start:end] for start, end in zip(starts, ends))


def read_broken_object(text):
    """Rung 4: what an object that never closes says; and the text for the later rungs."""
    brace = text.find("{")
    value = keyed_value(text, brace + 1, len(text)) if brace >= 0 else None
    if value is None:
        return None, text
    verdict = read_value(value)
    return (None, text[:brace]) if verdict is SILENT else (_verdict(verdict, 4), text)


def _verdict(verdict, rung, multiple=False):
    if verdict is INVALID:
        return unread("invalid_label", rung, multiple)
    return decided(verdict, rung, multiple)


def read_declaration(prose):
    """Rung 5: the last declaration; None when there is none."""
    declared = declared_mentions(prose)
    if prose.letters and (names_differ(declared) or contradicts_letter(prose, declared)):
        return unread("conflicting", 5)
    return decided(declared[-1].label, 5) if declared else None


def read_whole_reply(text, letters):
    """Rung 6: the label or option letter that the whole text is; None when it is more."""
    reply = fold(text).strip(EDGES)
    if len(reply) > _LONGEST_LABEL:
        return None
    if ANY_LABEL.fullmatch(reply):
        return decided(reply.upper(), 6)
    index = LOWER_LETTERS.find(ascii_lower(reply)) if letters and len(reply) == 1 else -1
    return decided(letters[index], 6) if index >= 0 else None


def read_words(prose):
    """Rung 7: the one label that the words left standing name."""
    words = prose.counting()
    if prose.letters and names_differ(words):
        return unread("conflicting", 7)
    labels = {mention.label for mention in words}
    if len(labels) == 1:
        return decided(labels.pop(), 7)
    return unread("several_labels" if labels else "no_label", 7)
