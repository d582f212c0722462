import { LABELS } from "../core/intervention.ts";
import { readDecision } from "../result/decision.ts";
import { type AnswerRow, type ErrorRow, isDecisionRow } from "../result/run-row.ts";
import type { StoredParse } from "../result/run-schema.ts";
import type { ScoredAnswer } from "../result/scored.ts";
import { percent } from "../result/table.ts";
import type { Arm } from "./arms.ts";
import { html, type Markup } from "./markup.ts";
import { shownText } from "./text-budget.ts";
import { OUTCOME_NAMES } from "./theme.ts";

/** An answer, scored, and as it was stored. */
export interface ShownAnswer {
  readonly arm: Arm;
  readonly scored: ScoredAnswer;
  readonly row: AnswerRow;
}

/** A failure in the place of an answer. */
export interface ShownFailure {
  readonly arm: Arm;
  readonly error: ErrorRow;
}

/** One answer: what became of it, how it was read, what it earned, and its text. */
export function answerEntry({ arm, scored, row }: ShownAnswer, share: number): Markup {
  const { outcome, strict, lenient, payments } = scored;
  const rewards = Object.entries(payments).map(([name, { reward }]) => `${name} ${reward}`);
  return html`<div class="answer ${outcome}"><p><b>${arm.number} ${arm.name}</b>${sampleOf(arm, scored)} · <b class="outcome">${OUTCOME_NAMES[outcome]}</b> · strict ${parseText(strict)} · lenient ${parseText(lenient)} · reward ${rewards.join(", ")}${endOf(row)}</p>
${isDecisionRow(row) ? probabilities(scored) : answerText(row.text, share)}</div>
`;
}

/** A failure of the provider or the model. */
export function failureEntry({ arm, error }: ShownFailure, share: number): Markup {
  return html`<div class="answer failed"><p><b>${arm.number} ${arm.name}</b>${sampleOf(arm, error)} · <b class="outcome">failed</b> (${error.error.code}), in no figure</p>
${answerText(error.error.message, share)}</div>
`;
}

function sampleOf({ run }: Arm, { sample }: { readonly sample: number }): string {
  return run.header.samples > 1 ? ` sample ${sample}` : "";
}

function parseText({ label, reason, multiple }: StoredParse): string {
  const read = label ?? `none (${reason})`;
  return multiple ? `${read}, several objects` : read;
}

function endOf(row: AnswerRow): string {
  if (isDecisionRow(row)) return "";
  const finish = row.finish === null ? "" : ` · finish ${row.finish}`;
  return row.tokens === null ? finish : `${finish} · tokens ${row.tokens}`;
}

function answerText(text: string, share: number): Markup {
  if (text === "") return html`<p class="note">nothing was written</p>`;
  return shownText(text, share, { tag: "pre", name: "what was written", rest: "answers.jsonl" });
}

function probabilities({ passes }: ScoredAnswer): Markup {
  const found = passes === null ? null : readDecision(passes).probabilities;
  const text = found
    ? LABELS.map((label) => `${label} ${percent(found[label])}`).join(" · ")
    : "no finite letter scores";
  return html`<p class="note">probabilities: ${text}</p>`;
}
