// Processor use of other processes while something is measured.

import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Seconds that all processors were busy since the start of the machine. */
function busySeconds() {
  const [, ...fields] = readFileSync("/proc/stat", "utf8").split("\n")[0].trim().split(/\s+/);
  const ticks = fields.slice(0, 8).map(Number);
  const [idle, waiting] = [ticks[3], ticks[4]];
  return (ticks.reduce((sum, value) => sum + value, 0) - idle - waiting) / TICKS_PER_SECOND;
}

/** Seconds of processor that one process has used. */
function processSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * A meter: call it to begin, and `end()` of what it returns for the wall time in ms, the mean
 * number of processors that were busy with anything but this process and `child`, and the seconds
 * of processor that those two used.
 */
export function cpuMeter(child) {
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + (child === undefined ? 0 : processSeconds(child));
  };
  return () => {
    const start = { time: performance.now(), busy: busySeconds(), own: own() };
    return {
      end() {
        const wall = performance.now() - start.time;
        const used = own() - start.own;
        const others = busySeconds() - start.busy - used;
        return { wall, others: Math.max(0, (1000 * others) / wall), used };
      },
    };
  };
}

const CALM = 0.1;
const SAMPLE_MS = 500;

/** Waits until nothing else has used a processor for half a second, or for so many seconds. */
export async function waitForCalm(meter, seconds) {
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    const before = meter();
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    if (before.end().others < CALM) return;
  }
}
