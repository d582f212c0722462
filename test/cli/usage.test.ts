import { expect, test } from "vitest";
import { runCli, runOk } from "../support/cli.ts";

const COMMANDS = [
  "validate",
  "card",
  "audit",
  "split",
  "export",
  "eval",
  "join",
  "score",
  "rescore",
  "metrics",
  "compare",
  "play",
  "serve",
  "train",
  "vectors",
  "quickstart",
];

test("prints its version and lists every command", () => {
  expect(runOk(["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  const help = runOk(["--help"]);
  for (const command of COMMANDS) expect(help).toMatch(new RegExp(`^  ${command} `, "m"));
});

for (const command of COMMANDS) {
  test(`${command} --help shows an example`, () => {
    expect(runOk([command, "--help"])).toMatch(/^Examples?:\n {2}steerbench /m);
  });
}

test.each([
  [["frobnicate"], "unknown command 'frobnicate'"],
  [["validdate", "x"], "Did you mean validate?"],
  [["eval", "x", "--modle", "y"], "Did you mean --model?"],
  [["eval", "x", "--model", "m"], "eval needs --split FILE and -o RUN"],
  [["eval", "x", "--split", "y", "--model", "m", "-o", "o", "--limit", "0"], "whole number, 1 or"],
  [["eval", "x", "--split", "y", "--model", "m", "-o", "o", "--shard", "3/2"], "write it as 2/4"],
  [["eval", "x", "--split", "y", "--model", "m", "-o", "o", "--part", "dev"], "one of test, train"],
  [["score", "x", "--price", "wrong"], "write it as outcome=number"],
  [["score", "x", "--price", "corect=1"], "unknown outcome corect"],
  [["score", "x", "--scheme", "cubic"], "unknown scheme cubic"],
  [["split", "x"], "split needs --test and -o"],
  [["export", "sft"], "export needs KIND SET"],
])("wrong usage ends with code 2 and says what is right: %j", (args, message) => {
  const { code, stdout, stderr } = runCli(args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
  expect(stdout).toBe("");
});

test("refuses prices under which garbage beats holding, unless told", () => {
  const args = ["score", "test/fixtures/parse.jsonl", "--price", "missed_act=-0.5"];
  const { code, stderr } = runCli(args);
  expect(code).toBe(1);
  expect(stderr).toContain("gold ACT, answer ASK: pays -0.5, garbage pays -0.1");
});
