import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { digest } from "../../src/core/hash.ts";
import { answerText } from "../../src/env/vectors/cases/case.ts";
import { PARSE_CASES } from "../../src/env/vectors/cases/parse-cases.ts";
import { buildVectorFiles, compareVectors, VECTOR_FOLDERS } from "../../src/env/vectors/vectors.ts";
import { parse } from "../../src/task/parse/parse.ts";
import { RULES } from "../../src/task/parse/rules.ts";
import { LENIENT_REASONS, STRICT_REASONS } from "../../src/task/parse/types.ts";
import { describeWithPython, python } from "./python.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

describe("the parity vectors", () => {
  const built = buildVectorFiles();

  it("are stored as the scorer says now, with no file missing and none foreign", () => {
    const stored = Object.fromEntries(
      VECTOR_FOLDERS.flatMap((folder) =>
        readdirSync(ROOT + folder).map((name) => {
          const path = `${folder}/${name}`;
          return [path, readFileSync(ROOT + path, "utf8")];
        }),
      ),
    );
    expect(compareVectors(stored)).toEqual([]);
  });

  it("are compared file by file: missing, different and foreign ones are told apart", () => {
    const { "parity-vectors/rules.json": rules, ...others } = built;
    const stored = { ...others, "parity-vectors/groups.json": "{}", "parity-vectors/old.json": "" };
    expect(rules).toBeDefined();
    expect(compareVectors(stored)).toEqual([
      { path: "parity-vectors/groups.json", problem: "different" },
      { path: "parity-vectors/old.json", problem: "foreign" },
      { path: "parity-vectors/rules.json", problem: "missing" },
    ]);
  });

  it("come out the same every time, are ASCII, end in a line feed and say their version", () => {
    expect(buildVectorFiles()).toEqual(built);
    for (const text of Object.values(built)) {
      expect(text).toMatch(/^[\n -~]*\n$/);
      expect(JSON.parse(text)).toHaveProperty("version", 1);
    }
  });

  it("name one digest for all, the one in the manifest", () => {
    const manifest = JSON.parse(built["parity-vectors/manifest.json"] ?? "");
    expect(manifest.sha256).toBe(digest(manifest.files));
  });

  it("store the rules unchanged", () => {
    expect(JSON.parse(built["parity-vectors/rules.json"] ?? "")).toEqual({ version: 1, ...RULES });
  });
});

describe("the parse vectors", () => {
  const texts = PARSE_CASES.map(answerText);
  const parses = PARSE_CASES.map((parseCase, i) => parse(texts[i] ?? "", parseCase));

  it("hold every answer that was reported, read as its row expects", () => {
    const rows = readFileSync(`${ROOT}test/fixtures/parse.jsonl`, "utf8").trim().split("\n");
    for (const row of rows.map((line) => JSON.parse(line))) {
      const at = PARSE_CASES.findIndex(
        ({ answer, letters }, i) =>
          texts[i] === answerText({ answer: row.answer ?? row.repeat }) &&
          typeof answer === (row.answer === undefined ? "object" : "string") &&
          String(letters) === String(row.letters),
      );
      const { strict, lenient } = row.expect;
      expect({ id: row.id, label: parses[at]?.strict.label }).toEqual({
        id: row.id,
        label: strict,
      });
      expect([lenient].flat(), row.id).toContain(parses[at]?.lenient.label);
    }
  });

  it("meet every reason code of either parse, every rung and several voting objects", () => {
    const strict = parses.map((each) => each.strict);
    const lenient = parses.map((each) => each.lenient);
    const reasons = (list: typeof strict | typeof lenient) =>
      new Set(list.map((each) => (each.label === null ? each.reason : "")));
    for (const reason of STRICT_REASONS) expect(reasons(strict)).toContain(reason);
    for (const reason of LENIENT_REASONS) expect(reasons(lenient)).toContain(reason);
    expect(new Set(lenient.map((each) => each.rung))).toEqual(new Set([0, 2, 3, 4, 5, 6, 7]));
    expect(lenient.some((each) => each.multiple && each.label === null)).toBe(true);
  });

  it("meet every entry of every list of the rules", () => {
    const haystack = texts.filter((text) => text.length < 1000).join("\n");
    const absent = Object.entries(RULES).flatMap(([name, entry]) => {
      if (name === "unicodeVersion" || name === "wordRanges") return [];
      const entries = typeof entry === "string" ? [...entry] : Array.isArray(entry) ? entry : [];
      return entries.filter((each) => !haystack.includes(each)).map((each) => `${name}: ${each}`);
    });
    expect(absent).toEqual([]);
  });
});

describeWithPython("the Python port", () => {
  it("passes every vector under plain unittest", { timeout: 180_000 }, () => {
    expect(() => python(["-m", "unittest", "discover", "envs/tests"])).not.toThrow();
  });
});
