"""Records of each export format, brought into one shape."""

from ._letters import letters_at, offset_of
from ._rules import LABELS

_PARTS = ("train", "validation", "test")


def normalise(record, part):
    """A record as a row of ``load_rows``, and a list of what is wrong with it.

    ``part``: what the manifest says of the record's file; None without one.
    """
    fields = _fields(record)
    if fields is None:
        keys = ", ".join(record)
        return {}, [f"is no rl or decisions record; it has the fields {keys or 'none'}"]
    told = fields.pop("split")
    row = {**fields, "split": part if told is None else told, "raw": record}
    faults = [
        f"{key}: must be a text, not {row[key]!r}"
        for key in ("trace_id", "domain")
        if not isinstance(row[key], str)
    ]
    if row["gold"] not in LABELS:
        faults.append(f"gold: {row['gold']!r} is not a label; use one of {', '.join(LABELS)}")
    if not _are_messages(row["prompt"]):
        faults.append("prompt: must be a list of messages with role and content")
    if told is not None and (told not in _PARTS or part not in (None, told)):
        faults.append(f"split: {told!r}, where the manifest says {part!r}")
    if "letters" in row and not faults:
        expected = list(letters_at(offset_of(row["trace_id"])))
        if row["letters"] != expected:
            faults.append(f"letters: must be {', '.join(expected)} for this trace_id")
    return row, faults


def _fields(record):
    """What the formats call alike; None for a record of none of them."""
    extra, params = record.get("extra_info"), record.get("responses_create_params")
    if isinstance(extra, dict) and isinstance(record.get("reward_model"), dict):
        gold, prompt, ids = record["reward_model"].get("ground_truth"), record.get("prompt"), extra
    elif isinstance(params, dict) and "gold" in record:
        gold, prompt, ids = record["gold"], params.get("input"), record
    elif "gold" in record and "prompt" in record:
        gold, prompt, ids = record["gold"], record["prompt"], record
    else:
        return None
    fields = {key: ids.get(key) for key in ("trace_id", "family_id", "domain", "split")}
    fields.update(gold=gold, prompt=prompt)
    if "letters" in record:
        fields["letters"] = record["letters"]
    return fields


def _are_messages(prompt):
    return isinstance(prompt, list) and all(
        isinstance(message, dict)
        and isinstance(message.get("role"), str)
        and isinstance(message.get("content"), str)
        for message in prompt
    )
