import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";

const LOCK_NAME = /^writer-([0-9]+)\.lock$/;

/**
 * Makes this process the only writer of a folder. Each writer first puts down a lock file of
 * its own, named by its process id, and then looks for others: of two that come at once both may
 * be refused, but never are both let in, and no lock file is ever taken over by another process.
 * The file of a process that no longer lives is swept away.
 *
 * @returns gives the folder free again
 * @throws SteerError `state` when a living process writes the run
 */
export function lockRun(folder: string): () => void {
  const own = join(folder, `writer-${process.pid}.lock`);
  const started = startOf(process.pid);
  if (isHeld(own, process.pid)) throw inUse(folder, process.pid, own);
  writeFileSync(own, started);
  const release = () => rmSync(own, { force: true });
  for (const name of readdirSync(folder)) {
    const pid = Number(LOCK_NAME.exec(name)?.[1]);
    const path = join(folder, name);
    if (Number.isNaN(pid) || path === own) continue;
    if (isHeld(path, pid)) {
      release();
      throw inUse(folder, pid, path);
    }
    rmSync(path, { force: true });
  }
  return release;
}

function inUse(folder: string, pid: number, path: string): SteerError {
  return new SteerError(
    "state",
    `${folder}: process ${pid} is writing here. Wait for it to end; if it is no steerbench, delete ${path}.`,
  );
}

/** Whether the process that wrote a lock file still lives: the same id, begun at the same time. */
function isHeld(path: string, pid: number): boolean {
  let stored: string;
  try {
    stored = readFileSync(path, "utf8");
  } catch {
    return false;
  }
  // An empty file was created this instant, and its writer has not come further.
  return isAlive(pid) && (stored === "" || stored === startOf(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not allowed to signal it: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * When a process began, in clock ticks since the machine's start, where the system says so
 * (Linux): a process id comes again after a restart or in the next container, this does not.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name, in brackets, may hold spaces; the state and, as 20th, the start follow.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", start = "unknown"] = [fields[0], fields[19]];
    // A killed process that nobody has collected yet still has an id, but writes no more.
    return "ZX".includes(state) ? "ended" : start;
  } catch {
    return "unknown";
  }
}
