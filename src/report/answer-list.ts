import { compareText } from "../core/hash.ts";
import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import { keyText } from "../result/run-row.ts";
import type { RunTrace } from "../result/run-schema.ts";
import { anchorsOf } from "./anchors.ts";
import { answerEntry, failureEntry, type ShownAnswer, type ShownFailure } from "./answer-entry.ts";
import type { Arm } from "./arms.ts";
import { html, type Markup } from "./markup.ts";
import { situationView, textsOf } from "./situation-view.ts";
import { shareOf } from "./text-budget.ts";
import { OUTCOME_NAMES } from "./theme.ts";

/** A trace and everything that was answered to it. */
interface Item {
  readonly trace: RunTrace;
  readonly answers: ShownAnswer[];
  readonly failures: ShownFailure[];
}

/**
 * Every answer, grouped by trace, in the order of ids. Closed at first, so that thousands can be
 * scrolled through; a link to a trace opens it.
 *
 * @param texts the traces' own texts by id; empty when no set was given
 */
export function answerList(arms: readonly Arm[], texts: ReadonlyMap<string, Trace>): Markup {
  const items = itemsOf(arms);
  const anchors = anchorsOf(items.map(({ trace }) => trace.id));
  const share = shareOf([
    ...arms.flatMap(({ answers }) => answers.flatMap(({ text }) => text ?? [])),
    ...arms.flatMap(({ run }) => run.errors.map(({ error }) => error.message)),
    ...items.flatMap(({ trace }) => textsOf(texts.get(trace.id))),
  ]);
  return html`${items.map((item) => itemMarkup(item, anchors.get(item.trace.id) ?? "", texts, share))}`;
}

function itemsOf(arms: readonly Arm[]): Item[] {
  const items = new Map<string, Item>();
  for (const arm of arms) {
    for (const trace of arm.run.traces.values()) {
      if (!items.has(trace.id)) items.set(trace.id, { trace, answers: [], failures: [] });
    }
    const rows = new Map(arm.run.answers.map((row) => [keyText(row), row]));
    for (const scored of arm.answers) {
      const row = rows.get(keyText(scored));
      if (row) items.get(scored.id)?.answers.push({ arm, scored, row });
    }
    for (const error of arm.run.errors) items.get(error.id)?.failures.push({ arm, error });
  }
  return [...items.values()].sort((a, b) => compareText(a.trace.id, b.trace.id));
}

function itemMarkup(
  { trace, answers, failures }: Item,
  anchor: string,
  texts: ReadonlyMap<string, Trace>,
  share: number,
): Markup {
  const outcomes = [
    ...answers.map(({ arm, scored }) => `${arm.number}:${scored.outcome}`),
    ...failures.map(({ arm }) => `${arm.number}:failed`),
  ];
  const tokens = [...new Set(outcomes)].join(" ");
  return html`<details class="trace" data-gold="${trace.gold}" data-domain="${trace.domain}" data-outcomes="${tokens}">
<summary><span class="id">${trace.id}</span> <span class="gold">${trace.gold}</span> <span class="domain">${trace.domain}</span> <span class="marks">${marksOf(answers, failures)}</span></summary>
<div class="body" id="${anchor}">${factsOf(trace, anchor)}${situationView(texts.get(trace.id), share)}
${answers.map((answer) => answerEntry(answer, share))}${failures.map((failure) => failureEntry(failure, share))}</div></details>
`;
}

/** What each arm said, in short: its number, a sign for right or wrong, and the label. */
function marksOf(answers: readonly ShownAnswer[], failures: readonly ShownFailure[]): Markup[] {
  const byArm = new Map<number, ShownAnswer[]>();
  for (const answer of answers) {
    byArm.set(answer.arm.number, [...(byArm.get(answer.arm.number) ?? []), answer]);
  }
  const marks = [...byArm].map(([number, list]) => {
    const [first, ...others] = list;
    if (first === undefined || others.length > 0) {
      const right = list.filter(({ scored }) => scored.outcome === "correct").length;
      return html`<b title="${right} of ${list.length} right">${number} ✓ ${right}/${list.length}</b>`;
    }
    const { outcome, lenient } = first.scored;
    const said: Label | "—" = outcome === "cut_off" ? "—" : (lenient.label ?? "—");
    return html`<b class="${outcome}" title="${OUTCOME_NAMES[outcome]}">${number} ${outcome === "correct" ? "✓" : "✗"} ${said}</b>`;
  });
  return [...marks, ...failures.map(({ arm }) => html`<b>${arm.number} failed</b>`)];
}

function factsOf(trace: RunTrace, anchor: string): Markup {
  const also = trace.also?.length ? `; ${trace.also.join(", ")} could be defended, too` : "";
  return html`<p><a href="#${encodeURIComponent(anchor)}">Link to ${trace.id}</a> · family ${trace.family} · gold <b>${trace.gold}</b>${also}</p>`;
}
