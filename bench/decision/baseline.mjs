// lm-eval and torch in a Python process of their own, asked block by block.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildPrefixTree } from "../../dist/model/onnx/prefix-tree.js";

export async function openBaseline(python, model) {
  const script = fileURLToPath(new URL("baseline.py", import.meta.url));
  const child = spawn(python, [script, model, String(availableParallelism())], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${script} ended: run it by hand to see why`);
    return JSON.parse(value);
  };
  const { versions } = await next();
  let peak = 0;
  const ask = async (mode, { prompts }) => {
    const plain = prompts.map(({ text, ids, letterIds }) => ({ text, ids, letterIds }));
    const tree = mode === "tree" ? buildPrefixTree(plain.map(({ ids }) => ids)) : undefined;
    child.stdin.write(`${JSON.stringify({ mode, prompts: plain, tree })}\n`);
    const answer = await next();
    peak = answer.peak;
    return { letters: answer.letters };
  };
  return {
    pid: child.pid,
    versions,
    modes: [
      { name: "lm-eval", run: (block) => ask("lmeval", block) },
      { name: "torch, one pass, last logits", run: (block) => ask("last", block) },
      { name: "torch, shared prefixes", run: (block) => ask("tree", block) },
    ],
    peakMemory: async () => peak,
    close: () => child.stdin.end(),
  };
}
