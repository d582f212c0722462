"""Where answers are judged: in this process, or by ``steerbench serve --stdio`` in a child.

The default of every adapter, in process, is the fast one. ``open_engine("node")`` asks the
TypeScript scorer itself; ``open_engine("python", shadow=0.001)`` judges in process and has a sample
judged again on Node, to see that both agree on the answers of a real run.
"""

import os
import threading
import weakref
from time import monotonic

from ._batch import batch_of
from ._errors import SteerError
from ._frames import frames_of, judgements_of
from ._node_child import ChildFault, NodeChild
from ._shadow import Shadow
from ._smoke import find_difference
from .judge import judge_batch, scheme_for

#: All that live in this process.
_engines = weakref.WeakSet()

__all__ = ["NodeEngine", "PythonEngine", "open_engine"]


def open_engine(name="python", command=None, timeout=10.0, shadow=0.0):
    """An engine for :func:`steerbench.judge.judge`, by name: ``"python"`` or ``"node"``.

    ``command``: how to call the ``steerbench`` command, as a list, such as
    ``["node", "dist/cli/main.js"]``; by default the one on PATH. ``timeout``: seconds that one call
    may wait for Node. ``shadow``: for ``"python"``, the share of answers, 0 to 1, that Node judges
    again; always the same answers, whatever batch they come in.

    Raises SteerError for anything else. Node starts at the first answer, not here.
    """
    if not 0 <= shadow <= 1:
        raise SteerError(f"shadow must be a share from 0 to 1, not {shadow!r}")
    if name == "python":
        return PythonEngine(NodeEngine(command, timeout) if shadow else None, shadow)
    if name != "node":
        raise SteerError(f'unknown engine {name!r}: use "python" or "node"')
    if shadow:
        raise SteerError('shadow compares the "python" engine with Node; leave it out for "node"')
    return NodeEngine(command, timeout)


class PythonEngine:
    """Judges in process; ``shadowed`` and ``mismatches`` count what Node judged again.

    A mismatch is logged as a warning under ``steerbench``. The in-process judgement is returned all
    the same: a run stays what it is. A Node that cannot be asked raises SteerError.
    """

    def __init__(self, node=None, shadow=0.0):
        """``node``: the engine that judges the sample; None for no sample."""
        self._node = node
        self._shadow = Shadow(shadow)

    @property
    def shadowed(self):
        """How many answers Node judged again."""
        return self._shadow.shadowed

    @property
    def mismatches(self):
        """How many of them Node judged otherwise."""
        return self._shadow.mismatches

    def judge(self, golds, answers, finishes=None, scheme="asymmetric", letters=None, prompts=None):
        """See :func:`steerbench.judge.judge`."""
        scheme = scheme_for(scheme)
        batch = batch_of(golds, answers, finishes, letters, prompts)
        found = judge_batch(batch, scheme)
        if self._node is not None:
            self._shadow.compare(
                batch, found, lambda sample: self._node.judge_batch(sample, scheme)
            )
        return found

    def close(self):
        """Ends the Node child, if there is one; the next call that needs it starts another."""
        if self._node is not None:
            self._node.close()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()


class NodeEngine:
    """Judges in a child process, ``steerbench serve --stdio``, which ends with this process.

    One call at a time uses the child. A child that dies or answers nonsense is replaced once per
    call; then, and when ``timeout`` seconds are over, the call raises SteerError. A forked process
    starts a child of its own, and so does an engine that was pickled.
    """

    def __init__(self, command=None, timeout=10.0):
        """See :func:`open_engine`."""
        if isinstance(command, str) or not 0 < timeout < float("inf"):
            raise SteerError(
                "command must be a list of texts and timeout a number of seconds, not "
                f"{command!r} and {timeout!r}"
            )
        self._command = list(command or ["steerbench"])
        self._timeout = timeout
        self._reset()
        _engines.add(self)

    def judge(self, golds, answers, finishes=None, scheme="asymmetric", letters=None, prompts=None):
        """See :func:`steerbench.judge.judge`."""
        batch = batch_of(golds, answers, finishes, letters, prompts)
        return self.judge_batch(batch, scheme_for(scheme))

    def judge_batch(self, batch, scheme):
        """Judges a checked ``_batch.Batch`` under a Scheme."""
        deadline = monotonic() + self._timeout
        if not self._lock.acquire(timeout=self._timeout):
            raise SteerError(f"node engine: still busy with other calls after {self._timeout} s")
        try:
            faults = []
            while len(faults) < 2 and monotonic() < deadline:
                try:
                    return self._judge(batch, scheme, deadline)
                except ChildFault as fault:
                    faults.append(str(fault))
            raise SteerError(f"node engine: {self._called()}: {'; and again: '.join(faults)}")
        finally:
            self._lock.release()

    def _judge(self, batch, scheme, deadline):
        try:
            if self._child is None:
                self._start(deadline)
            return self._ask(batch, scheme, deadline)
        except BaseException:
            # What was asked and is not answered yet must never be taken for a later answer.
            self._end()
            raise

    def _start(self, deadline):
        self._child = NodeChild([*self._command, "serve", "--stdio", "--allow-dominated"])
        self._finalizer = weakref.finalize(self, self._child.end)
        difference = find_difference(lambda batch, scheme: self._ask(batch, scheme, deadline))
        if difference:
            raise SteerError(
                f"node engine: {self._called()} is not the scorer that this package is a port of; "
                f"install both in the same version: {difference}"
            )

    def _called(self):
        return " ".join(self._command)

    def _ask(self, batch, scheme, deadline):
        return judgements_of(self._child.exchange(frames_of(batch, scheme), deadline))

    def close(self):
        """Ends the child; the next call starts another."""
        with self._lock:
            self._end()

    def _end(self):
        if self._child is not None:
            self._finalizer()
            self._child = None

    def forget(self):
        """For a forked process: leaves the child to the parent, and the lock to who may hold it."""
        if self._child is not None:
            self._finalizer.detach()
            self._child.abandon()
        self._reset()

    def _reset(self):
        self._lock = threading.Lock()
        self._child = None
        self._finalizer = None

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def __reduce__(self):
        return NodeEngine, (self._command, self._timeout)


def _after_fork():
    for engine in list(_engines):
        engine.forget()


# Not everywhere; where it is missing, processes do not fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
