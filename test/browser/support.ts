import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { repositoryPath } from "../support/fixtures.ts";
import { findChromium } from "./chromium.ts";

/** How a page is looked at. */
export interface Look {
  /** In CSS pixels. */
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/** A phone, a tablet and a desk, by day and by night. */
export const LOOKS: readonly Look[] = [360, 768, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** A page that was opened, and all it said or asked for since. */
export interface OpenedPage {
  readonly page: Page;
  /** Console messages, page errors, and requests beside the page itself; grows as they come. */
  readonly complaints: readonly string[];
}

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
});

/**
 * Opens a page from disk, in a window of its own that the end of the test closes.
 *
 * @param path of an HTML file, absolute; may end in a `#fragment`
 * @param options.isScripted whether scripts run; default true
 * @throws Error that says how to get a browser when there is none
 */
export async function openPage(
  path: string,
  {
    width = 1440,
    colorScheme = "light",
    isScripted = true,
  }: Partial<Look> & { readonly isScripted?: boolean } = {},
): Promise<OpenedPage> {
  browser ??= launch();
  const context = await (await browser).newContext({
    viewport: { width, height: 900 },
    colorScheme,
    javaScriptEnabled: isScripted,
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const [file = "", fragment] = path.split("#");
  const { href } = pathToFileURL(file);
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== href) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(fragment === undefined ? href : `${href}#${fragment}`);
  return { page, complaints };
}

function launch(): Promise<Browser> {
  // A container's root has no sandbox to offer, and little shared memory.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: findChromium(), args });
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly {
      readonly target: readonly unknown[];
      readonly failureSummary: string;
    }[];
  }[];
}

/** What axe-core calls serious or critical, one line for each element. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
}

/**
 * Writes a picture of the whole page, or of the first element that fits, to `screenshots/NAME.png`.
 * Chromium draws nothing higher than 16384 px: on a longer page both wait in vain.
 */
export async function shoot(page: Page, name: string, selector?: string): Promise<void> {
  const folder = repositoryPath("screenshots");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  if (selector === undefined) await page.screenshot({ path, fullPage: true });
  else await page.locator(selector).first().screenshot({ path });
}
