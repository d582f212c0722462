import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SteerError } from "../../src/core/errors.ts";
import { LABELS } from "../../src/core/intervention.ts";
import { checkExport } from "../../src/export/check.ts";
import { ENCODINGS } from "../../src/export/columnar.ts";
import { runExport } from "../../src/export/export.ts";
import { EXPORT_KINDS } from "../../src/export/format-types.ts";
import { FORMATS } from "../../src/export/formats.ts";
import type { ExportRequest } from "../../src/export/request.ts";
import { loadTraces, makeFamilies, makeSource, readLines } from "./support.ts";

const ALL = EXPORT_KINDS.flatMap((kind) =>
  Object.keys(FORMATS[kind]).map((format) => ({ kind, format })),
);

/** Every file of a folder, as text of its bytes. */
function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(() => null).catch((reason: unknown) => reason);
  return error instanceof SteerError ? error.code : String(error);
}

for (const { kind, format } of ALL) {
  test(`${kind} ${format}: every file form passes the check against its source`, async () => {
    const source = await makeSource();
    for (const as of ENCODINGS) {
      const request = {
        ...source,
        kind,
        format,
        as,
        validation: 10,
        outDir: `${source.outDir}-${as}`,
      };
      const manifest = await runExport(request);
      const check = await checkExport(request.outDir, source);
      expect(check.findings).toEqual([]);
      expect(check.rows).toBe(manifest.files.reduce((sum, { rows }) => sum + rows, 0));
      expect(manifest.files.map(({ name }) => name)).toEqual([`train.${as}`, `validation.${as}`]);
    }
  });
}

test("a second run into the same folder gives the same bytes", async () => {
  const source = await makeSource();
  for (const as of ENCODINGS) {
    const request = { ...source, kind: "preferences", as } as const;
    await runExport(request);
    const before = filesOf(source.outDir);
    await runExport(request);
    expect(filesOf(source.outDir)).toEqual(before);
  }
});

test("the rows do not depend on the order of the set, and another seed orders them anew", async () => {
  const { set, split, outDir } = await makeSource();
  const reversed = await loadTraces(makeFamilies(12).toReversed());
  for (const kind of ["sft", "preferences"] as const) {
    const textOf = async (changes: Partial<ExportRequest>) => {
      await runExport({ set, split, kind, outDir, validation: 10, ...changes });
      return [
        readFileSync(join(outDir, "train.jsonl")),
        readFileSync(join(outDir, "validation.jsonl")),
      ];
    };
    const plain = await textOf({});
    expect(await textOf({ set: reversed })).toEqual(plain);
    expect(await textOf({ seed: "1" })).not.toEqual(plain);
  }
});

test("a split that the set does not confirm is refused, and nothing is written", async () => {
  const { set, split, outDir } = await makeSource();
  const [moved = "", ...test] = split.test;
  const forged = { ...split, test, train: [...split.train, moved].sort() };
  expect(await codeOf(runExport({ set, split: forged, kind: "sft", outDir }))).toBe("unverified");
  expect(() => readdirSync(outDir)).toThrow();
});

test("test rows are exported only with the explicit flag, and the manifest says so", async () => {
  const { set, split, outDir } = await makeSource();
  const request = { set, split, kind: "rl", part: "test", outDir } as const;
  expect(await codeOf(runExport(request))).toBe("held_out");
  const manifest = await runExport({ ...request, allowTest: true });
  expect([manifest.part, manifest.allowTest]).toEqual(["test", true]);
  const ids = readLines(join(outDir, "test.jsonl")).map((row) => String(row["trace_id"]));
  expect(ids.sort()).toEqual([...split.test].sort());
});

test("train exports hold every train trace once and no test trace", async () => {
  const { set, split, outDir } = await makeSource();
  await runExport({ set, split, kind: "decisions", outDir, validation: 15 });
  const ids = ["train.jsonl", "validation.jsonl"].flatMap((name) =>
    readLines(join(outDir, name)).map((row) => String(row["trace_id"])),
  );
  expect(ids.sort()).toEqual([...split.train].sort());
});

test("options that make no sense are refused before any work", async () => {
  const { set, split, outDir } = await makeSource();
  const refusal = async (changes: Partial<ExportRequest>) => {
    const error = await runExport({ set, split, kind: "sft", outDir, ...changes }).catch((e) => e);
    return `${error.code}: ${error.message}`;
  };
  expect(await refusal({ format: "alpaca" })).toMatch(/^usage: unknown format alpaca for sft; use/);
  expect(await refusal({ negatives: ["premature"] })).toMatch(/^usage: .* belong to preferences/);
  expect(await refusal({ part: "test", allowTest: true, validation: 5 })).toMatch(
    /^usage: .*never/,
  );
  expect(await refusal({ validation: 1.5 })).toMatch(/^usage: --validation must be a whole number/);
  expect(await refusal({ kind: "preferences", negatives: ["balanced", "premature"] })).toMatch(
    /^usage: --negatives: balanced draws on premature already/,
  );
  expect(await refusal({ kind: "preferences", negatives: ["bad" as never] })).toMatch(
    /^usage: --negatives: unknown bad; use one of balanced, premature/,
  );
  expect(await refusal({ as: "csv" as never })).toMatch(/^usage: --as: unknown csv/);
});

