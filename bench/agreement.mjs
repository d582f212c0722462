// How far a real ONNX model agrees with torch, and with itself however it is run.
//
//   npm run build && node bench/agreement.mjs --model SMOLLM2_FOLDER --python PYTHON [--texts 20]
//
// PYTHON is one with torch and transformers (fp32). Letters: all 120 demo prompts, beside torch, and
// beside our own run with prefixes not shared, prompts reversed, one worker. Texts: greedy answers
// of 80 tokens, compared token by token; where they part, the lead that torch's choice had is told.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openOnnxModel } from "../dist/model/onnx/onnx-model.js";
import { buildPrompt } from "../dist/task/prompt.js";
import { readBlocks } from "./decision/prompts.mjs";

const TOKENS = 80;

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    python: { type: "string" },
    set: { type: "string", default: "scenario-sets/demo" },
    texts: { type: "string", default: "20" },
  },
});
if (!values.model || !values.python)
  throw new Error("--model FOLDER and --python PYTHON are needed");

const { blocks } = readBlocks(values.model, values.set, { blocks: 6, families: 4 });
const prompts = blocks.flatMap((block) => block.prompts);

async function scoreLetters(options, asked) {
  const model = await openOnnxModel(values.model, options);
  const scores = await model.scoreLetters(asked.map(({ request }) => request));
  await model.close();
  return new Map(asked.map(({ id }, i) => [id, scores[i].logprobs]));
}

async function writeGreedy(count) {
  const step = Math.floor(prompts.length / count);
  const chosen = Array.from({ length: count }, (_, i) => prompts[i * step].request);
  const model = await openOnnxModel(values.model, { workers: 2 });
  const asked = chosen.map(({ id, situation }) => {
    const messages = buildPrompt(situation, { readout: "generative" });
    return { id, situation, messages, samples: [0] };
  });
  const sampling = { temperature: 0, topP: 1, maxTokens: TOKENS, seed: "0" };
  const answers = await model.generate(asked, sampling);
  const texts = asked.map(({ id, messages }, i) => {
    return { id, prompt: model.promptText(messages), answer: answers[i][0] };
  });
  await model.close();
  return texts;
}

function askTorch(letters, texts) {
  const folder = mkdtempSync(join(tmpdir(), "agreement-"));
  const file = join(folder, "asked.json");
  writeFileSync(file, JSON.stringify({ letters, texts, tokens: TOKENS }));
  const script = fileURLToPath(new URL("agreement/reference.py", import.meta.url));
  const out = join(folder, "answered.json");
  const { status, stderr } = spawnSync(values.python, [script, values.model, file, out]);
  if (status !== 0) throw new Error(`${script}:\n${stderr}`);
  const answered = JSON.parse(readFileSync(out, "utf8"));
  rmSync(folder, { recursive: true });
  return answered;
}

const argmax = (logprobs) => logprobs.indexOf(Math.max(...logprobs));

function compare(name, ours, others) {
  let worst = 0;
  const parted = [];
  for (const [id, logprobs] of ours) {
    const other = others.get(id);
    worst = Math.max(worst, ...logprobs.map((value, i) => Math.abs(value - other[i])));
    const [first, second] = [...other].sort((a, b) => b - a);
    if (argmax(logprobs) !== argmax(other)) parted.push(`${id} (lead ${first - second})`);
  }
  const picks = parted.length === 0 ? "all picks equal" : `other picks: ${parted.join(", ")}`;
  console.log(
    `${name}: ${ours.size} prompts, largest difference ${worst.toExponential(1)}, ${picks}`,
  );
}

const base = await scoreLetters({ workers: 2 }, prompts);
compare("one worker", base, await scoreLetters({ workers: 1 }, prompts));
compare("prompts reversed", base, await scoreLetters({ workers: 2 }, prompts.toReversed()));
compare(
  "prefixes not shared",
  base,
  await scoreLetters({ workers: 2, sharePrefixes: false }, prompts),
);

const texts = await writeGreedy(Number(values.texts));
const asked = prompts.map(({ id, text, ids, letterIds }) => ({ id, text, ids, letterIds }));
const torch = askTorch(asked, texts);
compare("torch", base, new Map(torch.letters.map(({ id, logprobs }) => [id, logprobs])));
for (const { id, parts, lead, smallest } of torch.texts) {
  const where = parts === null ? "equal" : `parts at token ${parts}, where torch leads by ${lead}`;
  console.log(`greedy ${id}: ${where}; smallest lead on the way ${smallest.toFixed(4)}`);
}
const same = torch.texts.filter(({ parts }) => parts === null).length;
console.log(`greedy texts of ${TOKENS} tokens: ${same} of ${torch.texts.length} equal`);
