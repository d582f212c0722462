import { LABELS } from "../../core/intervention.ts";
import { renderAgreement } from "./agreement.ts";
import type { Audit } from "./audit.ts";
import type { AuditCheck } from "./check.ts";
import type { PermutationTest } from "./permutations.ts";
import type { TellingWord } from "./telling-words.ts";

/** An audit as text for people: lists to read first, the verdict last. */
export function renderAudit({ checks, words, permutations, agreement }: Audit): string {
  const parts = [
    renderWords(words),
    ...(permutations ? [renderPermutations(permutations)] : []),
    ...(agreement ? [renderAgreement(agreement)] : []),
    renderChecks(checks),
  ];
  return parts.join("\n");
}

function renderWords(words: readonly TellingWord[]): string {
  const lines = words.map(({ word, traces }) => {
    return `  ${word.padEnd(28)}${LABELS.map((label) => String(traces[label]).padStart(9)).join("")}`;
  });
  const head = `  ${"".padEnd(28)}${LABELS.map((label) => label.padStart(9)).join("")}`;
  return ["traces that hold the most telling words, by label", head, ...lines, ""].join("\n");
}

function renderPermutations(tests: readonly PermutationTest[]): string {
  const lines = tests.map(({ view, accuracy, permutedMean, permutations, p }) => {
    const [found, mean] = [accuracy, permutedMean].map((share) => (100 * share).toFixed(1));
    return `  ${view}: naive Bayes ${found}%, ${mean}% over ${permutations} permutations, p = ${p.toFixed(4)}`;
  });
  return ["labels permuted within families", ...lines, ""].join("\n");
}

function renderChecks(checks: readonly AuditCheck[]): string {
  const lines = checks.flatMap(({ name, passed, detail, findings }) => [
    `${passed ? "passed" : "FAILED"}  ${name}: ${detail}`,
    ...findings.map((finding) => `        ${finding}`),
  ]);
  const failed = checks.filter(({ passed }) => !passed).length;
  const end =
    failed > 0
      ? `${failed} of ${checks.length} checks failed`
      : `all ${checks.length} checks passed: none of these shortcuts was found, which does not prove that there is none`;
  return `${[...lines, end].join("\n")}\n`;
}
