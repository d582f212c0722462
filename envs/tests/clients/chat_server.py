"""A stand-in for an OpenAI-compatible endpoint that streams scripted answers."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def chat_server(replies):
    """Serves on a free port of the loopback; gives its base URL and the list of requests.

    ``replies``: pairs of content and finish reason; the answers to a conversation are these in
    turn. A finish reason of None answers with status 400.
    """
    requests, asked, lock = [], {}, threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                requests.append(body)
                key = json.dumps(body["messages"])
                number = asked[key] = asked.get(key, -1) + 1
            content, finish = replies[number % len(replies)]
            if finish is None:
                self.answer(400, "application/json", json.dumps({"error": {"message": content}}))
            else:
                self.answer(200, "text/event-stream", _events(content, finish))

        def answer(self, status, kind, text):
            payload = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _events(content, finish):
    """The answer in two pieces, as a stream of chunks."""
    middle = len(content) // 2
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    chunks = [
        _chunk({"role": "assistant", "content": content[:middle]}, None),
        _chunk({"content": content[middle:]}, None),
        {**_chunk({}, finish), "usage": usage},
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _chunk(delta, finish):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    return {**head, "choices": [choice]}
