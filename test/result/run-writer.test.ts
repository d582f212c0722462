import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/result/run-read.ts";
import { openRun } from "../../src/result/run-writer.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeHeader, runTrace, textRow } from "./support.ts";

const traces = [runTrace("a", "ACT"), runTrace("b", "ASK")];
const header = makeHeader(traces);
const answersOf = (folder: string) => readFileSync(join(folder, "answers.jsonl"), "utf8");

async function started(): Promise<string> {
  const folder = join(temporaryFolder(), "new", "run");
  const run = await openRun(folder, header, { resume: false });
  run.append([textRow("a", "ACT")]);
  run.close();
  return folder;
}

test("stores a run that reads back, and leaves nothing else in the folder", async () => {
  const folder = await started();
  expect(readdirSync(folder).sort()).toEqual(["answers.jsonl", "run.json"]);
  const run = await readRun(folder);
  expect(run.header).toEqual(header);
  expect(run.answers).toEqual([textRow("a", "ACT")]);
});

test("a folder that holds a run is refused without resume, which the message names", async () => {
  const folder = await started();
  await expect(openRun(folder, header, { resume: false })).rejects.toMatchObject({
    code: "state",
    message: expect.stringContaining("--resume"),
  });
  expect(readdirSync(folder).sort()).toEqual(["answers.jsonl", "run.json"]);
});

test("resume goes on where the run stands, and starts it where there is none", async () => {
  const folder = await started();
  const before = answersOf(folder);
  const run = await openRun(folder, header, { resume: true });
  expect(run.isFinished({ id: "a", sample: 0 })).toBe(true);
  expect(run.isFinished({ id: "b", sample: 0 })).toBe(false);
  run.append([textRow("b", "ASK")]);
  run.close();
  expect(answersOf(folder).startsWith(before)).toBe(true);
  const fresh = await openRun(join(temporaryFolder(), "r"), header, { resume: true });
  expect(fresh.isFinished({ id: "a", sample: 0 })).toBe(false);
  fresh.close();
});

test("a failure is no answer: it is asked again and stays in the file", async () => {
  const folder = await started();
  const first = await openRun(folder, header, { resume: true });
  first.append([{ id: "b", sample: 0, error: { code: "timeout", message: "m" } }]);
  first.close();
  const second = await openRun(folder, header, { resume: true });
  expect(second.isFinished({ id: "b", sample: 0 })).toBe(false);
  second.append([textRow("b", "ASK")]);
  second.close();
  expect(answersOf(folder)).toContain("timeout");
  expect(await readRun(folder)).toMatchObject({ errors: [], pending: 0 });
});

test("resume under other conditions is refused, naming each field with both values", async () => {
  const folder = await started();
  const other = makeHeader([traces[0] ?? runTrace("x", "ACT")], {
    seed: "2",
    sampling: { temperature: 0.7, topP: 1, maxTokens: 64 },
    scorer: { version: "1", vectors: "f".repeat(64) },
  });
  const error = await openRun(folder, other, { resume: true }).catch((caught: Error) => caught);
  expect(error).toMatchObject({ code: "mismatch" });
  const { message } = error as Error;
  expect(message).toContain('seed: stored "1", now "2"');
  expect(message).toContain("sampling.temperature: stored 0, now 0.7");
  expect(message).toContain("scorer.vectors: stored null, now");
  expect(message).toContain("traces: stored 2 items, now 1 items");
  expect(message).not.toContain("maxTokens");
});

test("resume takes the same model under another spelling, by the hashes of its files", async () => {
  const folder = await started();
  const moved = (files: Record<string, string>) =>
    makeHeader(traces, { model: { ...header.model, spec: "scripted:./b", name: "b", files } });
  (await openRun(folder, moved(header.model.files), { resume: true })).close();
  expect((await readRun(folder)).header.model.spec).toBe(header.model.spec);
  await expect(
    openRun(folder, moved({ "s.jsonl": "e".repeat(64) }), { resume: true }),
  ).rejects.toMatchObject({ message: expect.stringContaining("model.files.s.jsonl") });
  await expect(openRun(folder, moved({}), { resume: true })).rejects.toMatchObject({
    message: expect.stringContaining("model.spec"),
  });
});

test("resume under a larger limit asks for more traces and keeps the answers", async () => {
  const folder = await started();
  const before = answersOf(folder);
  const more = [...traces, runTrace("c", "WAIT")];
  const run = await openRun(folder, makeHeader(more, { limit: 3 }), { resume: true });
  expect(run.isFinished({ id: "a", sample: 0 })).toBe(true);
  run.append([textRow("c", "WAIT")]);
  run.close();
  expect(answersOf(folder).startsWith(before)).toBe(true);
  expect(await readRun(folder)).toMatchObject({ header: { limit: 3 }, pending: 1 });
  await expect(openRun(folder, header, { resume: true })).rejects.toMatchObject({
    message: expect.stringContaining("traces: stored 3 items, now 2 items"),
  });
  const others = makeHeader([...traces].reverse().concat(runTrace("d", "ACT")), { limit: 3 });
  await expect(openRun(folder, others, { resume: true })).rejects.toMatchObject({
    code: "mismatch",
  });
});

test("a name that no folder can have is wrong usage", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const [name, said] of [
    ["", "empty name"],
    [file, "is a file"],
  ] as const) {
    await expect(openRun(name, header, { resume: true })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(said),
    });
  }
});

test("resume may change how many workers and threads there are", async () => {
  const folder = await started();
  const faster = makeHeader(traces, { workers: 4, threads: 2 });
  (await openRun(folder, faster, { resume: true })).close();
  expect((await readRun(folder)).header.workers).toBe(1);
});

test("answers without a header are refused", async () => {
  const folder = await started();
  rmSync(join(folder, "run.json"));
  await expect(openRun(folder, header, { resume: true })).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("no run.json"),
  });
});

test("a broken row stops a resume before anything is written", async () => {
  const folder = await started();
  writeFileSync(join(folder, "answers.jsonl"), `{"id":"a"}\n${answersOf(folder)}`);
  const before = answersOf(folder);
  await expect(openRun(folder, header, { resume: true })).rejects.toMatchObject({
    code: "invalid",
  });
  expect(answersOf(folder)).toBe(before);
  expect(readdirSync(folder)).toHaveLength(2);
});

test("a folder that cannot be made is an error that names it", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(openRun(join(file, "run"), header, { resume: false })).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining(file),
  });
});
