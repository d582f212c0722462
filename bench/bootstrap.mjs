// Paired bootstrap of 6 arms x 500 ids x 10,000 resamples, all arms and all 15 pairs, beside
// scipy.stats.bootstrap on the same numbers. After `npm run build`:
//   node bench/bootstrap.mjs            (PYTHON=path/to/python to choose one that has SciPy)
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { randomStream } from "../dist/core/random.js";
import { bootstrapArms } from "../dist/stats/paired-bootstrap.js";

const ARMS = 6;
const IDS = 500;
const RESAMPLES = 10_000;
const OUR_RUNS = 15;
const SCIPY_RUNS = 3;
const GOAL = { seconds: 0.5, ratio: 10 };

const arms = makeArms();
const seconds = [];
let ours;
for (let run = 0; run < OUR_RUNS; run++) {
  const start = performance.now();
  ours = bootstrapArms(arms, { seed: 7, resamples: RESAMPLES });
  seconds.push((performance.now() - start) / 1000);
}
const mine = median(seconds);
console.log(`${ARMS} arms x ${IDS} ids x ${RESAMPLES} resamples, all arms and pairs, one thread`);
console.log(`ours               ${mine.toFixed(3)} s   (first run ${seconds[0].toFixed(3)} s)`);
verdict(`under ${GOAL.seconds} s`, mine < GOAL.seconds);

const scipy = runScipy();
if (scipy) {
  const { one_by_one: each, one_call: all } = scipy;
  console.log(`SciPy, 21 calls    ${compared(each)}`);
  verdict(`at least ${GOAL.ratio} times as fast`, each.seconds / mine >= GOAL.ratio);
  console.log(`SciPy, one call    ${compared(all)}`);
  console.log("  its fastest form: a statistic that returns all 21 figures of one draw");
  console.log(`SciPy ${scipy.version}, Node ${process.version}; medians of several runs`);
}

/** Rewards of arms that get better one by one, on ids of mixed difficulty. */
function makeArms() {
  const random = randomStream(7, "bench");
  const difficulty = Array.from({ length: IDS }, random);
  return Array.from({ length: ARMS }, (_, arm) =>
    difficulty.map((hard) => {
      if (random() > 0.5 * hard + 0.1 * (ARMS - arm)) return 1;
      return [0, -0.25, -0.5, -1][Math.floor(random() * 4)];
    }),
  );
}

/** What bootstrap.py measured; undefined, with advice, where SciPy is missing. */
function runScipy() {
  const python = process.env.PYTHON ?? "python3";
  const script = fileURLToPath(new URL("bootstrap.py", import.meta.url));
  const { status, stdout, stderr, error } = spawnSync(python, [script], {
    input: JSON.stringify({ arms, resamples: RESAMPLES, runs: SCIPY_RUNS }),
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(stdout);
  console.log(`\nno SciPy figures: ${error?.message ?? stderr.trim()}`);
  console.log("Make an environment outside the repository and name its Python:");
  console.log("  python3 -m venv scipy-env && scipy-env/bin/pip install scipy");
  console.log("  PYTHON=scipy-env/bin/python node bench/bootstrap.mjs");
  process.exitCode = 1;
}

function compared({ seconds: theirs, pairs }) {
  const ratio = (theirs / mine).toFixed(1);
  return `${theirs.toFixed(3)} s   ${ratio} times as long, ends within ${largestGap(pairs).toFixed(4)}`;
}

function largestGap(pairs) {
  const gaps = pairs.flatMap(([low, high], at) => [
    Math.abs(low - ours.pairs[at].low),
    Math.abs(high - ours.pairs[at].high),
  ]);
  return Math.max(...gaps);
}

function verdict(goal, met) {
  console.log(`  goal: ${goal}: ${met ? "met" : "MISSED"}`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
