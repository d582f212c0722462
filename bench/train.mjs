// The training engine beside torch and peft: one model, one adapter, the same token ids, one run.
//
//   npm run build && node bench/train.mjs --model SMOLLM2_FOLDER --python PYTHON [--blocks N] [--batch N] [--wide N] [--threads N] [--no-peaks]
//
// PYTHON is one with torch, transformers and peft. Every block has traces of its own from the train
// side; all sides do each kind of step on a block, in turning order, before the next kind. A block
// in which other processes used more than a tenth of a core is done again, up to --repeats times.
// On a machine that never rests, seconds of processor with --threads 1 are what can be compared.
// Both sides make the same updates, so losses are compared at every step. --wide is the number of
// blocks in which 8 × 8 answers are sampled, which takes torch a minute.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuMeter, waitForCalm } from "./decision/cpu.mjs";
import { PROMPTS, readAsked, SAMPLES } from "./train/asked.mjs";
import { openOurs } from "./train/ours.mjs";
import { measurePeaks } from "./train/peaks.mjs";
import { printTables } from "./train/table.mjs";
import { ONE_ROW, openTorch } from "./train/torch.mjs";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    python: { type: "string" },
    set: { type: "string", default: "scenario-sets/v1" },
    split: { type: "string", default: "splits/v1.json" },
    blocks: { type: "string", default: "4" },
    wide: { type: "string", default: "1" },
    batch: { type: "string", default: "4" },
    threads: { type: "string" },
    repeats: { type: "string", default: "2" },
    patience: { type: "string", default: "20" },
    peaks: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const { model, python, set, split } = values;
if (!model || !python) throw new Error("--model FOLDER and --python PYTHON are needed");

/** Others may use so much of a core while something is measured. */
const QUIET = 0.1;
const STEPS = ["sft", "decision", "rl"];
const threads = Number(values.threads ?? availableParallelism());
const blocks = Number(values.blocks);
const load = loadavg()[0];

const asked = await readAsked(model, { set, split, blocks, batch: Number(values.batch), threads });
const sampling = { samples: SAMPLES, maxTokens: Math.round(asked.lengths.answer) };
const folder = mkdtempSync(join(tmpdir(), "train-"));
const [adapter, file] = [join(folder, "adapter"), join(folder, "asked.json")];
writeFileSync(file, JSON.stringify(asked));
const needs = [...STEPS, "sample", "features"];
const ours = await openOurs(model, { threads, letters: asked.letters, needs });
await ours.writeAdapter(adapter);
const precisions = ["fp32", "bf16"];
const options = { model, adapter, file, threads, precisions, keepsMemory: true };
const torch = await openTorch(python, options);
const meter = cpuMeter(torch.pid);

const measured = [];

/** Runs every side of a measure on a block, and a noisy block again; -1 is to warm up. */
async function measure(name, block, sides) {
  const attempts = block < 0 ? 1 : 1 + Number(values.repeats);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = [];
    const turn = Math.max(0, block) % sides.length;
    for (const [side, run] of [...sides.slice(turn), ...sides.slice(0, turn)]) {
      if (block >= 0) await waitForCalm(meter, Number(values.patience));
      const before = meter();
      const made = await run();
      found.push({ name, block, side, attempt, ...made, ...before.end() });
    }
    measured.push(...found);
    const others = Math.max(...found.map((each) => each.others));
    const times = found.map(({ side, wall }) => `${side} ${wall.toFixed(0)}`).join(", ");
    process.stderr.write(`block ${block + 1} ${name}: ${times} ms, others ${others.toFixed(2)}\n`);
    if (others < QUIET) return;
  }
}

// Torch is no slower row by row than with all rows in one padded batch, and needs less memory.
const stepsOf = (name, b) => [
  ["ours", () => ours.step(asked.blocks[b][name])],
  ["torch fp32", () => torch.step("fp32", b, name, ONE_ROW)],
  ["torch bf16", () => torch.step("bf16", b, name, ONE_ROW)],
];
const samplersOf = (b, prompts) => [
  ["ours", () => ours.sample(asked.blocks[b].prompts.slice(0, prompts), sampling)],
  ["torch fp32", () => torch.sample("fp32", b, prompts, sampling)],
];

const measuresOf = (b) => [
  ...STEPS.map((name) => [name, stepsOf(name, b)]),
  [`${SAMPLES} answers`, samplersOf(b, 1)],
];

process.stderr.write("warming up\n");
for (const [name, sides] of measuresOf(0)) await measure(name, -1, sides);
process.stderr.write("measuring\n");
for (let b = 0; b < blocks; b++) {
  for (const [name, sides] of measuresOf(b)) await measure(name, b, sides);
  await measure("features", b, [["ours", () => ours.features(asked.blocks[b].features)]]);
}
for (let b = 0; b < Number(values.wide); b++) {
  await measure(`${PROMPTS} × ${SAMPLES} answers`, b, samplersOf(b, PROMPTS));
}
const { versions } = torch;
torch.close();
await ours.close();
process.stderr.write("measured\n");

const peaks = values.peaks
  ? await measurePeaks({ python, model, adapter, file, threads, names: STEPS })
  : null;
rmSync(folder, { recursive: true });
const machine = {
  cpu: cpus()[0]?.model,
  threads,
  load,
  versions: { node: process.version, ...versions },
};
printTables({ machine, asked, sampling, measured, peaks });
