import { afterAll, beforeAll, test } from "vitest";
import { makeReportPages, type ReportPages } from "./report-pages.ts";
import { LOOKS, openPage, shoot } from "./support.ts";

let pages: ReportPages;
beforeAll(() => {
  pages = makeReportPages();
});
afterAll(() => pages.remove());

test.each(LOOKS)("report at $width px, $colorScheme", async (look) => {
  const { page } = await openPage(pages.report, look);
  const name = `report-${look.width}-${look.colorScheme}`;
  const sections = await page.locator("main > section").count();
  await shoot(page, `${name}-00-header`, "header");
  for (let at = 0; at < sections; at++) {
    const section = page.locator("main > section").nth(at);
    const id = await section.getAttribute("aria-labelledby");
    if (id === "answers")
      await page.evaluate(
        "document.querySelectorAll('.trace').forEach((each, at) => { each.open = at < 1; each.hidden = at > 5; })",
      );
    await shoot(
      page,
      `${name}-${String(at + 1).padStart(2, "0")}-${id}`,
      `section[aria-labelledby=${id}]`,
    );
  }
});

test("hostile text", async () => {
  const { page } = await openPage(pages.hostile, { width: 768 });
  await page.evaluate(
    "document.querySelectorAll('.trace').forEach((each, at) => { each.open = true; each.hidden = at !== 4 && at !== 5 && at !== 9; })",
  );
  await shoot(page, "report-hostile-summary", "section[aria-labelledby=summary]");
  await shoot(page, "report-hostile-arms", "section[aria-labelledby=arms]");
  await shoot(page, "report-hostile-curves", "section[aria-labelledby=curves]");
  await shoot(page, "report-hostile-answers", "section[aria-labelledby=answers]");
});
