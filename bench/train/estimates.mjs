// What each arm takes for 2,000 traces, from the measured work and the real lengths of the set.
// Seconds of processor are counted, which other processes change little; two cores halve them at
// best.

import { SAMPLES } from "./asked.mjs";
import { median, row, tokensOf } from "./figures.mjs";

const TRACES = 2000;
/** Groups that are paid alike are sampled, but not trained on. */
const KEPT = 0.5;

/** A table, with the arithmetic beside each number. */
export function estimates(last, { blocks, lengths }) {
  const { prompt, answer, choice } = lengths;
  const ms = (name) => perToken(name, last, blocks);
  const rate = median(find(`${SAMPLES} answers`, last).map(({ tokens, used }) => tokens / used));
  const each = median(
    find("features", last).map(({ each, used, wall }) => (each * 1000 * used) / wall),
  );
  const [supervised, packed] = [prompt + answer - 1, prompt + SAMPLES * (answer - 1)];
  const sampled = SAMPLES * answer;
  const say = (number) => number.toFixed(0);
  const lines = [
    [
      "sft, an epoch",
      TRACES * supervised * ms("sft"),
      `${TRACES} × ${say(supervised)} tokens × ${ms("sft").toFixed(2)} ms`,
    ],
    [
      "decision, an epoch",
      TRACES * choice * ms("decision"),
      `${TRACES} × ${say(choice)} tokens × ${ms("decision").toFixed(2)} ms`,
    ],
    [
      `rl, either scheme, ${SAMPLES} answers a trace`,
      TRACES * ((1000 * sampled) / rate + KEPT * packed * ms("rl")),
      `${TRACES} × (${say(sampled)} tokens written at ${say(rate)} a CPU second + half of the groups × ${say(packed)} tokens × ${ms("rl").toFixed(2)} ms)`,
    ],
    ["head, any number of epochs", TRACES * each, `${TRACES} × ${say(each)} ms, read once`],
  ];
  return [
    row([`arm, ${TRACES} traces`, "core minutes", "on two cores at best", "from"]),
    row(["---", "---", "---", "---"]),
    ...lines.map(([arm, time, from]) =>
      row([arm, (time / 60_000).toFixed(0), (time / 120_000).toFixed(0), from]),
    ),
  ];
}

const find = (name, last) => last.filter((each) => each.name === name && each.side === "ours");

/** CPU ms of a step for each token that it reads. */
function perToken(name, last, blocks) {
  return median(
    find(name, last).map(({ used, block }) => (1000 * used) / tokensOf(blocks[block][name].rows)),
  );
}
