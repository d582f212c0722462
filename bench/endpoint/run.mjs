// Both readouts against a real model behind a real HTTP endpoint (serve-llama.mjs), through the
// code that `eval` uses. After `npm run build`, and after the steps of README.md:
//   node bench/endpoint/run.mjs --packages DIR --gguf FILE [--traces 30] [--written 8]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadScenarioSet } from "../../dist/data/scenario-set.js";
import { systemClock } from "../../dist/model/endpoint/clock.js";
import { openEndpoint } from "../../dist/model/endpoint/endpoint.js";
import { readDecision } from "../../dist/result/decision.js";
import { lettersAt, offsetOf } from "../../dist/task/letters.js";
import { parse } from "../../dist/task/parse/parse.js";
import { buildPrompt } from "../../dist/task/prompt.js";

const { values: args } = parseArgs({
  options: {
    packages: { type: "string" },
    gguf: { type: "string" },
    traces: { type: "string", default: "30" },
    written: { type: "string", default: "8" },
  },
});
const SAMPLING = { temperature: 0.7, topP: 0.95, maxTokens: 64, seed: "7" };

const set = await loadScenarioSet(
  fileURLToPath(new URL("../../scenario-sets/demo", import.meta.url)),
);
const traces = set.heads.slice(0, Number(args.traces)).map((_, at) => set.readTrace(at));
set.close();

const scores = {};
for (const lastTurn of ["continue", "ask", "close"]) {
  scores[lastTurn] = await withServer(lastTurn, decide);
}
const gap = largestGap(scores.continue, scores.ask);
console.log(
  `\nletters, one way of going on against the other: at most ${gap.toExponential(1)} apart`,
);
await withServer("continue", write);

/** The decision readout on every trace; the letters' log-probabilities, null for a failure. */
async function decide(spec, lastTurn) {
  const model = await openEndpoint(spec, { readout: "decision", clock: systemClock });
  console.log(
    `\ndecision, a server that will ${lastTurn}: found ${JSON.stringify(model.describe().details)}`,
  );
  const requests = traces.map((trace) => ({
    ...{ id: trace.id, situation: trace },
    messages: buildPrompt(trace, { readout: "decision", offset: offsetOf(trace.id) }),
    letters: lettersAt(offsetOf(trace.id)),
  }));
  const start = performance.now();
  const results = await model.scoreLetters(requests);
  const seconds = (performance.now() - start) / 1000;
  const scored = results.filter((result) => !("error" in result));
  const picks = results.map((result, at) => {
    if ("error" in result) return result.error.code;
    return readDecision([{ offset: offsetOf(traces[at].id), ...result }]).pick.label ?? "tie";
  });
  const masses = scored.map(({ letterMass }) => letterMass).sort((a, b) => a - b);
  console.log(`  ${scored.length} of ${results.length} scored, ${perItem(seconds, results)}`);
  console.log(`  letter mass ${range(masses)}; picks ${JSON.stringify(countEach(picks))}`);
  const failure = results.find((result) => "error" in result);
  if (failure) console.log(`  first failure: ${failure.error.message}`);
  return results.map((result) => ("error" in result ? null : result.logprobs));
}

/** The generative readout, twice: one seed must give one text. */
async function write(spec) {
  const model = await openEndpoint(spec, { readout: "generative", clock: systemClock });
  const requests = traces.slice(0, Number(args.written)).map((trace) => ({
    ...{ id: trace.id, situation: trace, samples: [0, 1] },
    messages: buildPrompt(trace, { readout: "generative" }),
  }));
  const start = performance.now();
  const answers = (await model.generate(requests, SAMPLING)).flat();
  const seconds = (performance.now() - start) / 1000;
  const again = (await model.generate(requests, SAMPLING)).flat();
  const alone = (await model.generate([{ ...requests[0], samples: [1] }], SAMPLING)).flat();
  const tokens = answers.reduce((sum, { tokens }) => sum + tokens, 0);
  const read = answers.map(({ text }) => parse(text));
  console.log(
    `\ngenerative, ${requests.length} traces of 2 samples: ${perItem(seconds, answers)}, ${tokens} tokens`,
  );
  console.log(`  finish ${JSON.stringify(countEach(answers.map(({ finish }) => finish)))}`);
  console.log(
    `  readable: strict ${readable(read, "strict")}, lenient ${readable(read, "lenient")}`,
  );
  console.log(`  asked again, the same texts: ${same(answers, again)}`);
  console.log(`  sample 1 asked by itself, the same text: ${same([answers[1]], alone)}`);
  console.log(`  first answer: ${JSON.stringify(answers[0].text)}`);
}

async function withServer(lastTurn, work) {
  const script = fileURLToPath(new URL("serve-llama.mjs", import.meta.url));
  const options = ["--packages", args.packages, "--gguf", args.gguf, "--last-turn", lastTurn];
  const server = spawn(process.execPath, [script, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [address] = await Promise.race([once(server.stdout, "data"), once(server, "exit")]);
    if (typeof address === "number") throw new Error("the server did not start");
    return await work(String(address).trim(), lastTurn);
  } finally {
    server.kill();
  }
}

/** Over the traces that both scored. */
function largestGap(a, b) {
  const pairs = a.map((row, i) => [row, b[i]]).filter(([x, y]) => x !== null && y !== null);
  return Math.max(...pairs.flatMap(([x, y]) => x.map((value, k) => Math.abs(value - y[k]))));
}

function countEach(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function readable(parses, kind) {
  return `${parses.filter((found) => found[kind].label !== null).length} of ${parses.length}`;
}

function same(a, b) {
  return a.every(({ text }, k) => text === b[k].text);
}

function range(sorted) {
  if (sorted.length === 0) return "none";
  const [low, middle, high] = [0, sorted.length >> 1, sorted.length - 1].map((k) => sorted[k]);
  return `${low.toFixed(3)} to ${high.toFixed(3)}, median ${middle.toFixed(3)}`;
}

function perItem(seconds, items) {
  return `${((seconds * 1000) / items.length).toFixed(0)} ms each`;
}
