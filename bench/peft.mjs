// Whether an adapter means the same here and in torch with peft, in both directions.
//
//   npm run build && node bench/peft.mjs --model SMOLLM2_FOLDER --python PYTHON [--prompts 12]
//
// PYTHON is one with torch, transformers and peft (fp32). One adapter is trained here by
// `steerbench train sft`, one by torch and saved by peft; with each, the logits of `hf:` are
// compared with torch's over the whole vocabulary, at the last tokens of prompts of the set's test
// side with their letter begun.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadScenarioSet } from "../dist/data/scenario-set.js";
import { readSplit } from "../dist/data/split-file.js";
import { requireVerified } from "../dist/data/verify.js";
import { openBaseModel } from "../dist/train/base-model.js";
import { encodeChoices } from "../dist/train/examples.js";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    python: { type: "string" },
    set: { type: "string", default: "scenario-sets/v1" },
    split: { type: "string", default: "splits/v1.json" },
    prompts: { type: "string", default: "12" },
    last: { type: "string", default: "32" },
  },
});
const { model, python, set: path, split: splitFile } = values;
if (!model || !python) throw new Error("--model FOLDER and --python PYTHON are needed");

const GOAL = 1e-3;
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

function run(command, ...parameters) {
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")}:\n${stderr}`);
  return stdout;
}

async function readPrompts(count) {
  const set = await loadScenarioSet(path);
  const split = await readSplit(splitFile);
  const { test } = await requireVerified(set, split, { file: splitFile });
  const rows = [...test];
  const step = Math.floor(rows.length / count);
  const traces = Array.from({ length: count }, (_, i) => set.readTrace(rows[i * step]));
  set.close();
  const base = openBaseModel(model);
  base.weights.close();
  return encodeChoices(base, traces).examples.map(({ prompt }) => prompt);
}

function compare(name, adapter, asked) {
  const [file, logits] = [join(folder, "asked.json"), join(folder, "logits")];
  writeFileSync(file, JSON.stringify({ ...asked, model, adapter }));
  run(process.execPath, here("peft/logits.mjs"), file, logits);
  const printed = run(python, here("peft/torch_side.py"), "compare", model, adapter, file, logits);
  const { gap, logpGap, moved, otherPicks } = JSON.parse(printed);
  const say = (number) => number.toExponential(1);
  console.log(
    `${name}: logits within ${say(gap)}, log-probabilities within ${say(logpGap)} (goal ${say(GOAL)}); ${otherPicks} other picks; the adapter moves logits by up to ${moved.toFixed(1)}`,
  );
  return gap;
}

const folder = mkdtempSync(join(tmpdir(), "peft-"));
const asked = { prompts: await readPrompts(Number(values.prompts)), last: Number(values.last) };
const lengths = asked.prompts.map(({ length }) => length);
console.log(
  `${lengths.length} prompts of ${Math.min(...lengths)} to ${Math.max(...lengths)} tokens, logits at the last ${asked.last} of each`,
);

const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
const small = ["--limit", "8", "--batch", "2", "--steps", "3", "--warm-up", "0"];
const trained = ["--split", splitFile, "--model", model, ...small, "--learning-rate", "1e-3"];
run(process.execPath, here("../dist/cli/main.js"), "train", "sft", path, ...trained, "-o", ours);
const file = join(folder, "asked.json");
writeFileSync(file, JSON.stringify(asked));
run(python, here("peft/torch_side.py"), "train", model, file, theirs);

const gaps = [
  compare("trained here, read by peft", ours, asked),
  compare("trained by torch, saved by peft, read here", theirs, asked),
];
rmSync(folder, { recursive: true });
if (Math.max(...gaps) > GOAL) process.exitCode = 1;
