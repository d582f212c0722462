"""Both parses of an answer, in the order in which docs/parse-rules.md goes."""

from ._ladder import read_lenient
from ._parses import Parses, decided, unread
from ._prepare import clean, prepare, without_prompt
from ._strict import read_strict

_OBJECT_RUNG = 3
_WHOLE_REPLY_RUNG = 6


def read(answer, letters, prompt, end_tokens):
    """Both parses of an answer; the arguments are known to be sound."""
    text = clean(answer)
    if text is None:
        return Parses(unread("too_long"), unread("too_long"))
    prepared = prepare(text, end_tokens)
    strict = read_strict(prepared, letters)
    if strict.label is not None:
        # What is read strictly is read alike leniently; this is the rung that would.
        return Parses(strict, decided(strict.label, _WHOLE_REPLY_RUNG if letters else _OBJECT_RUNG))
    if prompt is not None and prepared.whole is None:
        rest = without_prompt(text, prompt)
        if rest is not None:
            prepared = prepare(rest, end_tokens)
    return Parses(strict, read_lenient(prepared, letters))
