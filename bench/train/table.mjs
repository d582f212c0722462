// What was measured, as tables in Markdown.

import { SAMPLES } from "./asked.mjs";
import { estimates } from "./estimates.mjs";
import { median, row } from "./figures.mjs";

const STEP_NAMES = {
  sft: "SFT step",
  decision: "decision step",
  rl: "RL step, one group",
};

const BESIDE = ["torch fp32", "ratio of pairs", "torch bf16", "ratio of pairs"];
const RATE = ["torch fp32", "ratio of pairs"];

export function printTables({ machine, asked, sampling, measured, peaks }) {
  const { cpu, threads, versions, load } = machine;
  const { lengths } = asked;
  const last = lastAttempts(measured);
  const noise = last.map(({ others }) => others).sort((a, b) => a - b);
  const lines = [
    `${cpu}, ${threads} threads; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}; load ${load.toFixed(1)} before it began.`,
    `Other processes: ${noise.at(-1)?.toFixed(2)} of a core in the worst block, median ${median(noise).toFixed(2)}.`,
    `Train side: ${lengths.traces} traces; prompt ${lengths.prompt.toFixed(1)} tokens, gold answer ${lengths.answer.toFixed(1)}, decision prompt ${lengths.choice.toFixed(1)} on average.`,
    ...agreement(measured),
    "",
    row(["step", "blocks", "ours, ms", ...BESIDE, "ours, CPU s", ...BESIDE]),
    row(["---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---"]),
    ...Object.keys(STEP_NAMES).map((name) => stepRow(name, last)),
    "",
    row(["answers", "tokens each", "ours, tokens/s", ...RATE, "ours, tokens/CPU s", ...RATE]),
    row(["---", "---", "---", "---", "---", "---", "---", "---"]),
    ...[...new Set(last.map(({ name }) => name))]
      .filter((name) => name.endsWith("answers"))
      .map((name) => samplerRow(name, last, sampling)),
    "",
    ...(peaks === null ? [] : peakRows(peaks)),
    ...estimates(last, asked),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Of each block's attempts the last; the rounds to warm up are left out. */
function lastAttempts(measured) {
  const last = new Map();
  for (const each of measured) {
    if (each.block >= 0) last.set(`${each.name}/${each.block}/${each.side}`, each);
  }
  return [...last.values()];
}

/** How far losses and gradient lengths are apart, relative, at the first step and at the worst. */
function agreement(measured) {
  const of = (side) => measured.filter((each) => each.side === side && each.loss !== undefined);
  const ours = of("ours");
  return ["torch fp32", "torch bf16"].map((side) => {
    const theirs = new Map(of(side).map((each) => [keyOf(each), each]));
    const gaps = (field) =>
      ours.map((each) => Math.abs(theirs.get(keyOf(each))[field] / each[field] - 1));
    const [loss, norm] = [gaps("loss"), gaps("norm")];
    const say = (list) =>
      `${list[0].toExponential(1)} (worst ${Math.max(...list).toExponential(1)})`;
    return `Beside ${side}, relative, at the first of ${ours.length} steps: loss ${say(loss)}, gradient length ${say(norm)}.`;
  });
}

const keyOf = ({ name, block, attempt }) => `${name}/${block}/${attempt}`;

/** [ours, theirs] of every block in which both ran. */
function pairsOf(name, side, last, figureOf) {
  const find = (wanted, block) =>
    last.find((each) => each.name === name && each.side === wanted && each.block === block);
  const blocks = last.filter((each) => each.name === name && each.side === "ours");
  return blocks.map((own) => [figureOf(own), figureOf(find(side, own.block))]);
}

function stepRow(name, last) {
  const sides = ["torch fp32", "torch bf16"];
  const wall = ({ wall }) => wall;
  const pairs = sides.map((side) => pairsOf(name, side, last, wall));
  const work = sides.map((side) => pairsOf(name, side, last, ({ used }) => used));
  const mine = (list) => median(list.map(([own]) => own));
  const others = (list) => median(list.map(([, other]) => other));
  const ratio = (list) => `${median(list.map(([own, other]) => other / own)).toFixed(2)}×`;
  return row([
    STEP_NAMES[name],
    pairs[0].length,
    mine(pairs[0]).toFixed(0),
    ...pairs.flatMap((list) => [others(list).toFixed(0), ratio(list)]),
    mine(work[0]).toFixed(1),
    ...work.flatMap((list) => [others(list).toFixed(1), ratio(list)]),
  ]);
}

function samplerRow(name, last, { maxTokens }) {
  const per = (secondsOf) =>
    pairsOf(name, "torch fp32", last, (each) => each.tokens / secondsOf(each));
  const cells = [per(({ wall }) => wall / 1000), per(({ used }) => used)].flatMap((pairs) => [
    median(pairs.map(([own]) => own)).toFixed(0),
    median(pairs.map(([, other]) => other)).toFixed(0),
    `${median(pairs.map(([own, other]) => own / other)).toFixed(2)}×`,
  ]);
  const asked =
    name === `${SAMPLES} answers` ? `1 prompt × ${SAMPLES}` : name.replace(" answers", "");
  return row([asked, maxTokens, ...cells]);
}

function peakRows(peaks) {
  const sides = Object.keys(Object.values(peaks)[0]);
  return [
    row(["peak memory, GiB", ...sides]),
    row(["---", ...sides.map(() => "---")]),
    ...Object.entries(peaks).map(([name, found]) =>
      row([STEP_NAMES[name], ...sides.map((side) => (found[side] / 2 ** 20).toFixed(2))]),
    ),
    "",
  ];
}
