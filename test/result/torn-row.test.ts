import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/result/run-read.ts";
import { rowLine } from "../../src/result/run-row.ts";
import { openRun } from "../../src/result/run-writer.ts";
import { makeHeader, runTrace, textRow, writeRun } from "./support.ts";

// Characters of one to four bytes, so that a cut can fall inside a character.
const rows = ["a", "b", "c"].map((id) => textRow(id, `é—\u{1f600} ASK "${id}" {"x`));
const header = makeHeader(rows.map(({ id }) => runTrace(id, "ASK")));

const whole = Buffer.from(rows.map((row) => `${rowLine(row)}\n`).join(""));
const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);

/** A run whose answers end after so many bytes, as a killed writer leaves them. */
function cutRun(bytes: number): { folder: string; file: string } {
  const folder = writeRun(header, []);
  const file = join(folder, "answers.jsonl");
  writeFileSync(file, whole.subarray(0, bytes));
  return { folder, file };
}

/** Every 13th byte, and those around each row's end. */
const cuts = [...whole.keys(), whole.length].filter((at) => {
  return at % 13 === 0 || ends.some((end) => Math.abs(end - at) <= 2);
});

test("after a cut at any byte, resume keeps every finished row and its bytes", async () => {
  for (const cut of cuts) {
    const { folder, file } = cutRun(cut);
    const run = await openRun(folder, header, { resume: true });
    const finished = ends.filter((end) => end - 1 <= cut).length;
    const isTorn = !ends.some((end) => cut === end || cut === end - 1) && cut > 0;
    expect(run.repair?.kind ?? null, `cut at ${cut}`).toBe(
      isTorn ? "torn" : ends.includes(cut + 1) ? "line_end" : null,
    );
    expect(rows.map((row) => run.isFinished(row))).toEqual(rows.map((_, at) => at < finished));
    run.append(rows.slice(finished));
    run.close();
    expect(readFileSync(file).equals(whole), `cut at ${cut}`).toBe(true);
  }
});

test("what is torn off is kept beside the answers, under a number of its own each time", async () => {
  const [first = 0] = ends;
  const { folder, file } = cutRun(first + 9);
  const run = await openRun(folder, header, { resume: true });
  run.close();
  const savedTo = join(folder, "answers.torn-1");
  expect(run.repair).toEqual({ kind: "torn", bytes: 9, savedTo });
  expect(readFileSync(savedTo)).toEqual(whole.subarray(first, first + 9));
  writeFileSync(file, whole.subarray(0, first + 5));
  (await openRun(folder, header, { resume: true })).close();
  expect(readFileSync(join(folder, "answers.torn-2"))).toEqual(whole.subarray(first, first + 5));
  expect(readdirSync(folder)).toHaveLength(4);
});

test("a reader repairs nothing: a half row is a fault, a row without its line end is read", async () => {
  const [first = 0] = ends;
  const half = cutRun(first + 9);
  await expect(readRun(half.folder)).rejects.toThrow(/answers.jsonl:2:.*half line/);
  expect(readFileSync(half.file)).toHaveLength(first + 9);
  const unended = cutRun(first - 1);
  expect((await readRun(unended.folder)).answers).toEqual(rows.slice(0, 1));
});

test("zeros that a power cut leaves at the end are no row", async () => {
  const [first = 0] = ends;
  const { folder, file } = cutRun(first);
  writeFileSync(file, Buffer.concat([whole.subarray(0, first), Buffer.alloc(64)]));
  const run = await openRun(folder, header, { resume: true });
  run.close();
  expect(run.repair).toMatchObject({ kind: "torn", bytes: 64 });
  expect(readFileSync(file)).toEqual(whole.subarray(0, first));
});
