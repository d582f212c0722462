import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Split } from "../../src/data/types.ts";
import { MAIN, runCli, runOk, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const demo = JSON.parse(readFileSync(repositoryPath("splits/demo.json"), "utf8")) as Split;

/** The counts of both sides are swapped along, so that only the policy can tell. */
const exchanged = {
  ...demo,
  counts: { train: demo.counts.test, test: demo.counts.train },
  train: demo.test,
  test: demo.train,
  content: { train: demo.content.test, test: demo.content.train },
};

test.each([
  ["train and test exchanged", exchanged, "policy: gives another split"],
  ["another seed", { ...demo, policy: { ...demo.policy, seed: "7" } }, "gives another split"],
  ["another size", { ...demo, policy: { ...demo.policy, requested: 999 } }, "requested: no split"],
  ["another rule", { ...demo, policy: { ...demo.policy, by: "trace" } }, "gives another split"],
  ["another name", { ...demo, set: { ...demo.set, name: "x" } }, "set.name: says"],
])("a split with %s is not verified, and nothing is exported by it", (_, split, message) => {
  const folder = temporaryFolder();
  const file = join(folder, "split.json");
  writeFileSync(file, JSON.stringify(split));
  const verified = runCli(["split", "--verify", file, "scenario-sets/demo"]);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain(message);
  const out = join(folder, "out");
  expect(runCli(["export", "sft", "scenario-sets/demo", "--split", file, "-o", out]).code).toBe(1);
  expect(existsSync(join(out, "train.jsonl"))).toBe(false);
});

test("gold labels changed by hand in a run are found", () => {
  const out = join(temporaryFolder(), "run");
  const args = ["scenario-sets/demo", "--split", "splits/demo.json", "--model", "baseline:act"];
  runOk(["eval", ...args, "-o", out]);
  const header = join(out, "run.json");
  writeFileSync(header, readFileSync(header, "utf8").replaceAll('"gold":"ASK"', '"gold":"ACT"'));
  const { code, stderr } = runCli(["metrics", out]);
  expect(code).toBe(1);
  expect(stderr).toContain("situations: is not the digest of the traces");
});

test("joining never replaces answers that somebody has there", () => {
  const folder = temporaryFolder();
  const args = ["scenario-sets/demo", "--split", "splits/demo.json", "--model", "baseline:act"];
  for (const i of [1, 2]) runOk(["eval", ...args, "--shard", `${i}/2`, "-o", join(folder, `${i}`)]);
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "answers.jsonl"), "mine\n");
  const { code } = runCli([
    "join",
    join(folder, "1"),
    join(folder, "2"),
    "-o",
    join(folder, "mine"),
  ]);
  expect(code).toBe(1);
  expect(readFileSync(join(folder, "mine", "answers.jsonl"), "utf8")).toBe("mine\n");
});

test("an output path that is a file, or below one, is an error and no fault of ours", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "mine");
  const args = ["export", "sft", "scenario-sets/demo", "--split", "splits/demo.json", "-o"];
  for (const out of [file, join(file, "below")]) {
    const { code, stderr } = runCli([...args, out]);
    expect(code).toBe(1);
    expect(stderr).toContain("no folder can be made there");
  }
  expect(runCli(["quickstart", "-o", join(file, "below")]).stderr).not.toContain(
    "fault in steerbench",
  );
});

test("options that the readout would ignore are wrong usage", () => {
  const args = ["eval", "x", "--split", "y", "--model", "m", "-o", "o"];
  expect(runCli([...args, "--rotations", "5"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--rotations would do nothing"),
  });
  expect(runCli([...args, "--readout", "decision", "--samples", "3"]).code).toBe(2);
});

test("Ctrl-C ends a command that waits with code 130, and nothing is written", async () => {
  const out = join(temporaryFolder(), "split.json");
  const args = ["split", "-", "--test", "1", "-o", out];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  child.stdin.write('{"id":');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(existsSync(out)).toBe(false);
});
