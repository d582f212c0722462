#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { type ErrorCode, SteerError } from "../core/errors.ts";
import { INTERRUPTED, type Io, packagedPath, processIo } from "./io.ts";
import { buildProgram } from "./program.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

const io = processIo();
try {
  await buildProgram(io, readVersion()).parseAsync();
} catch (error) {
  io.setExitCode(reportError(error, io));
}

function readVersion(): string {
  const text = readFileSync(packagedPath("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Tells what went wrong and gives the exit code for it. */
function reportError(error: unknown, { note }: Io): number {
  // Commander has already printed its message, and its help ends with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof SteerError) {
    note(`${error.message}\n`);
    return exitCodeOf(error.code);
  }
  note(`This is a fault in steerbench, not in your input:\n${(error as Error).stack ?? error}\n`);
  return FAILED;
}

function exitCodeOf(code: ErrorCode): number {
  if (code === "usage") return WRONG_USAGE;
  return code === "interrupted" ? INTERRUPTED : FAILED;
}
