"""The plain HTTP transport against servers that are slow, broken or another program."""

import socket
import threading
import time
import unittest

from support import RefusalTest

from steerbench._http import ServerGone, post_json

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


class Server:
    """Says ``pieces`` to every caller, ``pause`` seconds before each."""

    def __init__(self, pieces, pause=0.0):
        self._pieces, self._pause = pieces, pause
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/reset"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        try:
            with self._listening.accept()[0] as caller:
                # What is left unread would reset the connection.
                request = b""
                while not request.endswith(b"{}"):
                    request += caller.recv(1 << 16)
                for piece in self._pieces:
                    time.sleep(self._pause)
                    caller.sendall(piece)
        except OSError:
            pass

    def close(self):
        self._listening.close()


class HttpClientTest(RefusalTest):
    def post(self, pieces, timeout=5.0, **options):
        server = Server(pieces, **options)
        self.addCleanup(server.close)
        return post_json(server.url, {}, {}, timeout)

    def test_a_reply_is_read(self):
        self.assertEqual(self.post([HEAD + b'content-length: 7\r\n\r\n{"a":1}']), {"a": 1})

    def test_the_deadline_holds_for_the_whole_call_however_the_reply_trickles_in(self):
        trickles = ([b"x"] * 400, [HEAD, b"content-length: 400\r\n\r\n", *[b"x"] * 400])
        for pieces in trickles:
            began = time.monotonic()
            with self.assertRaisesRegex(ServerGone, "no answer in time"):
                self.post(pieces, timeout=0.4, pause=0.05)
            self.assertLess(time.monotonic() - began, 3)

    def test_broken_replies_and_other_programs_are_a_server_that_is_gone(self):
        for pieces, pattern in (
            ([HEAD + b"content-length: 90\r\n\r\n{"], "IncompleteRead|missing"),
            ([b"SSH-2.0-OpenSSH\r\n"], "BadStatusLine"),
            ([], "RemoteDisconnected"),
            ([HEAD + b"\r\n<html>hello</html>"], "no JSON object .*<html>"),
            ([b"HTTP/1.1 502 Bad Gateway\r\n\r\n<html>"], "status 502"),
            ([HEAD + b"\r\n[1]"], "no JSON object"),
        ):
            with self.subTest(pattern), self.assertRaisesRegex(ServerGone, pattern):
                self.post(pieces)

    def test_a_missing_token_is_told_with_how_to_send_one(self):
        reply = b'HTTP/1.1 401 Unauthorized\r\n\r\n{"error":{}}'
        self.refuses('headers={"authorization": "Bearer TOKEN"}', self.post, [reply])

    def test_what_the_server_refuses_is_told_in_its_words(self):
        with self.assertRaisesRegex(RuntimeError, r"Server error: .*full.*status 503"):
            self.post([b'HTTP/1.1 503 Busy\r\n\r\n{"error":"full"}'])

    def test_an_address_without_a_scheme_is_refused(self):
        self.refuses("begins with http://", post_json, "localhost:8000/reset", {}, {}, 1)


if __name__ == "__main__":
    unittest.main()
