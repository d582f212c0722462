import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { repositoryPath } from "./support/fixtures.ts";

interface Package {
  readonly bin: Record<string, string>;
  readonly exports: Record<string, unknown>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly scripts: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}

const text = readFileSync(repositoryPath("package.json"), "utf8");
const manifest = JSON.parse(text) as Package;

test("pins every dependency to one version", () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const pins = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const loose = Object.entries(pins).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
});

test("opens exactly two entries and its own manifest, types first", () => {
  expect(manifest.exports).toEqual({
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./node": { types: "./dist/node.d.ts", default: "./dist/node.js" },
    "./package.json": "./package.json",
  });
  const [first] = Object.keys(manifest.exports["."] as object);
  expect(first).toBe("types");
});

test("the lockfile names no download addresses, so that any registry mirror serves it", () => {
  const lock = readFileSync(repositoryPath("package-lock.json"), "utf8");
  expect(lock).not.toContain('"resolved"');
});

test("every install script of a dependency is turned off, so that installing works offline", () => {
  const lock = JSON.parse(readFileSync(repositoryPath("package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const scripts = Object.entries(lock.packages)
    .filter(([path, entry]) => entry.hasInstallScript && !path.endsWith("fsevents"))
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(scripts.filter((name) => manifest.allowScripts[name] !== false)).toEqual([]);
});
