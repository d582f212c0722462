// Peak memory of a step: each side and each kind of step in a process of its own.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ALL_ROWS, ONE_ROW, openTorch } from "./torch.mjs";

/** Maximum resident sizes in kB, by kind of step and then by side. */
export async function measurePeaks({ python, model, adapter, file, threads, names }) {
  const peaks = {};
  for (const name of names) {
    const torch = async (precision, atOnce) => {
      const options = { model, adapter, file, threads, precisions: [precision] };
      const side = await openTorch(python, { ...options, keepsMemory: false });
      const { peak } = await side.step(precision, 0, name, atOnce);
      side.close();
      return peak;
    };
    peaks[name] = {
      ours: ourPeak(model, file, name, threads),
      "torch fp32, all rows at once": await torch("fp32", ALL_ROWS),
      "torch fp32, row by row": await torch("fp32", ONE_ROW),
      "torch bf16, row by row": await torch("bf16", ONE_ROW),
    };
    process.stderr.write(`peaks of ${name}: ${JSON.stringify(peaks[name])}\n`);
  }
  return peaks;
}

function ourPeak(model, file, name, threads) {
  const script = fileURLToPath(new URL("alone.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [script, model, file, name, String(threads)],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${script}:\n${stderr}`);
  return Number(stdout);
}
