import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listFiles, repositoryPath } from "./support/fixtures.ts";
import { findCycles, importsOf } from "./support/imports.ts";

/** Each layer and the layers it may import, besides itself. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  stats: ["core"],
  task: ["core"],
  graph: ["core"],
  env: ["core", "stats", "task"],
  data: ["core", "stats", "task"],
  model: ["core", "stats", "task", "graph", "data"],
  result: ["core", "stats", "task", "env", "data", "model"],
  eval: ["core", "stats", "task", "env", "data", "model", "result"],
  export: ["core", "stats", "task", "env", "data", "model", "result"],
  report: ["core", "stats", "task", "env", "data", "model", "result"],
  train: ["core", "stats", "task", "graph", "env", "data", "model", "result", "eval"],
  experiment: ["core", "stats", "task", "graph", "env", "data", "model", "result", "eval", "train"],
  serve: ["core", "stats", "task", "env", "data", "model", "result", "eval", "export"],
  cli: [
    "core",
    "stats",
    "task",
    "graph",
    "env",
    "data",
    "model",
    "result",
    "eval",
    "export",
    "report",
    "train",
    "experiment",
    "serve",
  ],
};

/** Layers that run in a browser, too. */
const BROWSER_SAFE = ["core", "stats", "task", "env"];
const MOST_LINES = 300;

const sources = listFiles("src", ".ts");
const layerOf = (file: string) => file.split("/")[1] ?? "";

test("every source file lies in a known layer or is one of the two entries", () => {
  const strays = sources.filter((file) => !(layerOf(file) in LAYERS));
  expect(strays).toEqual(["src/index.ts", "src/node.ts"]);
});

test("imports point downward only", () => {
  const upward = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith("src/") && layerOf(file) in LAYERS)
      .filter((target) => layerOf(target) !== layerOf(file))
      .filter((target) => !LAYERS[layerOf(file)]?.includes(layerOf(target)))
      .map((target) => `${file} -> ${target}`),
  );
  expect(upward).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(findCycles(sources)).toEqual([]);
});

test("the layers that browsers run import nothing from node", () => {
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of importsOf(file)) if (target.startsWith("src/")) follow(target);
  };
  follow("src/index.ts");
  const files = [...seen, ...sources.filter((file) => BROWSER_SAFE.includes(layerOf(file)))];
  const guilty = files.filter((file) =>
    importsOf(file).some((target) => target.startsWith("node:")),
  );
  expect(guilty).toEqual([]);
});

test(`no file of code or tests is longer than ${MOST_LINES} lines`, () => {
  const files = [
    ...["src", "test", "bench", "web"].flatMap((folder) => listFiles(folder, ".ts")),
    ...listFiles("bench", ".mjs"),
    ...listFiles("envs", ".py"),
  ];
  const long = files.filter((file) => {
    return readFileSync(repositoryPath(file), "utf8").split("\n").length - 1 > MOST_LINES;
  });
  expect(long).toEqual([]);
});
