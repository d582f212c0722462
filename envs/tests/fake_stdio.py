"""A ``steerbench serve --stdio`` that does one thing wrong, named by its first argument."""

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steerbench.judge import judge  # noqa: E402
from steerbench.scorer import Scheme  # noqa: E402

#: Frames that an engine sends to a new child before the caller's own.
SMOKE_FRAMES = 2


def reply_to(frame):
    table = frame["scheme"]
    scheme = Scheme(table["name"], table["parse"], table["prices"])
    columns = ([item.get(key) for item in frame["answers"]] for key in ("gold", "answer", "finish"))
    letters, prompts = (
        [item.get(key) for item in frame["answers"]] for key in ("letters", "prompt")
    )
    found = judge(*columns, scheme, letters, prompts)
    results = [
        {
            "reward": each.reward,
            "outcome": each.outcome,
            "metrics": {**each.metrics, "pred": each.pred},
        }
        for each in found
    ]
    return {"id": frame["id"], "results": results}


def spoil(fault, reply):
    """The line to write instead of the right one."""
    results = reply["results"]
    if fault == "wrong_id":
        reply["id"] += 1
    elif fault == "few":
        results.pop()
    elif fault == "nothing":
        del reply["results"]
    elif fault == "refuses":
        del reply["results"]
        reply["error"] = {"code": "too_large", "message": "too much"}
    elif fault == "item_error":
        results[0] = {"id": None, "reward": None, "error": {"code": "internal", "message": "?"}}
    elif fault in ("differs", "other_scorer"):
        for result in results:
            result["reward"] = 0
    line = json.dumps(reply)
    return {"garbage": "{oops", "twice": f"{line}\n{line}"}.get(fault, line)


def main():
    fault = sys.argv[1]
    for number, line in enumerate(sys.stdin, 1):
        is_smoke = number <= SMOKE_FRAMES and fault != "other_scorer"
        if fault == "silent":
            time.sleep(60)
        if fault == "dies" and not is_smoke:
            sys.exit(3)
        if fault == "closes" and not is_smoke:
            os.close(sys.stdout.fileno())
            time.sleep(60)
        if fault == "endless":
            while True:
                sys.stdout.write("x" * 65536)
        reply = reply_to(json.loads(line))
        sys.stdout.write((json.dumps(reply) if is_smoke else spoil(fault, reply)) + "\n")
        sys.stdout.flush()


main()
