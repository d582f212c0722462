import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evaluate } from "../../../src/eval/evaluate.ts";
import { openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { readRun } from "../../../src/result/run-read.ts";
import { GENERATIVE, loadFamilies, optionsFor } from "../../eval/support.ts";
import { fakeClock, reply, send, startServer } from "./server.ts";

const KEY = "sk-live-0123456789";

test("failures become rows, a resumed run asks for those only, and no file holds the key", async () => {
  let isUp = false;
  const { spec, seen } = await startServer((response, { headers }, number) => {
    if (isUp || number % 2 === 0) return send(response, reply("ACT"));
    send(response, { error: { message: `overloaded, ${headers.authorization}` } }, 400);
  });
  const model = await openEndpoint(spec, {
    readout: "generative",
    clock: fakeClock(),
    apiKey: KEY,
    concurrency: 1,
  });
  const loaded = await loadFamilies(4);
  const options = { ...optionsFor(loaded, { readout: GENERATIVE }), model };

  expect(await evaluate(options)).toMatchObject({ total: 10, failed: 5 });
  const before = await readRun(options.out);
  expect(before.answers).toHaveLength(5);
  expect(before.header.model).toMatchObject({ spec, name: "tiny" });

  isUp = true;
  expect(await evaluate({ ...options, resume: true })).toMatchObject({ found: 5, failed: 0 });
  expect(seen).toHaveLength(15);
  expect((await readRun(options.out)).answers).toHaveLength(10);
  for (const name of readdirSync(options.out)) {
    const text = readFileSync(join(options.out, name), "utf8");
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString("base64"));
  }
});
