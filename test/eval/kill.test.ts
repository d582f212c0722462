import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { randomStream } from "../../src/core/random.ts";
import { readRun } from "../../src/result/run-read.ts";
import { MAIN, runCli, runOk, startCli, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { makeFamily } from "../support/traces.ts";

const SAMPLES = 4;
const KILLS = 50;
const preload = pathToFileURL(repositoryPath("test/eval/kill-at.mjs")).href;

interface Arm {
  readonly folder: string;
  /** Arguments that evaluate the arm into this folder. */
  evalInto(out: string): string[];
  /** The answers of a run that nothing interrupted. */
  readonly unbroken: Buffer;
}

/** Scripted answers of many lengths and characters, evaluated once without interruption. */
function scriptedArm(families = 16): Arm {
  const folder = temporaryFolder();
  const [set, split, script] = ["set.jsonl", "split.json", "script.jsonl"].map((name) => {
    return join(folder, name);
  }) as [string, string, string];
  const traces = Array.from({ length: families }, (_, number) => makeFamily(number)).flat();
  writeLines(set, traces);
  const answers = traces.flatMap(({ id }, at) =>
    Array.from({ length: SAMPLES }, (_, sample) => {
      const label = LABELS[(at + sample) % LABELS.length];
      const answer = `${"é—\u{1f600}".repeat((at * 7 + sample) % 40)} I choose ${label}`;
      return { id, sample, answer, finish: "stop" };
    }),
  );
  writeLines(script, answers);
  runOk(["split", set, "--test", "0.5", "--no-near", "-o", split]);
  const model = ["--model", `scripted:${script}`, "--samples", String(SAMPLES)];
  const evalInto = (out: string) => ["eval", set, "--split", split, ...model, "-o", out];
  const whole = join(folder, "whole");
  runOk(evalInto(whole));
  return { folder, evalInto, unbroken: answersOf(whole) };
}

function writeLines(file: string, rows: readonly unknown[]): void {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function answersOf(run: string): Buffer {
  return readFileSync(join(run, "answers.jsonl"));
}

/** Seeded byte positions in ascending order; every tenth lies between a row and its line end. */
function killPoints(bytes: Buffer): number[] {
  const random = randomStream(1, "kill points");
  const rowEnds = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
  const points = new Set<number>();
  while (points.size < KILLS) {
    const isRowEnd = points.size % 10 === 0;
    const choices = isRowEnd ? rowEnds.length : bytes.length;
    const chosen = Math.floor(random() * choices);
    points.add(isRowEnd ? (rowEnds[chosen] ?? 0) : chosen);
  }
  return [...points].sort((a, b) => a - b);
}

/** Runs a command that gets a signal when its answers have so many bytes. */
function signalAt(point: number, signal: "SIGKILL" | "SIGINT", args: readonly string[]) {
  const extra = {
    NODE_OPTIONS: `--import=${preload}`,
    KILL_AT_BYTE: String(point),
    KILL_SIGNAL: signal,
  };
  return spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...extra },
    encoding: "utf8",
  });
}

test(`killed at ${KILLS} points and resumed each time, a run loses and repeats nothing`, async () => {
  const { folder, evalInto, unbroken } = scriptedArm();
  const out = join(folder, "killed");
  for (const point of killPoints(unbroken)) {
    const { status, signal, stderr } = signalAt(point, "SIGKILL", [...evalInto(out), "--resume"]);
    expect({ status, signal }, stderr).toEqual({ status: null, signal: "SIGKILL" });
    expect(answersOf(out).equals(unbroken.subarray(0, point)), `killed at ${point}`).toBe(true);
  }
  runOk([...evalInto(out), "--resume"]);
  expect(answersOf(out).equals(unbroken)).toBe(true);
  expect(await readRun(out)).toMatchObject({ errors: [], pending: 0 });
  expect(readdirSync(out).filter((name) => name.endsWith(".lock"))).toEqual([]);
}, 300_000);

test("Ctrl-C ends with code 130 after whole rows, and says how to go on", () => {
  const { folder, evalInto, unbroken } = scriptedArm();
  const out = join(folder, "interrupted");
  const { status, stderr } = signalAt(Math.floor(unbroken.length / 2), "SIGINT", evalInto(out));
  expect(status, stderr).toBe(130);
  expect(stderr).toMatch(/stopped after [0-9]+ of 160 answers, which are kept.*--resume/);
  const stored = answersOf(out);
  expect(stored.length).toBeLessThan(unbroken.length);
  expect(stored.at(-1)).toBe(10);
  runOk([...evalInto(out), "--resume"]);
  expect(answersOf(out).equals(unbroken)).toBe(true);
});

test("killed from outside at any moment, a run is finished by resume", async () => {
  const { folder, evalInto, unbroken } = scriptedArm(32);
  const out = join(folder, "killed");
  for (const share of [0.05, 0.4, 0.7]) {
    const child = startCli([...evalInto(out), "--resume"]);
    const ended = once(child, "exit");
    while (sizeOf(out) < share * unbroken.length && child.exitCode === null) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill("SIGKILL");
    await ended;
    const stored = answersOf(out);
    expect(stored.equals(unbroken.subarray(0, stored.length))).toBe(true);
  }
  runOk([...evalInto(out), "--resume"]);
  expect(answersOf(out).equals(unbroken)).toBe(true);
}, 120_000);

function sizeOf(run: string): number {
  const file = join(run, "answers.jsonl");
  return existsSync(file) ? statSync(file).size : 0;
}

test.skipIf(process.platform === "win32")(
  "a full disk keeps whole rows, and resume goes on from them",
  () => {
    const { folder, evalInto, unbroken } = scriptedArm();
    const out = join(folder, "full");
    // A limit on the size of files fails a write as a full disk does, after taking a part of it.
    const command = ['ulimit -f 24; exec "$0" "$@"', process.execPath, MAIN, ...evalInto(out)];
    const { status, stderr } = spawnSync("bash", ["-c", ...command], { encoding: "utf8" });
    expect(status, stderr).toBe(1);
    expect(stderr).toMatch(/answers\.jsonl: cannot be written: file too large \(EFBIG\)/);
    const stored = answersOf(out);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.at(-1)).toBe(10);
    expect(stored.equals(unbroken.subarray(0, stored.length))).toBe(true);
    const { code } = runCli(evalInto(out));
    expect(code).toBe(1);
    runOk([...evalInto(out), "--resume"]);
    expect(answersOf(out).equals(unbroken)).toBe(true);
  },
);
