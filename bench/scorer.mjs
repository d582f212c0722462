// How many answers a second each port scores on one thread: node bench/scorer.mjs, after a build.
// The same answers in both, in this process and in one python3; both parses, outcome and prices.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { score } from "../dist/index.js";
import { hostileAnswers, mixedAnswers } from "./scorer-answers.mjs";

const ROUNDS = 40;
const BATCH = 64;

const rows = mixedAnswers(250);
const hostile = hostileAnswers();
print(rows, measure(rows, hostile), measureInPython(rows, hostile));

function measure(rows, hostile) {
  const kinds = {};
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const own = rows.filter((row) => row.kind === kind);
    kinds[kind] = own.length / best(own);
  }
  const slowest = hostile.map((row) => 1000 * best([row]));
  return { perSecond: rows.length / best(rows), kinds, batch: batchTimes(rows), slowest };
}

/** Processor seconds of the fastest round: the clock would count what others run on the machine. */
function best(rows) {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (const row of rows) score(row);
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1e6);
  }
  return fastest;
}

function batchTimes(rows) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i + BATCH <= rows.length; i += BATCH) {
      const batch = rows.slice(i, i + BATCH);
      const start = process.hrtime.bigint();
      for (const row of batch) score(row);
      times.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}

function measureInPython(rows, hostile) {
  const { status, stdout, stderr, error } = spawnSync(
    "python3",
    [fileURLToPath(new URL("scorer.py", import.meta.url)), String(ROUNDS), String(BATCH)],
    { input: JSON.stringify({ rows, hostile }), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`bench/scorer.py failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}

function print(rows, typescript, python) {
  const length = rows.reduce((sum, row) => sum + row.answer.length, 0) / rows.length;
  const version = `Node ${process.versions.node}, Python ${python.version}`;
  console.log(`${rows.length} answers, ${length.toFixed(0)} characters on average; ${version}`);
  console.log(`answers per processor second on one thread, best of ${ROUNDS} rounds:\n`);
  line("", "TypeScript", "Python", "ratio");
  line("mixed", ...pair(typescript.perSecond, python.perSecond));
  for (const [kind, speed] of Object.entries(typescript.kinds)) {
    line(`  ${kind}`, ...pair(speed, python.kinds[kind]));
  }
  line("", "", "", "");
  for (const quantile of ["p50", "p99"]) {
    const [ours, theirs] = [typescript.batch[quantile], python.batch[quantile]];
    const ratio = (theirs / ours).toFixed(1);
    line(
      `batch of ${BATCH} by the clock, ${quantile}, ms`,
      ours.toFixed(3),
      theirs.toFixed(3),
      ratio,
    );
  }
  console.log("\n64 KiB made to be slow, in ms of processor time:");
  for (const [i, { kind }] of hostile.entries()) {
    const [ours, theirs] = [typescript.slowest[i], python.slowest[i]];
    line(`  ${kind}`, ours.toFixed(1), theirs.toFixed(1), (theirs / ours).toFixed(1));
  }
}

function pair(ours, theirs) {
  const whole = (speed) =>
    Math.round(speed)
      .toString()
      .replace(/\B(?=(\d{3})+$)/g, ",");
  return [whole(ours), whole(theirs), (ours / theirs).toFixed(1)];
}

function line(name, ...columns) {
  console.log(name.padEnd(34) + columns.map((column) => column.padStart(12)).join(""));
}
