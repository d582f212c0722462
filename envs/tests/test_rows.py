"""Exported rows in one shape, checked against the manifest beside them; held-out ones refused."""

import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import CLI, ROOT, RefusalTest

from steerbench.rows import load_records, load_rows

SAMPLES = ROOT / "exports"
KEYS = {"trace_id", "family_id", "domain", "gold", "prompt", "split", "raw"}


def sample(name):
    text = (SAMPLES / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


class RowsTest(RefusalTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, records, name="train.jsonl", manifest=None, beside="manifest.json"):
        """A file of records and, unless ``manifest`` is None, its manifest with these changes."""
        lines = "".join(json.dumps(record) + "\n" for record in records).encode()
        data = gzip.compress(lines) if name.endswith(".gz") else lines
        (self.folder / name).write_bytes(data)
        if manifest is not None:
            digest = hashlib.sha256(data).hexdigest()
            entry = {"name": name, "part": "train", "rows": len(records), "sha256": digest}
            entry.update(manifest.pop("entry", {}))
            whole = {"version": 1, "kind": "rl", "part": "train", "files": [entry], **manifest}
            (self.folder / beside).write_text(json.dumps(whole))
        return self.folder / name

    def test_every_format_comes_in_one_shape(self):
        for name, more in (
            ("rl-trl", set()),
            ("rl-verl", set()),
            ("rl-nemo-gym", set()),
            ("decisions-steerbench", {"letters"}),
        ):
            records = sample(name)
            rows = load_rows(self.write(records, manifest={}))
            self.assertEqual([row["raw"] for row in rows], records)
            for row in rows:
                self.assertEqual(set(row), KEYS | more)
                self.assertEqual(row["split"], "train")
                self.assertEqual({type(message["content"]) for message in row["prompt"]}, {str})
                self.assertEqual(row["family_id"] is None, name == "rl-nemo-gym")
        self.assertEqual(rows[0]["letters"], records[0]["letters"])

    def test_compressed_files_are_read(self):
        path = self.write(sample("rl-trl"), "train.jsonl.gz", {}, "train.manifest.json")
        self.assertEqual(len(load_rows(path)), 3)

    def test_an_export_of_the_command_line_is_read_whole(self):
        for part, more in (("train", []), ("test", ["--part", "test", "--allow-test"])):
            out = self.folder / part
            command = [*CLI, "export", "rl", "scenario-sets/demo", "--split", "splits/demo.json"]
            subprocess.run([*command, "-o", out, *more], cwd=ROOT, check=True, capture_output=True)
            path = out / f"{part}.jsonl"
            if part == "test":
                self.refuses("its manifest says that it is held out", load_rows, path)
            rows = load_rows(path, allow_test=part == "test")
            self.assertEqual({row["split"] for row in rows}, {part})
            self.assertEqual(len(rows), len({row["trace_id"] for row in rows}))

    def test_held_out_rows_need_an_explicit_argument(self):
        trl, verl = sample("rl-trl"), sample("rl-verl")
        for changes in ({"part": "test"}, {"entry": {"part": "test"}}):
            path = self.write(trl, manifest=changes)
            self.refuses("held out; pass allow_test=True", load_rows, path)
            self.assertEqual(len(load_rows(path, allow_test=True)), 3)
        verl[1]["extra_info"]["split"] = "test"
        (self.folder / "manifest.json").unlink()
        self.refuses("1 of 3 rows are held out", load_rows, self.write(verl))

    def test_a_part_that_is_none_and_a_version_that_is_not_1_are_refused_not_taken_for_train(self):
        rows = sample("rl-trl")
        for part in ("Test", "test ", "held-out", "", None, True, ["test"], 1):
            for changes in ({"part": part}, {"entry": {"part": part}}):
                path = self.write(rows, manifest=changes)
                said = "part: must be train, validation, test, not "
                self.refuses(said, load_rows, path)
                self.refuses(said, load_rows, path, allow_test=True)
        for version in (True, 1.0, "1", None):
            path = self.write(rows, manifest={"version": version})
            self.refuses("manifests of version 1, not", load_rows, path)
        for part in ("train", "validation"):
            load_rows(self.write(rows, manifest={"entry": {"part": part}}))

    def test_a_manifest_that_says_a_thing_twice_is_refused(self):
        path = self.write(sample("rl-trl"), manifest={"part": "test"})
        manifest = self.folder / "manifest.json"
        text = manifest.read_text()
        manifest.write_text(text[:-1] + ', "part": "train"}')
        self.refuses("repeated key 'part'", load_rows, path)

    def test_damaged_files_are_named(self):
        rows = sample("rl-trl")
        path = self.write(rows, "train.jsonl.gz")
        data = bytearray(path.read_bytes())
        for at in range(10, len(data), 7):
            damaged = bytearray(data)
            damaged[at] ^= 0xFF
            path.write_bytes(damaged)
            self.refuses("train.jsonl.gz", load_rows, path, allow_test=True)

    def test_rows_that_nothing_tells_of_are_refused_like_held_out_ones(self):
        path = self.write(sample("rl-trl"))
        self.refuses("nothing tells whether its rows are held out", load_rows, path)
        self.assertEqual({row["split"] for row in load_rows(path, allow_test=True)}, {None})
        self.assertEqual(len(load_rows(self.write(sample("rl-verl")))), 3)

    def test_a_file_that_is_not_the_one_of_the_manifest_is_refused(self):
        rows = sample("rl-trl")
        for pattern, changes in (
            ("is not the manifest's", {"entry": {"sha256": "0" * 64}}),
            ("3 rows; its manifest says 4", {"entry": {"rows": 4}}),
            ("version 1, not 2", {"version": 2}),
            ("a sft export", {"kind": "sft"}),
            ("is no manifest of an export", {"files": [{"name": "train.jsonl"}]}),
        ):
            self.refuses(pattern, load_rows, self.write(rows, manifest=changes), allow_test=True)

    def test_records_of_other_kinds_are_read_as_they_are_and_only_with_a_manifest(self):
        rows = sample("sft-trl")
        path = self.write(rows, manifest={"kind": "sft"})
        self.assertEqual(load_records(path, "sft"), rows)
        self.refuses("a sft export; what is wanted here is pref", load_records, path, "preferences")
        held_out = self.write(rows, manifest={"kind": "sft", "part": "test"})
        self.refuses("held out", load_records, held_out, "sft")
        self.assertEqual(load_records(held_out, "sft", allow_test=True), rows)
        (self.folder / "manifest.json").unlink()
        self.refuses("keep the export's manifest", load_records, path, "sft", allow_test=True)

    def test_faults_of_rows_are_named_with_file_and_row(self):
        trl, verl, decisions = sample("rl-trl"), sample("rl-verl"), sample("decisions-steerbench")
        trl[0]["gold"], trl[1]["trace_id"], trl[2]["prompt"] = "act", 7, "Ship it."
        verl[2]["extra_info"]["split"] = "dev"
        decisions[0]["letters"].reverse()
        for pattern, records in (
            (r"row 1: gold: 'act' is not a label(.|\n)*row 2: trace_id(.|\n)*row 3: prompt", trl),
            ("row 3: split: 'dev'", verl),
            ("row 1: letters: must be .* for this trace_id", decisions),
            (
                "row 1: is no rl or decisions record; it has the fields prompt, completion",
                sample("sft-trl"),
            ),
        ):
            self.refuses(f"train.jsonl: {pattern}", load_rows, self.write(records, manifest={}))

    def test_lines_that_are_no_records_are_named_by_their_number(self):
        path = self.folder / "train.jsonl"
        for line in ("[1]", "{", '{"a":NaN}', "[" * 100_000, ""):
            path.write_text(json.dumps(sample("rl-trl")[0]) + f"\n{line}\n")
            self.refuses("train.jsonl:2: ", load_rows, path)
        self.refuses("there is no such file", load_rows, self.folder / "none.jsonl")
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            self.refuses("needs pyarrow", load_rows, SAMPLES / "rl-verl.parquet")
        self.refuses("not this ending", load_rows, self.write([], "train.csv"))


if __name__ == "__main__":
    unittest.main()
