import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkExport } from "../../src/export/check.ts";
import { encode } from "../../src/export/columnar.ts";
import { runExport } from "../../src/export/export.ts";
import { findFormat } from "../../src/export/formats.ts";
import type { Manifest } from "../../src/export/manifest.ts";
import type { ExportRecord } from "../../src/export/record-schema.ts";
import type { ExportRequest } from "../../src/export/request.ts";
import { makeSource, readLines } from "./support.ts";

async function exported(changes: Partial<ExportRequest> & Pick<ExportRequest, "kind">) {
  const source = await makeSource();
  await runExport({ ...source, ...changes });
  return source;
}

/** Changes a data file and makes the manifest's size and hash agree, as if it had been written so. */
function rewrite(dir: string, change: (text: string) => string, name = "train.jsonl"): void {
  const text = change(readFileSync(join(dir, name), "utf8"));
  writeFileSync(join(dir, name), text);
  editManifest(dir, (manifest) => {
    for (const file of manifest.files.filter((each) => each.name === name)) {
      file.bytes = Buffer.byteLength(text);
      file.sha256 = createHash("sha256").update(text).digest("hex");
    }
  });
}

function editManifest(dir: string, edit: (manifest: Manifest) => void): void {
  const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as Manifest;
  edit(manifest);
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
}

/** Changes the first record. */
function editFirst(dir: string, edit: (record: Record<string, unknown>) => unknown): void {
  rewrite(dir, (text) => {
    const [first = "", ...rest] = text.split("\n");
    const record = JSON.parse(first);
    return [JSON.stringify(edit(record) ?? record), ...rest].join("\n");
  });
}

