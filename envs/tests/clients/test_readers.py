"""Every file of ``exports/`` and a whole export, in the table readers that trainers use."""

import json
from pathlib import Path

import pytest

datasets = pytest.importorskip("datasets")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

from pyarrow import ipc  # noqa: E402
from pyarrow import json as arrow_json  # noqa: E402
from pyarrow import parquet  # noqa: E402

from steerbench.rows import load_rows  # noqa: E402
from steerbench.scorer import SteerError  # noqa: E402

EXPORTS = Path(__file__).resolve().parents[3] / "exports"
FILES = sorted(
    path for path in EXPORTS.iterdir() if path.suffix in (".jsonl", ".parquet", ".arrow")
)
KINDS = ("sft", "preferences", "decisions", "rl")


def truth(path):
    """The rows of the JSONL file of the same export."""
    lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def by_datasets(path, cache):
    kind = {".jsonl": "json", ".parquet": "parquet", ".arrow": "arrow"}[path.suffix]
    loaded = datasets.load_dataset(kind, data_files=str(path), split="train", cache_dir=str(cache))
    return list(loaded)


def by_pyarrow(path, _):
    if path.suffix == ".parquet":
        return parquet.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        with pyarrow.memory_map(str(path)) as source:
            return ipc.open_file(source).read_all().to_pylist()
    return arrow_json.read_json(path).to_pylist()


def by_polars(path, _):
    read = {
        ".jsonl": polars.read_ndjson,
        ".parquet": polars.read_parquet,
        ".arrow": polars.read_ipc,
    }
    return read[path.suffix](path).to_dicts()


def by_pandas(path, _):
    if path.suffix == ".jsonl":
        frame = pandas.read_json(path, lines=True)
    else:
        frame = {".parquet": pandas.read_parquet, ".arrow": pandas.read_feather}[path.suffix](path)
    return [plain(row) for row in frame.to_dict("records")]


def plain(value):
    """pandas gives arrays for lists, and numbers of numpy."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return [plain(each) for each in value] if isinstance(value, list) else value


READERS = [by_datasets, by_pyarrow, by_polars, by_pandas]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_sample_reads_as_its_rows(path, reader, tmp_path):
    assert reader(path, tmp_path) == truth(path)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_the_encodings_of_a_whole_export_agree(demo_export, kind, reader, tmp_path):
    jsonl = demo_export(kind) / "train.jsonl"
    expected = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert len(expected) >= 90
    for encoding in ("jsonl", "parquet", "arrow"):
        path = demo_export(kind, "--as", encoding) / f"train.{encoding}"
        assert reader(path, tmp_path / encoding) == expected


def test_verl_rows_keep_their_struct_through_parquet():
    table = parquet.read_table(EXPORTS / "rl-verl.parquet")
    assert pyarrow.types.is_struct(table.schema.field("reward_model").type)
    assert pyarrow.types.is_struct(table.schema.field("extra_info").type)
    # A feature description of one library version is unreadable to another.
    assert b"huggingface" not in (table.schema.metadata or {})


@pytest.mark.parametrize("name", ["rl-verl.parquet", "rl-verl.arrow"])
def test_a_damaged_table_is_an_error_that_names_the_file(name, tmp_path):
    data = (EXPORTS / name).read_bytes()
    damaged_ones = [data[:100], data[:-100], b""]
    for at in range(0, len(data), max(1, len(data) // 60)):
        damaged_ones.append(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
    path = tmp_path / name
    refused = 0
    for damaged in damaged_ones:
        path.write_bytes(damaged)
        try:
            load_rows(path, allow_test=True)
        except SteerError as error:
            assert name in str(error)
            refused += 1
    assert refused >= 10
