// One step of one kind alone in this process; prints its maximum resident size in kB.

import { readFileSync } from "node:fs";
import { openOurs } from "./ours.mjs";

const [model, file, name, threads] = process.argv.slice(2);
const { letters, blocks } = JSON.parse(readFileSync(file, "utf8"));
const ours = await openOurs(model, { threads: Number(threads), letters, needs: [name] });
await ours.step(blocks[0][name]);
await ours.close();
// Not getrusage: its maximum begins with what the process that started this one held.
const [, peak] = /^VmHWM:\s+([0-9]+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
process.stdout.write(peak);
