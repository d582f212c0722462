import { describe, expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import {
  type GenerateRequest,
  isFailure,
  type LetterRequest,
  type Model,
  type Sampling,
} from "../../src/model/model.ts";
import { lettersAt } from "../../src/task/letters.ts";
import { buildPrompt } from "../../src/task/prompt.ts";
import { makeFamily } from "../support/traces.ts";

/** Traces that a model under contract can answer in both readouts. */
export const CONTRACT_TRACES = [...makeFamily(1), ...makeFamily(2)];

/** An id that no model under contract that looks ids up can know. */
const UNKNOWN_ID = "t-unknown";

const sampling: Sampling = { temperature: 1, topP: 1, maxTokens: 64, seed: "7" };

/** What every model must do, whatever it is. */
export function modelContract(
  name: string,
  open: () => Promise<Model>,
  { knowsIds = false }: { readonly knowsIds?: boolean } = {},
): void {
  describe(`the model contract: ${name}`, () => {
    test("describes itself in plain JSON, the same each time", async () => {
      const model = await open();
      const description = model.describe();
      expect(JSON.parse(JSON.stringify(description))).toEqual(description);
      expect(model.describe()).toEqual(description);
      expect(description.spec).not.toBe("");
      expect((await open()).describe()).toEqual(description);
    });

    test("gives one list a request and one answer a sample, in the order asked for", async () => {
      const model = await open();
      const requests = generateRequests([2, 0, 1]);
      const results = await model.generate(requests, sampling);
      expect(results.map((answers) => answers.length)).toEqual(requests.map(() => 3));
      const reversed = await model.generate([...requests].reverse(), sampling);
      expect([...reversed].reverse()).toEqual(results);
      const inOrder = await model.generate(generateRequests([0, 1, 2]), sampling);
      expect(inOrder.map(([first, second, third]) => [third, first, second])).toEqual(results);
    });

    test("a sample does not depend on which others are asked for with it", async () => {
      const model = await open();
      const together = await model.generate(generateRequests([0, 1, 2]), sampling);
      for (const [at, request] of generateRequests([1]).entries()) {
        expect(await model.generate([request], sampling)).toEqual([[together[at]?.[1]]]);
      }
    });

    test("scores five letters a request, in the order asked for", async () => {
      const model = await open();
      const requests = letterRequests([0, 3]);
      const results = await model.scoreLetters(requests);
      expect(results).toHaveLength(requests.length);
      for (const result of results) {
        if (isFailure(result)) continue;
        expect(result.logprobs).toHaveLength(LABELS.length);
        for (const logprob of result.logprobs) expect(logprob <= 0).toBe(true);
        expect(result.letterMass).toBeGreaterThanOrEqual(0);
        expect(result.letterMass).toBeLessThanOrEqual(1 + 1e-9);
      }
      expect([...(await model.scoreLetters([...requests].reverse()))].reverse()).toEqual(results);
    });

    test("gives the same results when it is opened again", async () => {
      const [first, second] = [await open(), await open()];
      const texts = generateRequests([0, 1]);
      expect(await second.generate(texts, sampling)).toEqual(await first.generate(texts, sampling));
      const letters = letterRequests([1]);
      expect(await second.scoreLetters(letters)).toEqual(await first.scoreLetters(letters));
    });

    test("does nothing for nothing, and does not change its requests", async () => {
      const model = await open();
      expect(await model.generate([], sampling)).toEqual([]);
      expect(await model.scoreLetters([])).toEqual([]);
      const requests = generateRequests([0]);
      const copy = structuredClone(requests);
      await model.generate(requests, sampling);
      expect(requests).toEqual(copy);
    });

    test("may be closed twice", async () => {
      const model = await open();
      await model.close();
      await expect(model.close()).resolves.toBeUndefined();
    });

    if (!knowsIds) return;
    test("a request it has no answer to is a value in its place", async () => {
      const model = await open();
      const [known] = generateRequests([0]);
      if (!known) throw new Error("no request");
      const [before, failed, after] = await model.generate(
        [known, { ...known, id: UNKNOWN_ID }, known],
        sampling,
      );
      expect(failed).toEqual([
        { error: { code: expect.any(String), message: expect.any(String) } },
      ]);
      expect(before).toEqual(after);
      const [letters] = letterRequests([0]);
      if (!letters) throw new Error("no request");
      const [unknown] = await model.scoreLetters([{ ...letters, id: UNKNOWN_ID }]);
      expect(unknown && isFailure(unknown)).toBe(true);
    });
  });
}

/** Requests as the evaluation builds them: nothing in them tells the label. */
export function generateRequests(samples: readonly number[]): GenerateRequest[] {
  return CONTRACT_TRACES.map((trace) => ({
    id: trace.id,
    situation: situationOf(trace),
    messages: buildPrompt(trace, { readout: "generative" }),
    samples,
  }));
}

export function letterRequests(offsets: readonly number[]): LetterRequest[] {
  return CONTRACT_TRACES.flatMap((trace) =>
    offsets.map((offset) => ({
      id: trace.id,
      situation: situationOf(trace),
      messages: buildPrompt(trace, { readout: "decision", offset }),
      letters: lettersAt(offset),
    })),
  );
}

function situationOf({ id, task, memory, observation }: (typeof CONTRACT_TRACES)[number]) {
  return { id, task, memory, observation };
}
