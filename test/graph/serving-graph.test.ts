import { expect, onTestFinished, test } from "vitest";
import { readHfFolder } from "../../src/model/hf/hf-folder.ts";
import { logProbabilities } from "../../src/model/onnx/log-softmax.ts";
import { beginWriting, readOneToken } from "../../src/model/onnx/one-token.ts";
import { openSession } from "../../src/model/onnx/session.ts";
import { DECISIONS, REFERENCE, TINY } from "../model/onnx/support.ts";

/** The embedded model as our own graph, its weights read from model.safetensors by the runtime. */
async function openTiny() {
  const { graph, graphName, config } = readHfFolder(TINY);
  const { vocabulary } = config;
  const session = await openSession({ graph, file: graphName, vocabulary, threads: 1 });
  onTestFinished(() => session.release());
  return session;
}

test("the session that runs exported models runs ours: letters within 2e-4 of float64", async () => {
  const session = await openTiny();
  for (const { ids, letterIds, logprobs } of DECISIONS) {
    const call = { rows: [ids], cache: session.empty, last: 1, keep: "nothing" } as const;
    const { logits } = await session.run(call);
    const found = logProbabilities(logits(0, 0), Object.values(letterIds));
    Object.values(logprobs).forEach((expected, i) => {
      expect(Math.abs((found[i] as number) - expected)).toBeLessThan(2e-4);
    });
  }
});

test("a text in rows of different lengths, behind a cache, token by token, stays the same", async () => {
  const session = await openTiny();
  const { layout } = session.source.graph;
  const prompts = REFERENCE.prompts.slice(0, 2).map(({ ids }) => ids.slice(-40));
  const [a = [], b = []] = prompts;
  const alone = async (ids: readonly number[]) => {
    const call = { rows: [ids], cache: session.empty, last: 1, keep: "cache" } as const;
    return session.run(call);
  };
  const together = await session.run({
    rows: [a, b.slice(7)],
    cache: { ...session.empty, rows: 2, gaps: [...session.empty.gaps, ...session.empty.gaps] },
    last: 1,
    keep: "nothing",
  });
  const short = await alone(b.slice(7));
  const gap = (x: Float32Array, y: Float32Array) =>
    x.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (y[i] as number))), 0);
  expect(gap(together.logits(0, 0), (await alone(a)).logits(0, 0))).toBeLessThan(1e-4);
  expect(gap(together.logits(1, 0), short.logits(0, 0))).toBeLessThan(1e-4);

  let cache = beginWriting(layout, [(await alone(a)).cache, short.cache]);
  let logits = together.logits;
  for (const token of [5, 17, 300]) {
    const step = await readOneToken(session, [token, token], cache);
    cache = step.cache;
    logits = step.logits;
  }
  const tail = [5, 17, 300];
  expect(gap(logits(0, 0), (await alone([...a, ...tail])).logits(0, 0))).toBeLessThan(1e-4);
  const longer = await alone([...b.slice(7), ...tail]);
  expect(gap(logits(1, 0), longer.logits(0, 0))).toBeLessThan(1e-4);
});
