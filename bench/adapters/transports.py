"""The server, its clients, and the answers that they send."""

import http.client
import json
import multiprocessing
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from urllib.parse import urlsplit

from measure import cpu_seconds, figures

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ["node", str(ROOT / "dist/cli/main.js")]
PROCESSES = 8
SECONDS = 6


def mixed_answers():
    """512 answers of each kind: ``{gold, answer, finish?, letters?}``."""
    script = "import {mixedAnswers} from './bench/scorer-answers.mjs';"
    script += "console.log(JSON.stringify(mixedAnswers(512).map(({kind: _, ...row}) => row)))"
    command = ["node", "--input-type=module", "--eval", script]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def children():
    """The processes that this one has started, on Linux."""
    path = f"/proc/self/task/{os.getpid()}/children"
    return [int(pid) for pid in Path(path).read_text().split()]


@contextmanager
def serving():
    """A server on a free port: its port and process id."""
    child = subprocess.Popen([*COMMAND, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        yield urlsplit(child.stdout.readline().strip()).port, child.pid
    finally:
        child.terminate()
        child.wait()
        child.stdout.close()


class HttpClient:
    """One connection that is kept."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port)

    def rewards(self, rows):
        """Asks for the rewards of rows."""
        return [each["reward"] for each in json.loads(self.send(self.encode(rows)))["results"]]

    def encode(self, rows):
        """The body of a request."""
        return json.dumps({"items": rows, "scheme": "asymmetric"}).encode()

    def send(self, body):
        """The body of the reply."""
        headers = {"content-type": "application/json"}
        self._connection.request("POST", "/v1/score", body, headers)
        return self._connection.getresponse().read()


def eight_processes(port, pid, rows, size):
    """Figures of all processes together, each with a connection of its own."""
    context = multiprocessing.get_context("spawn")
    used = cpu_seconds(pid)
    with context.Pool(PROCESSES) as pool:
        found = pool.starmap(_ask, [(port, rows, size)] * PROCESSES, chunksize=1)
    times = [each for one, _ in found for each in one]
    cpu = cpu_seconds(pid) - used + sum(each for _, each in found)
    return figures(times, len(times) * size, SECONDS, cpu)


def _ask(port, rows, size):
    client = HttpClient(port)
    batches = [rows[k : k + size] for k in range(0, len(rows) - size + 1, size)][:64]
    client.rewards(batches[0])
    times, used, k = [], process_time(), 0
    until = perf_counter() + SECONDS
    while perf_counter() < until:
        start = perf_counter()
        client.rewards(batches[k % len(batches)])
        times.append(perf_counter() - start)
        k += 1
    return times, process_time() - used
