import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { orderByHash } from "../../src/core/hash.ts";
import { joinRuns } from "../../src/result/join-runs.ts";
import { situationsDigest } from "../../src/result/run-header.ts";
import type { RunRow } from "../../src/result/run-row.ts";
import type { RunHeader } from "../../src/result/run-schema.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeHeader, runTrace, textRow, writeRun } from "./support.ts";

const traces = orderByHash(
  ["a", "b", "c", "d", "e"].map((id) => runTrace(id, "ASK")),
  ({ id }) => id,
);
const rows = traces.map(({ id }) => textRow(id, `ASK for ${id}`));
const isOwn = (index: number, count: number) => (_: unknown, at: number) => {
  return at % count === index - 1;
};

function shard(
  index: number,
  count: number,
  { changes = {}, stored = rows.filter(isOwn(index, count)) as readonly RunRow[] } = {},
): string {
  const own = traces.filter(isOwn(index, count));
  const header = makeHeader(own, { shard: { index, count }, ...(changes as Partial<RunHeader>) });
  return writeRun(header, stored);
}

const newFolder = () => join(temporaryFolder(), "joined");

test("joined shards are the run that was never sharded, byte for byte, in any order", async () => {
  const whole = writeRun(makeHeader(traces), rows);
  const faster = { changes: { workers: 4 } };
  const shards = [shard(1, 3), shard(2, 3, faster), shard(3, 3, faster)];
  for (const paths of [shards, [...shards].reverse()]) {
    const out = newFolder();
    const run = await joinRuns(paths, out);
    expect(run).toMatchObject({ errors: [], pending: 0 });
    for (const file of ["run.json", "answers.jsonl"]) {
      expect(readFileSync(join(out, file), "utf8")).toBe(readFileSync(join(whole, file), "utf8"));
    }
  }
});

test("what a shard lacks, the joined run lacks", async () => {
  const failed = { id: traces[0]?.id ?? "", sample: 0, error: { code: "timeout", message: "m" } };
  const run = await joinRuns([shard(1, 2, { stored: [failed] }), shard(2, 2)], newFolder());
  expect(run.errors).toEqual([failed]);
  expect(run.pending).toBe(2);
  expect(run.header.situations).toBe(situationsDigest(traces));
});

test("missing, repeated and foreign shards are refused, naming each", async () => {
  const out = newFolder();
  const refuse = (paths: readonly string[], message: RegExp) =>
    expect(joinRuns(paths, out)).rejects.toMatchObject({
      code: "mismatch",
      message: expect.stringMatching(message),
    });
  await refuse([shard(1, 3), shard(3, 3)], /shard 2\/3 is missing/);
  await refuse([shard(1, 2), shard(1, 2), shard(2, 2)], /shard 1\/2 is given 2 times/);
  await refuse([shard(1, 2), shard(2, 3)], /shard\.count: 2 in .*, 3 in /);
  await refuse([shard(1, 2), shard(2, 2, { changes: { seed: "9" } })], /seed: .* "1", .* "9"/);
  await refuse([writeRun(makeHeader(traces), rows)], /is a whole run/);
  const overlapping = shard(2, 2, {
    changes: { traces: [...traces], situations: situationsDigest(traces) },
  });
  await refuse([shard(1, 2), overlapping], new RegExp(`${traces[0]?.id} is in .* and in `));
  expect(existsSync(out)).toBe(false);
});

test("shards may have run with other numbers of workers", async () => {
  const shards = [shard(1, 2, { changes: { workers: 4 } }), shard(2, 2)];
  expect((await joinRuns(shards, newFolder())).pending).toBe(0);
});

test("shards may name one model by other paths, as its files tell", async () => {
  const model = makeHeader(traces).model;
  const moved = { changes: { model: { ...model, spec: "scripted:/a/s.jsonl", name: "b" } } };
  expect((await joinRuns([shard(1, 2), shard(2, 2, moved)], newFolder())).pending).toBe(0);
  const other = { changes: { model: { ...model, files: { "s.jsonl": "e".repeat(64) } } } };
  await expect(joinRuns([shard(1, 2), shard(2, 2, other)], newFolder())).rejects.toMatchObject({
    message: expect.stringContaining("model.files.s.jsonl"),
  });
});

test("a folder that holds a run is not joined into", async () => {
  const out = writeRun(makeHeader(traces), rows);
  await expect(joinRuns([shard(1, 1)], out)).rejects.toMatchObject({ code: "state" });
});
