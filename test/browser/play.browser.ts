import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { goldAnswer, LABELS } from "../../src/index.ts";
import { runOk, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { LOOKS, openPage, seriousFaults } from "./support.ts";

const PAGE = repositoryPath("web/dist/playground.html");
const DEMO = ["scenario-sets/demo", "--split", "splits/demo.json", "--readout", "generative"];

/** Font sizes below 14 px of elements that show text of their own. */
const SMALL_TEXT = `[...document.body.querySelectorAll("*")]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((each) => each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) < 14)
  .map((each) => each.outerHTML.slice(0, 80))`;

test.each(LOOKS)(
  "opens from disk in silence, fits and is accessible at $width px, $colorScheme",
  async (look) => {
    const { page, complaints } = await openPage(PAGE, look);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("3");
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate(SMALL_TEXT)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
    expect(complaints).toEqual([]);
  },
);

test("can be played to the end from the keyboard; the totals are those of metrics --json", async () => {
  const { page, complaints } = await openPage(`${PAGE}#seed=blue&part=test`);
  const rows: string[] = [];
  for (let at = 0; at < 30; at++) {
    expect(await page.locator("#situation-title").textContent()).toBe(`Situation ${at + 1} of 30`);
    const id = await idOnShow(page);
    const label = LABELS[at % 5] ?? "ACT";
    rows.push(JSON.stringify({ id, answer: goldAnswer(label, "By hand.") }));
    await page.keyboard.press(String((at % 5) + 1));
    expect(await page.evaluate("document.activeElement.id")).toBe("next");
    // Enter presses the button in focus; N works from anywhere.
    if (at < 29) await page.keyboard.press(at % 2 === 0 ? "Enter" : "n");
  }
  expect(await page.locator("#next").textContent()).toBe("See the total");
  for (const key of ["Enter", "Enter", "n", "N"]) await page.keyboard.press(key);
  expect(await page.evaluate("document.activeElement.id")).toBe("totals-title");

  const folder = temporaryFolder();
  writeFileSync(join(folder, "hand.jsonl"), `${rows.join("\n")}\n`);
  const shown = await totals(page);
  expect(shown["you"]).toEqual(evaluated(`scripted:${join(folder, "hand.jsonl")}`, folder));
  expect(shown["always ACT"]).toEqual(evaluated("baseline:act", folder));
  expect(shown["bag of words"]).toEqual(evaluated("baseline:words", folder));
  expect(complaints).toEqual([]);

  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.id")).toBe("again");
  await page.keyboard.press("Enter");
  expect(await page.locator("#situation-title").textContent()).toBe("Situation 1 of 30");
  expect((await totals(page))["you"]).toEqual(["0", "0.00", "0.00"]);
});

/** The id of the trace on show, by its texts: the page itself does not name it. */
async function idOnShow(page: Page): Promise<string> {
  const [task, observation] = await page
    .locator("#situation > p bdi, .observation bdi")
    .allTextContents();
  const memory = await page.locator(".memory bdi").allTextContents();
  const traces = await page.evaluate<Trace[]>(
    `JSON.parse(document.querySelector("#deck").text).parts.test`,
  );
  const found = traces.filter(
    (trace) =>
      trace.task === task &&
      trace.observation === observation &&
      trace.memory.every(({ text }, at) => text === memory[at]),
  );
  expect(found).toHaveLength(1);
  return found[0]?.id ?? "";
}

interface Trace {
  readonly id: string;
  readonly task: string;
  readonly observation: string;
  readonly memory: readonly { readonly text: string }[];
}

/** The rows of the running total: right answers, symmetric and asymmetric rewards. */
async function totals(page: Page): Promise<Record<string, string[]>> {
  const rows = await page.locator("#totals tbody tr").all();
  return Object.fromEntries(
    await Promise.all(
      rows.map(async (row) => [
        await row.locator("th").textContent(),
        await row.locator("td").allTextContents(),
      ]),
    ),
  );
}

/** What `eval` and `metrics --json` say of a model, as the page would write it. */
function evaluated(model: string, folder: string): string[] {
  const run = join(folder, model.replaceAll(/\W/g, "-"));
  runOk(["eval", ...DEMO, "--model", model, "-o", run]);
  const [report] = JSON.parse(runOk(["metrics", run, "--json"])) as [Report];
  const { answers, rewards, outcomes } = report.metrics;
  const sum = (mean: number) => (mean * answers).toFixed(2).replace("-", "−");
  return [String(outcomes.correct), sum(rewards.symmetric), sum(rewards.asymmetric)];
}

interface Report {
  readonly metrics: {
    readonly answers: number;
    readonly outcomes: { readonly correct: number };
    readonly rewards: { readonly symmetric: number; readonly asymmetric: number };
  };
}
