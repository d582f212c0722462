import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { armsOf, withoutSharedBeginning } from "../../src/report/arms.ts";
import { floorsOf } from "../../src/report/floors.ts";
import { makeReport } from "../../src/report/report.ts";
import { compareRuns } from "../../src/result/compare.ts";
import { decimal, points } from "../../src/result/table.ts";
import { jsonAnswer, letterRow, makeRun, textRow } from "../result/support.ts";
import { decidingRun, makeTraces, withoutCurves, writingRun } from "./support.ts";

const traces = makeTraces(7);
const writing = writingRun(traces);
const deciding = decidingRun(traces);

function answering(label: Label, path: string, some = traces) {
  return makeRun(
    traces,
    some.map(({ id }) => textRow(id, jsonAnswer(label))),
    { path },
  );
}

interface Element {
  readonly textContent: string;
  querySelectorAll(selector: string): Iterable<Element>;
  querySelector(selector: string): Element | null;
}

/** The texts of some elements of a section. */
function textsIn(page: string, section: string, selector: string): string[] {
  const { document } = parseHTML(page) as unknown as { document: Element };
  const found = document.querySelector(`section[aria-labelledby="${section}"]`);
  return [...(found?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent);
}

const arms = [writing, deciding, answering("ACT", "runs/act")];
const report = makeReport(withoutCurves(arms));

test("differences stand with their adjusted p, and the page says that intervals are not corrected", () => {
  const [pair] = compareRuns(arms, { seed: "0" }).accuracy.pairs;
  const drawing = report.drawings.find(({ name }) => name === "differences-accuracy");
  const note = `${points(pair?.difference ?? null)}, p ${decimal(pair?.adjustedP ?? null)}`;
  expect(drawing?.inline).toContain(`>${note}<`);
  expect(report.page).toContain("They are not corrected for the 3 pairs compared");
  expect(report.page).toContain("A row “2 − 1” is arm 2 minus arm 1");
  expect(textsIn(report.page, "arms", "dt")).toEqual(["adjusted p", "detectable", "degenerate"]);
});

test("both measures' differences are drawn on one scale with 0 in its middle", () => {
  const ticksOf = (name: string) => {
    const inline = report.drawings.find((each) => each.name === name)?.inline ?? "";
    return [...inline.matchAll(/>([+-]?\d+)<\/text>/g)].map(([, tick]) => Number(tick));
  };
  const ticks = ticksOf("differences-accuracy");
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.map((tick) => 0 - tick).reverse()).toEqual(ticks);
  expect(ticksOf("differences-premature-action-rate")).toEqual(ticks);
});

test("long names lose the beginning they share, at the start of a word; short ones stay", () => {
  const long = ["qwen2.5-0.5b-demo-step-100", "qwen2.5-0.5b-demo-step-150", "words"];
  expect(withoutSharedBeginning(long)).toEqual(["…100", "…150", "words"]);
  expect(withoutSharedBeginning(["a/long-name-that-is-alone", "act"])).toEqual([
    "a/long-name-that-is-alone",
    "act",
  ]);
  const other = ["alpha-of-twenty-characters", "beta-of-twenty-characters"];
  expect(withoutSharedBeginning(other)).toEqual(other);
});

test("the best constant label is shown once, told as a tie, and by arm where arms differ", () => {
  const floors = (...runs: Parameters<typeof withoutCurves>[0]) =>
    floorsOf(armsOf(withoutCurves(runs))).map(({ label }) => label);
  expect(floors(writing, deciding)).toEqual(["always ACT (tie of 5)"]);
  const part = answering("ASK", "runs/part", traces.slice(0, 6));
  expect(floors(writing, part, deciding)).toEqual(["1, 3: always ACT (tie of 5)", "2: always ACT"]);
});

test("of a partial run the missing answers are left out of the comparison, not the arm", () => {
  const part = answering("ASK", "runs/part", traces.slice(0, 30));
  expect(makeReport(withoutCurves([writing, part])).page).toContain(
    "5 never asked: no arm&#39;s answers to these are compared, all others are",
  );
});

test("how many families stand behind a figure is said beside it", () => {
  expect(textsIn(report.page, "summary", ".sentences li")[0]).toContain("over 7 families.");
  const domains = report.drawings.find(({ name }) => name === "domains-1-writing")?.inline;
  expect(domains).toContain("coding, 2 families<");
  expect(domains).toContain("finance, 1 family<");
  for (const figure of ["arms", "domains", "calibration", "letters"]) {
    expect(textsIn(report.page, figure, ".lead")[0]).toContain("take every answer as independent");
  }
  expect(textsIn(report.page, "letters", ".lead")[0]).toContain(
    "arm 2: 7 families. Arm 2 asked each text in several orders",
  );
});

test("rates of judging stand with what they are of, and beside the readable share", () => {
  const mute = makeRun(
    traces,
    traces.map(({ id }) => textRow(id, "")),
    { path: "runs/mute" },
  );
  const { page } = makeReport(withoutCurves([mute, writing]));
  expect(textsIn(page, "summary", "thead th")).toContain("premature, of gold other than ACT");
  const cells = textsIn(page, "summary", "tbody td");
  expect(cells[5]).toBe("0.0%\n0 of 35\n0.0% to 9.9%");
  expect(cells[6]).toBe("0.0%\n0 of 28\n0.0% to 12.1%");
  expect(textsIn(page, "arms", ".lead")[0]).toContain(
    "Less than half of the answers name a label: arm 1;",
  );
  expect(textsIn(page, "premature", "tbody td").slice(6, 8)).toEqual(["0.0%", "0 of 35"]);
});

test("an ECE says how many bins it comes from", () => {
  const same = makeRun(
    traces,
    traces.map(({ id }) => letterRow(id, [-0.1, -3, -4, -5, -6])),
    {
      path: "runs/same",
      readout: "decision",
      sampling: null,
      letters: { order: "trace", rotations: 1 },
    },
  );
  const { page, drawings } = makeReport(withoutCurves([same]));
  const cells = textsIn(page, "calibration", "tbody td");
  expect(cells[1]).toBe("1 of 10");
  const drawing = drawings.find(({ name }) => name.startsWith("calibration"))?.inline;
  expect(drawing).toContain(`ECE ${cells[0]} (bins 1 of 10) · equal mass ${cells[2]}`);
});

test("the contents name only figures that are there", () => {
  const { page } = makeReport(withoutCurves([writing]));
  expect(page).not.toContain('<a href="#calibration">');
  expect(page).toContain('<h2 id="calibration">');
  expect(report.page).toContain('<a href="#calibration">');
});
