import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../src/data/make-folder.ts";
import { temporaryFolder } from "../support/cli.ts";

test("makes every missing folder, and is content with those that are there", () => {
  const path = join(temporaryFolder(), "a", "b", "c");
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test("ends with the system's error where no folder can be made", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, "below"))).toThrow(/EEXIST|ENOTDIR/);
});

test.runIf(existsSync("/proc"))("ends under /proc, where Node's own recursion never does", () => {
  expect(() => makeFolder("/proc/steerbench/run")).toThrow(/ENOENT/);
});
