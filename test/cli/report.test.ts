import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const SET = repositoryPath("scenario-sets/demo");
const SPLIT = repositoryPath("splits/demo.json");

/** Runs a baseline on the demo set's test side. */
function evaluate(folder: string, name: string, ...more: readonly string[]): void {
  const on = ["eval", SET, "--split", SPLIT, "--model", `baseline:${name}`, ...more];
  runOk([...on, "-o", name], { cwd: folder });
}

test("report writes one page, and the figures as files", () => {
  const folder = temporaryFolder();
  evaluate(folder, "act", "--readout", "generative");
  evaluate(folder, "words", "--readout", "decision");
  const args = ["report", "act", "words", "-o", "r.html", "--figures", "figures", "--set", SET];
  const said = runOk(args, { cwd: folder });
  expect(said).toMatch(/^r\.html: 2 runs, \d+ kB\nfigures: \d+ figures\n$/);
  const page = readFileSync(join(folder, "r.html"), "utf8");
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain("<dt>why ");
  const files = readdirSync(join(folder, "figures"));
  expect(files).toContain("arms-accuracy.svg");
  expect(said).toContain(`figures: ${files.length} figures`);
  runOk(args, { cwd: folder });
  expect(readFileSync(join(folder, "r.html"), "utf8")).toBe(page);
});

test("the figure in the README is the one that these commands draw", async () => {
  const folder = temporaryFolder();
  evaluate(folder, "words", "--readout", "generative");
  runOk(["report", "words", "-o", "r.html", "--figures", "figures"], { cwd: folder });
  const drawn = readFileSync(join(folder, "figures/outcomes-1-words.svg"), "utf8");
  await expect(drawn).toMatchFileSnapshot(repositoryPath("docs/figures/words-outcomes.svg"));
});

test("report without -o is wrong usage", () => {
  const { code, stderr } = runCli(["report", "somewhere"]);
  expect(code).toBe(2);
  expect(stderr).toContain("report needs -o <file>");
});

test("report refuses another scenario set, and writes nothing", () => {
  const folder = temporaryFolder();
  evaluate(folder, "act", "--readout", "generative");
  const other = join(SET, "traces", readdirSync(join(SET, "traces"))[0] ?? "");
  const args = ["report", "act", "-o", "r.html", "--set", other];
  const { code, stderr } = runCli(args, { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain("is not the set of these runs:\n  act: set.digest");
  expect(existsSync(join(folder, "r.html"))).toBe(false);
});
