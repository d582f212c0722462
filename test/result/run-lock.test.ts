import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockRun } from "../../src/result/run-lock.ts";
import { temporaryFolder } from "../support/cli.ts";

/** A process that does nothing until it is ended. */
async function otherProcess() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

const lockOf = (folder: string, pid: number) => join(folder, `writer-${pid}.lock`);

test("a second writer of one folder is refused until the first lets go", () => {
  const folder = temporaryFolder();
  const release = lockRun(folder);
  expect(() => lockRun(folder)).toThrow(new RegExp(`process ${process.pid} is writing here`));
  release();
  expect(readdirSync(folder)).toEqual([]);
  lockRun(folder)();
});

test("a living process of another id keeps the folder; a dead one's lock is swept away", async () => {
  const folder = temporaryFolder();
  const { pid, end } = await otherProcess();
  writeFileSync(lockOf(folder, pid), "");
  expect(() => lockRun(folder)).toThrow(
    expect.objectContaining({ code: "state", message: expect.stringContaining(String(pid)) }),
  );
  expect(readdirSync(folder)).toEqual([`writer-${pid}.lock`]);
  await end();
  lockRun(folder)();
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(existsSync("/proc/self/stat"))(
  "a process that got a dead writer's id does not hold its lock",
  () => {
    const folder = temporaryFolder();
    const release = lockRun(folder);
    const own = lockOf(folder, process.pid);
    const started = readFileSync(own, "utf8");
    expect(started).toMatch(/^[0-9]+$/);
    release();
    writeFileSync(own, "1");
    lockRun(folder)();
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("other files of the folder are left alone", () => {
  const folder = temporaryFolder();
  for (const name of ["writer-x.lock", "run.json", "writer-999999999999.lock.bak"]) {
    writeFileSync(join(folder, name), "");
  }
  lockRun(folder)();
  expect(readdirSync(folder)).toHaveLength(3);
});
