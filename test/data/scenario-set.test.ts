import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, digest, sha256Hex } from "../../src/core/hash.ts";
import { LABELS } from "../../src/core/intervention.ts";
import { DOMAINS, SCOPES, type Trace, traceSchema } from "../../src/core/trace.ts";
import { canonicalTrace, contentHash } from "../../src/data/content.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeFamily, makeTrace } from "../support/traces.ts";
import { loadTraces, writeRows } from "./support/sets.ts";

const HEADER = {
  version: 1,
  name: "small",
  setVersion: "0.3",
  licence: "CC-BY-4.0",
  canary: "canary-1f2e",
  seed: "s",
};

const text = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "traces"));
  for (const [name, data] of Object.entries(files)) writeFileSync(join(folder, name), data);
  return folder;
}

test("a folder is read file by file, packed ones too, and each row can be read again", async () => {
  const [a, b, c] = [makeFamily(1), makeFamily(2), makeFamily(3)];
  const folder = folderWith({
    "set.json": JSON.stringify(HEADER),
    "traces/b.jsonl.gz": gzipSync(text(b)),
    "traces/a.jsonl": text(a),
    "traces/C.jsonl": text(c),
    "traces/notes.txt": "not traces",
  });
  const set = await loadScenarioSet(folder);
  expect(set).toMatchObject({
    name: "small",
    version: "0.3",
    licence: "CC-BY-4.0",
    canary: "canary-1f2e",
  });
  expect(
    set.heads.map(({ file, line }) => `${file}:${line}`).filter((place) => place.endsWith(":1")),
  ).toEqual(["traces/C.jsonl:1", "traces/a.jsonl:1", "traces/b.jsonl.gz:1"]);
  expect(set.heads.map((_, k) => set.readTrace(k))).toEqual([...c, ...a, ...b]);
  expect([14, 0, 7].map((k) => set.readTrace(k).id)).toEqual(
    [14, 0, 7].map((k) => set.heads[k]?.id),
  );
  expect(set.files["traces/a.jsonl"]).toBe(sha256Hex(text(a)));
  expect(Object.keys(set.files)).toHaveLength(3);
  expect(set.warnings).toEqual([
    "traces/notes.txt is not read: its name does not end with .jsonl or .jsonl.gz",
  ]);
  set.close();
});

test("the digest depends on ids and contents, not on order, files, field order or spacing", async () => {
  const rows = [...makeFamily(1), ...makeFamily(2)];
  const whole = await loadTraces(rows);
  const turned = rows
    .toReversed()
    .map((row) => Object.fromEntries(Object.entries(row).reverse()) as Trace);
  const folder = folderWith({
    "set.json": JSON.stringify(HEADER),
    "traces/x.jsonl": turned
      .slice(0, 3)
      .map((row) => `${JSON.stringify(row).replaceAll('":', '" : ')}\r\n`)
      .join("\n"),
    "traces/y.jsonl": text(turned.slice(3)),
  });
  const parted = await loadScenarioSet(folder);
  expect(parted.digest).toBe(whole.digest);
  parted.close();
  const [first, ...others] = rows;
  const changed = await loadTraces([{ ...first, rationale: "Other." } as Trace, ...others]);
  expect(changed.digest).not.toBe(whole.digest);
});

const line = fc.string({ unit: "binary", minLength: 1 }).filter((value) => value.trim() !== "");
const entries = fc.record(
  {
    scope: fc.constantFrom(...SCOPES),
    text: line,
    saved: fc.constantFrom("2026-03-02T09:30:00Z", "2025-12-31T23:59:59.5+01:00"),
  },
  { requiredKeys: ["scope", "text"] },
);
const traces = fc.record(
  {
    id: fc.uuid(),
    family: fc.uuid(),
    domain: fc.constantFrom(...DOMAINS),
    task: line,
    memory: fc.array(entries, { maxLength: 3 }),
    observation: line,
    label: fc.constant("ACT" as const),
    rationale: line,
    tempting: fc.record({ label: fc.constantFrom(...LABELS.slice(1)), rationale: line }),
    also: fc.array(fc.constantFrom(...LABELS.slice(1))),
  },
  {
    requiredKeys: ["id", "family", "domain", "task", "memory", "observation", "label", "rationale"],
  },
);

