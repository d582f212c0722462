import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runCli, runOk, startCli } from "../support/cli.ts";

test("prints the address of a page on disk", () => {
  const address = runOk(["play"]);
  expect(address).toMatch(/^file:\/\/.*\/web\/dist\/playground\.html\n$/);
  const page = readFileSync(fileURLToPath(address.trim()), "utf8");
  expect(page).toContain("<title>Try a decision · SteerBench</title>");
});

test("serves the page and nothing else on this machine, until it is told to end", async () => {
  const child = startCli(["play", "--port", "0"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const address = line.toString().trim();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/$/);
  const page = await fetch(address);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toBe(readFileSync(fileURLToPath(runOk(["play"]).trim()), "utf8"));
  expect((await fetch(`${address}../package.json`)).status).toBe(404);
  expect((await fetch(address, { method: "POST" })).status).toBe(405);

  const { port } = new URL(address);
  const taken = runCli(["play", "--port", port]);
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain(`cannot listen on 127.0.0.1: listen EADDRINUSE`);

  child.kill("SIGTERM");
  expect((await exit)[0]).toBe(0);
});

test("Ctrl-C ends serving as it ends every command, with 130", async () => {
  const child = startCli(["play", "--port", "0"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGINT");
  expect((await exit)[0]).toBe(130);
});

test("refuses a port that there is not", () => {
  const { code, stderr } = runCli(["play", "--port", "65536"]);
  expect(code).toBe(2);
  expect(stderr).toContain("whole number, 0 to 65535");
});
