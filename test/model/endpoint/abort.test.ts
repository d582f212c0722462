import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { openForText, SAMPLING, textRequest } from "./open.ts";
import { fakeClock, reply, send, startServer } from "./server.ts";

test("an aborted call tells of what was finished, drops the rest and throws interrupted", async () => {
  const stop = new AbortController();
  const { spec, seen } = await startServer((response, _, number) => {
    if (number < 2) send(response, reply(`answer ${number}`));
    else stop.abort();
  });
  const model = await openForText(spec, { concurrency: 1 });
  const told: number[] = [];
  const requests = [0, 1, 2, 3, 4].map((sample) => textRequest([sample]));
  const watch = { signal: stop.signal, onResult: (index: number) => told.push(index) };
  await expect(model.generate(requests, SAMPLING, watch)).rejects.toMatchObject({
    name: "SteerError",
    code: "interrupted",
  });
  expect(told).toEqual([0, 1]);
  expect(seen).toHaveLength(3);
});

test("an abort ends a wait between two tries", async () => {
  const stop = new AbortController();
  const { spec, seen } = await startServer((response) => send(response, "busy", 503));
  const clock = { ...fakeClock(), sleep: async () => stop.abort() };
  const model = await openForText(spec, { clock });
  const call = model.generate([textRequest()], SAMPLING, { signal: stop.signal });
  await expect(call).rejects.toMatchObject({ code: "interrupted" });
  expect(seen).toHaveLength(1);
});

test("a signal that was aborted before asks nothing", async () => {
  const { spec, seen } = await startServer((response) => send(response, reply("ACT")));
  const model = await openForText(spec);
  const watch = { signal: AbortSignal.abort() };
  await expect(model.generate([textRequest()], SAMPLING, watch)).rejects.toMatchObject({
    code: "interrupted",
  });
  const opening = openEndpoint(spec, { readout: "decision", clock: fakeClock(), ...watch });
  await expect(opening).rejects.toMatchObject({ code: "interrupted" });
  expect(seen).toEqual([]);
});

test("many requests at once under one signal are no cause for a warning", async () => {
  const warnings: Error[] = [];
  const responses: ServerResponse[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const { spec, seen } = await startServer((response, _, number) => {
    // The first request goes alone.
    if (number === 0) return send(response, reply("ACT"));
    responses.push(response);
    if (number >= 20) for (const waiting of responses) send(waiting, reply("ACT"));
  });
  const model = await openForText(spec, { concurrency: 20 });
  const samples = Array.from({ length: 21 }, (_, sample) => sample);
  const watch = { signal: new AbortController().signal };
  await model.generate([textRequest(samples)], SAMPLING, watch);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warn);
  expect(seen).toHaveLength(21);
  expect(warnings).toEqual([]);
});
