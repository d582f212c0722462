import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ENCODINGS, type Encoding, encode } from "../../src/export/columnar.ts";
import { readRows } from "../../src/export/read-rows.ts";
import {
  BOOL,
  DOUBLE,
  type ExportRecord,
  fieldsOf,
  INT,
  listOf,
  MESSAGES,
  normalise,
  type RecordSchema,
  STRING,
  struct,
} from "../../src/export/record-schema.ts";
import { temporaryFolder } from "../support/cli.ts";

const SCHEMA: RecordSchema = [
  ...fieldsOf({
    prompt: MESSAGES,
    letters: listOf(STRING),
    info: struct({ index: INT, name: STRING, inner: struct({ share: DOUBLE }) }),
    label: BOOL,
  }),
  { name: "reason", type: STRING, nullable: true },
  { name: "truncated", type: BOOL, nullable: true },
  { name: "sample", type: INT, nullable: true },
];

const records = fc.array(
  fc.record({
    prompt: fc.array(fc.record({ role: fc.string(), content: fc.string({ unit: "binary" }) })),
    letters: fc.array(fc.string({ unit: "grapheme" })),
    info: fc.record({
      index: fc.maxSafeInteger(),
      name: fc.string(),
      inner: fc.record({ share: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    }),
    label: fc.boolean(),
    reason: fc.option(fc.string()),
    truncated: fc.constant(null),
    sample: fc.option(fc.maxSafeInteger()),
  }),
  { maxLength: 12 },
);

function normalised(rows: readonly ExportRecord[]): Record<string, unknown>[] {
  return rows.map((row) => normalise(SCHEMA, row, { replacedCharacters: 0 }));
}

function bytesOf(encoding: Encoding, rows: readonly ExportRecord[], batchRows?: number): Buffer {
  const pieces = encode(encoding, SCHEMA, normalised(rows), batchRows);
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece as Uint8Array)));
}

function store(encoding: Encoding, bytes: Uint8Array): string {
  const path = join(temporaryFolder(), `rows.${encoding}`);
  writeFileSync(path, bytes);
  return path;
}

async function readBack(encoding: Encoding, bytes: Uint8Array): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readRows(store(encoding, bytes), encoding)) {
    rows.push("value" in row ? JSON.parse(plainJson(row.value)) : row);
  }
  return rows;
}

function plainJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? Number(item) : item));
}

const ROW = {
  prompt: [{ role: "user", content: "u" }],
  letters: ["A"],
  info: { index: 1, name: "n", inner: { share: 1 } },
  label: true,
  reason: "r",
  truncated: null,
  sample: null,
};

