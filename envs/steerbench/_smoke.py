"""A few stored judgements that any judge must repeat before it is trusted."""

from ._batch import batch_of
from ._judgement import judgement_of_row
from ._outcome import SCHEMES
from ._rules import load_table


def find_difference(judge_batch):
    """The first stored judgement that ``judge_batch(batch, scheme)`` makes otherwise, as a text.

    None when it repeats all of them.
    """
    table = load_table("smoke.json")
    for name, scheme in SCHEMES.items():
        rows = [row for row in table["cases"] if row["scheme"] == name]
        columns = zip(*([row[key] for key in _COLUMNS] for row in rows))
        for row, found in zip(rows, judge_batch(batch_of(*columns), scheme)):
            if found != judgement_of_row(row):
                return f"{row!r} in steerbench/data/smoke.json is judged as {found!r}"
    return None


_COLUMNS = ("gold", "answer", "finish", "letters", "prompt")
