import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIN, temporaryFolder } from "./support/cli.ts";
import { repositoryPath } from "./support/fixtures.ts";

const readme = readFileSync(repositoryPath("README.md"), "utf8");

function blocks(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms");
  return [...readme.matchAll(pattern)].map(([, code = ""]) => code);
}

test.each(blocks("bash"))("the commands run as written: %s", (code) => {
  const folder = temporaryFolder();
  const bin = join(folder, "steerbench");
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(bin, 0o755);
  const script = `set -euo pipefail\n${code.replaceAll(" out/", ` ${folder}/out/`)}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], {
    cwd: repositoryPath("."),
    env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test.each(blocks("ts"))("the code prints what its comments say: %s", (code) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "readme.mjs"), code.replaceAll(/"steerbench(\/node)?"/g, resolve));
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, "readme.mjs")], {
    cwd: repositoryPath("."),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
  expect(promised.length).toBeGreaterThan(0);
  expect(stdout.trim().split("\n")).toEqual(promised);
});

function resolve(_: string, node: string | undefined): string {
  return JSON.stringify(repositoryPath(node ? "dist/node.js" : "dist/index.js"));
}
