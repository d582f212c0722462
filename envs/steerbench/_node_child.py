"""A ``steerbench serve --stdio`` child: lines written to it and read from it under a deadline."""

import json
import os
import selectors
import signal
import subprocess
from collections import deque
from contextlib import suppress
from time import monotonic

from ._errors import SteerError

#: Frames on their way at once: Node works on one while the next arrives. What it has not read yet
#: it would keep in memory, without limit.
_IN_FLIGHT = 2
_CHUNK = 1 << 16
#: The reply to a full frame, of 512 answers under one scheme, takes some 300 kB.
_MOST_LINE_BYTES = 8 << 20


class ChildFault(Exception):
    """The child died, was too slow or said something that is no reply."""


class NodeChild:
    """A running child; its standard error is this process's."""

    def __init__(self, command):
        """Raises SteerError when the command cannot be started."""
        try:
            # In a session of its own, Ctrl-C at the terminal reaches this process only: a trainer
            # that saves its state on it still gets its rewards. The child ends with its input.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise SteerError(
                f"node engine: cannot start {command[0]}: {error}; install the steerbench command "
                "(npm install -g steerbench), or pass command=[...]"
            ) from error
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)
        self._received = bytearray()

    def exchange(self, frames, deadline):
        """The results of all frames, in order; ``deadline`` is in ``time.monotonic`` seconds.

        Raises ChildFault, after which the child is of no use, and SteerError for a refused frame.
        """
        frames, sent, unwritten = iter(frames), deque(), memoryview(b"")
        results, is_done = [], False
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            while True:
                while not is_done and not unwritten and len(sent) < _IN_FLIGHT:
                    frame = next(frames, None)
                    is_done = frame is None
                    if not is_done:
                        sent.append(frame)
                        unwritten = self._write(memoryview(frame.line))
                if not sent:
                    return results
                self._await(selector, bool(unwritten), deadline)
                unwritten = self._write(unwritten)
                for line in self._read_lines(deadline):
                    results += _results(line, sent)

    def _await(self, selector, is_writing, deadline):
        """Waits until something can be read or, where wanted, written."""
        left = deadline - monotonic()
        if left <= 0:
            raise ChildFault("no answer in time")
        if is_writing:
            selector.register(self._input, selectors.EVENT_WRITE)
        try:
            selector.select(left)
        finally:
            if is_writing:
                selector.unregister(self._input)

    def _write(self, data):
        """Writes what the pipe takes now; returns the rest."""
        try:
            while data:
                written = self._input.write(data)
                if not written:
                    break
                data = data[written:]
        except OSError as error:
            raise ChildFault(f"cannot be written to: {error}") from error
        return data

    def _read_lines(self, deadline):
        """Yields the lines that are whole by now, each to be used before more is read."""
        while True:
            chunk = self._output.read(_CHUNK)
            if chunk is None:
                return
            if not chunk:
                raise ChildFault(self._ending())
            # A child that writes on and on is always ready.
            if monotonic() >= deadline:
                raise ChildFault("no answer in time")
            *whole, rest = chunk.split(b"\n")
            for end in whole:
                line = bytes(self._received + end)
                self._received.clear()
                yield line
            self._received += rest
            if len(self._received) > _MOST_LINE_BYTES:
                raise ChildFault(f"wrote a line of over {_MOST_LINE_BYTES} bytes")

    def _ending(self):
        """How the child ended, now that its output is over."""
        with suppress(subprocess.TimeoutExpired):
            return f"ended with code {self._process.wait(timeout=0.2)}"
        return "closed its output"

    def end(self):
        """Kills the child: it holds nothing that could be lost."""
        # One that was waited for has given its number away.
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self.abandon()

    def abandon(self):
        """Lets go of the child, in a forked process: it belongs to the parent."""
        # Left open, this end of its input would keep the child alive when the parent is gone.
        self._input.close()
        self._output.close()
        # Or the destructor would wait for a process that is no child of this one.
        self._process.returncode = 0


def _results(line, sent):
    """The results in a line, which must answer the frame that was sent first."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        raise ChildFault(f"wrote a line that is no reply: {line[:80]!r}") from None
    if not isinstance(reply, dict) or not sent or reply.get("id") != sent[0].id:
        raise ChildFault(f"wrote a reply to something that was not asked: {line[:80]!r}")
    frame = sent.popleft()
    if "error" in reply:
        raise SteerError(f"node engine: a frame was refused: {reply['error']!r:.500}")
    results = reply.get("results")
    if not isinstance(results, list) or len(results) != frame.size:
        raise ChildFault(f"did not answer all of {frame.size} answers: {line[:80]!r}")
    return results