for (const encoding of ENCODINGS) {
  test(`${encoding}: every record comes back as it was written, over several batches`, async () => {
    await fc.assert(
      fc.asyncProperty(records, async (rows) => {
        const expected = JSON.parse(JSON.stringify(normalised(rows)));
        expect(await readBack(encoding, bytesOf(encoding, rows, 5))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test(`${encoding}: equal records give equal bytes, encoded after other things`, () => {
    const first = bytesOf(encoding, [ROW, ROW], 1);
    bytesOf(encoding, [{ ...ROW, reason: "other" }]);
    expect(bytesOf(encoding, [ROW, ROW], 1).equals(first)).toBe(true);
  });

  test(`D23: ${encoding}: absent and null become null, an empty text stays`, async () => {
    const { reason: _, ...absent } = ROW;
    const rows = [absent, { ...ROW, reason: null }, { ...ROW, reason: "" }];
    const back = (await readBack(encoding, bytesOf(encoding, rows))) as { reason: unknown }[];
    expect(back.map(({ reason }) => reason)).toEqual([null, null, ""]);
  });

  test(`D19: ${encoding}: half of a surrogate pair becomes U+FFFD`, async () => {
    const bytes = bytesOf(encoding, [{ ...ROW, reason: "half \ud83d" }]);
    expect(await readBack(encoding, bytes)).toEqual([{ ...ROW, reason: "half \ufffd" }]);
  });
}

test("D07: JSONL escapes U+0085, U+2028 and U+2029, and the values round-trip", async () => {
  const reason = "a\u0085b\u2028c\u2029d\r\ne";
  const bytes = bytesOf("jsonl", [{ ...ROW, reason }, ROW]);
  expect(bytes.toString().match(/[\u0085\u2028\u2029\r]/)).toBeNull();
  expect(await readBack("jsonl", bytes)).toEqual([{ ...ROW, reason }, ROW]);
});

test("D15: JSONL ends with a line feed and has neither blank lines nor a byte-order mark", () => {
  const text = bytesOf("jsonl", [ROW, ROW]).toString();
  expect(text.split("\n").map((line) => line.slice(0, 9))).toEqual(['{"prompt"', '{"prompt"', ""]);
});

test("a column of whole numbers is still one of doubles in JSONL", () => {
  const shares = [0, -0, 2, 1.5, 1e21, 5e-7].map((share) => {
    return { ...ROW, info: { index: 2, name: "n", inner: { share } } };
  });
  const text = bytesOf("jsonl", shares).toString();
  expect([...text.matchAll(/"share":([^}]+)/g)].map(([, number]) => number)).toEqual([
    "0.0",
    "0.0",
    "2.0",
    "1.5",
    "1e+21",
    "5e-7",
  ]);
});

test("D09: Arrow is the file form, magic at both ends, not the stream form", () => {
  const bytes = bytesOf("arrow", [ROW]);
  expect(bytes.subarray(0, 6).toString()).toBe("ARROW1");
  expect(bytes.subarray(-6).toString()).toBe("ARROW1");
});

test("D11: Arrow text columns are plain, also across files with other values", () => {
  for (const reason of ["ASK", "WAIT"]) {
    const { schema } = tableFromIPC(bytesOf("arrow", [{ ...ROW, reason }, ROW], 1));
    expect(schema.fields.map(({ type }) => `${type}`)).toEqual([
      "List<Struct<{role:Utf8, content:Utf8}>>",
      "List<Utf8>",
      "Struct<{index:Int64, name:Utf8, inner:Struct<{share:Float64}>}>",
      "Bool",
      "Utf8",
      "Bool",
      "Int64",
    ]);
    expect(schema.dictionaries.size).toBe(0);
  }
});

test("D17: an empty columnar file is valid and keeps its schema", async () => {
  for (const encoding of ["parquet", "arrow"] as const) {
    expect(await readBack(encoding, bytesOf(encoding, []))).toEqual([]);
  }
  expect(tableFromIPC(bytesOf("arrow", [])).schema.fields).toHaveLength(SCHEMA.length);
});

test("D21: an all-null boolean column has a validity bitmap for every row", () => {
  const table = tableFromIPC(bytesOf("arrow", [ROW, ROW, ROW]));
  expect(table.getChild("truncated")?.nullCount).toBe(3);
  expect([...(table.getChild("truncated") ?? [])]).toEqual([null, null, null]);
});

interface ParquetJs {
  readonly ParquetReader: {
    openFile(path: string): Promise<{
      getCursor(): { next(): Promise<Record<string, unknown> | null> };
      close(): Promise<void>;
    }>;
  };
}

test("another Parquet library reads the same values", async () => {
  const { ParquetReader } = createRequire(import.meta.url)("parquetjs-lite") as ParquetJs;
  const rows = [ROW, { ...ROW, label: false, reason: "ü 😀" }];
  const bytes = bytesOf("parquet", rows, 1);
  // That library insists on format version 1, though it knows all that is used of version 2.
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  expect([...bytes.subarray(footer, footer + 2)]).toEqual([0x15, 0x04]);
  bytes[footer + 1] = 0x02;
  const reader = await ParquetReader.openFile(store("parquet", bytes));
  const cursor = reader.getCursor();
  const found = [await cursor.next(), await cursor.next()];
  expect(await cursor.next()).toBeNull();
  await reader.close();
  expect(found.map((row) => [row?.["label"], row?.["reason"]])).toEqual([
    [true, "r"],
    [false, "ü 😀"],
  ]);
  expect(plainJson(found[0]?.["prompt"])).toContain('"content":"u"');
});
