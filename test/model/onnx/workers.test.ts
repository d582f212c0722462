import { describe, expect, test } from "vitest";
import { fixWorkers, planWorkers } from "../../../src/model/onnx/worker-count.ts";
import {
  DECISIONS,
  letterRequest,
  MICRO,
  openForTest,
  SHORT_CHATS,
  TINY,
  textRequest,
} from "./support.ts";

const LETTERS = SHORT_CHATS.map((chat, i) => letterRequest(`t-${i}`, chat));
const TEXTS = SHORT_CHATS.map((chat, i) => textRequest(`t-${i}`, chat, [0, 1]));
const SAMPLING = { temperature: 1, topP: 0.9, maxTokens: 10, seed: "3" };

// Threads run the built worker, as `npm test` builds it before.
describe("worker threads", () => {
  test("give the same results as the calling thread, one or two of them", async () => {
    const [own, one, two] = await Promise.all(
      [0, 1, 2].map((workers) => openForTest(MICRO, { workers })),
    );
    expect([own?.workers, one?.workers, two?.workers]).toEqual([0, 1, 2]);
    const letters = await own?.scoreLetters(LETTERS);
    expect(await one?.scoreLetters(LETTERS)).toEqual(letters);
    expect(await two?.scoreLetters(LETTERS)).toEqual(letters);
    const texts = await own?.generate(TEXTS, SAMPLING);
    expect(await one?.generate(TEXTS, SAMPLING)).toEqual(texts);
    expect(await two?.generate(TEXTS, SAMPLING)).toEqual(texts);
  });

  test("serve calls that are made at the same time", async () => {
    const model = await openForTest(MICRO, { workers: 2 });
    const calls = await Promise.all([
      model.scoreLetters(LETTERS),
      model.generate(TEXTS, SAMPLING),
      model.scoreLetters(LETTERS),
      model.continuationLogProb("a", "b"),
    ]);
    expect(calls[2]).toEqual(calls[0]);
    expect(await model.generate(TEXTS, SAMPLING)).toEqual(calls[1]);
  });

  test("end an aborted call as interrupted and then go on", async () => {
    const model = await openForTest(TINY, { workers: 2 });
    const requests = DECISIONS.map(({ id, messages }) => letterRequest(id, messages));
    const controller = new AbortController();
    const call = model.scoreLetters(requests, {
      signal: controller.signal,
      onResult: () => controller.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: "interrupted" });
    expect(await model.scoreLetters(requests)).toHaveLength(requests.length);
  });

  test("are gone when the model is closed", async () => {
    const model = await openForTest(MICRO, { workers: 1 });
    await model.close();
    await expect(model.scoreLetters(LETTERS)).rejects.toMatchObject({ code: "state" });
  });
});

test("there is a worker for each core, fewer where memory holds fewer copies", () => {
  const GB = 2 ** 30;
  expect(planWorkers(GB, 8, 100 * GB)).toEqual({ workers: 8, threads: 1 });
  expect(planWorkers(GB, 8, 5 * GB)).toEqual({ workers: 2, threads: 4 });
  expect(planWorkers(GB, 8, GB)).toEqual({ workers: 1, threads: 8 });
  expect(planWorkers(0, 1, 0)).toEqual({ workers: 1, threads: 1 });
});

test("more workers than memory holds are refused before any weight is loaded", () => {
  const GB = 2 ** 30;
  expect(fixWorkers(4, GB, 9 * GB)).toEqual({ workers: 4, threads: 1 });
  expect(() => fixWorkers(1000, GB, 9 * GB)).toThrow("1000 workers take up to 2.3 GiB each; 4 fit");
  expect(fixWorkers(1, GB, GB)).toEqual({ workers: 1, threads: 1 });
});
