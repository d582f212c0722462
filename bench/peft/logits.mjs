// Logits of `hf:MODEL` with `--adapter ADAPTER`, for a reader in another language.
//
//   node bench/peft/logits.mjs ASKED.json OUT
//
// ASKED holds {model, adapter, prompts, last}: lists of token ids, and at how many of each one's
// last tokens logits are wanted. OUT gets them as little-endian float32, [prompt, token, vocabulary].

import { readFileSync, writeFileSync } from "node:fs";
import { readHfFolder } from "../../dist/model/hf/hf-folder.js";
import { openSession } from "../../dist/model/onnx/session.js";

const [askedFile, out] = process.argv.slice(2);
const { model, adapter, prompts, last } = JSON.parse(readFileSync(askedFile, "utf8"));
const { graph, graphName, config } = readHfFolder(model, adapter);
const session = await openSession({
  graph,
  file: graphName,
  vocabulary: config.vocabulary,
  threads: 1,
});
const pieces = [];
for (const prompt of prompts) {
  const call = { rows: [prompt], cache: session.empty, last, keep: "nothing" };
  const { logits } = await session.run(call);
  for (let k = 0; k < last; k++) pieces.push(Buffer.from(Float32Array.from(logits(0, k)).buffer));
}
await session.release();
writeFileSync(out, Buffer.concat(pieces));
