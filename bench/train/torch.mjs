// torch and peft in a Python process of their own, asked step by step.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Has glibc keep freed memory instead of asking for it anew, step by step. */
const KEEPS_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: "100000000000",
  MALLOC_MMAP_THRESHOLD_: "100000000000",
};

/** Rows that torch runs together hold at most so many tokens: one row at a time, or all. */
export const ONE_ROW = 1;
export const ALL_ROWS = 1_000_000;

/** Opens one model for each precision: "fp32", "bf16". */
export async function openTorch(
  python,
  { model, adapter, file, threads, precisions, keepsMemory },
) {
  const script = fileURLToPath(new URL("torch_side.py", import.meta.url));
  const parameters = [script, model, adapter, file, String(threads), ...precisions];
  const child = spawn(python, parameters, {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...process.env,
      OMP_NUM_THREADS: String(threads),
      ...(keepsMemory ? KEEPS_MEMORY : {}),
    },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${parameters.join(" ")} ended: run it by hand to see why`);
    return JSON.parse(value);
  };
  const versions = await next();
  const ask = (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
  return {
    pid: child.pid,
    versions,
    step: (precision, block, name, atOnce) => ask({ do: "step", precision, block, name, atOnce }),
    sample: (precision, block, prompts, { samples, maxTokens }) =>
      ask({ do: "sample", precision, block, prompts, samples, maxTokens }),
    close: () => child.stdin.end(),
  };
}
