import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatFault } from "../../src/core/errors.ts";
import type { Trace } from "../../src/core/trace.ts";
import { makeSplit } from "../../src/data/split.ts";
import { readSplit, writeSplit } from "../../src/data/split-file.ts";
import type { Split } from "../../src/data/types.ts";
import { requireVerified, verifySplit } from "../../src/data/verify.ts";
import { temporaryFolder } from "../support/cli.ts";
import { distinctTexts, familiesOf, loadTraces } from "./support/sets.ts";

const ROWS = familiesOf({ a: "ACT ASK", b: "ACT ASK", c: "ACT WAIT", d: "ACT WAIT", e: "ASK ASK" });

async function splitOf(rows: readonly Trace[] = ROWS, options = {}) {
  const set = await loadTraces(rows);
  const { split } = await makeSplit(set, { test: 4, seed: 7, ...options });
  return { set, split };
}

/** Puts ids on the other side, counts and contents included, as a careful forger would. */
function moved(split: Split, from: "train" | "test", ids: readonly string[]): Split {
  const to = from === "train" ? "test" : "train";
  const pairs = (part: "train" | "test") =>
    split[part].map((id, k) => [id, split.content[part][k] ?? ""] as const);
  const leaving = pairs(from).filter(([id]) => ids.includes(id));
  const sides = {
    [from]: pairs(from).filter(([id]) => !ids.includes(id)),
    [to]: [...pairs(to), ...leaving].sort(([a], [b]) => (a < b ? -1 : 1)),
  } as Record<"train" | "test", (readonly [string, string])[]>;
  const idsOf = (part: "train" | "test") => sides[part].map(([id]) => id);
  const contents = (part: "train" | "test") => sides[part].map(([, content]) => content);
  return {
    ...split,
    train: idsOf("train"),
    test: idsOf("test"),
    content: { train: contents("train"), test: contents("test") },
  };
}

test("a fresh split has no findings and gives its rows as positions in the set", async () => {
  const { set, split } = await splitOf();
  expect(await verifySplit(set, split)).toEqual([]);
  const rows = await requireVerified(set, split);
  expect(rows.test.map((position) => set.heads[position]?.id)).toEqual(split.test);
  expect(rows.train.map((position) => set.heads[position]?.id)).toEqual(split.train);
});

test("a split file is the same bytes each time and reads back as what was written", async () => {
  const { split } = await splitOf();
  const folder = temporaryFolder();
  await writeSplit(join(folder, "a.json"), split);
  await writeSplit(join(folder, "b.json"), JSON.parse(JSON.stringify(split)));
  expect(readFileSync(join(folder, "a.json"))).toEqual(readFileSync(join(folder, "b.json")));
  expect(await readSplit(join(folder, "a.json"))).toEqual(split);
  expect(Object.keys(JSON.parse(readFileSync(join(folder, "a.json"), "utf8")))).toEqual(
    expect.arrayContaining(["version", "train", "test"]),
  );
});

test("a family on both sides is found, with both places", async () => {
  const { set, split } = await splitOf();
  const [id = ""] = split.test;
  const findings = (await verifySplit(set, moved(split, "test", [id]))).map(formatFault);
  const place = (of: string) => `set.jsonl:${set.heads.find((head) => head.id === of)?.line}`;
  const sibling = id.replace(/\d$/, (k) => (k === "0" ? "1" : "0"));
  expect(findings).toContain(
    `${place(sibling)}: family ${id[0]} straddles the split: test holds ${sibling}, train holds ${id} (${place(id)})`,
  );
});

