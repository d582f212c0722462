"""Reads cases as JSON lines and writes what the Python port makes of each, one line a case.

``--without-rung N`` switches one rung of the lenient ladder off, to see that the comparison with
the TypeScript port notices. ``--labels-backwards`` lists the labels in the other order, on which
no reading may depend.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "envs"))

#: What a rung that is switched off does instead, by the name of its function.
NOTHING = {
    1: ("cut_at_new_prompt", lambda text: text),
    2: ("unwrap", lambda text: text),
    3: ("read_objects", lambda text, spans: None),
    4: ("read_broken_object", lambda text: (None, text)),
    5: ("read_declaration", lambda prose: None),
    6: ("read_whole_reply", lambda text, letters: None),
    7: ("read_words", lambda prose: unread_on_rung_7()),
}


def unread_on_rung_7():
    from steerbench.scorer import Parse

    return Parse(None, "no_label", 7)


def switch_off(rung):
    from steerbench import _ladder

    name, replacement = NOTHING[rung]
    if not hasattr(_ladder, name):
        sys.exit(f"rung {rung} is no longer steerbench._ladder.{name}")
    setattr(_ladder, name, replacement)


def list_labels_backwards():
    from steerbench import _rules

    _rules.LABELS = _rules.LABELS[::-1]


def reading_of(case):
    from steerbench.scorer import parse

    strict, lenient = parse(
        case["answer"], case.get("letters"), case.get("prompt"), case.get("endTokens")
    )
    return [
        strict.label,
        strict.reason,
        lenient.label,
        lenient.reason,
        lenient.rung,
        lenient.multiple,
    ]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--without-rung", type=int)
    arguments.add_argument("--labels-backwards", action="store_true")
    chosen = arguments.parse_args()
    if chosen.labels_backwards:
        # Before anything else of the package is imported and has taken the order over.
        list_labels_backwards()
    if chosen.without_rung:
        switch_off(chosen.without_rung)
    readings = (reading_of(json.loads(line)) for line in sys.stdin.buffer)
    sys.stdout.write("\n".join(json.dumps(each, separators=(",", ":")) for each in readings))


main()
