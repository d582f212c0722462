"""Files of records: JSON lines with the standard library, Parquet and Arrow with pyarrow."""

import gzip
import json
import zlib

from ._errors import SteerError


def read_records(path):
    """The records of a file as dicts, in order; raises SteerError naming file and line."""
    if path.endswith((".jsonl", ".jsonl.gz")):
        return _read_lines(path)
    if path.endswith((".parquet", ".arrow")):
        return _read_columns(path)
    raise SteerError(f"{path}: reads .jsonl, .jsonl.gz, .parquet and .arrow, not this ending")


def _read_lines(path):
    opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")
    records = []
    try:
        with opened as file:
            for number, line in enumerate(file, 1):
                records.append(_record(line, f"{path}:{number}"))
    except (OSError, EOFError, zlib.error) as error:
        raise SteerError(f"{path}: cannot read the file: {error}") from error
    return records


def _record(line, where):
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SteerError(f"{where}: is no JSON record: {error}") from error
    if not isinstance(record, dict):
        raise SteerError(f"{where}: must be an object, not {line[:60]!r}")
    return record


def _refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def _read_columns(path):
    try:
        from pyarrow import ipc, parquet
    except ImportError:
        raise SteerError(
            f"{path}: needs pyarrow (pip install pyarrow), or export with --as jsonl"
        ) from None
    try:
        if path.endswith(".parquet"):
            return parquet.read_table(path).to_pylist()
        with ipc.open_file(path) as reader:
            return reader.read_all().to_pylist()
    # Of a damaged file, pyarrow raises whatever its bytes led to: ValueError, KeyError, MemoryError.
    except Exception as error:
        raise SteerError(f"{path}: cannot read the file: {error!r:.500}") from error
