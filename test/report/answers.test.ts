import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { anchorsOf } from "../../src/report/anchors.ts";
import { answerList } from "../../src/report/answer-list.ts";
import { shownBytes } from "../../src/report/answer-texts.ts";
import { armsOf } from "../../src/report/arms.ts";
import { makeTrace } from "../support/traces.ts";
import { decidingRun, makeTraces, withoutCurves, writingRun } from "./support.ts";

const traces = makeTraces(2);
const arms = armsOf(withoutCurves([writingRun(traces), decidingRun(traces)]));

function listOf(texts: Parameters<typeof answerList>[1]): string {
  return answerList(arms, texts).markup;
}

test("each answer shows outcome, both parses and both rewards", () => {
  const page = listOf(new Map());
  expect(page).toContain(
    '<b class="outcome">correct</b> · strict ACT · lenient ACT · reward symmetric 1, asymmetric 1 · finish stop · tokens 1',
  );
  expect(page).toContain("strict none (not_one_object) · lenient WAIT");
  expect(page).toContain("lenient none (no_label) · reward symmetric -0.1, asymmetric -0.5");
});

test("a decision shows the probability of each label", () => {
  expect(listOf(new Map())).toMatch(/probabilities: ACT \d+\.\d% · ASK \d+\.\d% · WAIT/);
});

test("with the set, a trace shows its situation and why its label is right", () => {
  const [first] = traces;
  const trace = makeTrace({ id: first?.id ?? "", rationale: "The build is green." });
  const page = listOf(new Map([[trace.id, trace]]));
  expect(page).toContain("<dt>why ACT</dt><dd><bdi>The build is green.</bdi></dd>");
  expect(page).toContain("<dt>memory, project</dt>");
});

test("traces stand in the order of their ids, with what the filter needs", () => {
  const { document } = parseHTML(`<main>${listOf(new Map())}</main>`);
  const items = [...document.querySelectorAll("details")];
  expect(items.map((item) => item.querySelector(".body")?.id)).toEqual(traces.map(({ id }) => id));
  expect(items[0]?.getAttribute("data-gold")).toBe("ACT");
  expect(items[0]?.getAttribute("data-outcomes")).toMatch(/^1:correct 2:\w+$/);
});

test("a trace's place is its id; other ids get t- before them", () => {
  expect(anchorsOf(["t-1f", "x y", "t-x_y"])).toEqual(
    new Map([
      ["t-1f", "t-1f"],
      ["t-x_y", "t-x_y"],
      ["x y", "t-t-x_y"],
    ]),
  );
});

test("no two traces share a place, whatever their ids", () => {
  const ids = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom("t-a", "a", "t-t-a", "t- a")));
  fc.assert(
    fc.property(ids, (list) => {
      const anchors = [...anchorsOf(list).values()];
      expect(new Set(anchors).size).toBe(list.length);
      expect(anchors.every((anchor) => /^t-\S*$/.test(anchor))).toBe(true);
    }),
  );
});

test("answers show 4 kB each while they fit, and less when they do not", () => {
  expect(shownBytes([])).toBe(4096);
  expect(shownBytes(Array(500).fill(9000))).toBe(4096);
  expect(shownBytes([...Array(2000).fill(100), ...Array(1000).fill(9000)])).toBe(2200);
  expect(shownBytes(Array(100_000).fill(9000))).toBe(256);
});
