import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIN, runOk, temporaryFolder } from "../support/cli.ts";

/** Answers enough for an output well over the size of a pipe, 64 KiB. */
const MANY = Array.from({ length: 2000 }, (_, i) =>
  JSON.stringify({ id: `t-${i}`, answer: `Final answer: ${i % 2 ? "ASK" : "ACT"}`, gold: "ASK" }),
);

function writeMany(): string {
  const file = join(temporaryFolder(), "answers.jsonl");
  writeFileSync(file, `${MANY.join("\n")}\n`);
  return file;
}

test("G01: a reader that stops early ends the command quietly, every time", () => {
  const file = writeMany();
  const shell = `for i in $(seq 40); do "${process.execPath}" "${MAIN}" score "${file}" | head -1; done`;
  const { stdout, stderr } = spawnSync("bash", ["-c", shell], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.split("\n").filter((line) => line !== "")).toHaveLength(40);
});

test("G09: a slow reader gets all of a long output", () => {
  const file = writeMany();
  const shell = `"${process.execPath}" "${MAIN}" score "${file}" --json | (sleep 1; wc -c)`;
  const piped = spawnSync("bash", ["-c", shell], { encoding: "utf8" }).stdout.trim();
  const whole = runOk(["score", file, "--json"]);
  expect(whole.length).toBeGreaterThan(200_000);
  expect(Number(piped)).toBe(Buffer.byteLength(whole));
});

test("G05: answers that come late on standard input are read to the end", async () => {
  const child = spawn(process.execPath, [MAIN, "score", "-"], { stdio: "pipe" });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const half = MANY.length / 2;
  child.stdin.write(`${MANY.slice(0, half).join("\n")}\n`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.stdin.end(`${MANY.slice(half).join("\n")}\n`);
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(MANY.length);
});

test("a full disk under standard output is an error with a cause", () => {
  const shell = `"${process.execPath}" "${MAIN}" export --list > /dev/full`;
  const { status, stderr } = spawnSync("bash", ["-c", shell], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(/cannot write to standard output.*no space/i);
});
