"""What the lm-eval task files call: rows in, rewards and metrics out.

The arguments of the loaders come from ``--metadata``, a JSON object.
"""

import json
import math
from functools import lru_cache

from steerbench._errors import SteerError
from steerbench._framework import require

require("lm-eval", at_least="0.4.13", below="0.5")

from steerbench.judge import judge  # noqa: E402
from steerbench.rows import load_rows  # noqa: E402
from steerbench.schemes import resolve_scheme  # noqa: E402
from steerbench.scorer import LETTERS, SCHEMES  # noqa: E402

__all__ = ["judge_answer", "judge_letters", "load_decisions", "load_rl"]


def load_rl(rows=None, scheme="asymmetric", prices=None, allow_test=False, **_):
    """The exported ``rl`` rows as lm-eval's one split.

    ``rows``: the file's path. ``scheme`` and ``prices``: as for
    :func:`steerbench.schemes.resolve_scheme`. ``allow_test``: accepts held-out rows.
    Raises SteerError for a missing path, faulty rows or prices.
    """
    return _split(rows, scheme, prices, allow_test, lettered=False)


def load_decisions(rows=None, scheme="asymmetric", prices=None, allow_test=False, **_):
    """The same for exported ``decisions`` rows."""
    return _split(rows, scheme, prices, allow_test, lettered=True)


def judge_answer(doc, results):
    """The reward and metrics of a generated answer; both readings side by side."""
    scheme = _scheme(doc["scheme"])
    [judged] = judge([doc["gold"]], results[:1], scheme=scheme)
    accuracy = {
        f"{which}_acc": judge([doc["gold"]], results[:1], scheme=_reading(which))[0].metrics["acc"]
        for which in ("strict", "lenient")
    }
    return {"reward": judged.reward, **accuracy, **judged.metrics}


def judge_letters(doc, results):
    """The reward and metrics of the likeliest letter, and how likely the right one is."""
    logprobs = [logprob for logprob, _ in results]
    letter = LETTERS[logprobs.index(max(logprobs))]
    answer = doc["prefix"] + letter
    [judged] = judge([doc["gold"]], [answer], None, _scheme(doc["scheme"]), [doc["letters"]])
    weights = [math.exp(logprob - max(logprobs)) for logprob in logprobs]
    shares = [weight / math.fsum(weights) for weight in weights]
    gold = LETTERS.index(doc["gold_letter"])
    return {
        "reward": judged.reward,
        **judged.metrics,
        "brier": math.fsum((share - (at == gold)) ** 2 for at, share in enumerate(shares)),
        "gold_probability": shares[gold],
        "letter_mass": math.fsum(map(math.exp, logprobs)),
    }


def _split(path, scheme, prices, allow_test, lettered):
    from datasets import Dataset

    if path is None:
        raise SteerError('name the exported file: --metadata \'{"rows": "/data/rl/train.jsonl"}\'')
    chosen = resolve_scheme(scheme, prices)
    table = json.dumps({"version": 1, **chosen._asdict(), "prices": dict(chosen.prices)})
    rows = load_rows(path, allow_test=allow_test)
    if any(("letters" in row) != lettered for row in rows):
        raise SteerError(f"{path}: this task wants rows of {'decisions' if lettered else 'rl'}")
    return {"test": Dataset.from_list([{**_doc(row), "scheme": table} for row in rows])}


def _doc(row):
    *system, user = row["prompt"]
    doc = {key: row[key] for key in ("trace_id", "family_id", "domain", "gold")}
    doc["system"] = "\n\n".join(turn["content"] for turn in system)
    doc["user"] = user["content"]
    if "letters" in row:
        doc.update({key: row["raw"][key] for key in ("letters", "prefix", "gold_letter")})
    return doc


@lru_cache(maxsize=8)
def _scheme(table):
    # Checked where the rows were loaded; each row carries its prices into the log of samples.
    return resolve_scheme(json.loads(table), allow_dominated=True)


def _reading(which):
    return SCHEMES["symmetric"]._replace(parse=which)
