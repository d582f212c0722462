import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs python3 from the repository's root and gives what it writes; throws when it fails. */
export function python(args: readonly string[], input = ""): string {
  // -B: a test run leaves no compiled files behind.
  const { status, stdout, stderr, error } = spawnSync("python3", ["-B", ...args], {
    cwd: ROOT,
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`python3 ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}

/**
 * A group of tests that need python3. Without it they fail, since a scorer whose ports were not
 * compared is not a tested one; STEERBENCH_NO_PYTHON=1 accepts that, and one skipped test says so.
 */
export function describeWithPython(name: string, tests: () => void): void {
  if (process.env["STEERBENCH_NO_PYTHON"] === "1") {
    it.skip(`PARITY NOT CHECKED, by STEERBENCH_NO_PYTHON=1: ${name}`, () => {});
    return;
  }
  describe(name, () => {
    it("python3 is there (STEERBENCH_NO_PYTHON=1 goes without parity)", () => {
      expect(spawnSync("python3", ["--version"]).error).toBeUndefined();
    });
    tests();
  });
}
