import { LABELS, type Label } from "../../src/core/intervention.ts";
import { DOMAINS, type Trace } from "../../src/core/trace.ts";

/** A valid trace; any field can be replaced. */
export function makeTrace(changes: Partial<Trace> = {}): Trace {
  const id = changes.id ?? "t-00000001";
  return {
    id,
    family: `f-${id}`,
    domain: "coding",
    task: "Deploy the build of the billing service.",
    memory: [{ scope: "project", text: "Deployments need a green build." }],
    observation: "Build 4411 is green.",
    label: "ACT",
    rationale: "Build 4411 is green, which is all the rule demands.",
    ...changes,
  };
}

/** A family of five traces, one for each label. */
export function makeFamily(number: number, changes: Partial<Trace> = {}): Trace[] {
  return LABELS.map((label, k) =>
    makeTrace({
      id: `t-${number}-${k}`,
      family: `f-${number}`,
      domain: DOMAINS[number % DOMAINS.length] ?? "coding",
      task: `Task of family ${number}: ${words(number * 7, 12)}.`,
      observation: `Seen under ${number}/${k}: ${words(number * 31 + k, 20)}.`,
      label,
      rationale: rationaleOf(label, number),
      ...changes,
    }),
  );
}

function rationaleOf(label: Label, number: number): string {
  return `In case ${number} the deciding fact is ${words(number * 13 + LABELS.indexOf(label), 6)}.`;
}

const VOCABULARY =
  "ash bay cup dew elm fig gem hat ink jar kit log map net oak pad rug sun tin urn";

/** Deterministic filler words that repeat rarely in sequence. */
function words(start: number, count: number): string {
  const list = VOCABULARY.split(" ");
  return Array.from(
    { length: count },
    (_, i) => list[(start * (i + 3) + i * i) % list.length],
  ).join(" ");
}
