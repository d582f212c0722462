// Size and time of a report on many answers.
//
//   npm run build && node bench/report.mjs [--traces 500] [--arms 6] [--bytes 700]
//
// Makes a set and runs of invented traces and answers, half of them decision runs, and makes the
// report through the command line, situations included. Answers are `--bytes` long.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LABELS } from "../dist/core/intervention.js";
import { DOMAINS } from "../dist/core/trace.js";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "500" },
    arms: { type: "string", default: "6" },
    bytes: { type: "string", default: "700" },
  },
});
const [traces, arms, bytes] = [values.traces, values.arms, values.bytes].map(Number);

// Mulberry32: the same figures on every machine.
let state = 1;
function below(limit) {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4294967296) * limit);
}

function sentence(length) {
  let text = "";
  while (text.length < length) text += `${(below(46656) + 1296).toString(36)} `;
  return text.slice(0, length);
}

function run(...args) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`steerbench ${args.join(" ")}: ${stderr}`);
}

const folder = mkdtempSync(join(tmpdir(), "steerbench-report-"));
try {
  const set = join(folder, "set.jsonl");
  const split = join(folder, "split.json");
  const all = 2 * traces;
  const rows = Array.from({ length: all }, (_, at) => ({
    id: `t-${at.toString(16).padStart(8, "0")}`,
    family: `f-${Math.floor(at / 5)}`,
    domain: DOMAINS[Math.floor(at / 5) % DOMAINS.length],
    task: sentence(200),
    memory: [{ scope: "project", text: sentence(150) }],
    observation: sentence(400),
    label: LABELS[at % 5],
    rationale: sentence(100),
  }));
  writeFileSync(set, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  run("split", set, "--test", String(traces), "-o", split);
  const runs = Array.from({ length: arms }, (_, arm) => {
    const isDecision = arm % 2 === 1;
    const script = join(folder, `answers-${arm}.jsonl`);
    const answers = rows.map(({ id }) => {
      if (isDecision) return { id, logprobs: LABELS.map(() => -1.7 - below(400) / 100) };
      return { id, answer: `${sentence(bytes - 20)} Answer: ${LABELS[below(5)]}`, finish: "stop" };
    });
    writeFileSync(script, answers.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const out = join(folder, `arm-${arm}`);
    mkdirSync(out);
    const readout = isDecision ? ["decision", "--rotations", "5"] : ["generative"];
    run(
      "eval",
      set,
      "--split",
      split,
      "--model",
      `scripted:${script}`,
      "--readout",
      ...readout,
      "-o",
      out,
    );
    return out;
  });
  const page = join(folder, "report.html");
  const begun = performance.now();
  run("report", ...runs, "--set", set, "-o", page);
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = statSync(page).size / 1e6;
  console.log(
    `${traces} traces, ${arms} arms: ${megabytes.toFixed(2)} MB in ${seconds.toFixed(2)} s`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
