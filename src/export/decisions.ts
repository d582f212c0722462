import { isLabel, type Label } from "../core/intervention.ts";
import { LETTERS, letterOf, lettersAt, offsetOf } from "../task/letters.ts";
import { DECISION_PREFIX, renderChoices } from "../task/prompt.ts";
import type { TraceFormat } from "./format-types.ts";
import { promptFor } from "./messages.ts";
import { type ExportRecord, fieldsOf, listOf, MESSAGES, STRING } from "./record-schema.ts";
import { promptFaults, turns } from "./turn-rules.ts";

/**
 * Lettered decisions: the decision readout's prompt under the trace's own rotation, the fixed
 * beginning of the reply, and the letter that follows it.
 */
export const DECISION_FORMATS = {
  steerbench: {
    of: "trace",
    summary: "prompt, reply prefix, the labels that A to E stand for, gold letter and gold label",
    schema: fieldsOf({
      prompt: MESSAGES,
      prefix: STRING,
      letters: listOf(STRING),
      gold_letter: STRING,
      gold: STRING,
      trace_id: STRING,
      family_id: STRING,
      domain: STRING,
    }),
    toRecord: ({ trace, system }) => {
      const offset = offsetOf(trace.id);
      return {
        prompt: promptFor(trace, "decision", system),
        prefix: DECISION_PREFIX,
        letters: lettersAt(offset),
        gold_letter: letterOf(trace.label, offset),
        gold: trace.label,
        trace_id: trace.id,
        family_id: trace.family,
        domain: trace.domain,
      };
    },
    read: ({ prompt, gold, trace_id, family_id }) => ({
      prompt: turns(prompt),
      label: gold as Label,
      traceId: trace_id as string,
      familyId: family_id as string,
    }),
    faults: decisionFaults,
  },
} as const satisfies Record<string, TraceFormat>;

/** The letters must follow from the id, the gold letter from them, and the prompt must show them. */
function decisionFaults(record: ExportRecord): string[] {
  const { prompt, prefix, letters, gold, gold_letter, trace_id } = record;
  const faults = promptFaults("prompt", prompt);
  const offset = offsetOf(String(trace_id));
  if (prefix !== DECISION_PREFIX) faults.push(`prefix: must be ${DECISION_PREFIX}`);
  if (String(letters) !== String(lettersAt(offset))) {
    faults.push(`letters: must be ${lettersAt(offset).join(", ")} for this trace_id`);
  }
  if (!isLabel(gold)) faults.push(`gold: not one of the five labels: ${gold}`);
  else if (gold_letter !== letterOf(gold, offset)) {
    faults.push(`gold_letter: must be ${letterOf(gold, offset)}, one of ${LETTERS.join(", ")}`);
  }
  const shown = turns(prompt).at(-1)?.content ?? "";
  if (!shown.endsWith(renderChoices(offset))) {
    faults.push("prompt: must end with the lettered choices of this trace_id");
  }
  return faults;
}
