import { LABELS, type Label } from "../../src/core/intervention.ts";
import { DOMAINS, type Trace } from "../../src/core/trace.ts";
import type { ReportRun } from "../../src/report/arms.ts";
import type { Run } from "../../src/result/run-read.ts";
import type { RunTrace } from "../../src/result/run-schema.ts";
import { DECISION, jsonAnswer, letterRow, makeRun, runTrace, textRow } from "../result/support.ts";
import { makeTrace } from "../support/traces.ts";

/** Texts that would break out of their place, run something, or turn the text around them. */
export const HOSTILE = [
  '</script><script>alert("script")</script>',
  '<img src=x onerror=alert("img")>',
  '"><svg onload=alert("svg")>',
  "$& $1 $` $' {{x}} #{alert(1)}",
  "left \u202egnp.exe\u2066 \u200fright",
  "half \ud83d character, bell \u0007, null \u0000, end",
  "]]> --> </style><style>body{display:none}</style>",
  "&lt;b&gt; &amp;lt; &#60;b&#62;",
  "x".repeat(9000),
  "line one\r\nline two\u2028line three\u0085line four",
];

/** Families of five traces, one for each label, over the domains in turn. */
export function makeTraces(families: number): RunTrace[] {
  return Array.from({ length: families * LABELS.length }, (_, at) => {
    const family = Math.floor(at / LABELS.length);
    return runTrace(`t-${String(at).padStart(4, "0")}`, LABELS[at % LABELS.length] as Label, {
      family: `f-${family}`,
      domain: DOMAINS[family % DOMAINS.length] ?? "coding",
    });
  });
}

/** An arm that writes: each trace in turn right, right but fenced, another label, unreadable, cut off. */
export function writingRun(traces: readonly RunTrace[], path = "runs/writing"): Run {
  const rows = traces.map(({ id, gold }, at) => {
    const other = LABELS[(LABELS.indexOf(gold) + 1 + (at % 4)) % LABELS.length] as Label;
    switch (at % 7) {
      case 0:
      case 1:
        return textRow(id, jsonAnswer(gold));
      case 2:
        return textRow(id, `\`\`\`json\n${jsonAnswer(gold)}\n\`\`\``);
      case 5:
        return textRow(id, "I cannot say.");
      case 6:
        return textRow(id, jsonAnswer(gold), { finish: "length" });
      default:
        return textRow(id, jsonAnswer(other));
    }
  });
  return makeRun(traces, rows, { path });
}

/** An arm that reads letters, with other scores from trace to trace. */
export function decidingRun(traces: readonly RunTrace[], path = "runs/deciding"): Run {
  const rows = traces.map(({ id }, at) =>
    letterRow(
      id,
      LABELS.map((_, k) => -1.7 - ((at * 7 + k * 3) % 11) / 10),
      { rotations: 5, letterMass: 0.4 },
    ),
  );
  return makeRun(traces, rows, { path, ...DECISION, letters: { order: "trace", rotations: 5 } });
}

/** Runs as a report takes them, without training curves. */
export function withoutCurves(runs: readonly Run[]): ReportRun[] {
  return runs.map((run) => ({ run, curves: [] }));
}

/** A text without what ids must not hold. */
function withoutControls(text: string): string {
  return [...text].filter((character) => character >= " ").join("");
}

/** Runs and traces whose every free text is hostile. */
export function hostileRuns(): { runs: ReportRun[]; texts: Map<string, Trace> } {
  const traces = HOSTILE.map((text, at) =>
    runTrace(`t-${at} ${withoutControls(text).slice(0, 60)}`, LABELS[at % 5] as Label, {
      family: `f ${text.slice(0, 60)}`,
    }),
  );
  const answers = traces.map(({ id }, at) => textRow(id, HOSTILE[at] ?? ""));
  const texts = traces.map(({ id, gold }, at) => {
    const text = HOSTILE[at] ?? "";
    const memory = [{ scope: "user", text } as const];
    return makeTrace({ id, task: text, memory, observation: text, label: gold, rationale: text });
  });
  const runs = [0, 1, 2].map((at) => {
    const name = HOSTILE[at] ?? "";
    const run = makeRun(traces, answers, { path: `${at} ${name}` });
    const model = { ...run.header.model, name, spec: name, files: { [name]: "0".repeat(64) } };
    const first = traces[0]?.id ?? "";
    const error = { id: first, sample: 0, error: { code: "broken", message: name } };
    return { ...run, header: { ...run.header, model }, errors: at === 0 ? [error] : [] };
  });
  const points = [0, 1].map((step) => ({ step, value: step }));
  const curves = HOSTILE.map((name) => ({ name, points }));
  return {
    runs: runs.map((run) => ({ run, curves })),
    texts: new Map(texts.map((trace) => [trace.id, trace])),
  };
}
