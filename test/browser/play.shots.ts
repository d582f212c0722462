import { test } from "vitest";
import { repositoryPath } from "../support/fixtures.ts";
import { LOOKS, openPage, shoot } from "./support.ts";

const PAGE = repositoryPath("web/dist/playground.html");

/** Parts of the page; a phone's whole page is too long a picture to look at. */
const PARTS = ["situation-title", "choice-title", "totals-title", "sure-title", "reader-title"];

test.each(LOOKS)("the playground, asked and answered, at $width px, $colorScheme", async (look) => {
  const { page } = await openPage(PAGE, look);
  const name = `play-${look.width}-${look.colorScheme}`;
  await shoot(page, `${name}-asked`);
  for (const key of ["2", "n", "1", "n", "3"]) await page.keyboard.press(key);
  await shoot(page, `${name}-answered`);
  if (look.width > 400) return;
  await shoot(page, `${name}-top`, "header");
  for (const part of PARTS) await shoot(page, `${name}-${part}`, `[aria-labelledby=${part}]`);
});
