import { existsSync } from "node:fs";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { compareText, orderByHash } from "../core/hash.ts";
import { writeFileAtomic } from "../data/write-file.ts";
import { headerDifferences, headerText, situationsDigest } from "./run-header.ts";
import { ANSWERS_FILE, HEADER_FILE, type Run, readRun } from "./run-read.ts";
import { keyText, type RunRow, rowLine } from "./run-row.ts";
import type { RunHeader } from "./run-schema.ts";

/** Header fields in which shards of one arm may differ. */
const OWN_FIELDS = ["shard", "traces", "situations", "workers", "threads"] as const;

/**
 * Joins the shards of one arm into one run, whatever the order of `paths`. Rows come in the order
 * of an unbroken run; of failures, only those without a later answer are taken over. An unfinished
 * shard makes an unfinished run, which `eval --resume` can finish.
 *
 * @returns the joined run
 * @throws SteerError `mismatch` naming what keeps the shards apart, `state` when `out` holds a run
 *   already, and whatever reading a run throws
 */
export async function joinRuns(paths: readonly string[], out: string): Promise<Run> {
  if ([HEADER_FILE, ANSWERS_FILE].some((name) => existsSync(join(out, name)))) {
    throw new SteerError("state", `${out}: a run is stored here already; name another folder`);
  }
  const runs = await Promise.all(paths.map(readRun));
  const shards = runs.map((run) => ({ ...run, shard: shardOf(run) }));
  shards.sort((a, b) => a.shard.index - b.shard.index || compareText(a.path, b.path));
  refuseStrangers(shards);
  const header = joinHeaders(shards.map((shard) => shard.header));
  // The header comes last: without it, a folder is no run.
  await writeFileAtomic(join(out, ANSWERS_FILE), answersText(header, runs));
  await writeFileAtomic(join(out, HEADER_FILE), headerText(header));
  return readRun(out);
}

type Shard = Run & { readonly shard: NonNullable<RunHeader["shard"]> };

function shardOf({ path, header }: Run): Shard["shard"] {
  if (header.shard) return header.shard;
  throw new SteerError("mismatch", `${path}: shard: is a whole run, not a shard of one`);
}

/** Lists everything that keeps the shards from being one run. */
function refuseStrangers(shards: readonly Shard[]): void {
  const [first] = shards;
  if (!first) throw new SteerError("usage", "join needs the folders of all shards of a run");
  const named = shards.map(({ path, header }) => ({ name: path, header }));
  const faults = named.slice(1).flatMap((other) => {
    return headerDifferences({ name: first.path, header: first.header }, other, OWN_FIELDS);
  });
  const { count } = first.shard;
  const counts = shards.filter((other) => other.shard.count !== count);
  faults.push(
    ...counts.map(
      ({ path, shard }) => `shard.count: ${count} in ${first.path}, ${shard.count} in ${path}`,
    ),
  );
  if (counts.length === 0) faults.push(...gaps(shards, count), ...overlaps(shards));
  if (faults.length === 0) return;
  throw new SteerError(
    "mismatch",
    `these runs are not the shards of one arm:\n  ${faults.join("\n  ")}`,
  );
}

function gaps(shards: readonly Shard[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => at + 1).flatMap((index) => {
    const own = shards.filter(({ shard }) => shard.index === index).map(({ path }) => path);
    if (own.length === 1) return [];
    return own.length === 0
      ? [`shard ${index}/${count} is missing`]
      : [`shard ${index}/${count} is given ${own.length} times: ${own.join(", ")}`];
  });
}

function overlaps(shards: readonly Shard[]): string[] {
  const owners = new Map<string, string>();
  return shards.flatMap(({ path, header }) =>
    header.traces.flatMap(({ id }) => {
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, path);
      return owner === undefined || owner === path ? [] : [`${id} is in ${owner} and in ${path}`];
    }),
  );
}

function joinHeaders(headers: readonly RunHeader[]): RunHeader {
  const [first] = headers as [RunHeader];
  const traces = orderByHash(
    headers.flatMap((header) => header.traces),
    ({ id }) => id,
  );
  return { ...first, shard: null, situations: situationsDigest(traces), traces };
}

function answersText({ traces, samples }: RunHeader, runs: readonly Run[]): string {
  const rows = new Map<string, RunRow>();
  for (const { answers, errors } of runs) {
    for (const row of [...answers, ...errors]) rows.set(keyText(row), row);
  }
  const ordered = traces.flatMap(({ id }) =>
    Array.from({ length: samples }, (_, sample) => rows.get(keyText({ id, sample }))),
  );
  return ordered.map((row) => (row ? `${rowLine(row)}\n` : "")).join("");
}
