import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { repositoryPath } from "./fixtures.ts";

/** The built command line, as `bin` names it. */
export const MAIN = repositoryPath("dist/cli/main.js");

/** What a finished command left. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `steerbench` and waits for it. */
export function runCli(
  args: readonly string[],
  { cwd, input, env = {} }: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: cwd ?? repositoryPath("."),
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
  });
  return { code: status, stdout, stderr };
}

/** Runs `steerbench` and fails the test unless it ends with code 0. */
export function runOk(args: readonly string[], options: Parameters<typeof runCli>[1] = {}): string {
  const { code, stdout, stderr } = runCli(args, options);
  if (code !== 0) throw new Error(`steerbench ${args.join(" ")} ended with ${code}:\n${stderr}`);
  return stdout;
}

/** Starts `steerbench` without waiting. */
export function startCli(args: readonly string[], cwd = repositoryPath(".")) {
  return spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
}

/** A folder of its own for one test, removed at its end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "steerbench-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
