// Seconds that one lettered decision costs, mode by mode, on a real model and the demo set.
//
//   npm run build && node bench/decision.mjs --model SMOLLM2_FOLDER [--python PYTHON] [--blocks N] [--families N]
//
// PYTHON is one with torch, transformers and lm-eval; without it only our own modes run. Blocks of
// whole families are done one after another, every mode on a block before the next block, in
// turning order, so that a drift of the machine meets all modes alike. Beside each time stands the
// processor use of everything that is not this measurement; medians are also given over the quiet
// blocks alone, and each measurement waits up to --patience seconds for a calm moment. Never asserted in a test: machines differ.

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { openBaseline } from "./decision/baseline.mjs";
import { cpuMeter, waitForCalm } from "./decision/cpu.mjs";
import { openModes } from "./decision/modes.mjs";
import { measurePeak } from "./decision/peak.mjs";
import { readBlocks } from "./decision/prompts.mjs";
import { printTable } from "./decision/table.mjs";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    set: { type: "string", default: "scenario-sets/demo" },
    python: { type: "string" },
    blocks: { type: "string", default: "6" },
    families: { type: "string", default: "4" },
    patience: { type: "string", default: "20" },
  },
});
if (!values.model) throw new Error("--model FOLDER is needed: see bench/models/smollm2.py");

/** Five passes over everything take so long that a part of each block must do. */
const SLOW_PROMPTS = 2;

const { blocks, facts } = readBlocks(values.model, values.set, {
  blocks: Number(values.blocks),
  families: Number(values.families),
});
const baseline = values.python ? await openBaseline(values.python, values.model) : null;
const ours = await openModes(values.model);
const modes = [...ours.modes, ...(baseline?.modes ?? [])];
const meter = cpuMeter(baseline?.pid);

for (const { run } of modes) await run({ ...blocks[0], prompts: blocks[0].prompts.slice(0, 2) });
const measured = [];
const peaks = [];
for (const [b, block] of blocks.entries()) {
  peaks.push(await measurePeak());
  const turn = b % modes.length;
  for (const mode of [...modes.slice(turn), ...modes.slice(0, turn)]) {
    const prompts = mode.isSlow ? block.prompts.slice(0, SLOW_PROMPTS) : block.prompts;
    await waitForCalm(meter, Number(values.patience));
    const before = meter();
    const { letters } = await mode.run({ ...block, prompts });
    const { wall, others } = before.end();
    measured.push({ mode: mode.name, block: b, prompts: prompts.length, wall, others, letters });
    process.stderr.write(
      `block ${b + 1}/${blocks.length} ${mode.name}: ${(wall / prompts.length).toFixed(0)} ms, others ${others.toFixed(2)}\n`,
    );
  }
}
const versions = { node: process.version, ...ours.versions, ...baseline?.versions };
const memory = { node: process.resourceUsage().maxRSS, python: await baseline?.peakMemory() };
await ours.close();
baseline?.close();
printTable({ modes, measured, peaks, blocks, facts, versions, memory, cpu: cpus()[0]?.model });
