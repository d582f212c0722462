// What was measured, as a table in Markdown and the facts that it needs.

import { treeTokens } from "./prompts.mjs";

const QUIET = 0.15;

export function printTable({ modes, measured, peaks, blocks, facts, versions, memory, cpu }) {
  const peak = Math.max(...peaks);
  const rows = modes.map(({ name }) => summarise(name, measured, blocks, facts));
  const lmeval = rows.find((row) => row.name === "lm-eval");
  const five = rows.find((row) => row.name.startsWith("five passes"));
  const lines = [
    `${cpu}; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`,
    `${facts.prompts} prompts of ${facts.shortest} to ${facts.longest} tokens, mean ${facts.meanTokens.toFixed(0)}.`,
    `All share ${facts.commonTokens} tokens, ${percent(facts.commonShare)}; with what families share, ${percent(facts.treeShare)} need not be read again; in five orders ${percent(facts.turnedShare)}.`,
    `Peak of matrix products here: ${peak.toFixed(0)} GFLOP/s (blocks: ${peaks.map((p) => p.toFixed(0)).join(", ")}).`,
    `Peak memory: Node ${gigabytes(memory.node)} (all modes' sessions), Python ${gigabytes(memory.python ?? 0)}.`,
    "",
    "| mode | prompts | ms a trace, median of blocks | quiet blocks | least | of five passes | of lm-eval | useful work, share of peak | gap to lm-eval | picks |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows.map((row) => {
      const useful = row.flops === null ? "" : percent(row.flops / row.median / 1e6 / peak);
      return `| ${[
        row.name,
        row.prompts,
        row.median.toFixed(0),
        row.quiet === null ? "none" : `${row.quiet.toFixed(0)} (${row.quietBlocks})`,
        row.least.toFixed(0),
        times(five, row),
        times(lmeval, row),
        useful,
        lmeval ? gap(row, lmeval).largest.toExponential(1) : "",
        lmeval ? gap(row, lmeval).picks : "",
      ].join(" | ")} |`;
    }),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

function summarise(name, measured, blocks, facts) {
  const own = measured.filter(({ mode }) => mode === name);
  const perTrace = own.map(({ wall, prompts }) => wall / prompts);
  const quiet = own.filter(({ others }) => others < QUIET);
  return {
    name,
    prompts: own.reduce((sum, { prompts }) => sum + prompts, 0),
    median: median(perTrace),
    least: Math.min(...perTrace),
    quiet: quiet.length === 0 ? null : median(quiet.map(({ wall, prompts }) => wall / prompts)),
    quietBlocks: quiet.length,
    flops: usefulFlops(name, blocks, facts),
    letters: new Map(
      own.flatMap(({ letters, block }) => letters.map((l, i) => [`${block}/${i}`, l])),
    ),
  };
}

/** What the answers of a mode need at least, for each trace: no token twice, logits at the end. */
function usefulFlops(name, blocks, facts) {
  let flops = 0;
  let count = 0;
  for (const { prompts, turned } of blocks) {
    const chats = name.startsWith("five orders") ? [...turned.values()].flat() : prompts;
    const sequences = chats.map(({ ids }) => ids);
    const shares = name.includes("shared") || name.startsWith("five orders");
    const read = shares
      ? treeTokens(sequences)
      : sequences.reduce((sum, ids) => sum + ids.length, 0);
    const whole = sequences.reduce((sum, ids) => sum + facts.attentionFlops(0, ids.length), 0);
    const total = sequences.reduce((sum, ids) => sum + ids.length, 0);
    // Attention is counted in proportion: a token that is read attends to all before it.
    flops +=
      read * facts.flopsPerToken + (whole * read) / total + sequences.length * facts.headFlops;
    count += prompts.length;
  }
  return flops / count;
}

function gap(row, other) {
  let largest = 0;
  let same = 0;
  let count = 0;
  for (const [key, letters] of row.letters) {
    const wanted = other.letters.get(key);
    if (!wanted) continue;
    letters.forEach((value, k) => {
      largest = Math.max(largest, Math.abs(value - wanted[k]));
    });
    count++;
    if (best(letters) === best(wanted)) same++;
  }
  return { largest, picks: `${same} of ${count}` };
}

const best = (values) => values.indexOf(Math.max(...values));
const times = (base, row) => (base ? `${(base.median / row.median).toFixed(2)}×` : "");
const percent = (share) => `${(100 * share).toFixed(1)}%`;
const gigabytes = (kilobytes) => `${(kilobytes / 2 ** 20).toFixed(1)} GiB`;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
