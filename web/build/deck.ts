import { join } from "node:path";
import { compareText } from "../../src/core/hash.ts";
import type { Trace } from "../../src/core/trace.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { readSplit } from "../../src/data/split-file.ts";
import { requireVerified } from "../../src/data/verify.ts";
import { wordsBaseline } from "../../src/model/baseline.ts";
import { isFailure, type Model } from "../../src/model/model.ts";
import { trainSide } from "../../src/model/train-side.ts";
import { fitWordClassifier } from "../../src/model/word-classifier.ts";
import type { Deck, PlayTrace } from "../page/deck.ts";

/**
 * The demo set, verified, and what `baseline:words`, fitted on the train side, writes for the
 * held-out traces.
 *
 * @param root the repository's folder
 */
export async function readDeck(root: string): Promise<Deck> {
  const split = await readSplit(join(root, "splits/demo.json"));
  const set = await loadScenarioSet(join(root, "scenario-sets/demo"));
  try {
    const rows = await requireVerified(set, split);
    const read = (positions: readonly number[]) =>
      positions
        .map((position) => set.readTrace(position))
        .sort((first, second) => compareText(first.id, second.id));
    const { examples, details } = await trainSide(set, split);
    const words = wordsBaseline(fitWordClassifier(examples, details));
    const { name, version, licence, canary } = set;
    return {
      set: { name, version, licence, canary },
      parts: {
        test: await Promise.all(read(rows.test).map((trace) => withAnswer(trace, words))),
        train: read(rows.train).map((trace) => ({ ...trace, wordsAnswer: null })),
      },
    };
  } finally {
    set.close();
  }
}

/** Adds what a model writes for a trace. */
async function withAnswer(trace: Trace, model: Model): Promise<PlayTrace> {
  const { id, task, memory, observation } = trace;
  const situation = { id, task, memory, observation };
  const sampling = { temperature: 0, topP: 1, maxTokens: 64, seed: "0" };
  const request = { id, situation, messages: [], samples: [0] };
  const answer = (await model.generate([request], sampling))[0]?.[0];
  if (answer === undefined || isFailure(answer)) throw new Error(`no answer for ${id}`);
  return { ...trace, wordsAnswer: answer.text };
}