test("a changed byte, a missing file and a file that is not listed are found", async () => {
  const { outDir } = await exported({ kind: "sft", format: "messages" });
  const path = join(outDir, "train.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("case", "cAse"));
  writeFileSync(join(outDir, "test.parquet"), "");
  rmSync(join(outDir, "axolotl.yaml"));
  const { findings } = await checkExport(outDir);
  expect(findings).toEqual([
    "test.parquet: not in the manifest; trainers may load it as well",
    "train.jsonl: sha256 differs from the manifest",
    expect.stringMatching(/^axolotl.yaml: .* cannot be read: no such file/),
  ]);
});

const LINE_FAULTS: Readonly<Record<string, [(text: string) => string, RegExp]>> = {
  "a blank line": [(text) => text.replace("\n", "\n\n"), /row 2: blank line/],
  "a missing final line end": [(text) => text.trimEnd(), /row 50: the last line has no line end/],
  "a byte-order mark": [(text) => `\ufeff${text}`, /row 1: begins with a byte-order mark/],
  "a carriage return": [(text) => text.replace("\n", "\r\n"), /row 1: holds a raw line separator/],
  "a raw U+2028": [(text) => text.replace("case", "\u2028"), /row 1: holds a raw line separator/],
  "half a line": [(text) => text.slice(0, -9), /row 50: the last line has no line end/],
  "an escaped half of an emoji": [(text) => text.replace("case", "\\ud83d"), /half of a surrogate/],
  "a lost row": [(text) => text.slice(text.indexOf("\n") + 1), /rows: 49, but 50 in the manifest/],
};

for (const [name, [change, expected]] of Object.entries(LINE_FAULTS)) {
  test(`${name} is found`, async () => {
    const { outDir } = await exported({ kind: "sft" });
    rewrite(outDir, change);
    expect((await checkExport(outDir)).findings.join("\n")).toMatch(expected);
  });
}

type Edit = (record: Record<string, unknown>) => unknown;
const RECORD_FAULTS: readonly [string, string, Edit, RegExp][] = [
  ["sft", "trl", ({ prompt, ...rest }) => rest, /row 1: record: prompt: a value is required/],
  ["sft", "trl", (record) => ({ ...record, id: 1 }), /row 1: record: id: unknown key/],
  ["sft", "trl", ({ prompt, completion }) => ({ completion, prompt }), /keys are not in order/],
  ["sft", "trl", (r) => ({ ...r, completion: "x" }), /completion: must be a list/],
  ["sft", "tinker", (r) => ({ messages: (r["messages"] as unknown[]).slice(1) }), /^$/],
  [
    "sft",
    "tinker",
    (r) => ({ messages: (r["messages"] as unknown[]).slice(0, 2) }),
    /must be one turn of/,
  ],
  ["preferences", "trl", (r) => ({ ...r, rejected: r["chosen"] }), /answers are the same/],
  ["preferences", "openai", (r) => ({ ...r, preferred_output: [] }), /must be one turn of/],
  ["preferences", "tinker", (r) => ({ ...r, label: "Tie" }), /label: must be A or B, not Tie/],
  ["rl", "trl", (r) => ({ ...r, gold: "act" }), /gold: not one of the five labels: act/],
  ["rl", "verl", (r) => ({ ...r, reward_model: "ASK" }), /reward_model: must be an object/],
  ["decisions", "steerbench", (r) => ({ ...r, gold_letter: "Z" }), /gold_letter: must be [A-E],/],
  [
    "decisions",
    "steerbench",
    (r) => ({ ...r, letters: [] }),
    /letters: must be .* for this trace_id/,
  ],
];

for (const [k, [kind, format, edit, expected]] of RECORD_FAULTS.entries()) {
  test(`a faulty ${kind} ${format} record is found (${k})`, async () => {
    const { outDir } = await exported({ kind: kind as "sft", format });
    editFirst(outDir, edit);
    expect((await checkExport(outDir)).findings.join("\n")).toMatch(expected);
  });
}

test("an id that stands twice, and counts that differ, are found", async () => {
  const { outDir } = await exported({ kind: "rl" });
  rewrite(outDir, (text) => {
    const [first, , ...rest] = text.split("\n");
    return [first, first, ...rest].join("\n");
  });
  const found = (await checkExport(outDir)).findings.join("\n");
  expect(found).toMatch(/row 2: trace_id t-\d+-\d stands in an earlier row/);
  expect(found).toMatch(/gold [A-Z]+: \d+, but 10 in the manifest/);
  expect(found).toMatch(/neighbours of one family: 1, but 0 in the manifest/);
});

test("held-out prompts in a train file are found against the source", async () => {
  const source = await makeSource();
  const { outDir } = source;
  await runExport({ ...source, kind: "sft", part: "test", allowTest: true });
  const held = readLines(join(outDir, "test.jsonl"));
  await runExport({ ...source, kind: "sft" });
  rewrite(outDir, (text) => `${JSON.stringify(held[0])}\n${text.slice(text.indexOf("\n") + 1)}`);
  const { findings } = await checkExport(outDir, source);
  expect(findings.join("\n")).toContain("row 1: the prompt is that of a test trace");
});

test("a prompt in both the train and the validation file is found", async () => {
  const { outDir } = await exported({ kind: "sft", validation: 10 });
  const [first] = readLines(join(outDir, "train.jsonl"));
  rewrite(outDir, (text) => `${JSON.stringify(first)}\n${text}`, "validation.jsonl");
  expect((await checkExport(outDir)).findings.join("\n")).toContain(
    "validation.jsonl: row 1: the prompt stands in the train file, too",
  );
});

test("a broken columnar file is a finding, not a crash", async () => {
  for (const as of ["parquet", "arrow"] as const) {
    const { outDir } = await exported({ kind: "sft", as });
    const path = join(outDir, `train.${as}`);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    const { findings } = await checkExport(outDir);
    expect(findings.join("\n")).toContain(`train.${as}: cannot be read: `);
  }
});

test("a column of another type is found in columnar files, too", async () => {
  const { schema } = findFormat("rl", "verl").format;
  for (const as of ["parquet", "arrow"] as const) {
    const { outDir } = await exported({ kind: "rl", format: "verl", as });
    const wrong = schema.map((field) =>
      field.name === "ability" ? { ...field, type: { kind: "int" } as const } : field,
    );
    const row: ExportRecord = {
      data_source: "s",
      prompt: [{ role: "user", content: "u" }],
      ability: 3,
      reward_model: { style: "rule", ground_truth: "ASK" },
      extra_info: { split: "train", index: 0, trace_id: "t", family_id: "f", domain: "coding" },
    };
    const bytes = Buffer.concat(
      Array.from(encode(as, wrong, [row]), (piece) => Buffer.from(piece as Uint8Array)),
    );
    writeFileSync(join(outDir, `train.${as}`), bytes);
    const { findings } = await checkExport(outDir);
    expect(findings.join("\n")).toContain("row 1: record: ability: must be a string, not 3");
  }
});

test("many faults are counted, the first ones listed", async () => {
  const { outDir } = await exported({ kind: "rl" });
  rewrite(outDir, (text) => text.replaceAll('"gold":', '"golden":'));
  const { findings } = await checkExport(outDir);
  expect(findings.filter((each) => each.includes("row "))).toHaveLength(20);
  expect(findings).toContain("train.jsonl: … and 30 more faults in rows");
});

test("a manifest of another version or a foreign format is refused", async () => {
  const { outDir } = await exported({ kind: "sft" });
  editManifest(outDir, (manifest) => Object.assign(manifest, { format: "alpaca" }));
  expect((await checkExport(outDir)).findings).toContain("manifest.json: unknown format alpaca");
  editManifest(outDir, (manifest) => Object.assign(manifest, { version: 2 }));
  await expect(checkExport(outDir)).rejects.toMatchObject({ code: "foreign_version" });
});

test("few rows for OpenAI are a note, not a fault", async () => {
  const source = await makeSource();
  await runExport({ ...source, kind: "sft", format: "openai", validation: 5 });
  const { findings, notes } = await checkExport(source.outDir);
  expect(findings).toEqual([]);
  expect(notes).toEqual(["validation.jsonl: 5 rows; OpenAI asks for 10 or more"]);
});
