import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { readableRate } from "../../src/report/readable.ts";
import { makeReport } from "../../src/report/report.ts";
import { compareRuns } from "../../src/result/compare.ts";
import { runMetrics } from "../../src/result/metrics.ts";
import { decimal, percent, points, rateCells } from "../../src/result/table.ts";
import { letterRow, makeRun, textRow } from "../result/support.ts";
import { makeTrace } from "../support/traces.ts";
import { decidingRun, makeTraces, withoutCurves, writingRun } from "./support.ts";

const traces = makeTraces(7);
const writing = writingRun(traces);
const deciding = decidingRun(traces);
const runs = [writing, deciding];
const report = makeReport(withoutCurves(runs));

interface Element {
  readonly textContent: string;
  readonly attributes: Iterable<{ name: string; value: string }>;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Element[];
  querySelector(selector: string): Element | null;
}

function parsed(page: string): Element {
  return (parseHTML(page) as unknown as { document: Element }).document;
}

/** The cells of the row of a figure's table that begins with a name. */
function cellsOf(page: string, figure: string, row: string): string[] {
  const section = parsed(page).querySelector(`section[aria-labelledby="${figure}"]`);
  const rows = section?.querySelectorAll("tbody tr") ?? [];
  const found = [...rows].find((each) => each.querySelector("th")?.textContent === row);
  return [...(found?.querySelectorAll("td") ?? [])].map(({ textContent }) => textContent);
}

test("the figures' numbers are those of metrics", () => {
  for (const [at, run] of runs.entries()) {
    const metrics = runMetrics(run);
    const name = `${at + 1} ${at === 0 ? "writing" : "deciding"}`;
    const cells = (figure: string) => cellsOf(report.page, figure, name);
    expect(cells("arms").slice(0, 3)).toEqual(rateCells(metrics.accuracy));
    expect(cells("outcomes")).toEqual([
      String(metrics.answers),
      ...Object.values(metrics.outcomes).map(String),
      ...rateCells(metrics.actLean),
    ]);
    expect(cells("premature")).toEqual([
      ...rateCells(metrics.prematureAction),
      ...rateCells(metrics.missedAction),
      ...rateCells(readableRate(metrics)).slice(0, 2),
    ]);
    expect(cells("contrast")).toEqual(rateCells(metrics.contrastConsistency));
    expect(cells("confusion")).toEqual([
      "ACT",
      ...Object.values(metrics.confusion.ACT).map(String),
    ]);
    const [domain, rate] = Object.entries(metrics.domains)[0] ?? [];
    expect(cells("domains")).toEqual([domain, ...(rate ? rateCells(rate) : []), "2"]);
  }
  expect(cellsOf(report.page, "format", "1 writing")[5]).toBe(
    points(runMetrics(writing).written?.formatGap ?? null),
  );
  const { decision } = runMetrics(deciding);
  expect(cellsOf(report.page, "calibration", "2 deciding")[4]).toBe(
    decimal(decision?.brier ?? null),
  );
  const picked = decision && rateCells(decision.letterBias.letters.A.picked);
  expect(cellsOf(report.page, "letters", "2 deciding").slice(1, 4)).toEqual(picked);
});

test("the differences are those of compare", () => {
  const [pair] = compareRuns(runs, { seed: "0" }).accuracy.pairs;
  const cells = cellsOf(report.page, "arms", "accuracy, 2 − 1: deciding − writing");
  expect(cells[0]).toBe(points(pair?.difference ?? null));
  expect(cells[2]).toBe(`${points(pair?.low ?? null)} to ${points(pair?.high ?? null)}`);
});

test("every arm has a sentence with its counts, its interval and the constant to beat", () => {
  const sentences = [...parsed(report.page).querySelectorAll(".sentences li")];
  expect(sentences).toHaveLength(2);
  const [share, counts, interval] = rateCells(runMetrics(writing).accuracy);
  const text = sentences[0]?.textContent ?? "";
  expect(text).toContain(`is right in ${counts} answers, ${share} (95% interval ${interval})`);
  expect(text).toContain(`Always answering ACT (a tie of 5 labels) would get ${percent(0.2)}`);
  expect(sentences[1]?.textContent).toContain("The letters hold only 40.0% of the probability.");
});

test("the seven figures stand in their order, each drawing with title and description", () => {
  const names = [...parsed(report.page).querySelectorAll("h2")].map((h2) => h2.getAttribute("id"));
  expect(names).toEqual([
    ...["summary", "runs"],
    ...["arms", "outcomes", "domains", "confusion", "format", "premature", "calibration"],
    ...["letters", "contrast", "answers"],
  ]);
  const drawings = [...parsed(report.page).querySelectorAll("svg")];
  expect(drawings).toHaveLength(report.drawings.length);
  for (const svg of drawings) {
    expect(svg.querySelector("title")?.textContent).not.toBe("");
    expect(svg.querySelector("desc")?.textContent).not.toBe("");
  }
});

