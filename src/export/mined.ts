import { SteerError } from "../core/errors.ts";
import { compareText, digest, orderByHash } from "../core/hash.ts";
import type { Run } from "../result/run-read.ts";
import { type ScoredAnswer, scoreRun } from "../result/scored.ts";
import { clean, prepare } from "../task/parse/prepare.ts";
import { templateHash } from "../task/prompt.ts";
import type { Scheme } from "../task/scheme.ts";
import type { Payment } from "../task/score.ts";
import type { PairSkip, PlannedPair } from "./negatives.ts";
import type { Candidate } from "./reasons.ts";
import { isDistinct } from "./turn-rules.ts";

/**
 * Pairs of a model's own answers: one for each trace that a run answered both ways. The chosen
 * answer is strictly correct; the rejected one is an answer of the same run that the scheme gives
 * another outcome, which names the pair's type. Both are stored without thinking in front and end
 * tokens behind, as the parser reads them. Answers to traces that are not candidates are never
 * looked at, so a run on test rows gives nothing to train on.
 *
 * @param setDigest of the set that the candidates come from
 * @throws SteerError `mismatch` for runs on another set or prompt, with lettered answers, or of
 *   different models; `impossible` when no run answered any candidate
 */
export function minePairs(
  runs: readonly Run[],
  candidates: readonly Candidate[],
  scheme: Scheme,
  setDigest: string,
): { readonly pairs: PlannedPair[]; readonly skips: PairSkip[] } {
  requireOneSource(runs, setDigest);
  const pairs: PlannedPair[] = [];
  const skips: PairSkip[] = [];
  const answers = inFixedOrder(runs).map((run) => answersById(run, scheme));
  if (!candidates.some(({ id }) => answers.some((byId) => byId.has(id)))) {
    throw new SteerError(
      "impossible",
      `${runs.map(({ path }) => path).join(", ")}: no answers to the traces that are exported; evaluate the model on their side of the split first`,
    );
  }
  for (const candidate of candidates) {
    const found = answers.map((byId) => pairOf(candidate, byId.get(candidate.id) ?? [], scheme));
    const pair = found.find((each) => typeof each !== "string");
    if (pair) pairs.push(pair);
    else skips.push({ traceId: candidate.id, wanted: "mined", reason: nearestReason(found) });
  }
  return { pairs, skips };
}

type Failed = PairSkip["reason"];

/** How far a trace came towards a pair, the furthest last. */
const PROGRESS: readonly Failed[] = [
  "no_answer",
  "no_strict_correct_answer",
  "no_wrong_answer",
  "same_answers",
];

function nearestReason(found: readonly (PlannedPair | Failed)[]): Failed {
  const reached = found.map((each) => PROGRESS.indexOf(each as Failed));
  return PROGRESS[Math.max(...reached)] ?? "no_answer";
}

/** An answer with the text that training would see. */
interface Answer extends ScoredAnswer {
  readonly readable: string;
}

function answersById(run: Run, scheme: Scheme): Map<string, Answer[]> {
  const byId = new Map<string, Answer[]>();
  const { endTokens } = run.header.model;
  for (const answer of scoreRun(run, [scheme])) {
    const list = byId.get(answer.id) ?? [];
    list.push({ ...answer, readable: readable(answer.text ?? "", endTokens) });
    byId.set(answer.id, list);
  }
  return byId;
}

function pairOf(
  candidate: Candidate,
  answers: readonly Answer[],
  scheme: Scheme,
): PlannedPair | Failed {
  if (answers.length === 0) return "no_answer";
  // By hash, so that neither side always takes the first sample.
  const shuffled = orderByHash(answers, ({ id, sample }) => `mined/${id}/${sample}`);
  const right = shuffled.find(({ strictOutcome }) => strictOutcome === "correct");
  if (!right) return "no_strict_correct_answer";
  const paid = (answer: Answer) => answer.payments[scheme.name] as Payment;
  // A blank turn is no answer to a chat template.
  const wrong = shuffled.filter(
    (answer) => paid(answer).outcome !== "correct" && answer.readable !== "",
  );
  if (wrong.length === 0) return "no_wrong_answer";
  const chosen = right.readable;
  const other = wrong.find((answer) => isDistinct(chosen, answer.readable));
  if (!other) return "same_answers";
  const { outcome, reward } = paid(other);
  return {
    candidate,
    type: `mined_${outcome as Exclude<typeof outcome, "correct">}`,
    label: outcome === "cut_off" ? null : other[scheme.parse].label,
    source: {
      answers: { chosen, rejected: other.readable, margin: paid(right).reward - reward },
    },
  };
}

/** What the parser reads of an answer; all of it where the parser finds nothing to read. */
function readable(text: string, endTokens: readonly string[]): string {
  const cleaned = clean(text) ?? "";
  const prepared = prepare(cleaned, endTokens);
  return prepared.kind === "nothing" ? cleaned : prepared.text;
}

function requireOneSource(runs: readonly Run[], setDigest: string): void {
  const faults: string[] = [];
  const template = templateHash("generative");
  const [first] = runs;
  for (const { path, header } of runs) {
    if (header.readout !== "generative") faults.push(`${path}: holds letters, not written answers`);
    else if (header.prompt.template !== template) {
      faults.push(`${path}: prompt.template: answers to another prompt`);
    }
    if (header.set.digest !== setDigest) faults.push(`${path}: set.digest: another scenario set`);
    if (first && digest(header.model) !== digest(first.header.model)) {
      faults.push(
        `${path}: model: ${header.model.spec}, but ${first.path}: ${first.header.model.spec}`,
      );
    }
  }
  if (faults.length === 0) return;
  throw new SteerError(
    "mismatch",
    `pairs cannot be mined from these runs:\n  ${faults.join("\n  ")}\nUse generative runs of one model on this set.`,
  );
}

/** The order in which runs are named must not matter. */
function inFixedOrder(runs: readonly Run[]): Run[] {
  return [...runs].sort((a, b) => compareText(digest(a.header), digest(b.header)));
}
