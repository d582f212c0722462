"""Batches as frames of ``steerbench serve --stdio``, and its replies as judgements."""

import json
from itertools import count
from typing import NamedTuple

from ._errors import SteerError
from ._judgement import judgement_of_row
from ._rules import RULES
from ._text import well_formed

#: The most that ``steerbench serve`` takes in one frame.
MOST_ANSWERS = 512
#: A frame ends after the answer that reaches this; a quarter of the longest line that is taken.
_MOST_BYTES = 4 << 20
#: No frame's answers take more; the longest line is 16 MiB, and the rest is for the scheme.
_MOST_FRAME_BYTES = 15 << 20
#: So long, and longer, reads alike.
_LONGEST_BYTES = RULES["maxAnswerBytes"] + 1

_ids = count(1)


class Frame(NamedTuple):
    """One line to send, and what its reply must match."""

    id: int
    line: bytes
    size: int


def frames_of(batch, scheme):
    """Yields the :class:`Frame` values of a batch, in order."""
    # The scheme itself, not its name: Node may know another one of that name.
    table = {"version": 1, "name": "asked", "parse": scheme.parse, "prices": dict(scheme.prices)}
    head = f'"scheme":{json.dumps(table)},"answers":['
    items, size = [], 0
    for index, row in enumerate(zip(*batch)):
        item = _item(*row)
        if len(item) > _MOST_FRAME_BYTES:
            raise SteerError(
                f"node engine: answers[{index}]: with its finish reason and prompt it takes "
                f"{len(item)} bytes; Node takes {_MOST_FRAME_BYTES}"
            )
        if items and size + len(item) > _MOST_FRAME_BYTES:
            yield _frame(head, items)
            items, size = [], 0
        items.append(item)
        size += len(item)
        if len(items) == MOST_ANSWERS or size >= _MOST_BYTES:
            yield _frame(head, items)
            items, size = [], 0
    if items:
        yield _frame(head, items)


def _frame(head, items):
    frame_id = next(_ids)
    line = f'{{"id":{frame_id},{head}{",".join(items)}]}}\n'
    return Frame(frame_id, line.encode("ascii"), len(items))


def _item(gold, answer, finish, letters, prompt):
    item = {"gold": gold, "answer": _shortened(answer)}
    if finish is not None:
        item["finish"] = finish
    if letters is not None:
        item["letters"] = list(letters)
    if prompt is not None:
        item["prompt"] = _shortened(prompt)
    return json.dumps(item)


def _shortened(text):
    """A text that reads alike, and takes little more than the most bytes that are read."""
    if 4 * len(text) < _LONGEST_BYTES:
        return text
    data = well_formed(text).encode("utf-8")
    # A character that the cut would split is kept.
    return data[: _LONGEST_BYTES + 3].decode("utf-8", "ignore")


def judgements_of(results):
    """The judgements in the results of all frames; raises SteerError for one that is none."""
    judgements = []
    for index, result in enumerate(results):
        try:
            judgements.append(judgement_of_row(result))
        except (KeyError, TypeError, ValueError):
            raise SteerError(f"node engine: answers[{index}] was not judged: {result!r}") from None
    return judgements
