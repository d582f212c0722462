import { expect, test } from "vitest";
import { evaluate } from "../../src/eval/evaluate.ts";
import { failureText } from "../../src/eval/failures.ts";
import { actBaseline } from "../../src/model/baseline.ts";
import type { Model } from "../../src/model/model.ts";
import { loadFamilies, optionsFor } from "./support.ts";

test("failures are told by kind, the most frequent first, with what a resume can do", async () => {
  const loaded = await loadFamilies(4);
  const codes = ["context_length", "timeout", "context_length"];
  const failing: Model = {
    ...actBaseline(),
    generate: async (requests) =>
      requests.map(({ id }, at) => {
        const code = codes[at];
        const answer = { text: "ACT", finish: "stop", tokens: 1 };
        return [code ? { error: { code, message: `${code} of ${id}` } } : answer];
      }),
  };
  const { failures } = await evaluate(optionsFor(loaded, { model: failing }));
  expect(failures.map(({ code, count, resumeMayHelp }) => [code, count, resumeMayHelp])).toEqual([
    ["context_length", 2, false],
    ["timeout", 1, true],
  ]);
  const { id } = failures[1]?.example ?? { id: "" };
  const text = failureText(failures);
  expect(text).toMatch(/^3 answers failed; ask again with --resume:\n {2}2 context_length \(fails/);
  expect(text).toContain(
    `1 timeout (may pass when asked again), such as sample 0 of ${id}: timeout of ${id}`,
  );
  expect(failureText(failures.slice(0, 1))).toContain("once the cause is mended");
});
