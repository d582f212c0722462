"""JSON posted to a server, with one deadline over the whole call."""

import json
import socket
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from ._errors import SteerError

#: Longer replies are none of ``steerbench serve``.
_MOST_BYTES = 64 << 20

TOKEN_HINT = 'the server wants a bearer token: pass headers={"authorization": "Bearer TOKEN"}'


class ServerGone(SteerError, ConnectionError):
    """The server cannot be reached, went away, did not answer in time, or is another program."""


def post_json(url, body, headers, timeout):
    """What the server replies to a body, read as JSON.

    ``timeout``: seconds from the call to the reply's last byte, however slowly it arrives. Raises
    ServerGone; SteerError for a missing or wrong token; RuntimeError with what the server refused.
    """
    if not url.startswith(("http://", "https://")):
        raise SteerError(f"{url}: a server's address begins with http:// or https://")
    call = _Call(url, json.dumps(body).encode(), headers, timeout)
    worker = threading.Thread(target=call.run, daemon=True)
    worker.start()
    worker.join(timeout)
    if worker.is_alive():
        call.cut()
        raise gone(url, "no answer in time")
    if call.error is not None:
        raise gone(url, f"{type(call.error).__name__}: {call.error}") from call.error
    return _read(url, call.status, call.text)


def gone(url, why):
    """The error for a server that does not answer as it should."""
    return ServerGone(
        f"{url}: the server is gone or does not answer: {why}; "
        "`steerbench serve SET --split FILE` starts one"
    )


class _Call:
    """One request. A thread runs it: timeouts of sockets hold for each read, not for all."""

    def __init__(self, url, data, headers, timeout):
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._request = ("POST", parts.path, data, headers)
        self.status, self.text, self.error = None, None, None

    def run(self):
        try:
            self._connection.request(*self._request)
            reply = self._connection.getresponse()
            self.status, self.text = reply.status, reply.read(_MOST_BYTES + 1)
            if reply.length:
                self.error = ConnectionError(f"{reply.length} bytes of the reply are missing")
        except (OSError, HTTPException, ValueError) as error:
            self.error = error
        finally:
            self._connection.close()

    def cut(self):
        """Wakes the thread: closing alone would leave it waiting."""
        with suppress(OSError, AttributeError):
            self._connection.sock.shutdown(socket.SHUT_RDWR)


def _read(url, status, text):
    try:
        reply = json.loads(text) if len(text) <= _MOST_BYTES else None
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        raise gone(url, f"replied with what is no JSON object (status {status}): {text[:80]!r}")
    if status == 200:
        return reply
    if status == 401:
        raise SteerError(f"{url}: {TOKEN_HINT}")
    # As the WebSocket client does for what the server refuses.
    raise RuntimeError(f"Server error: {text.decode(errors='replace'):.2000} (status {status})")
