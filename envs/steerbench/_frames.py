"""Batches as frames of ``steerbench serve --stdio``, and its replies as judgements."""

import json
from itertools import count
from typing import NamedTuple

from ._errors import SteerError
from ._judgement import judgement_of_row
from ._rules import RULES

#: The most that ``steerbench serve`` takes in one frame.
MOST_ANSWERS = 512
#: A frame ends after the answer that reaches this; a quarter of the longest line that is taken.
_MOST_BYTES = 4 << 20
#: One more character than an answer may have bytes: so long, and longer, reads alike.
_LONGEST = RULES["maxAnswerBytes"] + 1

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
    for row in zip(*batch):
        items.append(_item(*row))
        size += len(items[-1])
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
    item = {"gold": gold, "answer": answer[:_LONGEST]}
    if finish is not None:
        item["finish"] = finish
    if letters is not None:
        item["letters"] = list(letters)
    if prompt is not None:
        item["prompt"] = prompt[:_LONGEST]
    return json.dumps(item)


def judgements_of(results):
    """The judgements in the results of all frames; raises SteerError for one that is none."""
    judgements = []
    for index, result in enumerate(results):
        try:
            judgements.append(judgement_of_row(result))
        except (KeyError, TypeError, ValueError):
            raise SteerError(f"node engine: answers[{index}] was not judged: {result!r}") from None
    return judgements
