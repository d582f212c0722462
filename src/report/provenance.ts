import type { Arm } from "./arms.ts";
import { html, type Markup } from "./markup.ts";

/** What was run: everything that decided the answers, with the hashes that make it checkable. */
export function provenanceList(arms: readonly Arm[]): Markup {
  return html`<div class="provenance">${arms.map(armCard)}</div>`;
}

function armCard(arm: Arm): Markup {
  const { header } = arm.run;
  const { model, sampling, letters } = header;
  const rows: [string, string][] = [
    ["model", model.name],
    ["checkpoint", model.spec],
    ["readout", header.readout],
    ...(letters
      ? [
          [
            "letters",
            `order by ${letters.order === "trace" ? "trace" : "label, fixed"}, orders averaged ${letters.rotations}`,
          ] as [string, string],
        ]
      : []),
    ...(sampling
      ? [
          [
            "sampling",
            `temperature ${sampling.temperature}, top-p ${sampling.topP}, at most ${sampling.maxTokens} tokens, answers a trace ${header.samples}, seed ${header.seed}`,
          ] as [string, string],
        ]
      : []),
    ...(model.dtype === null ? [] : [["number format", model.dtype] as [string, string]]),
    ["set", header.set.name],
    [
      "side of the split",
      `${header.split.part}, ${header.traces.length} traces${header.limit === null ? "" : ` (limit ${header.limit})`}`,
    ],
    ["scorer", `version ${header.scorer.version}`],
    ["prompt", `version ${header.prompt.version}`],
  ];
  const hashes: [string, string][] = [
    ["set", header.set.digest],
    ["split", header.split.digest],
    ["prompt template", header.prompt.template],
    ["situations", header.situations],
    ["parity vectors", header.scorer.vectors ?? "not known"],
    ...Object.entries(header.files),
    ...Object.entries(model.files),
  ];
  return html`<section class="arm-card">
<h3>${arm.number} ${arm.name}</h3>
<dl>${rows.map(pairOf)}</dl>
<details><summary>Hashes of arm ${arm.number}</summary><dl class="hashes">${hashes.map(pairOf)}</dl></details>
</section>`;
}

function pairOf([term, value]: readonly [string, string]): Markup {
  return html`<dt>${term}</dt><dd>${value}</dd>`;
}