test("D17: an export without rows is refused, with the reason", async () => {
  const traces = makeFamilies(12).map(({ tempting: _, ...trace }, k) => ({
    ...trace,
    family: `f${k}`,
  }));
  const set = await loadTraces(traces);
  const { makeSplit } = await import("../../src/data/split.ts");
  const { split } = await makeSplit(set, { test: 10, seed: "0", near: false });
  const { outDir } = await makeSource();
  const error = await runExport({ set, split, kind: "preferences", outDir }).catch((e) => e);
  expect(error.code).toBe("impossible");
  expect(error.message).toBe("no rows to export for train: 50 traces, 50 skipped: no_reason_text");
});

test("D03: train and validation rows have the same keys in the same order", async () => {
  const source = await makeSource();
  for (const { kind, format } of ALL) {
    await runExport({ ...source, kind, format, validation: 10 });
    const shapes = ["train.jsonl", "validation.jsonl"].flatMap((name) =>
      readLines(join(source.outDir, name)).map((row) => shapeOf(row)),
    );
    expect(new Set(shapes).size).toBe(1);
  }
});

/** Keys and types of a value, in order; a list shows its first element. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${shapeOf(value[0])}]`;
  if (typeof value !== "object" || value === null) return typeof value;
  return `{${Object.entries(value).map(([key, item]) => `${key}:${shapeOf(item)}`)}}`;
}

test("what an earlier export left is replaced; files of others stay", async () => {
  const source = await makeSource();
  await runExport({ ...source, kind: "sft", format: "messages", validation: 10 });
  writeFileSync(join(source.outDir, "notes.txt"), "mine");
  await runExport({ ...source, kind: "sft", as: "parquet" });
  expect(readdirSync(source.outDir).sort()).toEqual([
    "manifest.json",
    "notes.txt",
    "train.parquet",
  ]);
});

test("an interrupted export leaves the earlier one as it was", async () => {
  const source = await makeSource();
  await runExport({ ...source, kind: "sft" });
  const before = filesOf(source.outDir);
  const abort = new AbortController();
  const broken = runExport({
    ...source,
    kind: "rl",
    validation: 10,
    signal: abort.signal,
    onProgress: (done) => done > 40 && abort.abort(),
  });
  expect(await codeOf(broken)).toBe("interrupted");
  expect(filesOf(source.outDir)).toEqual(before);
});

test("progress counts the rows of all files", async () => {
  const source = await makeSource();
  const seen: [number, number][] = [];
  const onProgress = (done: number, total: number) => void seen.push([done, total]);
  await runExport({ ...source, kind: "preferences", format: "kto", validation: 10, onProgress });
  expect(seen.at(-1)).toEqual([100, 100]);
  expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).sort((a, b) => a - b));
});

test("ready configurations name the data files", async () => {
  const source = await makeSource();
  await runExport({ ...source, kind: "sft", format: "messages", validation: 10, as: "parquet" });
  const info = JSON.parse(readFileSync(join(source.outDir, "dataset_info.json"), "utf8"));
  expect(Object.keys(info)).toEqual(["steerbench_train", "steerbench_validation"]);
  expect(info.steerbench_train.file_name).toBe("train.parquet");
  const yaml = readFileSync(join(source.outDir, "axolotl.yaml"), "utf8");
  expect(yaml).toContain("datasets:\n  - path: train.parquet\n    ds_type: parquet\n");
  expect(yaml).toContain("test_datasets:\n  - path: validation.parquet\n");
});

test("the manifest counts rows by label and domain", async () => {
  const source = await makeSource();
  const { files, set, validation } = await runExport({ ...source, kind: "sft", validation: 12 });
  expect(validation).toEqual({ wanted: 12, traces: 10, families: 2 });
  expect(set.digest).toBe(source.set.digest);
  for (const { counts, rows } of files) {
    const sum = LABELS.flatMap((label) => Object.values(counts[label])).reduce((a, b) => a + b, 0);
    expect(sum).toBe(rows);
  }
  expect(files.map(({ rows }) => rows)).toEqual([40, 10]);
});
