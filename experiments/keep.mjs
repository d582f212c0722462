// Copies what readers of an experiment need: headers, metrics, tables and packed answers, no weights.
//
//   npm run build && node experiments/keep.mjs runs/smollm2-135m results/smollm2-135m
//
// `metrics`, `compare`, `rescore` and `report` read the copied arms as they read the first ones.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const [from, to] = process.argv.slice(2);
if (!from || !to || existsSync(to)) throw new Error("name the experiment's folder and a new one");

const KEPT = /(^|\/)(run|train|finished|findings)\.json$|(^|\/)(metrics\.jsonl|table\.txt)$/;
const ANSWERS = /(^|\/)answers\.jsonl$/;

for (const path of readdirSync(from, { recursive: true, encoding: "utf8" }).sort()) {
  const target = join(to, path);
  if (KEPT.test(path) || ANSWERS.test(path)) mkdirSync(dirname(target), { recursive: true });
  if (KEPT.test(path)) cpSync(join(from, path), target);
  if (ANSWERS.test(path)) writeFileSync(`${target}.gz`, gzipSync(readFileSync(join(from, path))));
}
