import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

test("runs the whole main job and leaves splits, exports and runs behind", () => {
  const cwd = temporaryFolder();
  const text = runOk(["quickstart"], { cwd });
  for (const line of [
    "$ steerbench validate",
    "$ steerbench compare",
    "Everything is in quickstart/",
  ]) {
    expect(text).toContain(line);
  }
  for (const path of [
    "sft/train.jsonl",
    "preferences/train.parquet",
    "runs/words/answers.jsonl",
    "report.html",
  ]) {
    expect(existsSync(join(cwd, "quickstart", path))).toBe(true);
  }
  expect(runOk(["quickstart"], { cwd })).toBe(text);
});

test("refuses to replace a folder that is not its own", () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "quickstart"));
  writeFileSync(join(cwd, "quickstart", "thesis.txt"), "mine");
  const { code, stderr } = runCli(["quickstart"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain("name another folder with -o");
  expect(readdirSync(join(cwd, "quickstart"))).toEqual(["thesis.txt"]);
});

test("a packed and installed copy runs it, too, in a folder with a space in its name", () => {
  const folder = join(temporaryFolder(), "with a space");
  mkdirSync(folder);
  const npm = (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}:\n${stderr}`);
    return stdout;
  };
  // The tests run on a finished build, so packing must not build again under the other tests.
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(npm(repositoryPath("."), ...pack)) as [{ filename: string }];
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  npm(folder, "install", "--no-audit", "--no-fund", `./${filename}`);
  const bin = join(folder, "node_modules", ".bin", "steerbench");
  const { status, stdout, stderr } = spawnSync(bin, ["quickstart"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).not.toContain("Error");
  expect(status).toBe(0);
  expect(stdout).toContain("Everything is in quickstart/");
});
