import { expect, test } from "vitest";
import { LABELS } from "../../src/index.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { openPage } from "./support.ts";

const PAGE = repositoryPath("web/dist/playground.html");

test("the slider shows where each scheme's best choice turns", async () => {
  const { page, complaints } = await openPage(PAGE);
  const best = () => page.locator(".strip strong").allTextContents();
  const slideTo = async (p: string) => page.locator("#p").fill(p);
  expect(await page.locator(".bar .turn").allTextContents()).toEqual([
    "above 0.500",
    "just above 0.615",
  ]);
  await slideTo("0.5");
  expect(await best()).toEqual(["ACT or ASK, a tie", "ASK"]);
  await slideTo("0.615");
  expect(await best()).toEqual(["ACT", "ASK"]);
  await page.locator("#p").press("ArrowRight");
  expect(await best()).toEqual(["ACT", "ACT"]);
  expect(await page.locator("#p").getAttribute("aria-valuetext")).toBe(
    "0.620; best choice symmetric: ACT, asymmetric: ACT",
  );
  await slideTo("0.2");
  expect(await page.locator("#expected tbody tr").first().textContent()).toBe("ACT0.200−0.600");
  expect(complaints).toEqual([]);
});

test("an answer is read both ways at every keystroke, and priced for every label that could be right", async () => {
  const { page, complaints } = await openPage(PAGE);
  const reading = (which: string) => page.locator(`[data-reading=${which}]`).textContent();
  const pays = async () => (await page.locator("#pays tbody tr").allTextContents()).join("; ");
  await page.locator("#answer").fill("");
  expect(await reading("lenient")).toContain("unreadable nothing is left to read (empty)");
  await page.locator("#answer").pressSequentially("Final answer: ACT");
  expect(await reading("strict")).toContain("unreadable the text is not exactly one JSON object");
  expect(await reading("lenient")).toContain("ACT decided by rung 5, a declaration");
  expect(await pays()).toBe(
    `ACTcorrect1.001.00; ${LABELS.slice(1)
      .map((gold) => `${gold}premature ACT0.00−1.00`)
      .join("; ")}`,
  );
  await page.locator("#cut").check();
  expect(await pays()).toContain("ACTcut off−0.10−0.50");
  await page.locator("#cut").uncheck();
  await page.getByRole("button", { name: "as asked" }).click();
  expect(await reading("strict")).toContain("WAIT exactly the object that was asked for");
  expect(complaints).toEqual([]);
});

test("keys mean letters while one types, and nothing once they are switched off", async () => {
  const { page } = await openPage(PAGE);
  const verdict = page.locator("#verdict");
  await page.locator("#answer").fill("");
  await page.locator("#answer").pressSequentially("1n2");
  expect(await page.locator("#answer").inputValue()).toBe("1n2");
  await page.locator("#keys").uncheck();
  await page.locator("#situation-title").focus();
  await page.keyboard.press("1");
  expect(await verdict.textContent()).toBe("");
  await page.locator("#keys").check();
  await page.locator("#situation-title").focus();
  await page.keyboard.press("Control+1");
  expect(await verdict.textContent()).toBe("");
  await page.keyboard.press("1");
  expect(await verdict.textContent()).not.toBe("");
});

test("the address decides side and order; starting over writes it", async () => {
  const { page, complaints } = await openPage(`${PAGE}#seed=blue&part=train`);
  const title = () => page.locator("#situation-title").textContent();
  const task = () => page.locator("#situation bdi").first().textContent();
  expect(await title()).toBe("Situation 1 of 90");
  const blue = await task();
  await page.keyboard.press("1");
  expect(await page.locator("#totals").textContent()).not.toContain("bag of words");
  await page.locator("#seed").fill("red & <b>");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("location.hash")).toBe("#seed=red+%26+%3Cb%3E&part=train");
  expect(await task()).not.toBe(blue);
  await page.selectOption("#part", "test");
  expect(await title()).toBe("Situation 1 of 30");
  await page.goBack();
  await page.goBack();
  expect(await page.locator("#seed").inputValue()).toBe("blue");
  expect(await task()).toBe(blue);
  expect(complaints).toEqual([]);
});
