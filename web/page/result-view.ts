import { type Label, type Outcome, parse } from "../../src/index.ts";
import { h, literal } from "./dom.ts";
import { table } from "./table.ts";
import { type Played, payment, SCHEME_NAMES } from "./totals.ts";
import { OUTCOME_NAMES, showPrice, whyOutcome } from "./words.ts";

/** An outcome by name, with its colour beside it. */
export function outcomeView(outcome: Outcome): HTMLElement {
  return h("span", { class: "outcome", "data-outcome": outcome }, OUTCOME_NAMES[outcome]);
}

/** The label that an answer names. */
export function namedBy({ answer }: Played): Label | null {
  return parse(answer).strict.label;
}

/** What a decision led to, in two sentences. */
export function verdictView(played: Played): HTMLElement[] {
  const { label } = played.trace;
  const named = namedBy(played);
  // A chosen button is readable both ways, so that every scheme sees one outcome.
  const { outcome } = payment(played, "symmetric");
  const verdict = named === label ? `${label} is right.` : `You named ${named}; ${label} is right.`;
  return [
    h("p", { class: "verdict" }, verdict),
    h("p", {}, outcomeView(outcome), `: ${whyOutcome(outcome, label)}.`),
  ];
}

/** What each scheme pays for a decision, and why the right label is right. */
export function resultView(played: Played): HTMLElement[] {
  const { label, rationale, tempting, also = [] } = played.trace;
  const parts = [
    paysView(played),
    h("p", {}, h("strong", {}, `Why ${label}: `), literal(rationale)),
  ];
  if (tempting) {
    const lead = h("strong", {}, `What tempts to ${tempting.label}: `);
    parts.push(h("p", {}, lead, literal(tempting.rationale)));
  }
  if (also.length > 0) {
    const others = also.join(" or ");
    parts.push(h("p", {}, `A careful reader could defend ${others}, too; that changes no price.`));
  }
  return parts;
}

function paysView(played: Played): HTMLElement {
  const rows = SCHEME_NAMES.map((scheme) => ({
    head: scheme,
    cells: [showPrice(payment(played, scheme).reward)],
  }));
  return table(
    "What your answer earns",
    [{ name: "scheme" }, { name: "pays", isNumber: true }],
    rows,
  );
}
