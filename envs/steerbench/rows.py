"""Rows that ``steerbench export`` wrote: in one shape for adapters, or as they are for trainers."""

from ._errors import SteerError
from ._export_manifest import check_manifest
from ._row_files import read_records
from ._row_shapes import normalise

__all__ = ["load_records", "load_rows"]

_MOST_FAULTS = 5


def load_rows(path, allow_test=False):
    """The rows of an exported ``rl`` (trl, verl, nemo-gym) or ``decisions`` file, all in one shape.

    ``path``: ``.jsonl`` or ``.jsonl.gz``; ``.parquet`` and ``.arrow`` where pyarrow is installed.
    Each row is a dict: ``trace_id``, ``family_id`` (None in nemo-gym rows), ``domain``, ``gold``,
    ``prompt`` (messages, as the export rendered them), ``letters`` (decisions only: the labels that
    A to E stand for), ``split`` (None where nothing tells) and ``raw``, the row as exported.

    The manifest beside the file, ``manifest.json`` or ``NAME.manifest.json``, says what the file
    holds; a file that differs from it is refused. Held-out rows are refused, and so are rows of
    which neither the manifest nor they themselves say that they are not; ``allow_test=True`` takes
    both.

    Raises SteerError naming file, row and field.
    """
    path = str(path)
    entry = check_manifest(path, allow_test)
    records = read_records(path)
    if entry is not None and len(records) != entry["rows"]:
        raise SteerError(f"{path}: {len(records)} rows; its manifest says {entry['rows']}")
    part = entry and entry["part"]
    rows, faults = [], []
    for number, record in enumerate(records, 1):
        row, problems = normalise(record, part)
        rows.append(row)
        faults += [f"{path}: row {number}: {problem}" for problem in problems]
    if faults:
        more = len(faults) - _MOST_FAULTS
        shown = faults[:_MOST_FAULTS] + ([f"and {more} more faults"] if more > 0 else [])
        raise SteerError("\n".join(shown))
    if not allow_test:
        _refuse_held_out(path, rows)
    return rows


def load_records(path, kind, allow_test=False):
    """The records of an exported file as they are, for trainers that take them so.

    ``kind``: what the file must be an export of, ``"sft"`` or ``"preferences"``; the manifest
    beside it says so, and is needed. Held-out files need ``allow_test=True``, to evaluate on.
    Raises SteerError naming the file.
    """
    path = str(path)
    if check_manifest(path, allow_test, (kind,)) is None:
        raise SteerError(f"{path}: keep the export's manifest.json, which names it, beside it")
    return read_records(path)


def _refuse_held_out(path, rows):
    held_out = sum(row["split"] == "test" for row in rows)
    if held_out:
        raise SteerError(
            f"{path}: {held_out} of {len(rows)} rows are held out; pass allow_test=True to "
            "evaluate on them, and never train on them"
        )
    untold = sum(row["split"] is None for row in rows)
    if untold:
        raise SteerError(
            f"{path}: nothing tells whether its rows are held out; keep the export's manifest.json "
            "beside it, or pass allow_test=True"
        )
