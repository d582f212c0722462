import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

test("report refuses to write into what it reads, by whatever name, and reads it no further", () => {
  const folder = temporaryFolder();
  evaluate(folder, "act", "--readout", "generative");
  symlinkSync("act", join(folder, "link"));
  symlinkSync("act/answers.jsonl", join(folder, "answers"));
  const before = readFileSync(join(folder, "act/answers.jsonl"), "utf8");
  const places = [
    "act/answers.jsonl",
    "act/new/r.html",
    "link/r.html",
    "answers",
    "./act/../act/x",
  ];
  for (const out of places) {
    const { code, stderr } = runCli(["report", "act", "-o", out], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      `${out}: lies in act, which the report reads; write it elsewhere\n`,
    ]);
  }
  const figures = runCli(["report", "act", "-o", "r.html", "--figures", "act/f"], { cwd: folder });
  expect(figures.stderr).toContain("act/f: lies in act, which the report reads");
  const inSet = ["report", "act", "--set", SET, "-o", join(SET, "set.json")];
  expect(runCli(inSet, { cwd: folder }).stderr).toContain("set.json: lies in");
  expect(readFileSync(join(folder, "act/answers.jsonl"), "utf8")).toBe(before);
  expect(readdirSync(folder).sort()).toEqual(["act", "answers", "link"]);
  // A neighbour whose name begins alike is no part of the run.
  expect(runOk(["report", "act", "-o", "act.html"], { cwd: folder })).toMatch(
    /^act\.html: 1 run, /,
  );
});

test("report refuses, before it reads anything, what names no file or folder to write", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const refused = (...args: string[]) => {
    const { code, stderr } = runCli(["report", "no-run", ...args], { cwd: folder });
    expect(code).toBe(2);
    return stderr;
  };
  expect(refused("-o", "")).toContain("-o is empty");
  expect(refused("-o", "-")).toContain("the page goes to a file only");
  expect(refused("-o", ".")).toContain("is a folder; name a file in it");
  expect(refused("-o", "r.html", "--figures", "file")).toContain("--figures takes a folder");
  expect(refused("-o", "r", "--figures", "r")).toContain("name the same place");
  expect(refused("./no-run", "-o", "r.html")).toContain("./no-run: is given twice");
  expect(readdirSync(folder)).toEqual(["file"]);
});
