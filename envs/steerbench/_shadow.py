"""Judging a sample of answers a second time, to see that two scorers agree on a real run."""

import hashlib
import logging
import threading

from ._batch import Batch
from ._text import well_formed

_LOG = logging.getLogger("steerbench")


class Shadow:
    """Compares a share of all judgements and counts."""

    def __init__(self, share):
        """``share``: from 0 to 1."""
        # Compared with the first eight bytes of a hash, so that each answer is in or out for good.
        self._below = int(share * 2**64)
        self._share = share
        self._lock = threading.Lock()
        self.shadowed = 0
        self.mismatches = 0

    def compare(self, batch, judgements, judge_again):
        """Has the sample of a batch judged again by ``judge_again(batch)``; logs what differs."""
        chosen = [i for i, answer in enumerate(batch.answers) if self._is_in(answer)]
        if not chosen:
            return
        sample = Batch(*([column[i] for i in chosen] for column in batch))
        again = judge_again(sample)
        differing = [(i, other) for i, other in zip(chosen, again) if judgements[i] != other]
        with self._lock:
            self.shadowed += len(chosen)
            self.mismatches += len(differing)
        for i, other in differing:
            _LOG.warning(
                "shadow mismatch: gold %s, answer %.200r: %r in process, %r on Node",
                batch.golds[i],
                batch.answers[i],
                judgements[i],
                other,
            )

    def _is_in(self, answer):
        digest = hashlib.sha256(well_formed(answer).encode("utf-8")).digest()
        return int.from_bytes(digest[:8], "big") < self._below

    def __reduce__(self):
        return Shadow, (self._share,)
