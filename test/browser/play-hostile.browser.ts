import { join } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";
import { playgroundBuild } from "../../web/build/playground.ts";
import type { Deck } from "../../web/page/deck.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { playTrace } from "../web/support.ts";
import { openPage, seriousFaults } from "./support.ts";

const ROOT = repositoryPath(".");

const SCRIPTS = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- <style>*{}";
const PATTERNS = "$& $` $' $1 &lt;b&gt; {{x}} \\u003c ]]> <!-- script -->";
const UNSEEN = "left \u202eright\u2066 zero\u200bwidth \ud800 \u0000 \u2028 \r\n\tend";
const LONG = "x".repeat(20_000);

function hostileDeck(): Deck {
  const trace = playTrace({
    task: SCRIPTS,
    memory: [
      { scope: "user", text: PATTERNS },
      { scope: "user", text: UNSEEN },
    ],
    observation: LONG,
    label: "ASK",
    rationale: `${SCRIPTS}${UNSEEN}`,
    tempting: { label: "ACT", rationale: PATTERNS },
    also: ["WAIT"],
    wordsAnswer: SCRIPTS,
  });
  const set = { name: SCRIPTS, version: "1", licence: UNSEEN, canary: PATTERNS };
  return { set, parts: { test: [trace], train: [] } };
}

async function writePage(deck: Deck): Promise<string> {
  const config = playgroundBuild(deck, ROOT);
  const outDir = temporaryFolder();
  await build({ ...config, build: { ...config.build, outDir } });
  return join(outDir, "playground.html");
}

/** As it should show: what cannot be seen by its code, the rest character by character. */
const UNSEEN_SHOWN = "left U+202Eright\u2066 zero".replace("\u2066", "U+2066");

test("hostile texts show literally and run nothing", async () => {
  const { page, complaints } = await openPage(await writePage(hostileDeck()), { width: 360 });
  await page.keyboard.press("1");
  const texts = await page.locator("#situation bdi").allTextContents();
  expect(texts[0]).toBe(SCRIPTS);
  expect(texts[1]).toBe(PATTERNS);
  expect(texts[2]).toBe(`${UNSEEN_SHOWN}U+200Bwidth U+D800 U+0000 U+2028 U+000D\n\tend`);
  expect(texts[3]).toBe(LONG);
  const result = await page.locator("#result").textContent();
  expect(result).toContain(SCRIPTS);
  expect(result).toContain(PATTERNS);
  expect(result).toContain("could defend WAIT, too");
  expect(await page.locator("img, bdi *:not(.code)").count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await seriousFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a hostile address and a hostile answer run nothing", async () => {
  const path = repositoryPath("web/dist/playground.html");
  const { page, complaints } = await openPage(`${path}#seed=${encodeURIComponent(SCRIPTS)}&part=x`);
  expect(await page.locator("#seed").inputValue()).toBe(SCRIPTS.slice(0, 64));
  await page.locator("#answer").fill(`${SCRIPTS}${PATTERNS}${UNSEEN}${LONG}`);
  expect(await page.locator("[data-reading=lenient]").textContent()).toContain("unreadable");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("without scripts the page says what it needs", async () => {
  const path = repositoryPath("web/dist/playground.html");
  const { page, complaints } = await openPage(path, { isScripted: false });
  expect(await page.locator("noscript").textContent()).toContain("needs scripts");
  expect(
    await page.locator("button:visible, input:visible, select:visible, h2:visible").count(),
  ).toBe(0);
  expect(complaints).toEqual([]);
});
