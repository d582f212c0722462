import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { anchorsOf } from "../../src/report/anchors.ts";
import { answerList } from "../../src/report/answer-list.ts";
import { armsOf } from "../../src/report/arms.ts";
import { shareOf, shownText } from "../../src/report/text-budget.ts";
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
  expect(page).toContain("<dt>why ACT</dt><dd><div><bdi>The build is green.</bdi></div></dd>");
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

test("texts show 4 kB each while they fit, and share what there is when they do not", () => {
  const long = "x".repeat(9000);
  expect(shareOf([])).toBe(16_384);
  expect(shareOf(Array(500).fill(long))).toBe(16_384);
  expect(shareOf([...Array(2000).fill("x".repeat(100)), ...Array(1000).fill(long)])).toBe(2200);
  expect(shareOf(Array(20_000).fill(long))).toBe(192);
});

const PLACE = { tag: "pre", name: "answer", rest: "answers.jsonl" } as const;

test("a cut text says how much is missing; marks of unseen characters count", () => {
  expect(shownText("x".repeat(9000), 16_384, PLACE).markup).toContain(
    "cut after 4096 of 9000 bytes",
  );
  const unseen = shownText("\u200b".repeat(4000), 3000, PLACE).markup;
  expect(unseen.length).toBeLessThan(3200);
  expect(unseen).toMatch(/cut after \d+ of 12000 bytes; the rest is in answers\.jsonl/);
});

test("a text that would fill the screen scrolls in a box that the keyboard reaches", () => {
  const box = 'class="tall" tabindex="0" role="region" aria-label="answer"';
  expect(shownText("x".repeat(2000), 16_384, PLACE).markup).toContain(box);
  expect(shownText("x\n".repeat(30), 16_384, PLACE).markup).toContain(box);
  expect(shownText("x\n".repeat(5), 16_384, PLACE).markup).not.toContain("tall");
});