test("C05: traces equal but for id, a trailing space and the form of é are reported with both lines", async () => {
  const texts = distinctTexts("x");
  const rows = ROWS.map((row) => {
    if (row.id === "a-0")
      return { ...row, ...texts, observation: "Le café est prêt, caf\u00e9 compris " };
    if (row.id === "c-0")
      return { ...row, ...texts, observation: "Le café  est prêt, cafe\u0301 compris" };
    return row;
  });
  const { set, split } = await splitOf(rows, { near: false });
  expect(await verifySplit(set, split)).toEqual([]);
  const apart = [split.train, split.test].find(
    (ids) => ids.includes("a-0") && !ids.includes("c-0"),
  );
  const honest = apart
    ? split
    : moved(split, split.test.includes("a-0") ? "test" : "train", ["a-0", "a-1"]);
  const claim = { ...honest, policy: { ...honest.policy, near: true } };
  const findings = (await verifySplit(set, claim)).map(formatFault);
  expect(findings.filter((line) => line.includes("equal texts"))).toEqual([
    expect.stringMatching(
      /^set\.jsonl:(1|5): equal texts straddle the split: test holds (a-0|c-0), train holds (a-0|c-0) \(set\.jsonl:(1|5)\)$/,
    ),
  ]);
});

test("near-duplicates on both sides are found with their Jaccard index", async () => {
  const twin = {
    task: "one two three four five six seven eight nine ten",
    memory: [],
    observation: "eleven",
  };
  const rows = ROWS.map((row) => {
    if (row.id === "a-0") return { ...row, ...twin };
    return row.id === "b-0" ? { ...row, ...twin, observation: "twelve" } : row;
  });
  const { set, split } = await splitOf(rows);
  const side = split.test.includes("a-0") ? "test" : "train";
  const findings = await verifySplit(set, moved(split, side, ["a-0", "a-1"]));
  expect(findings.map(formatFault)).toContainEqual(
    expect.stringMatching(/near-duplicates \(Jaccard 0\.75\) straddle the split/),
  );
});

test("a changed row, a strange id, a missing one, a repeated one and wrong counts are all listed", async () => {
  const { split } = await splitOf();
  const [first = "", ...others] = split.train;
  const edited = ROWS.map((row) => (row.id === others[0] ? { ...row, rationale: "Edited." } : row));
  const set = await loadTraces(edited);
  const forged = {
    ...split,
    train: ["nobody", ...others, others.at(-1) ?? ""],
    content: {
      ...split.content,
      train: [...split.content.train, split.content.train.at(-1) ?? ""],
    },
  };
  const findings = (await verifySplit(set, forged, { file: "s.json" })).map(formatFault).join("\n");
  expect(findings).toMatch(
    /^s\.json: set\.digest: was made from "set" with digest [0-9a-f]{64}; "set" has/m,
  );
  expect(findings).toMatch(/^s\.json: train\[0\]: "nobody" is no id of "set"$/m);
  expect(findings).toMatch(/^s\.json: train\[1\]: ".*" is out of order$/m);
  expect(findings).toMatch(/^s\.json: train\[6\]: ".*" occurs twice$/m);
  expect(findings).toMatch(
    new RegExp(`^set\\.jsonl:\\d+: "${first}" is on neither side of s.json$`, "m"),
  );
  expect(findings).toMatch(
    new RegExp(`^set\\.jsonl:\\d+: "${others[0]}" is not as it was when s.json was made$`, "m"),
  );
  expect(findings).toMatch(/^s\.json: counts\.train: says \{.*\}, is \{.*\}$/m);
  await expect(requireVerified(set, forged)).rejects.toMatchObject({ code: "unverified" });
});

test.each([
  ["another version", { version: 2 }, "foreign_version", /version 1 of a split file, not 2/],
  [
    "another kind of file",
    { rows: [] },
    "invalid",
    /is not a valid split file\n.*: version: .*missing/,
  ],
  ["an empty side", { test: [] }, "invalid", /: test: a list of 0 must not be empty/],
  ["a number for an id", { train: [7] }, "invalid", /: train\[0\]: expected a string, not 7/],
])("%s is refused when a split is read", async (_, changes, code, message) => {
  const { split } = await splitOf();
  const path = join(temporaryFolder(), "s.json");
  const whole = "rows" in changes ? changes : { ...split, ...changes };
  writeFileSync(path, JSON.stringify(whole));
  await expect(readSplit(path)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test("a split file that is cut off is refused with line and column", async () => {
  const { split } = await splitOf();
  const path = join(temporaryFolder(), "s.json");
  await writeSplit(path, split);
  writeFileSync(path, readFileSync(path, "utf8").slice(0, -3));
  await expect(readSplit(path)).rejects.toThrow(/s\.json:\d+:\d+: ends too early/);
});
