import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { openBytes } from "../../src/data/byte-source.ts";
import { jsonlLines, readJsonl } from "../../src/data/jsonl.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const anyRow = z.unknown();

function file(data: string | Uint8Array, name = "rows.jsonl"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, data);
  return path;
}

async function rowsOf(path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  await readJsonl(path, anyRow, (row) => rows.push(row));
  return rows;
}

test("what JSON can say comes back, plain or packed, whatever stands between the rows", async () => {
  const value = fc.dictionary(
    fc.string({ unit: "binary" }),
    fc.jsonValue({ stringUnit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), async (values) => {
      const rows = values.map((each) => JSON.parse(JSON.stringify(each)));
      const text = rows.map((row) => `${JSON.stringify(row)}\r\n \n`).join("");
      expect(await rowsOf(file(text))).toEqual(rows);
      const bytes = Buffer.from(text);
      const half = Math.floor(bytes.length / 2);
      const members = [bytes.subarray(0, half), bytes.subarray(half)].map((part) => gzipSync(part));
      expect(await rowsOf(file(Buffer.concat(members), "rows.jsonl.gz"))).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

test("D07: U+0085, U+2028 and U+2029 inside a text do not end a line", async () => {
  const text = "a\u0085b\u2028c\u2029d";
  expect(await rowsOf(file(`${JSON.stringify({ text })}\n{}\n`))).toEqual([{ text }, {}]);
});

test("D19: half of a surrogate pair becomes U+FFFD in keys and values at any depth, and is counted", async () => {
  const path = file('{"\\ud83d": [{"a": "x\\udc00\\ud83d\\ude00\\\\ud83d"}]}\n');
  const rows: unknown[] = [];
  const { replacedCharacters } = await readJsonl(path, anyRow, (row) => rows.push(row));
  expect(rows).toEqual([{ "\uFFFD": [{ a: "x\uFFFD😀\\ud83d" }] }]);
  expect(replacedCharacters).toBe(2);
});

test("a thousand faults are counted, and the first hundred listed", async () => {
  const path = file("nonsense\n".repeat(1000));
  const error = await rowsOf(path).catch((caught) => caught);
  expect(error).toMatchObject({ code: "invalid" });
  expect(error.faults).toHaveLength(100);
  expect(error.message.split("\n")).toHaveLength(101);
  expect(error.message).toMatch(/\n… and 900 more \(1000 in all\)$/);
});

test("the visitor can add faults of its own, and all of them come at the end", async () => {
  const read = readJsonl(
    file('{"n":1}\n\n{"n":2}\n[]\n'),
    z.looseObject({ n: z.number() }),
    (row, { file: at, line }, faults) => {
      if (row.n === 2) faults.add({ file: at, line, path: "n", message: "too many" });
    },
  );
  await expect(read).rejects.toThrow(
    /rows\.jsonl:3: n: too many\n.*rows\.jsonl:4: expected an object, not a list of 0$/,
  );
});

test.each([
  ["a file that is not there", () => join(temporaryFolder(), "none.jsonl"), "not_found"],
  ["a folder", () => temporaryFolder(), "unreadable"],
  ["a path through a file", () => join(file("{}"), "rows.jsonl"), "unreadable"],
])("%s is an error that names the path", async (_, make, code) => {
  const path = make();
  await expect(rowsOf(path)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(path),
  });
});

test("G13: the text is never held as a whole: a line is handed over while later chunks are unread", async () => {
  const row = `${JSON.stringify({ text: "y".repeat(300) })}\n`;
  const path = file(row.repeat(40_000));
  const source = await openBytes(path);
  let rows = 0;
  let ahead = 0;
  for await (const { offset } of jsonlLines(source)) {
    rows++;
    ahead = Math.max(ahead, source.readBytes() - offset);
  }
  source.close();
  expect(rows).toBe(40_000);
  // Two chunks of 1 MiB: the one being cut and the one read ahead.
  expect(ahead).toBeLessThanOrEqual(2 * 2 ** 20 + row.length);
});

test("a refused or broken file does not take the first rows of the file that is read next", async () => {
  const plain = file("[]\n".repeat(1000), "rows.jsonl.gz");
  const broken = file(gzipSync("{}\n".repeat(100_000)).subarray(0, -9), "broken.jsonl.gz");
  const good = file('{"n":1}\n');
  for (let k = 0; k < 40; k++) {
    for (const bad of [plain, broken]) {
      await expect(rowsOf(bad)).rejects.toMatchObject({ code: "unreadable" });
      expect(await rowsOf(good)).toEqual([{ n: 1 }]);
    }
  }
});

/** Runs the built reader on its standard input, and gives what it printed. */
async function readStdin(write: (stdin: Writable) => void): Promise<string> {
  const reader = `
    import { readJsonl } from ${JSON.stringify(pathToFileURL(repositoryPath("dist/data/jsonl.js")))};
    const anyRow = { safeParse: (data) => ({ success: true, data }) };
    const rows = [];
    const end = (text) => process.stdout.write(text);
    readJsonl("-", anyRow, (row) => rows.push(row)).then(
      () => end(JSON.stringify(rows)),
      (error) => end(error.message),
    );`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", reader], { stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  write(child.stdin);
  await new Promise((resolve) => child.on("close", resolve));
  return output;
}

test("G05: all of stdin is read from a writer that starts late and stops within a character", async () => {
  const bytes = Buffer.from('{"text":"é"}\n{"text":"ü"}\n');
  const output = await readStdin(async (stdin) => {
    for (const piece of [bytes.subarray(0, 10), bytes.subarray(10)]) {
      await setTimeout(200);
      stdin.write(piece);
    }
    stdin.end();
  });
  expect(output).toBe('[{"text":"é"},{"text":"ü"}]');
});

test("stdin may be packed, and its faults are named as stdin's", async () => {
  expect(await readStdin((stdin) => stdin.end(gzipSync('{"n":1}\n')))).toBe('[{"n":1}]');
  expect(await readStdin((stdin) => stdin.end('{"n":1}\n\n{"n"'))).toBe(
    'stdin:3:5: half line at the end of the file, no line end: ends too early: expected ":"',
  );
});
