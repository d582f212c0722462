import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { showControls } from "../../src/cli/show-controls.ts";
import { runCli, temporaryFolder } from "../support/cli.ts";

test("writes control characters out, and leaves lines, tabs and every script alone", () => {
  const text = "a\u001b[31m\u009b2J\r\u0007\u007f\u202e\tb\nñ 漢 עברית 🙂";
  expect(showControls(text)).toBe(
    "a\\u001b[31m\\u009b2J\\u000d\\u0007\\u007f\\u202e\tb\nñ 漢 עברית 🙂",
  );
});

test("JSON stays the same JSON", () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: "binary" }), (json, text) => {
      const document = JSON.stringify([JSON.parse(json), text]);
      expect(JSON.parse(showControls(document))).toEqual(JSON.parse(document));
    }),
  );
});

test("no name or path reaches the screen with its control characters", () => {
  const folder = temporaryFolder();
  const file = join(folder, "\u001b]0;title\u0007.jsonl");
  writeFileSync(file, "{\n");
  const wrong = [
    ["validate", file],
    ["metrics", `${file}\u001b[2J`],
    ["eval", "\u001b[31m", "--nothing\u001b[2J"],
    ["eval", "scenario-sets/demo", "--split", "splits/demo.json", "--model", "x\u001b", "-o", "r"],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = runCli(args);
    expect(code).not.toBe(0);
    expect(stdout + stderr).not.toContain("\u001b");
    expect(stdout + stderr).toContain("\\u001b");
  }
});
