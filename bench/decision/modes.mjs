// Our own modes. Each takes a block and gives the letters' log-probabilities of its prompts.

import { availableParallelism } from "node:os";
import * as ort from "onnxruntime-node";
import { logProbabilities } from "../../dist/model/onnx/log-softmax.js";
import { readModelFolder } from "../../dist/model/onnx/model-folder.js";
import { openOnnxModel } from "../../dist/model/onnx/onnx-model.js";
import { buildPrefixTree } from "../../dist/model/onnx/prefix-tree.js";
import { scoreUnit } from "../../dist/model/onnx/score-letters.js";
import { openSession } from "../../dist/model/onnx/session.js";

export async function openModes(model) {
  const threads = availableParallelism();
  const folder = readModelFolder(model);
  const source = {
    graph: folder.graph,
    file: folder.graphName,
    vocabulary: folder.config.vocabulary,
    threads,
  };
  const session = await openSession(source);
  const pool = await openOnnxModel(model, { workers: threads });
  const vocabulary = source.vocabulary;

  /** All logits of all positions, copied out as a caller without a shortened head gets them. */
  const readWhole = async (ids) => {
    const call = { rows: [ids], cache: session.empty, last: ids.length, keep: "nothing" };
    return (await session.run(call)).logits;
  };
  const each =
    (read) =>
    async ({ prompts }) => {
      const letters = [];
      for (const prompt of prompts) letters.push(await read(prompt));
      return { letters };
    };
  const modes = [
    {
      name: "five passes, all logits",
      isSlow: true,
      run: each(async ({ ids, letterIds }) => {
        const found = [];
        for (const id of letterIds) {
          const logits = await readWhole([...ids, id]);
          found.push(logProbabilities(logits(0, ids.length - 1), [id])[0]);
        }
        return found;
      }),
    },
    {
      name: "one pass, all logits",
      run: each(async ({ ids, letterIds }) =>
        logProbabilities((await readWhole(ids))(0, ids.length - 1), letterIds),
      ),
    },
    {
      name: "one pass, last logits",
      run: each(async ({ ids, letterIds }) => {
        const call = { rows: [ids], cache: session.empty, last: 1, keep: "nothing" };
        return logProbabilities((await session.run(call)).logits(0, 0), letterIds);
      }),
    },
    {
      name: "shared prefixes",
      async run({ prompts }) {
        const node = buildPrefixTree(prompts.map(({ ids }) => ids));
        const letterIds = new Map(prompts.map((prompt, i) => [i, prompt.letterIds]));
        const letters = [];
        await scoreUnit(session, { path: [], node, letterIds }, { steps: [] }, (item, scores) => {
          letters[item] = scores.logprobs;
        });
        return { letters };
      },
    },
    {
      name: `shared prefixes, ${threads} workers`,
      async run({ prompts }) {
        const scores = await pool.scoreLetters(prompts.map(({ request }) => request));
        return { letters: scores.map(({ logprobs }) => logprobs) };
      },
    },
    {
      name: `five orders of the letters, ${threads} workers`,
      async run({ prompts, turned }) {
        const requests = prompts.flatMap(({ id }) => turned.get(id).map(({ request }) => request));
        const scores = await pool.scoreLetters(requests);
        return { letters: prompts.map((_, i) => scores[5 * i].logprobs) };
      },
    },
  ];
  return {
    modes,
    vocabulary,
    versions: { onnxruntime: ort.env.versions.node },
    async close() {
      await session.release();
      await pool.close();
    },
  };
}
