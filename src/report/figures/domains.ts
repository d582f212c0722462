import { rateCells } from "../../result/table.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import type { Drawing } from "../draw.ts";
import { familiesOf, familiesText, WILSON_NOTE } from "../families.ts";
import type { Figure } from "../figure.ts";
import { describeRates, drawIntervals, rateRow } from "../interval-rows.ts";
import { html } from "../markup.ts";
import { percentTick } from "../share-axes.ts";

/** Each arm's accuracy in each domain. */
export function domainsFigure(arms: readonly Arm[]): Figure {
  const shown = arms.filter(({ metrics }) => Object.keys(metrics.domains).length > 0);
  return {
    name: "domains",
    title: "By domain",
    lead: html`Accuracy in each domain with its 95% interval; the dashed line is the arm's accuracy over all domains. Behind each name stands how many families its answers come from; one or two say little about a domain. ${WILSON_NOTE}`,
    drawings: shown.map(drawArm),
    numbers: {
      head: ["arm", "domain", "accuracy", "counts", "95% interval", "families"],
      rows: shown.flatMap((arm) =>
        Object.entries(arm.metrics.domains).map(([domain, rate]) => [
          armLabel(arm, 60),
          domain,
          ...rateCells(rate),
          String(familiesOf(answersIn(arm, domain))),
        ]),
      ),
    },
  };
}

function drawArm(arm: Arm): Drawing {
  const rows = Object.entries(arm.metrics.domains).map(([domain, rate]) => ({
    label: `${domain}, ${familiesText(answersIn(arm, domain))}`,
    ...rateRow(rate),
  }));
  return drawIntervals({
    name: `domains-${armSlug(arm)}`,
    title: `Accuracy of ${arm.name} by domain`,
    heading: armLabel(arm, 44),
    description: describeRates(rows),
    rows,
    domain: [0, 1],
    tick: percentTick,
    rule: arm.metrics.accuracy.value ?? undefined,
  });
}

function answersIn({ answers }: Arm, domain: string) {
  return answers.filter((answer) => answer.domain === domain);
}
