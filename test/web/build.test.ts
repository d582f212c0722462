import { readFileSync } from "node:fs";
import { build } from "vite";
import { expect, test } from "vitest";
import { readDeck } from "../../web/build/deck.ts";
import { playgroundBuild } from "../../web/build/playground.ts";
import { listFiles, repositoryPath } from "../support/fixtures.ts";
import { importsOf } from "../support/imports.ts";

const ROOT = repositoryPath(".");

test("the built page is what the sources give, to the byte", async () => {
  const config = playgroundBuild(await readDeck(ROOT), ROOT);
  const result = await build({ ...config, build: { ...config.build, write: false } });
  if (!("output" in result)) throw new Error("vite watches instead of building");
  const files: readonly object[] = result.output;
  expect(files).toHaveLength(1);
  const built = readFileSync(repositoryPath("web/dist/playground.html"), "utf8");
  // Not toEqual: the difference of two long texts takes minutes to print.
  expect(Object.values(files[0] ?? {}).includes(built)).toBe(true);
});

test("the page holds the whole demo set by sides, with the floor's answers to the held-out one", async () => {
  const { set, parts } = await readDeck(ROOT);
  expect(set.name).toBe("steerbench-demo");
  expect([parts.test.length, parts.train.length]).toEqual([30, 90]);
  expect(parts.test.every(({ wordsAnswer }) => wordsAnswer?.includes("baseline:words"))).toBe(true);
  expect(parts.train.every(({ wordsAnswer }) => wordsAnswer === null)).toBe(true);
});

test("the page's code imports the browser entry and its own files, nothing else", () => {
  const foreign = listFiles("web/page", ".ts").flatMap((file) =>
    importsOf(file)
      .filter((target) => target !== "src/index.ts" && !target.startsWith("web/page/"))
      .map((target) => `${file} -> ${target}`),
  );
  expect(foreign).toEqual([]);
});
