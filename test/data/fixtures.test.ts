import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { repositoryPath } from "../support/fixtures.ts";

// Every file of traces in the folder must load, or fail, exactly as its .txt twin says.
const FOLDER = repositoryPath("test/fixtures/data");
const FILES = readdirSync(FOLDER).filter((name) => /\.jsonl(\.gz)?$/.test(name));

async function describeLoading(name: string): Promise<string> {
  try {
    const set = await loadScenarioSet(`${FOLDER}/${name}`);
    const ids = set.heads.map(({ id, label, line }, k) => {
      expect(set.readTrace(k).id).toBe(id);
      return `${line} ${id} ${label}`;
    });
    set.close();
    const counts = `${set.blankLines} blank lines, ${set.replacedCharacters} replaced characters`;
    return ["loads", counts, ...ids, ...set.warnings].join("\n");
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}\n${message}`;
  }
}

test.each(FILES)("%s", async (name) => {
  const expected = readFileSync(`${FOLDER}/${name}.txt`, "utf8");
  expect(`${(await describeLoading(name)).replaceAll(`${FOLDER}/`, "")}\n`).toBe(expected);
});
