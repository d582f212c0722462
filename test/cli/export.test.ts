import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";

const ON_DEMO = ["scenario-sets/demo", "--split", "splits/demo.json"];

interface Entry {
  readonly kind: string;
  readonly name: string;
}

const formats = JSON.parse(runOk(["export", "--list", "--json"])) as Entry[];

test.each(formats)(
  "exports $kind as $name in all encodings, and reads them back",
  ({ kind, name }) => {
    const folder = temporaryFolder();
    for (const encoding of ["jsonl", "parquet", "arrow"]) {
      const out = join(folder, encoding);
      runOk(["export", kind, ...ON_DEMO, "--format", name, "--as", encoding, "-o", out]);
      const checked = runOk(["export", "--check", out, ...ON_DEMO]);
      expect(checked).toMatch(/: [1-9]\d* rows read again, 0 findings\n$/);
    }
  },
);

test("held-out rows need to be asked for twice, and the manifest says so", () => {
  const out = join(temporaryFolder(), "sft");
  const args = ["export", "sft", ...ON_DEMO, "--part", "test", "-o", out];
  const refused = runCli(args);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("--allow-test");
  runOk([...args, "--allow-test"]);
  const manifest = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ part: "test", allowTest: true });
});

test("gives the same bytes from run to run", () => {
  const folder = temporaryFolder();
  const [a, b] = ["a", "b"].map((name) => {
    const args = ["--as", "arrow", "--validation", "10", "-o", join(folder, name), "--json"];
    return runOk(["export", "preferences", ...ON_DEMO, ...args]);
  });
  expect(a).toBe(b);
});

test("a changed file is found by --check", () => {
  const out = join(temporaryFolder(), "sft");
  runOk(["export", "sft", ...ON_DEMO, "-o", out]);
  const file = join(out, "train.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace("ACT", "ASK"));
  const { code, stdout } = runCli(["export", "--check", out]);
  expect(code).toBe(1);
  expect(stdout).toContain("train.jsonl: ");
});
