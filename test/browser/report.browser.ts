import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readableRate } from "../../src/report/readable.ts";
import type { NamedMetrics } from "../../src/result/render-metrics.ts";
import { rateCells } from "../../src/result/table.ts";
import { runOk } from "../support/cli.ts";
import { makeReportPages, type ReportPages } from "./report-pages.ts";
import { LOOKS, openPage, seriousFaults } from "./support.ts";

let pages: ReportPages;
beforeAll(() => {
  pages = makeReportPages();
});
afterAll(() => pages.remove());

test.each(LOOKS)(
  "loads from disk in silence, fits, and has no serious fault at $width px, $colorScheme",
  async (look) => {
    const { page, complaints } = await openPage(pages.report, look);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
    expect(await seriousFaults(page)).toEqual([]);
    await page.locator("details.trace summary").first().click();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test.each([360, 1440])("hostile text runs nothing and moves nothing at %i px", async (width) => {
  const { page, complaints } = await openPage(pages.hostile, { width });
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await page.locator("script").count()).toBe(1);
  const texts = await page.locator(".answer pre").allTextContents();
  expect(texts).toContain('</script><script>alert("script")</script>');
  expect(texts).toContain("$& $1 $` $' {{x}} #{alert(1)}");
  expect(complaints).toEqual([]);
});

test("a drawing's file is a sound image of its own, whatever names it holds", async () => {
  const { page } = await openPage(pages.hostile);
  for (const path of pages.drawings) {
    const file = JSON.stringify(readFileSync(path, "utf8"));
    const root = `new DOMParser().parseFromString(${file}, "image/svg+xml").documentElement`;
    expect(await page.evaluate(`${root}.tagName`), path).toBe("svg");
    expect(await page.evaluate(`${root}.querySelectorAll("parsererror, script").length`)).toBe(0);
  }
  expect(await page.locator("svg").count()).toBe(pages.drawings.length);
});

test("the page's policy stops a script that would get in", async () => {
  const { page } = await openPage(pages.report);
  await page.evaluate(
    "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); })()",
  );
  expect(await page.evaluate("window.ran")).toBeUndefined();
});

test("the numbers on the page are those of metrics --json", async () => {
  const { page } = await openPage(pages.report);
  const all = JSON.parse(runOk(["metrics", ...pages.runs, "--json"])) as NamedMetrics[];
  for (const [at, { metrics }] of all.entries()) {
    const headline = page.locator("section[aria-labelledby=summary] tbody tr").nth(at);
    const shown = await headline.locator("td").allTextContents();
    const rates = [
      readableRate(metrics),
      metrics.prematureAction,
      metrics.missedAction,
      metrics.memoryDecision,
      metrics.actLean,
      metrics.unreadable,
      metrics.cutOff,
    ];
    expect(shown).toEqual([
      String(metrics.answers),
      "6",
      rateCells(metrics.accuracy).join("\n"),
      ...Object.values(metrics.rewards).map((reward) => reward?.toFixed(3)),
      ...rates.map((rate) => rateCells(rate).join("\n")),
    ]);
    const [share, counts, interval] = rateCells(metrics.accuracy);
    const sentence = await page.locator(".sentences li").nth(at).textContent();
    expect(sentence).toContain(
      `is right in ${counts} answers, ${share} (95% interval ${interval})`,
    );
    const outcomes = page.locator("section[aria-labelledby=outcomes] tbody tr").nth(at);
    expect((await outcomes.locator("td").allTextContents()).slice(1, 7)).toEqual(
      Object.values(metrics.outcomes).map(String),
    );
  }
});

test("a link to a trace opens it", async () => {
  const { page } = await openPage(pages.report);
  const id = await page.locator("details.trace .id").nth(20).textContent();
  const { page: linked } = await openPage(`${pages.report}#${id}`);
  const open = linked.locator("details.trace[open]");
  expect(await open.count()).toBe(1);
  expect(await open.locator(".id").textContent()).toBe(id);
  expect(await open.locator(".body").isVisible()).toBe(true);
});

test("the filter narrows the list by arm, outcome and text, and shows all again", async () => {
  const { page } = await openPage(pages.report);
  const shown = page.locator("details.trace:visible");
  const all = await shown.count();
  await page.selectOption("select[name=arm]", "4");
  await page.selectOption("select[name=outcome]", "correct");
  // The fourth arm always names ACT.
  expect(await shown.count()).toBe(await page.locator("details.trace[data-gold=ACT]").count());
  expect(await page.locator("#shown").textContent()).toBe(
    `${await shown.count()} of ${all} traces`,
  );
  await page.fill("input[name=text]", "no trace says this");
  expect(await shown.count()).toBe(0);
  await page.click("button[type=reset]");
  await expect.poll(() => shown.count()).toBe(all);
});

test("a link to a trace that the filter hides shows all again, with the right count", async () => {
  const { page } = await openPage(pages.report);
  const all = await page.locator("details.trace").count();
  const id = await page.locator("details.trace .id").nth(20).textContent();
  await page.fill("input[name=text]", "no trace says this");
  expect(await page.locator("#shown").textContent()).toBe(`0 of ${all} traces`);
  await page.evaluate(`location.hash = ${JSON.stringify(id)}`);
  const open = page.locator("details.trace[open]");
  await expect.poll(() => open.count()).toBe(1);
  expect(await page.locator("#shown").textContent()).toBe(`${all} of ${all} traces`);
  expect(await page.inputValue("input[name=text]")).toBe("");
});

test("a link to a trace that is not here says so, until another one is followed", async () => {
  const { page, complaints } = await openPage(`${pages.report}#t-<b>none`);
  const missing = page.locator("#missing");
  expect(await missing.textContent()).toBe(
    "The address names t-<b>none, which is not in this report.",
  );
  expect(await missing.isVisible()).toBe(true);
  await page.evaluate("location.hash = 'answers'");
  await expect.poll(() => missing.isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

test("on a phone no choice of the filter is cut", async () => {
  const { page } = await openPage(pages.report, { width: 360 });
  for (const select of await page.locator("#filter select").all()) {
    expect((await select.boundingBox())?.width).toBeGreaterThan(250);
  }
});

test("everything can be reached and opened by keyboard", async () => {
  const { page } = await openPage(pages.report);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.className")).toBe("skip");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.name")).toBe("arm");
  for (let press = 0; press < 6; press++) await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
  await page.keyboard.press("Enter");
  expect(await page.locator("details.trace[open]").count()).toBe(1);
  const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  expect(outline).toBe("solid");
});

test("without scripts everything is readable, and a link still opens its trace", async () => {
  const { page: scripted } = await openPage(pages.report);
  const id = await scripted.locator("details.trace .id").nth(5).textContent();
  const { page, complaints } = await openPage(`${pages.report}#${id}`, { isScripted: false });
  expect(await page.locator("#filter").isVisible()).toBe(false);
  expect(await page.locator("svg").first().isVisible()).toBe(true);
  expect(await page.locator(".body").nth(5).isVisible()).toBe(true);
  await page.locator("details.trace summary").first().click();
  expect(await page.locator(".body").first().isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});

test("on paper it is dark on white, without the filter", async () => {
  const { page } = await openPage(pages.report, { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
    "rgb(255, 255, 255)",
  );
  expect(await page.locator("#filter").isVisible()).toBe(false);
});
