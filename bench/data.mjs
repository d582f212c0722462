// Generates traces of about 1.5 kB and times loading, near-duplicates and splits.
// npm run build && node bench/data.mjs [TRACES=1000000] [scattered|family]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nearEdges } from "../dist/data/near/near-edges.js";
import { loadScenarioSet } from "../dist/data/scenario-set.js";
import { makeSplit } from "../dist/data/split.js";
import { verifySplit } from "../dist/data/verify.js";
import { writeTraces } from "./traces.mjs";

const count = Number(process.argv[2] ?? 1_000_000);
const order = process.argv[3] ?? "scattered";
const folder = mkdtempSync(join(tmpdir(), "steerbench-bench-"));
const path = join(folder, "traces.jsonl");

/** Runs a step; prints its wall and processor time, its rate and the memory peak so far. */
async function measure(name, run) {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const result = await run();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(1).padStart(7)} s  cpu ${((user + system) / 1e6).toFixed(1).padStart(6)} s  ${Math.round(count / seconds)} traces/s  peak ${peak} MiB`,
  );
  return result;
}

try {
  const bytes = writeTraces(path, count, order);
  console.log(`${count} traces, ${Math.round(bytes / count)} bytes each, ${order} rows`);
  const set = await measure("load", () => loadScenarioSet(path));
  const options = { test: 0.2, seed: "bench" };
  const plain = await measure("split, no near", () => makeSplit(set, { ...options, near: false }));
  await measure("verify, no near", () => verifySplit(set, plain.split));
  const edges = await measure("near-duplicates", () => nearEdges(set));
  const equal = edges.filter((edge) => edge.equal).length;
  console.log(`  ${equal} equal pairs, ${edges.length - equal} near pairs`);
  const near = await measure("split, edges known", () => makeSplit(set, options));
  console.log(`  test ${near.split.test.length}, warnings ${JSON.stringify(near.warnings)}`);
  await measure("verify, edges known", () => verifySplit(set, near.split));
  set.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
