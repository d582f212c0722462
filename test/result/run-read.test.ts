import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/result/run-read.ts";
import { rowLine } from "../../src/result/run-row.ts";
import { temporaryFolder } from "../support/cli.ts";
import { DECISION, letterRow, makeHeader, runTrace, textRow, writeRun } from "./support.ts";

const traces = [runTrace("a", "ACT"), runTrace("b", "ASK"), runTrace("c", "WAIT")];
const failure = (id: string, code = "timeout") => ({
  id,
  sample: 0,
  error: { code, message: "m" },
});

async function faultsOf(folder: string): Promise<string> {
  const error = await readRun(folder).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Error);
  return (error as Error).message;
}

test("gives the rows in the order of the header, whatever order they are stored in", async () => {
  const rows = [textRow("c", "x"), textRow("a", "y")];
  const run = await readRun(writeRun(makeHeader(traces), rows));
  expect(run.answers.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(run).toMatchObject({ errors: [], pending: 1 });
});

test("a failure is superseded by a later row of its key and counted while it stands", async () => {
  const rows = [failure("a"), failure("b", "refused"), textRow("a", "ASK"), failure("b")];
  const run = await readRun(writeRun(makeHeader(traces), rows));
  expect(run.answers).toEqual([textRow("a", "ASK")]);
  expect(run.errors).toEqual([failure("b")]);
  expect(run.pending).toBe(1);
});

test("a run that was killed before its first answer has none", async () => {
  const folder = writeRun(makeHeader(traces), []);
  rmSync(join(folder, "answers.jsonl"));
  expect(await readRun(folder)).toMatchObject({ answers: [], errors: [], pending: 3 });
});

test("lists every fault of the answers at once, with line and field", async () => {
  const folder = writeRun(makeHeader(traces), [textRow("a", "x")]);
  const lines = [
    rowLine(textRow("a", "again")),
    rowLine(textRow("z", "x")),
    rowLine(textRow("b", "x", { sample: 1 })),
    rowLine(letterRow("b", [-1, -2, -3, -4, -5])),
    rowLine(textRow("b", "x")).replace('"finish":"stop",', ""),
    rowLine(textRow("b", "x")).replace("no_label", "no_label\\u0022"),
    '{"id":"b","sample":0,"error":"timeout"}',
    rowLine(textRow("c", "x")).slice(0, 20),
  ];
  appendFileSync(join(folder, "answers.jsonl"), lines.join("\n"));
  const file = join(folder, "answers.jsonl");
  const message = await faultsOf(folder);
  for (const part of [
    ':2: id: sample 0 of "a" was answered on line 1 already',
    ':3: id: "z" is no trace of this run',
    ":4: sample: 1: the run has samples 0 to 0",
    ":5: text: is no row of a run with the generative readout",
    ":6: finish: required field is missing",
    ":8: error: expected an object",
    ":9:21: half line at the end of the file",
  ]) {
    expect(message).toContain(`${file}${part}`);
  }
  expect(message).toContain("eval --resume");
});

test("faults in whole lines are not blamed on an interruption", async () => {
  const folder = writeRun(makeHeader(traces), [textRow("z", "x")]);
  expect(await faultsOf(folder)).not.toContain("--resume");
});

test("a folder without a header is no run", async () => {
  const folder = temporaryFolder();
  expect(await faultsOf(folder)).toBe(
    `${join(folder, "run.json")}: no such file, so ${folder} is not a run`,
  );
  expect(await faultsOf(join(folder, "none"))).toContain("no such file or folder");
});

test("decision rows must have the letter order that the header states", async () => {
  const header = makeHeader(traces, { ...DECISION, letters: { order: "trace", rotations: 2 } });
  const good = letterRow("a", [-1, -2, -3, -4, -5], { rotations: 2 });
  expect((await readRun(writeRun(header, [good]))).answers).toEqual([good]);
  const short = letterRow("a", [-1, -2, -3, -4, -5]);
  expect(await faultsOf(writeRun(header, [short]))).toMatch(/answers.jsonl:1: offset: .* is /);
});

test("a header of another version, with faults or with changed traces is refused", async () => {
  const header = makeHeader(traces);
  const folder = writeRun(header, []);
  const write = (changes: object) => {
    writeFileSync(join(folder, "run.json"), JSON.stringify({ ...header, ...changes }));
  };
  write({ version: 2 });
  await expect(readRun(folder)).rejects.toMatchObject({ code: "foreign_version" });
  write({ samples: 0, readout: "spoken", surprise: 1 });
  const faults = await faultsOf(folder);
  for (const field of ["samples", "readout", "surprise"]) expect(faults).toContain(field);
  write({ traces: [{ ...traces[0], situation: traces[1]?.situation }, traces[1], traces[2]] });
  expect(await faultsOf(folder)).toContain("situations: is not the digest of the traces");
  write({ traces: [...traces, traces[0]] });
  expect(await faultsOf(folder)).toContain("traces[3].id: a is listed twice");
});

test("no run is an error that names the file", async () => {
  const folder = temporaryFolder();
  await expect(readRun(folder)).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining(join(folder, "run.json")),
  });
});

test("the header shows one trace a line, so that it can be read and searched", () => {
  const folder = writeRun(makeHeader(traces), []);
  const lines = readFileSync(join(folder, "run.json"), "utf8").split("\n");
  expect(lines.filter((line) => line.includes('"gold"'))).toHaveLength(3);
  expect(lines.at(-1)).toBe("");
});