test("the content hash is that of the canonical JSON", () => {
  const links = fc.option(fc.array(fc.uuid()), { nil: undefined });
  fc.assert(
    fc.property(traces, links, (trace, ids) => {
      const valid = traceSchema.parse(ids ? { ...trace, links: ids } : trace);
      expect(canonicalTrace(valid)).toBe(canonicalJson(valid));
      expect(contentHash(valid)).toBe(digest(valid).slice(0, 16));
    }),
    { numRuns: 100 },
  );
});

test("every trace comes back as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(traces, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
      async (rows) => {
        const set = await loadScenarioSet(writeRows(rows));
        expect(set.heads.map((_, k) => set.readTrace(k))).toEqual(rows);
        set.close();
      },
    ),
    { numRuns: 40 },
  );
});

test("progress goes from the first bytes to all of them over several files", async () => {
  const folder = folderWith({
    "set.json": JSON.stringify(HEADER),
    "traces/a.jsonl": text(makeFamily(1)),
    "traces/b.jsonl": text(makeFamily(2)),
  });
  const seen: [number, number][] = [];
  const set = await loadScenarioSet(folder, {
    onProgress: (done, total) => seen.push([done, total]),
  });
  set.close();
  const [, total] = seen[0] ?? [];
  expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b));
  expect(seen.at(-1)).toEqual([total, total]);
});

test("faults of several files come together, each under its own path", async () => {
  const folder = folderWith({
    "set.json": JSON.stringify(HEADER),
    "traces/a.jsonl": text([makeTrace({ id: "t-1" }), { ...makeTrace(), label: "Ask " }]),
    "traces/b.jsonl": text([makeTrace({ id: "t-1" })]),
  });
  const error = await loadScenarioSet(folder).catch((caught) => caught);
  expect(error.code).toBe("invalid");
  expect(error.message.split("\n")).toEqual([
    `${join(folder, "traces/a.jsonl")}:2: label: "Ask " is not one of ACT, ASK, WAIT, REMEMBER, FORGET; did you mean "ASK"?`,
    `${join(folder, "traces/b.jsonl")}:1: id: "t-1" is also the id of ${join(folder, "traces/a.jsonl")}:1`,
  ]);
});

test.each([
  ["no set.json", {}, "not_found", /set\.json: cannot be read: no such file/],
  [
    "a foreign version",
    { "set.json": '{"version":2}' },
    "foreign_version",
    /version 1 of a set\.json, not 2/,
  ],
  [
    "a misspelt field",
    { "set.json": JSON.stringify({ ...HEADER, license: "MIT" }) },
    "invalid",
    /unknown field "license"; did you mean "licence"\?/,
  ],
  [
    "no traces",
    { "set.json": JSON.stringify(HEADER) },
    "invalid",
    /traces: holds no \.jsonl or \.jsonl\.gz file/,
  ],
  [
    "an empty file",
    { "set.json": JSON.stringify(HEADER), "traces/a.jsonl": "\n" },
    "invalid",
    /holds no trace \(1 blank lines\)/,
  ],
] as const)("a folder with %s is refused", async (_, files, code, message) => {
  const load = loadScenarioSet(folderWith(files));
  await expect(load).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test("a folder without traces/, a missing path and another kind of file are refused", async () => {
  const folder = folderWith({ "set.json": JSON.stringify(HEADER), "rows.csv": "a,b" });
  await expect(loadScenarioSet(join(folder, "none"))).rejects.toMatchObject({ code: "not_found" });
  await expect(loadScenarioSet(join(folder, "rows.csv"))).rejects.toMatchObject({ code: "usage" });
  rmSync(join(folder, "traces"), { recursive: true });
  await expect(loadScenarioSet(folder)).rejects.toMatchObject({ code: "not_found" });
});

test("a file that is changed while the set is in use is noticed", async () => {
  const path = writeRows(makeFamily(1));
  const set = await loadScenarioSet(path);
  truncateSync(path, 10);
  expect(() => set.readTrace(4)).toThrow(/became shorter while it was in use/);
  writeFileSync(path, "x".repeat(10_000));
  expect(() => set.readTrace(3)).toThrow(/set\.jsonl:4: changed while it was in use/);
  expect(() => set.readTrace(99)).toThrow(RangeError);
  set.close();
});