test("one square stands for each answer", () => {
  const drawing = report.drawings.find(({ name }) => name === "outcomes-1-writing");
  expect(drawing?.inline.match(/<rect /g)).toHaveLength(traces.length);
  const acts = runMetrics(writing).actLean.numerator;
  expect(drawing?.inline.match(/<circle /g)).toHaveLength(acts);
});

test("the same runs give the same bytes", () => {
  const again = makeReport(withoutCurves([writingRun(traces), decidingRun(traces)]));
  expect(again.page).toBe(report.page);
  expect(again.drawings).toEqual(report.drawings);
});

test("the page asks for nothing from anywhere", () => {
  const addresses = report.page.match(/(?:https?:)?\/\/[\w.-]+/g) ?? [];
  expect(addresses).toEqual([]);
  expect(parsed(report.page).querySelectorAll("[src], link:not([href='data:,'])")).toHaveLength(0);
});

test("ids are unique and every link within the page has its target", () => {
  const document = parsed(report.page);
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.getAttribute("id"));
  expect(ids.length).toBe(new Set(ids).size);
  for (const link of document.querySelectorAll("a")) {
    expect(ids).toContain(decodeURIComponent(link.getAttribute("href")?.slice(1) ?? ""));
  }
});

test("500 answers of each of six arms stay under 5 MB with their situations, whatever they hold", () => {
  const kinds = [
    "long ".repeat(1000),
    "\u200b".repeat(4000),
    "x".repeat(100_000),
    "<&>".repeat(4000),
  ];
  const textAt = (at: number) => kinds[at % kinds.length] ?? "";
  const many = makeTraces(100);
  const arms = Array.from({ length: 6 }, (_, arm) =>
    makeRun(
      many,
      many.map(({ id }, at) => textRow(id, `{"a": "${textAt(at + arm)}"} ${arm}`)),
      { path: `arm-${arm}` },
    ),
  );
  const texts = new Map(
    many.map(({ id }, at) => {
      const text = textAt(at);
      const memory = Array.from({ length: 4 }, () => ({ scope: "user", text }) as const);
      return [id, makeTrace({ id, task: text, memory, observation: text, rationale: text })];
    }),
  );
  const { page } = makeReport(withoutCurves(arms), { texts });
  expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
  expect(page).toMatch(/cut after \d+ of \d+ bytes; the rest is in the scenario set/);
});

test("an arm that failed or was not asked yet says so, and counts in nothing", () => {
  const run = { ...makeRun(traces, []), errors: [failure(traces[0]?.id ?? "")] };
  const { page } = makeReport(withoutCurves([run, writing]));
  expect(page).toContain("has no answer to count. Answers that failed and count nowhere: 1.");
  expect(page).toContain("share no answered trace: nothing is compared");
  expect(page).toContain("(timeout), in no figure");
});

test("scores that are not finite are told, not drawn", () => {
  const row = letterRow(traces[0]?.id ?? "", [Number.NaN, -1, -2, -3, -4]);
  const run = makeRun(traces, [row], { readout: "decision", sampling: null, letters: null });
  const { page } = makeReport(withoutCurves([run]));
  expect(page).toContain("no finite letter scores");
  for (const { inline } of makeReport(withoutCurves([run])).drawings) {
    expect(inline).not.toContain("NaN");
  }
});

test("several answers to a trace are counted, and the interval's fault is told", () => {
  const [trace] = traces;
  const rows = LABELS.map((label, sample) =>
    textRow(trace?.id ?? "", `{"intervention": "${label}", "reason": "r"}`, { sample }),
  );
  const { page } = makeReport(withoutCurves([makeRun(traces, rows, { samples: 5 })]));
  expect(page).toContain("Some traces have several answers, so the interval is too narrow.");
  expect(page).toContain("1 ✓ 1/5");
});

test("refuses runs that do not belong together, unless told", () => {
  const other = writingRun(traces, "other");
  const foreign = { ...other, header: { ...other.header, set: { name: "x", digest: "y" } } };
  const both = withoutCurves([writing, foreign]);
  expect(() => makeReport(both)).toThrow(/cannot be compared/);
  expect(makeReport(both, { allowMismatch: true }).page).toContain(
    "These runs are of different scenario sets, so a difference is not the arms&#39; alone (set.digest: d in runs/writing",
  );
});

function failure(id: string) {
  return { id, sample: 0, error: { code: "timeout", message: "no reply within 60 s" } };
}
